import Foundation
import SluiceRecords
import Synchronization
import TestSupport
import Testing

@testable import SluicePostgreSQL

@Suite struct ServerConnectionTests {
    private func connect(
        _ text: String? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> ServerConnection {
        let address = try ServerAddress(text ?? Cluster.shared.get().uri)
        return try ServerConnection(address, name: "test", application: "sluice test", isCancelled: isCancelled)
    }

    private func failure(_ body: () throws -> Void) -> Failure? {
        do { try body() } catch { return error as? Failure }
        return nil
    }

    @Test func rowsAreCopied() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE copied (\"objectID\" bigint, \"name\" text)")
        var rows = CopyBuffer()
        defer { rows.deallocate() }
        rows.begin(columns: 2)
        for number in 1...20_000 {
            rows.appendRow { buffer in
                buffer.appendField(Int64(number))
                buffer.appendField(number % 3 == 0 ? nil : "name \(number)")
            }
        }
        rows.end()
        try connection.copy("COPY pg_temp.copied FROM STDIN (FORMAT binary)", rows)
        let found = try connection.query("SELECT count(*), count(name), max(name) FROM pg_temp.copied")
        #expect(found.integer(0, 0) == 20_000 && found.integer(0, 1) == 13_334 && found.text(0, 2) == "name 9998")
    }

    /// Whatever a role or a database has set: a real is the same when its text is read again.
    @Test func realsKeepTheirDigits() throws {
        let connection = try connect()
        #expect(try connection.query("SELECT current_setting('extra_float_digits')").text(0, 0) == "1")
        #expect(try connection.query("SELECT (0.1::float8 + 0.2::float8)::text").text(0, 0) == "0.30000000000000004")
    }

    @Test func lists() throws {
        let connection = try connect()
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.addList([3, 1, 2])
        parameters.addList(["c", nil, "b"])
        parameters.add(7)
        parameters.add("x")
        let sql = "SELECT n, t, $3 + n, $4 FROM unnest($1, $2) u(n, t) ORDER BY n"
        for _ in 0..<2 {
            let rows = try connection.query(sql, parameters)
            #expect((0..<3).map { rows.integer($0, 0) } == [1, 2, 3])
            #expect((0..<3).map { rows.optionalText($0, 1) } == [nil, "b", "c"])
            #expect(rows.integer(2, 2) == 10 && rows.text(0, 3) == "x")
        }
        parameters.removeAll()
        parameters.addList([Int64]())
        #expect(try connection.query("SELECT 1 FROM unnest($1::bigint[])", parameters).count == 0)
    }

    /// A table may have more sets of columns than a server should keep statements for.
    @Test func statementsAreForgotten() throws {
        let connection = try connect()
        for round in 0..<2 {
            for number in 0..<300 {
                #expect(try connection.query("SELECT \(number)::bigint").integer(0, 0) == Int64(number), "\(round)")
            }
        }
        #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements").integer(0, 0) <= 256)
    }

    @Test func errorsSayWhatTheyMean() throws {
        let connection = try connect()
        #expect(failure { try connection.execute("SELEC 1") }?.kind == .defect)
        try connection.execute(
            "CREATE TEMP TABLE keyed (k bigint PRIMARY KEY CHECK (k < 10)); INSERT INTO pg_temp.keyed VALUES (1)")
        let taken = failure { try connection.query("INSERT INTO pg_temp.keyed VALUES (1)") }
        #expect(taken?.kind == .io)
        #expect(taken?.message.contains("table keyed has the same key already (Key (k)=(1) already exists.)") == true)
        #expect(failure { try connection.query("INSERT INTO pg_temp.keyed VALUES (11)") }?.kind == .definition)
        // The connection is as good as before.
        #expect(try connection.query("SELECT 1").integer(0, 0) == 1)
    }

    @Test func aMissingDatabaseAndServer() throws {
        let socket = try Cluster.shared.get().socket
        #expect(failure { _ = try connect("host=\(socket) user=importer dbname=missing") }?.kind == .definition)
        #expect(failure { _ = try connect("host=\(socket) user=nobody_there dbname=postgres") }?.kind == .refused)
        let nowhere = failure { _ = try connect("host=/nowhere user=importer dbname=postgres") }
        #expect(nowhere?.kind == .unavailable)
    }

    @Test func missingRights() throws {
        let cluster = try Cluster.shared.get()
        let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
        try cluster.sql("CREATE ROLE \(role) LOGIN; CREATE SCHEMA s_\(role); CREATE TABLE s_\(role).t (a int)")
        let connection = try connect("host=\(cluster.socket) user=\(role) dbname=postgres")
        let refused = failure { try connection.query("SELECT * FROM s_\(role).t") }
        #expect(refused?.kind == .refused)
        #expect(refused?.message.hasSuffix("GRANT USAGE, CREATE ON SCHEMA \"s_\(role)\" TO \"\(role)\"") == true)
        // Who only reads needs no more than that.
        connection.isReading = true
        func said(_ failure: Failure?) throws -> String {
            let message = try #require(failure?.message)
            let range = try #require(message.firstRange(of: "can say: "), "\(message)")
            return String(message[range.upperBound...])
        }
        let usage = try said(failure { try connection.query("SELECT * FROM s_\(role).t") })
        #expect(usage == "GRANT USAGE ON SCHEMA \"s_\(role)\" TO \"\(role)\"")
        try cluster.sql(usage)
        let select = try said(failure { try connection.query("SELECT * FROM \"s_\(role)\".t") })
        #expect(select == "GRANT SELECT ON \"s_\(role)\".\"t\" TO \"\(role)\"")
        try cluster.sql(select)
        #expect(try connection.query("SELECT * FROM s_\(role).t").count == 0)
    }

    @Test func aCancelledStatementEnds() throws {
        let isCancelled = Atomic(false)
        let connection = try connect(isCancelled: { isCancelled.load(ordering: .relaxed) })
        Thread.detachNewThread {
            usleep(200_000)
            isCancelled.store(true, ordering: .relaxed)
        }
        #expect(failure { try connection.query("SELECT pg_sleep(100)::text") }?.kind == .cancelled)
    }

    @Test func aLostConnection() throws {
        let (one, other) = (try connect(), try connect())
        let pid = try one.query("SELECT pg_backend_pid()").integer(0, 0)
        try other.execute("SELECT pg_terminate_backend(\(pid))")
        let lost = failure { try one.query("SELECT 1 + 1") }
        #expect(lost?.kind == .unavailable)
        #expect(!one.isAlive && other.isAlive)
    }
}

@Suite struct ServerAddressTests {
    private func mistake(_ text: String) -> String? {
        do { _ = try ServerAddress(text) } catch { return error.message }
        return nil
    }

    @Test func isNamedWithoutWhatIsSecret() throws {
        let address = try ServerAddress("postgresql://importer@db.example.org:6543/transit?connect_timeout=3")
        #expect(address.description == "postgresql://db.example.org:6543/transit")
        #expect(
            try ServerAddress("host=db.example.org dbname=transit").description == "postgresql://db.example.org/transit"
        )
        #expect(try ServerAddress("host=/run/postgresql dbname=transit").description == "postgresql:///transit")
    }

    @Test func passwordsAreRefused() {
        for text in [
            "postgresql://importer:secret@db.example.org/transit", "host=db password=secret",
            "postgresql://db/transit?password=secret", "postgresql://db/transit?sslpassword=secret",
        ] {
            #expect(mistake(text)?.contains("cannot hold a password") == true)
            #expect(mistake(text)?.contains("secret") == false)
        }
        #expect(mistake("postgresql://importer:sec ret@[db")?.contains("sec") == false)
        #expect(mistake("transit.sqlite") != nil)
    }

    private func parameter(_ name: String, _ address: ServerAddress) throws -> String? {
        try address.parameters(application: "test").first { $0.0 == name }?.1
    }

    /// With certificates to compare with, `require` would be `verify-ca` to libpq.
    @Test func certificatesAreComparedWhereThatIsWanted() throws {
        var address = try ServerAddress("postgresql://db/transit?sslmode=require")
        #expect(try parameter("sslmode", address) == "require")
        #expect(try parameter("sslrootcert", address) == nil)
        address.certificates = "/nowhere/ca.pem"
        #expect {
            _ = try parameter("sslrootcert", address)
        } throws: { error in
            let failure = error as? Failure
            return failure?.kind == .definition && failure?.message.contains("/nowhere/ca.pem cannot be read") == true
        }
        let strict = try ServerAddress("postgresql://db/transit?sslrootcert=/etc/own.pem")
        #expect(try parameter("sslmode", strict) == "verify-full" && parameter("sslrootcert", strict) == "/etc/own.pem")
    }

    /// A server that is gone without a word is given up after a while, which the user may set.
    @Test func silenceIsNotWaitedForForGood() throws {
        let address = try ServerAddress("postgresql://db/transit?keepalives_idle=5")
        #expect(try parameter("keepalives_idle", address) == "5")
        #expect(try parameter("keepalives_interval", address) == "10")
        #expect(try parameter("tcp_user_timeout", address) == "120000")
        let names = try address.parameters(application: "test").map(\.0)
        #expect(Set(names).count == names.count)
    }

    @Test func aNetworkNeedsTLS() throws {
        #expect(try ServerAddress("postgresql://db/transit").effectiveTLS == .verifyFull)
        #expect(try ServerAddress("postgresql://db/transit").weakness == nil)
        // Whatever this says: libpq itself asks for none of a socket.
        #expect(try ServerAddress("postgresql:///transit?host=/run/postgresql").effectiveTLS == .verifyFull)
        #expect(try ServerAddress("host=/run/postgresql sslmode=disable").weakness == nil)
        for text in [
            "service=sv sslmode=disable", "host=/run/postgresql,db sslmode=disable",
            "hostaddr=10.0.0.1 sslmode=disable", "host=/run/postgresql hostaddr=10.0.0.1 sslmode=disable",
        ] {
            #expect(try ServerAddress(text).weakness != nil, "\(text)")
            let plain = text.replacing(" sslmode=disable", with: "")
            #expect(try parameter("sslmode", ServerAddress(plain)) == "verify-full", "\(plain)")
        }
        #expect(try ServerAddress("service=sv").description == "postgresql://(service sv)/the service's own")
        #expect(try ServerAddress("postgresql://db/transit?sslmode=require").weakness != nil)
    }

    /// What is no path of a file must not become one: it may hold a password.
    @Test(arguments: [
        ("postgresql://db/transit", true), ("postgres:", true), ("host=db", true), ("dbname = transit", true),
        ("hst=db password=x", true), ("user='a b' dbname=c", true), ("transit.sqlite", false), ("a=b.sqlite", false),
        ("my=1 other=2", false), ("./host=db", false), ("/tmp/host=db port=1", false), ("host", false), ("", false),
    ])
    func isMeant(_ text: String, _ isMeant: Bool) { #expect(ServerAddress.isMeant(by: text) == isMeant) }

    @Test func aNULEndsNoAddress() { #expect(mistake("host=db\0 sslmode=disable")?.contains("NUL") == true) }
}
