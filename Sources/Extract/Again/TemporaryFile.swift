import Glibc
import Records

/// A file without a name that one thread writes while another may read it: it goes when the last of them is done,
/// however the process ends.
final class TemporaryFile: Sendable {
    private let descriptor: CInt

    /// In `$TMPDIR` or `/var/tmp`, as SQLite does: `/tmp` is often memory.
    init() throws(Failure) {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        // O_TMPFILE, a macro that Swift does not import.
        let anonymous = unsafe open(folder, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        guard anonymous < 0 else {
            descriptor = anonymous
            return
        }
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw TemporaryFile.failure(.uncreatable, "a temporary file in \(folder) cannot be created")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unsafe unlink(template)
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw TemporaryFile.failure(.io, "the feed's temporary copy cannot be written")
            }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// How much has been written.
    var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    /// A reader of what has been written, from a byte on.
    func bytes(from start: Int) -> FileBytes? {
        FileBytes(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name: "the feed's temporary copy", start: start)
    }

    private static func failure(_ kind: Failure.Kind, _ sentence: String) -> Failure {
        Failure(kind, "\(sentence): \(unsafe String(cString: strerror(errno)))")
    }
}
