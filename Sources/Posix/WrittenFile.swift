import Glibc
import SluiceRecords

/// A file that is written beside its name, synced, and renamed: nobody ever sees a part of it.
@safe
package final class WrittenFile {
    package static let ending = ".sluice-part"

    package let path: String
    package let descriptor: CInt
    private let working: String
    private var isOpen = true

    package init(_ path: String, mode: mode_t = 0o644) throws(Failure) {
        self.path = path
        working = path + WrittenFile.ending
        _ = unsafe unlink(working)
        descriptor = unsafe open(working, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure.unwritable("\(path) cannot be written", path, errno: errno) }
    }

    deinit { abandon() }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor) else { throw failure }
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes, to: descriptor) else { throw failure }
    }

    /// Has what was written on the disk.
    package func sync() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Gives it its name; the folder is synced by who has written all files.
    package func finish() throws(Failure) {
        try sync()
        guard unsafe rename(working, path) == 0 else { throw failure }
        isOpen = false
        close(descriptor)
    }

    package func abandon() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
        _ = unsafe unlink(working)
    }

    private var failure: Failure { Failure(.io, "\(path) cannot be written", errno: errno) }
}
