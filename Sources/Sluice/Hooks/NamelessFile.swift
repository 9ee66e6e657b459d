import Glibc
import Records

/// A temporary file without a name; it goes with the last who has it open.
final class NamelessFile {
    let descriptor: CInt

    /// - Parameter text: what it holds; its position is its beginning.
    init(_ text: String = "") throws(Failure) {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(folder)/sluice-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw NamelessFile.failure("a temporary file in \(folder) cannot be created")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = unsafe unlink(template)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw NamelessFile.failure("a temporary file in \(folder) cannot be written") }
            rest = rest.dropFirst(count)
        }
        _ = lseek(descriptor, 0, SEEK_SET)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The beginning of what it holds.
    func beginning(_ count: Int) -> String {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = unsafe pread(descriptor, &buffer, count, 0)
        return String(decoding: buffer.prefix(max(got, 0)), as: UTF8.self)
    }

    private static func failure(_ sentence: String) -> Failure {
        Failure(.io, "\(sentence): \(unsafe String(cString: strerror(errno)))")
    }
}
