import Glibc
import SluicePosix
import SluiceRecords

/// The bytes of a definition.
package enum DefinitionFile {
    /// More than any definition has: what is larger is a feed, named by mistake.
    private static let mostBytes = 64 << 20

    /// Reads a file whole.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard let bytes = readAll(from: descriptor, most: mostBytes + 1) else { throw failure(path, errno) }
        guard bytes.count <= mostBytes else {
            throw Failure(.definition, "\(path) is larger than 64 MiB, and so a feed rather than a definition")
        }
        return bytes
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        switch PathFault(errno: code) {
        case .missing:
            return Failure(.missing, "the definition \(path) does not exist\(NearbyFile.suggestion(for: path))")
        case .other where code == EISDIR: return Failure(.missing, "the definition \(path) is a directory")
        case .refused: return Failure(.refused, "the definition \(path) may not be read")
        case .other: return Failure(.io, "the definition \(path) cannot be read", errno: code)
        }
    }
}
