import Foundation

/// A server of SSH on this machine, with SFTP alone, which lets one key in; and what its client needs.
package final class SecureShell: Sendable {
    private let server: HeldProgram
    package let port: Int
    /// The folder of its files.
    package let folder: URL
    /// What says who may be trusted, and the client's key.
    package let knownHosts: String
    package let key: String

    private static let program = "/usr/sbin/sshd"

    package static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    package init() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "sftp-\(UUID().uuidString)")
        folder = home.appending(path: "files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["host", "client", "other"] {
            let path = home.appending(path: name).path
            try HeldProgram.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path])
        }
        port = try HeldProgram.freePorts(1)[0]
        key = home.appending(path: "client").path
        knownHosts = home.appending(path: "known_hosts").path
        let publicKey = try String(contentsOf: home.appending(path: "host.pub"), encoding: .utf8)
        try Data("[127.0.0.1]:\(port) \(publicKey)".utf8).write(to: URL(filePath: knownHosts))
        let settings = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(home.path)/host
            PidFile none
            AuthorizedKeysFile \(home.path)/client.pub
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            StrictModes no
            UsePAM no
            Subsystem sftp internal-sftp
            """
        try Data(settings.utf8).write(to: home.appending(path: "sshd_config"))
        // It wants a folder of its own, which the package's service makes.
        try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        server = try HeldProgram(in: home, "\(SecureShell.program) -D -e -f sshd_config")
        let port = port
        try server.wait { (try? HeldProgram.run(["ssh-keyscan", "-p", "\(port)", "127.0.0.1"]).isEmpty) == false }
    }

    /// A key that nobody lets in.
    package var otherKey: String { server.folder.appending(path: "other").path }
}
