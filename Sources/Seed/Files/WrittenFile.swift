import Glibc
import SluicePosix
import SluiceRecords

/// A file that is written beside its name, synced, and renamed: nobody ever sees a part of it.
@safe
final class WrittenFile {
    static let ending = ".sluice-part"

    let path: String
    let descriptor: CInt
    private let working: String
    private var isOpen = true

    init(_ path: String, mode: mode_t = 0o644) throws(Failure) {
        self.path = path
        working = path + WrittenFile.ending
        _ = unsafe unlink(working)
        descriptor = unsafe open(working, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(.uncreatable, "\(path) cannot be written", errno: errno) }
    }

    deinit { abandon() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor) else { throw failure }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes, to: descriptor) else { throw failure }
    }

    /// Gives it its name; the folder is synced by who has written all files.
    func finish() throws(Failure) {
        guard fsync(descriptor) == 0, unsafe rename(working, path) == 0 else { throw failure }
        isOpen = false
        close(descriptor)
    }

    func abandon() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
        _ = unsafe unlink(working)
    }

    private var failure: Failure { Failure(.io, "\(path) cannot be written", errno: errno) }
}

/// Opens and digests files.
@safe
final class ReadFile {
    let path: String
    let descriptor: CInt

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            switch code {
            case ENOENT, ENOTDIR: throw Failure(.missing, "\(path) does not exist")
            case EACCES, EPERM: throw Failure(.refused, "\(path) may not be read", errno: code)
            default: throw Failure(.io, "\(path) cannot be opened", errno: code)
            }
        }
    }

    deinit { close(descriptor) }

    var size: UInt64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        guard let count = unsafe readAll(into: buffer, from: descriptor, at: Int(offset)) else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        return count
    }

    /// All of it, if it is no longer than that.
    func bytes(most: Int) throws(Failure) -> [UInt8] {
        guard let bytes = readAll(from: descriptor, most: most + 1) else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        guard bytes.count <= most else { throw Failure(.data, "\(path) is larger than \(most) bytes") }
        return bytes
    }
}
