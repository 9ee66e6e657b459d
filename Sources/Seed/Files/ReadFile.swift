import Glibc
import SluicePosix
import SluiceRecords

/// A file that is read: a regular one, since a pipe or a device may have no end, or no beginning.
@safe
package final class ReadFile {
    let path: String
    let descriptor: CInt
    /// In bytes, when it was opened.
    private(set) var size: UInt64 = 0

    package init(_ path: String) throws(Failure) {
        self.path = path
        // To open a pipe would wait for who writes to it.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            switch PathFault(errno: code) {
            case .missing: throw Failure(.missing, "\(path) does not exist")
            case .refused: throw Failure(.refused, "\(path) may not be read", errno: code)
            // A socket, or a device that nothing stands behind.
            case .other where [ENXIO, ENODEV].contains(code): throw ReadFile.irregular(path)
            case .other: throw Failure(.io, "\(path) cannot be opened", errno: code)
            }
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ReadFile.irregular(path) }
        size = UInt64(max(0, status.st_size))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func irregular(_ path: String) -> Failure { Failure(.data, "\(path) is no regular file") }

    /// Whether a name leads to a regular file, which may be opened by who would wait for another; nil: to nothing.
    ///
    /// - Throws: `io` where the system does not say.
    static func isRegular(_ path: String) throws(Failure) -> Bool? {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFREG }
        if PathFault(errno: errno) == .missing { return nil }
        throw Failure(.io, "\(path) cannot be read", errno: errno)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Failure) -> Int {
        guard let count = unsafe readAll(into: buffer, from: descriptor, at: Int(offset)) else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        return count
    }

    /// All of it, if it is no longer than that.
    package func bytes(most: Int) throws(Failure) -> [UInt8] {
        guard let bytes = readAll(from: descriptor, most: most + 1) else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        guard bytes.count <= most else { throw Failure(.data, "\(path) is larger than \(most) bytes") }
        return bytes
    }
}
