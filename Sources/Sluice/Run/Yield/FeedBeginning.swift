import SluiceExtract
import SluiceRecords

/// A source of bytes that keeps the first ones while they are read: where a feed gives no record, they show what it is
/// instead.
final class FeedBeginning: ByteSource {
    /// Answers that hold no records are small.
    static let most = 1 << 16

    private let source: any ByteSource
    private(set) var bytes: [UInt8] = []

    init(_ source: any ByteSource) { self.source = source }

    var consumed: Int { source.consumed }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        let count = try unsafe source.read(into: buffer)
        if bytes.count < FeedBeginning.most {
            unsafe bytes += buffer.prefix(min(count, FeedBeginning.most - bytes.count))
        }
        return count
    }
}
