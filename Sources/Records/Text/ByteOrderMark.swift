/// The byte-order mark of UTF-8, with which some programs let their texts begin.
public enum ByteOrderMark {
    /// Its three bytes.
    public static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

    /// How many of the first bytes of a text are the mark: all of its, or none.
    public static func count(at beginning: some Sequence<UInt8>) -> Int {
        beginning.starts(with: bytes) ? bytes.count : 0
    }
}

extension Collection<UInt8> {
    /// The bytes behind a byte-order mark; all, where there is none.
    public var withoutByteOrderMark: SubSequence { dropFirst(ByteOrderMark.count(at: self)) }
}
