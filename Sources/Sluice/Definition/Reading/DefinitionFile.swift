import Records

#if canImport(Glibc)
    import Glibc
#endif

/// The bytes of a definition.
enum DefinitionFile {
    /// More than any definition has: what is larger is a feed, named by mistake.
    private static let mostBytes = 64 << 20

    /// Reads a file whole.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path, errno)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > mostBytes {
                throw Failure(.definition, "\(path) is larger than 64 MiB, and so a feed rather than a definition")
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        switch code {
        case ENOENT, ENOTDIR: return Failure(.missing, "the definition \(path) does not exist")
        case EISDIR: return Failure(.missing, "the definition \(path) is a directory")
        case EACCES, EPERM: return Failure(.refused, "the definition \(path) may not be read")
        default:
            let reason = unsafe String(cString: strerror(code))
            return Failure(.io, "the definition \(path) cannot be read: \(reason)")
        }
    }
}
