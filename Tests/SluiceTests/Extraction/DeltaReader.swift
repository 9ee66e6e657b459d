/// Reads numbers and texts that stand as differences, value by value, by the description of the format alone.
///
/// Source: https://github.com/apache/parquet-format/blob/master/Encodings.md
struct DeltaReader: ByteReading {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8], at: Int = 0) { (self.bytes, self.at) = (bytes, at) }

    /// `DELTA_BINARY_PACKED`.
    mutating func numbers() -> [Int64] {
        let (block, parts, count) = (Int(varint()), Int(varint()), Int(varint()))
        var numbers = [zigzag()]
        while numbers.count < count {
            let least = zigzag()
            let widths = bytes[at..<at + parts].map(Int.init)
            at += parts
            // Parts behind the last number are not there, whatever their width says.
            for width in widths where numbers.count < count {
                for place in 0..<block / parts where numbers.count < count {
                    numbers.append(numbers[numbers.count - 1] &+ least &+ bits(from: place * width, width))
                }
                at += block / parts * width / 8
            }
        }
        return Array(numbers.prefix(count))
    }

    /// `DELTA_BYTE_ARRAY`.
    mutating func texts() -> [[UInt8]] {
        let (shared, lengths) = (numbers(), numbers())
        var texts: [[UInt8]] = []
        for (shared, length) in zip(shared, lengths) {
            texts.append(Array((texts.last ?? [])[..<Int(shared)]) + bytes[at..<at + Int(length)])
            at += Int(length)
        }
        return texts
    }

    private func bits(from first: Int, _ width: Int) -> Int64 {
        Int64(
            bitPattern: (first..<first + width).enumerated().reduce(0) { value, bit in
                value | UInt64(bytes[at + bit.element / 8] >> (bit.element % 8) & 1) << bit.offset
            })
    }
}
