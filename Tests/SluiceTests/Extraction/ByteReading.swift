/// Reads numbers of seven bits a byte, as Thrift and the encodings of Parquet have them.
protocol ByteReading {
    var bytes: [UInt8] { get }
    /// Where the next number stands.
    var at: Int { get set }
}

extension ByteReading {
    mutating func varint() -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        repeat {
            value |= UInt64(bytes[at] & 0x7f) << shift
            shift += 7
            at += 1
        } while bytes[at - 1] & 0x80 != 0
        return value
    }

    mutating func zigzag() -> Int64 {
        let raw = varint()
        return Int64(raw >> 1) ^ -Int64(raw & 1)
    }
}
