import SluiceRecords

/// Bytes from memory, in chunks of chosen sizes: for feeds that are in memory already, and for tests.
package final class ChunkedBytes: ByteSource {
    private let bytes: [UInt8]
    private let sizes: [Int]
    private let failure: Failure?
    private var position = 0
    private var turn = 0

    /// The sizes are taken in turn, again and again; after the last byte comes the end, or the failure.
    package init(_ bytes: [UInt8], sizes: [Int] = [.max], failure: Failure? = nil) {
        self.bytes = bytes
        self.sizes = sizes
        self.failure = failure
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard position < bytes.count else {
            if let failure { throw failure }
            return 0
        }
        let count = min(sizes[turn % sizes.count], buffer.count, bytes.count - position)
        unsafe buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        turn += 1
        return count
    }
}
