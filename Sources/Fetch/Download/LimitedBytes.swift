import SluiceExtract
import SluiceRecords

/// Bytes of which there may not be too many, as those of a small compressed file.
final class LimitedBytes: ByteSource {
    private let source: any ByteSource
    private let most: UInt64
    private var rest: UInt64
    private let name: String
    /// Whether there were.
    private(set) var isExceeded = false

    init(_ source: any ByteSource, _ most: UInt64, _ name: String) {
        self.source = source
        self.most = most
        self.name = name
        rest = most
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        guard UInt64(count) <= rest else {
            isExceeded = true
            throw Failure(.data, "\(name) holds more than \"maxBytes\" allows: \(most) bytes")
        }
        rest -= UInt64(count)
        return count
    }
}
