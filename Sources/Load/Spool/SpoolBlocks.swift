import SluicePosix
import SluiceRecords

/// The file of one spool, of several, or of the parts of one: each writes blocks behind those that are there, and knows
/// where its own are. It has no name: it goes when it is closed, however the process ends.
final class SpoolBlocks {
    /// Bytes behind the first so many are written on another thread: few spools have so many.
    private static let shortBytes = 1 << 20

    /// nil: nothing is written yet.
    private var target: SpoolTarget?
    private var end = 0
    private var isLong = false
    /// The number that the writer gave to what was handed over last.
    private var lastNumber = 0

    deinit { if isLong { SpoolWriter.shared.removeUser() } }

    /// Writes a block, and returns where it is. A later call may throw the failure of this write.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Range<Int> {
        let target = try openedTarget()
        let start = end
        end += bytes.count
        if isLong {
            lastNumber = max(lastNumber, try unsafe SpoolWriter.shared.write(bytes, at: start, of: target))
        } else {
            try unsafe target.file.write(bytes, at: start)
            if end > SpoolBlocks.shortBytes { becomeLong() }
        }
        return start..<end
    }

    private func becomeLong() {
        isLong = true
        SpoolWriter.shared.addUser()
    }

    private func openedTarget() throws(Failure) -> SpoolTarget {
        if let target { return target }
        let opened = SpoolTarget(try TemporaryFile())
        target = opened
        return opened
    }

    /// Reads as many bytes as the buffer takes.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) {
        if isLong, let target { try SpoolWriter.shared.waitUntilWritten(lastNumber, of: target) }
        guard try unsafe target?.file.read(into: buffer, at: offset) == buffer.count else {
            throw Failure(.io, "a temporary file ended too early")
        }
    }
}
