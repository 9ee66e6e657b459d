import SluicePosix
import SluiceRecords

/// Where files are that are reached by SFTP: `sftp://user@host/export/*.json`.
package struct RemotePattern: Sendable, Hashable {
    /// Nil: the user that runs the process.
    package let user: String?
    package let host: String
    package let port: Int?
    /// From the root of the machine; a pattern as of files.
    package let path: String

    package static let scheme = "sftp://"

    /// Whether a text is meant to be one.
    package static func names(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// Whether both are of one machine, and of one user there.
    package func isBeside(_ other: RemotePattern) -> Bool {
        host.isIdentical(to: other.host) && port == other.port
            && user.map { ExactText($0) } == other.user.map { ExactText($0) }
    }

    /// The files that somebody named on the command line.
    ///
    /// - Throws: `usage` where the text is no address of files.
    package init(named text: String) throws(Failure) {
        do throws(AddressError) { try self.init(text) } catch { throw error.failure(of: text) }
    }

    /// - Throws: what is wrong, a sentence without a subject.
    package init(_ text: String) throws(AddressError) {
        let rest = text.dropFirst(RemotePattern.scheme.count)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.hasPrefix(RemotePattern.scheme), parts.count == 2, !parts[1].isEmpty, !parts[0].isEmpty else {
            throw AddressError("must be a host and a path, such as sftp://user@example.org/export/*.json")
        }
        let place = parts[0].split(separator: "@", omittingEmptySubsequences: false)
        guard place.count <= 2, place.allSatisfy({ !$0.isEmpty }) else {
            throw AddressError("must have a user, an @ and a host, such as sftp://user@example.org/export/*.json")
        }
        user = place.count == 2 ? String(place[0]) : nil
        if user?.utf8.contains(UInt8(ascii: ":")) == true {
            throw AddressError("cannot hold a password: a key says who asks")
        }
        let name = place[place.count - 1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        host = String(name[0])
        port = name.count == 2 ? Int(name[1]) : nil
        let isPort = name.count == 1 || (1...65535).contains(port ?? 0)
        let isHost = host.utf8.allSatisfy { byte in
            byte != UInt8(ascii: "%") && byte > 0x20 && byte != 0x7f && !"\\#?[]".utf8.contains(byte)
        }
        guard isPort, isHost, !host.isEmpty else { throw AddressError("names no host: \(String(parts[0]).printable)") }
        path = "/" + parts[1]
        if PathPattern.isDeep(path) { throw AddressError("cannot have ** in it: SFTP does not say what a folder is") }
    }

    /// What the file of a path is called.
    package func name(of path: String) -> String {
        "\(RemotePattern.scheme)\(user.map { $0 + "@" } ?? "")\(host)\(port.map { ":\($0)" } ?? "")\(path)"
    }

    package var text: String { name(of: path) }

    /// The address of a path, for libcurl.
    func address(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { percentEncoded(String($0)) }
        return "\(RemotePattern.scheme)\(host)\(port.map { ":\($0)" } ?? "")\(parts.joined(separator: "/"))"
    }
}
