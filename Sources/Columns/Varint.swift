/// Numbers of seven bits to a byte, the lowest first: ULEB128, as Thrift's headers and the encodings of Parquet have
/// them.
enum Varint {
    @inline(__always)
    static func write(_ value: UInt64, _ append: (UInt8) -> Void) {
        var rest = value
        while rest > 0x7f {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Numbers below zero between the others, so that small ones are short.
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }
}
