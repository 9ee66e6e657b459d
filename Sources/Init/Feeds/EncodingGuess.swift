import SluiceExtract
import SluiceRecords

/// Why a feed that is not UTF-8 is no windows-1252 either.
enum EncodingGuess {
    /// Bytes that stand for nothing in windows-1252.
    private static let undefined: [UInt8] = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

    /// A byte, and where it is.
    private struct Place {
        var line = 1
        var column = 1
        var byte: UInt8 = 0

        var text: String { "\(line):\(column)" }
        var name: String { "0x" + String(byte, radix: 16, uppercase: true) }
    }

    /// Nil: no byte of it says so.
    static func failure(of feed: SurveyedFeed) throws(Failure) -> Failure? {
        for index in feed.files.indices {
            let (file, bytes) = (feed.files[index], try feed.open(index))
            guard let (first, other) = try places(in: bytes) else { continue }
            return Failure(
                .data,
                "\(file):\(first.text): the byte \(first.name) is no character of UTF-8; so the file was taken for"
                    + " windows-1252, in which \(file):\(other.text), the byte \(other.name), is none either: make UTF-8 of"
                    + " it (iconv -f ENCODING -t utf-8)")
        }
        return nil
    }

    /// The first byte that is no UTF-8, and the first that is no windows-1252.
    private static func places(in bytes: any ByteSource) throws(Failure) -> (Place, Place)? {
        var (place, scan) = (Place(), UTF8Scan())
        var (first, other): (Place?, Place?) = (nil, nil)
        // Where the character began that goes on.
        var start = place
        try LineCount.forEachPart(of: bytes) { part in
            for byte in part {
                place.byte = byte
                if scan.isAtStart { start = place }
                if first == nil, !scan.take(byte) { first = start }
                if other == nil, undefined.contains(byte) { other = place }
                (place.line, place.column) = byte == 0x0a ? (place.line + 1, 1) : (place.line, place.column + 1)
            }
            return first == nil || other == nil
        }
        guard let first, let other else { return nil }
        return (first, other)
    }
}

/// Looks for bytes that are no characters of UTF-8.
private struct UTF8Scan {
    /// How many bytes the character still has.
    private var left = 0

    var isAtStart: Bool { left == 0 }

    /// Whether a byte may follow those before.
    mutating func take(_ byte: UInt8) -> Bool {
        if left > 0 {
            left -= 1
            return byte & 0xc0 == 0x80
        }
        switch byte {
        case 0..<0x80: return true
        case 0xc2...0xdf: left = 1
        case 0xe0...0xef: left = 2
        case 0xf0...0xf4: left = 3
        default: return false
        }
        return true
    }
}
