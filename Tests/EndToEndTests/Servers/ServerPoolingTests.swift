import Foundation
import TestSupport
import Testing

/// Connections that come through a pooler: each run needs a session of its own.
@Suite(.enabled(if: Pooler.isInstalled, "PgBouncer is not installed")) struct ServerPoolingTests {
    @Test(arguments: ["transaction", "transaction server_round_robin=1", "statement"])
    func sessionsThatAreGivenAwayAreRefused(_ mode: String) throws {
        let scene = try ServerScene()
        let pooler = try Pooler(scene.cluster, mode)
        // Others have used its sessions before.
        try pooler.warm(sessions: mode.contains("robin") ? 3 : 1)
        for command in ["run", "check", "runs", "unresolved"] {
            let outcome = try scene.run(command, "--store", pooler.uri)
            #expect(outcome.status == 78, "\(command)")
            #expect(
                outcome.errors.contains("through a pooler that gives each transaction another session"),
                "\(command): \(outcome.errors)")
        }
        #expect(try !scene.exists)
        // Nothing of it stays with the sessions of others.
        let locks = try scene.sql(
            """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
            AND objid::bigint = hashtext('\(scene.schema)')::bigint & 4294967295
            """)
        #expect(locks == "0")
    }

    /// Whether or not there is a session left for a look at it.
    @Test(arguments: ["session", "session default_pool_size=1"])
    func sessionsOfOnesOwnWillDo(_ mode: String) throws {
        let scene = try ServerScene()
        let pooler = try Pooler(scene.cluster, mode)
        #expect(try scene.run("run", "--quiet", "--store", pooler.uri).status == 0)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        // The lock is not left behind in the pool.
        #expect(try scene.run("run", "--force", "--quiet", "--store", pooler.uri).status == 0)
        #expect(try scene.run("run", "--force", "--quiet").status == 0)
    }
}

/// PgBouncer before the tests' own server.
private final class Pooler {
    static let isInstalled = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let uri: String
    private let socket: String
    private let program: HeldProgram

    /// - Parameter mode: how it gives sessions away, and other settings.
    init(_ cluster: Cluster, _ mode: String) throws {
        let folder = URL(filePath: "/tmp/sluice-pooler-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.path
        uri = "postgresql:///postgres?host=\(socket)&port=5432&user=importer"
        let settings = ("pool_mode=" + mode).replacing(" ", with: "\n")
        try Data(
            """
            [databases]
            postgres = host=\(cluster.socket) port=5432 user=importer
            [pgbouncer]
            unix_socket_dir = \(socket)
            listen_port = 5432
            auth_type = any
            \(settings)
            """.utf8
        ).write(to: folder.appending(path: "pooler.ini"))
        program = try HeldProgram(
            in: folder, as: "postgres", signal: "KILL", "PATH=\"$PATH:/usr/sbin\"\npgbouncer -q pooler.ini")
        try program.wait { (try? ask("SELECT 1")) != nil }
    }

    @discardableResult
    private func ask(_ sql: String) throws -> String {
        try HeldProgram.run(["psql", "-X", "-q", "-A", "-t", uri, "-c", sql])
    }

    /// Has it open sessions.
    func warm(sessions: Int) throws {
        let all = (0..<sessions).map { _ in Process() }
        for process in all {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["psql", "-X", "-q", uri, "-c", "SELECT pg_sleep(0.2)"]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
        }
        for process in all { process.waitForEnd() }
    }
}
