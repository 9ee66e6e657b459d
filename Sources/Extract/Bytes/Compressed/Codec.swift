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

/// A stream as zlib has it, and bzip2 after it: where the next bytes are read and written, and how many there may be.
protocol CodecStream {
    associatedtype Byte
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var next_in: UnsafeMutablePointer<Byte>! { get set }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var avail_in: UInt32 { get set }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var next_out: UnsafeMutablePointer<Byte>! { get set }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var avail_out: UInt32 { get set }
}

extension UnsafeMutablePointer where Pointee: CodecStream {
    /// Lets the library work on buffers, and says how much of each it has used, and what it answered.
    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ work: (Self) -> Int32
    ) -> (taken: Int, made: Int, code: Int32) {
        let (inputCount, outputCount) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
        unsafe pointee.next_in = UnsafeMutablePointer<Pointee.Byte>(
            mutating: input.baseAddress?.assumingMemoryBound(to: Pointee.Byte.self))
        unsafe pointee.avail_in = inputCount
        unsafe pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Pointee.Byte.self)
        unsafe pointee.avail_out = outputCount
        let code = unsafe work(self)
        return unsafe (Int(inputCount - pointee.avail_in), Int(outputCount - pointee.avail_out), code)
    }
}
