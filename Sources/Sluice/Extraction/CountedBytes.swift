import SluiceExtract
import SluiceRecords

/// Bytes whose newlines are counted while they are read.
final class CountedBytes: ByteSource {
    private let source: any ByteSource
    private(set) var newlines = 0

    init(_ source: any ByteSource) { self.source = source }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        newlines += unsafe buffer[..<count].count { $0 == UInt8(ascii: "\n") }
        return count
    }
}
