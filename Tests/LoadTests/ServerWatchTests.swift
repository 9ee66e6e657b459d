import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceStorePostgreSQL

/// Writes of others to watched tables are seen; those of the run itself do not count.
@Suite(.serialized) struct ServerWatchTests {
    /// Of its own: a transaction of another test that is older than what was written would make it look like another's.
    private static let own = Result { try Cluster() }
    private let cluster: Cluster
    private let schema = "watch_\(UInt32.random(in: 0 ... .max))"
    private var tables: [String] { ["a", "b"].map { "\(schema).\($0)" } }

    init() throws {
        cluster = try Self.own.get()
        try cluster.sql("CREATE SCHEMA \(schema)")
        for table in tables {
            try cluster.sql(
                """
                CREATE TABLE \(table) (id bigint PRIMARY KEY, value text);
                INSERT INTO \(table) SELECT g, 'v' FROM generate_series(1, 100) g
                """)
        }
    }

    private func connection() throws -> ServerConnection {
        try ServerConnection(ServerAddress(cluster.uri), name: "watch", application: "test")
    }

    /// What a run sees in the end that writes something itself, with what others do meanwhile.
    private func end(_ own: String = "", others: String = "") throws -> StoreStamp? {
        let run = try connection()
        try run.execute("BEGIN")
        let watch = try ServerWatch(run, tables, since: nil)
        if !own.isEmpty { try run.execute(own) }
        if !others.isEmpty { try cluster.sql(others) }
        let stamp = try watch.end()
        try run.execute("COMMIT")
        return stamp
    }

    private func isUntouched(since stamp: StoreStamp?) throws -> Bool {
        let run = try connection()
        try run.execute("BEGIN")
        return try ServerWatch(run, tables, since: stamp).isUntouched
    }

    @Test("What the run writes is in its stamp, and what the server does by itself changes nothing")
    func ownWrites() throws {
        let first = try #require(try end())
        #expect(try isUntouched(since: first))
        #expect(try !isUntouched(since: nil))
        let stamp = try #require(
            try end(
                """
                INSERT INTO \(tables[0]) SELECT g, 'n' FROM generate_series(200, 300) g;
                DELETE FROM \(tables[1]) WHERE id < 20; UPDATE \(tables[1]) SET value = 'w' WHERE id > 90
                """))
        #expect(try !isUntouched(since: first))
        #expect(try isUntouched(since: stamp))
        for statement in ["VACUUM", "VACUUM FREEZE", "ANALYZE", "VACUUM FULL", "CLUSTER"] {
            let using = statement == "CLUSTER" ? " USING a_pkey" : ""
            try cluster.sql("\(statement) \(tables[0])\(using)")
            #expect(try isUntouched(since: stamp), "\(statement)")
        }
    }

    static let writes = [
        "INSERT INTO %.a VALUES (1000, 'x')", "DELETE FROM %.a WHERE id = 7", "UPDATE %.b SET value = 'x' WHERE id = 7",
        "UPDATE %.b SET value = value WHERE id = 7",
        "BEGIN; DELETE FROM %.a WHERE id = 8; INSERT INTO %.a VALUES (8, 'x'); COMMIT", "TRUNCATE %.b",
        "BEGIN; CREATE TABLE %.c AS SELECT * FROM %.a; TRUNCATE %.a; INSERT INTO %.a SELECT * FROM %.c; COMMIT",
        "ALTER TABLE %.b ALTER value TYPE text USING upper(value)",
        "ALTER TABLE %.b DROP value, ADD value text", "ALTER TABLE %.b RENAME value TO kept",
        "ALTER TABLE %.b ADD more text DEFAULT 'x'",
    ]

    @Test("What others write shows", arguments: writes)
    func othersWrite(statement: String) throws {
        let sql = statement.replacing("%", with: schema)
        let stamp = try #require(try end())
        // What keeps others out until the run has ended cannot be written meanwhile.
        if !sql.contains("TRUNCATE"), !sql.contains("ALTER") {
            let beside = try #require(try end("INSERT INTO \(tables[1]) VALUES (5000, 'own')", others: sql))
            #expect(try !isUntouched(since: beside))
        } else {
            try cluster.sql(sql)
        }
        #expect(try !isUntouched(since: stamp))
    }

    @Test("A transaction that was open while the run went on shows once it is over")
    func openTransaction() throws {
        let other = try connection()
        try other.execute("BEGIN; UPDATE \(tables[0]) SET value = 'x' WHERE id = 7")
        let stamp = try #require(try end("UPDATE \(tables[0]) SET value = 'w' WHERE id = 8"))
        #expect(try isUntouched(since: stamp))
        try other.execute("COMMIT")
        #expect(try !isUntouched(since: stamp))
    }

    @Test("A table that takes the place of another shows, were its rows as old and as many")
    func otherTable() throws {
        try cluster.sql("CREATE TABLE \(schema).c AS SELECT * FROM \(tables[0])")
        let stamp = try #require(try end())
        try cluster.sql("DROP TABLE \(tables[0]); ALTER TABLE \(schema).c RENAME TO a")
        #expect(try !isUntouched(since: stamp))
    }

    @Test("Counts are those of the beginning")
    func counts() throws {
        let run = try connection()
        try run.execute("BEGIN")
        let watch = try ServerWatch(run, tables, since: nil)
        try run.execute("DELETE FROM \(tables[0]) WHERE id < 20")
        #expect(watch.rows(of: tables[0]) == 100)
        #expect(watch.rows(of: "\(schema).c") == nil)
    }

    @Test("What is written through a trigger or a rule has no stamp")
    func triggers() throws {
        try cluster.sql(
            """
            CREATE FUNCTION \(schema).f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
            CREATE TRIGGER t BEFORE INSERT ON \(tables[0]) FOR EACH ROW EXECUTE FUNCTION \(schema).f()
            """)
        #expect(try end() == nil)
        try cluster.sql("DROP TRIGGER t ON \(tables[0])")
        let stamp = try #require(try end())
        #expect(try isUntouched(since: stamp))
        try cluster.sql("CREATE RULE r AS ON INSERT TO \(tables[1]) DO INSTEAD NOTHING")
        #expect(try !isUntouched(since: stamp))
        #expect(try end() == nil)
    }
}
