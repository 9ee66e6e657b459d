import Glibc
import SluicePosix
import SluiceRecords

/// Opens and digests files.
@safe
package final class ReadFile {
    let path: String
    let descriptor: CInt

    package init(_ path: String) throws(Failure) {
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
    package func bytes(most: Int) throws(Failure) -> [UInt8] {
        guard let bytes = readAll(from: descriptor, most: most + 1) else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        guard bytes.count <= most else { throw Failure(.data, "\(path) is larger than \(most) bytes") }
        return bytes
    }
}
