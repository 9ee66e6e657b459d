import Foundation
import SluicePostgreSQL
import TestSupport
import Testing

/// Other programs hold what a run needs: it ends with "try again later", and has changed nothing.
@Suite struct ServerLockTests {
    private static let before = ["1,one,∅", "2,two,1", "3,∅,∅"]

    private func failsBusy(_ outcome: Sluice.Outcome, _ reason: String, _ scene: ServerScene) throws {
        #expect(outcome.status == 75)
        #expect(
            outcome.errors.contains("is locked by another program: ") && outcome.errors.contains("; try again later"))
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try scene.items() == Self.before)
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\nfailed")
    }

    /// A column is added only where no reader has to wait for it long.
    @Test func aReaderKeepsATableFromGrowing() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let reader = try scene.connect()
        try reader.execute("BEGIN; SELECT * FROM \"\(scene.schema)\".\"Item\"")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", text.replacing("\"price\": \"real\"", with: "\"price\": \"real\", \"size\": \"real\""))
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}]}")
        try failsBusy(scene.run("run", "--quiet"), "lock timeout", scene)
        try reader.execute("ROLLBACK")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.items().first == "1,uno,∅")
    }

    /// Each waits for what the other has written: the server ends the run.
    @Test func aDeadlock() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try RunningSluice(
            ["run", scene.definition, "--quiet", "--batch-size", "1", "--feed", "-"], pipesInput: true)
        try running.write("{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 7},\n")
        func waits(_ count: Int) -> Bool {
            running.waits {
                (try? scene.sql("SELECT count(*) FROM pg_locks WHERE NOT granted")).flatMap { Int($0) } ?? 0 >= count
            }
        }
        // The first item is written once the second one is there.
        #expect(
            running.waits {
                (try? scene.sql(
                    "SELECT count(*) FROM pg_locks WHERE mode = 'RowExclusiveLock' AND relation = '@.\"Item\"'::regclass"
                )) == "1"
            })
        let stranger = try scene.connect()
        try stranger.execute("SET deadlock_timeout = '1h'; SET lock_timeout = 0; BEGIN")
        try stranger.execute("UPDATE \"\(scene.schema)\".\"Item\" SET price = 1 WHERE id = 2")
        let other = Stranger(stranger)
        other.start("UPDATE \"\(scene.schema)\".\"Item\" SET price = 1 WHERE id = 1")
        #expect(waits(1))
        try running.write("{\"id\": 2, \"name\": \"due\"}]}")
        try running.closeInput()
        let outcome = running.ended()
        other.end()
        try failsBusy(outcome, "deadlock detected", scene)
    }

    /// A connection whose statement waits on a thread of its own.
    private final class Stranger: @unchecked Sendable {
        // Unchecked: one thread after the other has it.
        private let connection: ServerConnection
        private let isDone = DispatchSemaphore(value: 0)

        init(_ connection: ServerConnection) { self.connection = connection }

        func start(_ sql: String) {
            Thread.detachNewThread { [self] in
                try? connection.execute(sql)
                isDone.signal()
            }
        }

        func end() {
            isDone.wait()
            try? connection.execute("ROLLBACK")
        }
    }

    @Test(arguments: ["40001", "40P01", "55P03"])
    func whatCanBeTriedAgain(_ code: String) throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.sql(
            """
            CREATE FUNCTION @.no() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '\(code)'; END $$;
            CREATE TRIGGER no BEFORE INSERT ON @."Item" FOR EACH ROW EXECUTE FUNCTION @.no()
            """)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 9}]}")
        try failsBusy(scene.run("run", "--quiet"), "not now", scene)
    }
}
