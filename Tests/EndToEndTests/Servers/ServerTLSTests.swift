import Foundation
import TestSupport
import Testing

/// A server that is reached by a network: with a certificate, and a password.
@Suite struct ServerTLSTests {
    private let folder = TemporaryFolder()
    private let cluster: Cluster
    private let port: Int

    init() throws {
        port = try HeldProgram.freePorts(1)[0]
        cluster = try Cluster(port: port)
        try cluster.sql("ALTER ROLE importer PASSWORD 'geheim'; CREATE ROLE certified SUPERUSER LOGIN")
        _ = try folder.write("feed.json", "[{\"id\": \"1\"}]")
        for (name, password, mode) in [("good", "geheim", 0o600), ("bad", "falsch", 0o600), ("open", "geheim", 0o644)] {
            let path = try folder.write(name, password)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    private func run(
        _ settings: String, user: String = "importer", host: String = "localhost", more: String = "",
        database: String? = nil, environment: [String: String] = [:], _ command: String = "run"
    ) throws -> Sluice.Outcome {
        let database = database ?? "postgresql://\(user)@\(host):\(port)/postgres\(more)"
        let pipeline = try folder.write(
            "items.jsonc",
            """
            {
              "source": { "file": "feed.json" },
              "store": {
                "postgresql": { "database": "\(database)"\(settings) }
              },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } }
            }
            """)
        let outcome = try Sluice.run(
            [command, pipeline] + (command == "run" ? ["--quiet"] : []), environment: environment)
        #expect(!(outcome.output + outcome.errors).contains("geheim"))
        return outcome
    }

    @Test func whoIsTrusted() throws {
        let password = ", \"password\": { \"file\": \"good\" }"
        let own = ", \"certificates\": \"\(cluster.file("ca.pem"))\""
        #expect(try run(password + own).status == 0)
        #expect(try run(password + own, "check").output.contains("fits the store\n"))
        // An authority that nobody knows, another host's certificate, and none to compare with.
        let strange = try run(password)
        #expect(strange.status == 69 && strange.errors.contains("certificate verify failed"), "\(strange.errors)")
        let elsewhere = try run(password + own, host: "127.0.0.1")
        #expect(
            elsewhere.status == 69 && elsewhere.errors.contains("does not match host name"), "\(elsewhere.errors)")
        let missing = try run(password + ", \"certificates\": \"nowhere.pem\"")
        #expect(missing.status == 78 && missing.errors.contains("nowhere.pem cannot be read"), "\(missing.errors)")
        // What is weaker is possible where it is written down, and said to be.
        for (tls, host, given) in [
            ("require", "127.0.0.1", "whoever stands between can read and change all"),
            ("verify-ca", "127.0.0.1", "the name of the host is not compared"),
        ] {
            let weak = ", \"tls\": \"\(tls)\"" + (tls == "require" ? "" : own)
            #expect(try run(password + weak, host: host).status == 0, "\(tls)")
            let told = try run(password + weak, host: host, "check").output.replacing(/\n +/, with: " ")
            #expect(told.contains(given), "\(told)")
        }
        // A host that libpq alone knows of is asked for as much as any.
        let service = try folder.write(
            "services", "[sv]\nhost=localhost\nport=\(port)\ndbname=postgres\nuser=importer\n")
        let named = ["PGSERVICEFILE": service]
        for (database, environment) in [
            ("service=sv", named), ("dbname=postgres", named.merging(["PGSERVICE": "sv"]) { $1 }),
            ("host=/nowhere,localhost port=\(port),\(port) dbname=postgres user=importer", [:]),
            ("dbname=postgres user=importer port=\(port)", ["PGHOSTADDR": "127.0.0.1", "PGHOST": "localhost"]),
        ] {
            let strange = try run(password, database: database, environment: environment)
            #expect(strange.status == 69 && strange.errors.contains("certificate verify failed"), "\(strange.errors)")
            let known = try run(password + own, database: database, environment: environment)
            #expect(known.status == 0, "\(known.errors)")
        }
        // This server takes nobody without TLS.
        let plain = try run(password + ", \"tls\": \"disable\"")
        #expect(plain.status == 77 && plain.errors.contains("no encryption"), "\(plain.errors)")

        let bad = try run(own + ", \"password\": { \"file\": \"bad\" }")
        #expect(bad.status == 77 && bad.errors.contains("refuses the connection"), "\(bad.errors)")
        let none = try run(own)
        #expect(none.status == 77 && !none.errors.contains("cannot be reached"), "\(none.errors)")
        #expect(
            none.errors.contains("say \"password\" beside \"database\", or write it into ~/.pgpass"), "\(none.errors)")
        let open = try run(own + ", \"password\": { \"file\": \"open\" }")
        #expect(open.status == 77 && open.errors.contains("chmod 600"), "\(open.errors)")

        // A certificate instead of a password is said as libpq has it.
        let (certificate, key) = (cluster.file("client.pem"), cluster.file("client.key"))
        let more = "?sslcert=\(certificate)&sslkey=\(key)"
        let certified = try run(own, user: "certified", more: more)
        #expect(certified.status == 0, "\(certified.errors)")
        let without = try run(own, user: "certified")
        #expect(without.status == 77 && without.errors.contains("certificate"), "\(without.errors)")
    }

    /// A definition that says nothing of TLS asks for all of it.
    @Test func aServerWithoutTLS() throws {
        let hosts = "local all all trust\\nhost all all 127.0.0.1/32 trust\\nhost all all ::1/128 trust"
        try cluster.sql("COPY (SELECT 1) TO PROGRAM 'printf \"\(hosts)\\n\" > pg_hba.conf'")
        try cluster.sql("ALTER SYSTEM SET ssl = off")
        try cluster.sql("SELECT pg_reload_conf()")
        let plain = ", \"tls\": \"disable\""
        var waits = 0
        while try waits < 100 && (run(plain).status != 0 || run("").status == 69) {
            usleep(100_000)
            waits += 1
        }
        for settings in ["", ", \"tls\": \"require\"", ", \"tls\": \"verify-full\""] {
            let outcome = try run(settings)
            #expect(outcome.status == 78 && !outcome.errors.contains("cannot be reached"), "\(outcome.errors)")
            #expect(
                outcome.errors.contains("without TLS") && outcome.errors.contains("\"verify-full\" where")
                    && outcome.errors.contains("say \"tls\": \"disable\" beside \"database\""), "\(outcome.errors)")
        }
        #expect(try run(plain).status == 0)
        let missing = try run(plain, database: "postgresql://importer@localhost:\(port)/nowhere")
        #expect(missing.status == 78 && missing.errors.contains("is not there"), "\(missing.errors)")
    }
}
