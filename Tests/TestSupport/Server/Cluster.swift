import Foundation

/// A database server of the tests' own: a cluster in a folder that goes away, reached through a socket in it. Who may run
/// as root has it run as another user, since the server refuses root.
package final class Cluster: @unchecked Sendable {
    // Unchecked: nothing of it changes once it is there.

    /// One for all tests of a process: each has a schema of its own.
    package static let shared = Result { try Cluster() }

    /// Of its database, by its owner.
    package let uri: String
    /// The folder of the socket.
    package let socket: String
    private let folder: URL
    private let process: Process
    // Held, so that the server lives as long.
    private let life = Pipe()

    /// Why the server does not start.
    package struct Unavailable: Error {
        package var reason: String
    }

    package init(settings: [String] = []) throws {
        folder = URL(filePath: "/tmp/sluice-postgresql-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.path
        uri = "postgresql:///postgres?host=\(socket)&user=importer"
        process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let isRoot = geteuid() == 0
        // The server ends when the pipe does: with this object, or with the process, however that ends.
        let program = """
            cd "$0"
            PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)"
            initdb -D data -A trust -U importer --no-sync --encoding UTF8 --locale C > log 2>&1 || exit 1
            postgres -D data -k "$0" -c listen_addresses= -c fsync=off -c full_page_writes=off \
              -c max_connections=200 \(settings.map { "-c \($0)" }.joined(separator: " ")) > log 2>&1 &
            cat; kill -INT $!; wait; cd /; rm -rf "$0"
            """
        let user =
            isRoot
            ? "chown postgres \(socket); exec setpriv --reuid=postgres --regid=postgres --clear-groups " : "exec "
        process.arguments = ["-c", user + "sh -c '\(program)' \(socket)"]
        process.standardInput = life
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilItAnswers()
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func waitUntilItAnswers() throws {
        for _ in 0..<3000 {
            if (try? sql("SELECT 1")) == "1" { return }
            guard process.isRunning else { break }
            usleep(20_000)
        }
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        throw Unavailable(reason: "PostgreSQL does not start: \(log)")
    }

    /// What a statement gives, by the server's own client: rows as lines, fields with tabs between them.
    @discardableResult
    package func sql(_ sql: String, user: String = "importer") throws -> String {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", socket, "-U", user, "-d",
            "postgres",
            "-c", sql,
        ]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let reason = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Unavailable(reason: String(decoding: reason, as: UTF8.self)) }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
