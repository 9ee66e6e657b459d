import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceStoreSQLite

/// What a store is and what it must not become.
@Suite struct StoreFileTests {
    static let model = Model(entities: [
        .forLoad(
            "Stop", identifier: [0], attributes: [("id", .text), ("name", .text)],
            relationships: [.forLoad("parent", [(0, [.text])])])
    ])
    static let record = TestRecord(entity: 0, values: [.text("a"), .text("Alex"), .null])

    private func failure(_ body: () throws -> Void) -> Failure? {
        do {
            try body()
            return nil
        } catch {
            return error as? Failure
        }
    }

    private func open(_ path: String, _ model: Model = Self.model) throws -> SQLiteStore {
        try SQLiteStore(path, StoreUse(model: model, pipeline: "test", savesAtEnd: true))
    }

    @Test func tablesAreAsDocumented() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.record], Self.model, into: path, batchSize: 10)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        let sql = try rows(path, "SELECT sql FROM sqlite_schema WHERE name = 'Stop'")[0][0]
        #expect(sql.contains("STRICT"))
        #expect(sql.contains(#""objectID" INTEGER PRIMARY KEY"#))
        #expect(sql.contains(#""parent" INTEGER REFERENCES "Stop"("objectID") DEFERRABLE INITIALLY DEFERRED"#))
        let indexes = try rows(path, "SELECT \"unique\", name FROM pragma_index_list('Stop') ORDER BY 1")
        #expect(indexes == [["0", "Stop(parent)"], ["1", "Stop(id)"]])
        #expect(try rows(path, "PRAGMA journal_mode") == [["wal"]])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode.map { $0 & 0o007 } == 0, "not readable by everyone")
    }

    @Test func aStoreThatIsNoDatabaseIsRefused() throws {
        let folder = TemporaryFolder()
        let path = folder.file("notes.txt")
        try String(repeating: "these are notes\n", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
        let failure = failure { _ = try open(path) }
        #expect(failure?.kind == .definition)
        #expect(failure?.message.contains("is not an SQLite database") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("these are notes"))
    }

    @Test(arguments: ["-wal", "-journal"])
    func aLeftoverBesideAMissingStoreIsRefused(ending: String) throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try "left".write(toFile: path + ending, atomically: true, encoding: .utf8)
        #expect(failure { _ = try open(path) }?.kind == .uncreatable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite" + ending])
    }

    @Test func aMissingFolderIsSaid() {
        #expect(failure { _ = try open("/nonexistent/store.sqlite") }?.kind == .uncreatable)
    }

    @Test func aRollbackLeavesNoStore() throws {
        let folder = TemporaryFolder()
        let store = try open(folder.file("store.sqlite"))
        _ = try store.begin(started: "")
        try store.rollback { RunOutcome(status: "failed", finished: "", report: "{}") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aRollbackLeavesAnExistingStoreButForTheLedger() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.record], Self.model, into: path, batchSize: 10)
        var wider = Self.model
        wider.entities.append(.forLoad("Line", identifier: [0], attributes: [("id", .text)]))
        let store = try open(path, wider)
        _ = try store.begin(started: "now")
        var isUndone = false
        try store.rollback {
            // How the run has ended is asked for when it has: another may write.
            let other = try? Connection(path: path, access: .write)
            isUndone = (try? other?.execute("DELETE FROM Stop WHERE id = 'nobody'")) != nil
            return RunOutcome(status: "failed", finished: "", report: "{}")
        }
        #expect(isUndone)
        #expect(try rows(path, "SELECT id, name FROM Stop") == [["a", "Alex"]])
        #expect(try rows(path, "SELECT 1 FROM sqlite_schema WHERE name = 'Line'").isEmpty)
        #expect(try rows(path, "SELECT run, status FROM sluice_run") == [["1", "succeeded"], ["2", "failed"]])
    }

    @Test func twoRunsCannotBuildOneStore() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let first = try open(path)
        #expect(failure { _ = try open(path) }?.kind == .busy)
        try first.rollback { RunOutcome(status: "failed", finished: "", report: "{}") }
    }

    @Test func aStoreThatAppearsMeanwhileIsNotReplaced() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try open(path)
        let run = try store.begin(started: "")
        try "somebody else's".write(toFile: path, atomically: true, encoding: .utf8)
        let failure = failure { try run.commit(RunOutcome(status: "succeeded", finished: "", report: "{}")) }
        #expect(failure?.kind == .busy)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "somebody else's")
    }

    /// A run that died between giving the store its name and dropping the other left two names of one file.
    @Test func aSecondNameOfAFinishedStoreIsNotBuiltInto() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.record], Self.model, into: path, batchSize: 10)
        try FileManager.default.linkItem(atPath: path, toPath: path + ".sluice-new")
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("elsewhere.sqlite"))
        try load([], Self.model, into: path, batchSize: 10)
        #expect(try rows(folder.file("elsewhere.sqlite"), "SELECT id FROM Stop") == [["a"]])
        #expect(try rows(path, "SELECT id FROM Stop").isEmpty)
    }

    /// The next run takes the other name away.
    @Test func aSecondNameOfAFinishedStoreGoes() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.record], Self.model, into: path, batchSize: 10)
        try FileManager.default.linkItem(atPath: path, toPath: path + ".sluice-new")
        try load([], Self.model, into: path, batchSize: 10)
        #expect(!FileManager.default.fileExists(atPath: path + ".sluice-new"))
        #expect(try rows(path, "SELECT id FROM Stop") == [["a"]])
    }

    @Test func aLockedStoreIsBusy() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.record], Self.model, into: path, batchSize: 10)
        let other = try Connection(path: path, access: .write)
        try other.execute("BEGIN IMMEDIATE")
        let store = try open(path)
        store.setLockPatience(milliseconds: 50)
        #expect(failure { _ = try store.begin(started: "") }?.kind == .busy)
    }

    @Test func aDamagedStoreIsSaid() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let records = (0..<5000).map { TestRecord(entity: 0, values: [.text("id\($0)"), .text("name"), .null]) }
        try load(records, Self.model, into: path, batchSize: 1000)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        for page in 3..<40 {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xaa, count: 4096))
        }
        try handle.close()
        let failure = failure { try load(records, Self.model, into: path, batchSize: 1000) }
        #expect(failure?.kind == .io)
        #expect(failure?.message.contains("damaged") == true)
    }

    // MARK: Contradictions

    private func contradictions(_ sql: String) throws -> [String] {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try Connection(path: path, access: .create).execute(sql)
        return try SQLiteStore.plan(path: path, model: Self.model, pipeline: "test").contradictions.map(\.message)
    }

    @Test func contradictionsNameBothSides() throws {
        let sentences = try contradictions(
            """
            CREATE TABLE Stop (objectID INTEGER PRIMARY KEY, id TEXT, name INTEGER, parent INTEGER) STRICT;
            CREATE UNIQUE INDEX i ON Stop (name);
            """)
        #expect(sentences.count == 3)
        #expect(sentences.contains { $0.hasSuffix("has the column name as INTEGER, and the definition makes it TEXT") })
        #expect(
            sentences.contains { $0.hasSuffix("parent refer to nothing, and the definition makes it refer to Stop") })
        #expect(sentences.contains { $0.hasSuffix("has no unique index on the identifier id: its own is name") })
    }

    @Test func aTableOfSomebodyElseIsRefused() throws {
        #expect(try contradictions("CREATE TABLE stop (id TEXT PRIMARY KEY, name TEXT)").count >= 2)
        #expect(throws: Failure.self) { try contradictions("CREATE VIEW Stop AS SELECT 1") }
    }

    @Test func missingColumnsAreAdded() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let narrow = Model(entities: [.forLoad("Stop", identifier: [0], attributes: [("id", .text)])])
        try load([TestRecord(entity: 0, values: [.text("a")])], narrow, into: path, batchSize: 1)
        #expect(try SQLiteStore.plan(path: path, model: Self.model, pipeline: "test").contradictions.isEmpty)
        let counts = try load([Self.record], Self.model, into: path, batchSize: 1)
        #expect(counts[0].updated == 1)
        #expect(try rows(path, "SELECT id, name, parent FROM Stop") == [["a", "Alex", "∅"]])
        #expect(try rows(path, "SELECT name FROM pragma_index_list('Stop') WHERE name = 'Stop(parent)'").count == 1)
    }

    /// Index names share one name space with tables, and names may hold anything.
    @Test func namesThatLookLikeIndexNamesDoNotCollide() throws {
        let folder = TemporaryFolder()
        let model = Model(entities: [
            .forLoad("Stop", identifier: [0], attributes: [("id", .text)]),
            .forLoad(
                "Stop(id)", identifier: [0], attributes: [("select \"x\"", .text)],
                relationships: [.forLoad("Ω 🚉", [(0, [.text])])]
            ),
        ])
        let records = [
            TestRecord(entity: 1, values: [.text("b"), .text("a")]), TestRecord(entity: 0, values: [.text("a")]),
        ]
        try load(records, model, into: folder.file("store.sqlite"), batchSize: 10)
        #expect(try rows(folder.file("store.sqlite"), "SELECT \"Ω 🚉\" FROM \"Stop(id)\"") == [["1"]])
    }
}
