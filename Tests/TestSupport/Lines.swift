import Foundation

extension Data {
    /// The lines without their ends, which are newlines. Bytes are compared, since to find the characters of a large
    /// file takes longer than many a test.
    package var textLines: [String] {
        var (lines, start) = ([String](), startIndex)
        while start < endIndex {
            let end = self[start...].firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
            lines.append(String(decoding: self[start..<end], as: UTF8.self))
            start = end + 1
        }
        return lines
    }
}
