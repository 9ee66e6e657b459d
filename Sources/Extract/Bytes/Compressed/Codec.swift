/// One library that decompresses.
///
/// A compressed stream consists of members (gzip), frames (zstd) or streams (xz, bzip2) that follow one another; here
/// all are members. A codec knows one at a time, `Decompressor` what may follow.
protocol Codec: AnyObject {
    /// Whether members may follow one another.
    static var isOfMembers: Bool { get }

    /// Makes ready for another member; false: there is not enough memory.
    func restart() -> Bool

    /// Decompresses from the front of `input` to the front of `output`, both of which may be empty. Where neither
    /// moves, it wants more of the one that is empty.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> CodecStep
}

struct CodecStep {
    var taken: Int
    var made: Int
    var state = State.inside

    enum State: Equatable {
        case inside
        /// The member is whole, and its checksum is right.
        case atEnd
        case damaged(String)
    }
}
