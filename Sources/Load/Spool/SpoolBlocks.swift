import SluicePosix
import SluiceRecords

/// The file of one spool, of several, or of the parts of one: each writes blocks behind those that are there, and knows
/// where its own are. It has no name: it goes when it is closed, however the process ends.
final class SpoolBlocks {
    /// nil: nothing is written yet.
    private var file: TemporaryFile?
    private var end = 0

    /// Writes a block, and returns where it is.
    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Range<Int> {
        let file = try openedFile()
        let start = end
        try unsafe file.write(bytes, at: start)
        end += bytes.count
        return start..<end
    }

    private func openedFile() throws(Failure) -> TemporaryFile {
        if let file { return file }
        let opened = try TemporaryFile()
        file = opened
        return opened
    }

    /// Reads as many bytes as the buffer takes.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) {
        guard try unsafe file?.read(into: buffer, at: offset) == buffer.count else {
            throw Failure(.io, "a temporary file ended too early")
        }
    }
}
