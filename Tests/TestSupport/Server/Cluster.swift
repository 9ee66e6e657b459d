import Foundation

/// A database server of the tests' own: a cluster in a folder that goes away, reached through a socket in it. Who runs
/// the tests as root has it run as another user, since the server refuses root. It is started again when it falls.
package final class Cluster: Sendable {
    /// One for all tests of a process: each has a schema of its own.
    package static let shared = Result { try Cluster() }

    /// Of its database, by its owner.
    package let uri: String
    /// The folder of the socket.
    package let socket: String
    private let port: Int
    private let program: HeldProgram

    package typealias Unavailable = HeldProgram.Unavailable

    /// Certificates and keys of a server with TLS: `ca.pem`, `client.pem`, `client.key`.
    package func file(_ name: String) -> String { socket + "/" + name }

    /// - Parameters:
    ///   - settings: as in `postgresql.conf`, `name=value`.
    ///   - port: where it listens for TLS, with passwords; nil: only the socket leads to it.
    ///   - logs: where its log of writes is; nil: with all else.
    package init(settings: [String] = [], port: Int? = nil, logs: String? = nil) throws {
        let folder = URL(filePath: "/tmp/sluice-postgresql-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.path
        self.port = port ?? 5432
        uri = "postgresql:///postgres?host=\(socket)&port=\(self.port)&user=importer"
        let network = port.map { ["port=\($0)", "listen_addresses=localhost", "ssl_ca_file=../ca.pem"] }
        let all =
            ["fsync=off", "full_page_writes=off", "max_connections=200"] + (network ?? ["listen_addresses="]) + settings
        program = try HeldProgram(
            in: folder, as: "postgres",
            """
            PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)"
            if ! command -v initdb psql > /dev/null; then
              echo "the tests need the PostgreSQL server and psql: Debian's package postgresql" >&2; exit 1
            fi
            initdb -D data -A trust -U importer --no-sync --encoding UTF8 --locale C \
              \(logs.map { "--wal-segsize=1 --waldir=\($0)" } ?? "")
            \(port == nil ? "" : Cluster.certificates)
            (
              trap 'kill -INT $server; wait $server; exit' TERM
              while :; do
                postgres -D data -k "$0" \(all.map { "-c \($0)" }.joined(separator: " ")) & server=$!
                wait $server || sleep 0.1
              done
            )
            """)
        try wait()
    }

    /// Waits until it answers.
    package func wait() throws { try program.wait { (try? self.sql("SELECT 1")) == "1" } }

    /// An authority, a certificate by it for `localhost`, and one for the role `certified`. Who comes by a network
    /// needs a password, and that role its certificate. TLS is switched on in a file, since what the command says
    /// cannot be altered while the server runs.
    private static let certificates = """
        new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        sign="openssl x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
        $new -x509 -keyout ca.key -out ca.pem -days 2 -subj "/CN=Sluice test authority"
        $new -keyout data/server.key -out server.csr -subj /CN=localhost
        echo subjectAltName=DNS:localhost > extensions
        $sign -in server.csr -out data/server.crt -extfile extensions
        $new -keyout client.key -out client.csr -subj /CN=certified
        $sign -in client.csr -out client.pem
        chmod 600 data/server.key client.key
        echo "ssl = on" >> data/postgresql.conf
        echo "local all all trust" > data/pg_hba.conf
        echo "hostssl all certified all cert" >> data/pg_hba.conf
        echo "hostssl all all all scram-sha-256" >> data/pg_hba.conf
        """

    /// The same, by way of a proxy.
    package func uri(through proxy: ServerProxy?) -> String { uri.replacing(socket, with: proxy?.folder ?? socket) }

    /// What a statement gives, by the server's own client: rows as lines, fields with tabs between them.
    @discardableResult
    package func sql(_ sql: String, user: String = "importer") throws -> String {
        try HeldProgram.run([
            "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", socket, "-p", "\(port)", "-U",
            user, "-d", "postgres", "-c", sql,
        ]).trimmingCharacters(in: .newlines)
    }
}
