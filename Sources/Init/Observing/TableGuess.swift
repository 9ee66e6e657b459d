import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Guesses how a table is written from its first line.
enum TableGuess {
    private static let delimiters = Array(",;\t|".utf8)

    /// What stands between its cells; nil: what its format says.
    static func delimiter(of bytes: any ByteSource, _ format: Source.Format) throws(Failure) -> UInt8? {
        let usual = UInt8(ascii: format == .tsv ? "\t" : ",")
        var counts = [UInt8: Int]()
        var isQuoted = false
        for byte in try firstBytes(of: bytes) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0a && !isQuoted { break }
            if !isQuoted, delimiters.contains(byte) { counts[byte, default: 0] += 1 }
        }
        guard counts[usual] == nil else { return nil }
        return delimiters.max { counts[$0, default: 0] < counts[$1, default: 0] }.flatMap {
            counts[$0] == nil ? nil : $0
        }
    }

    /// The first bytes, up to 64 KiB: one reading may give only a few.
    static func firstBytes(of source: any ByteSource) throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while count < buffer.count {
            let outcome = unsafe buffer.withUnsafeMutableBytes { memory in
                Result { () throws(Failure) in
                    try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                }
            }
            let got = try outcome.get()
            if got == 0 { break }
            count += got
        }
        return Array(buffer.prefix(count))
    }
}
