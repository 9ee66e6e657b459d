import SluiceLoad
import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import SluiceSchema
@testable import SluiceStoreSQLite
@testable import SluiceStores

/// The store as it was, made from a later one, equals the copy that was made that night: all its tables, columns, rows and
/// links, and what it says of its entities, over definitions that grow, lose and rename.
@Suite struct HistoryPropertyTests {
    @Test(arguments: SeededRandom.seeds(0..<40))
    func pastEqualsCopyOverDefinitions(seed: Int) throws {
        var world = GrowingStore(seed)
        var nights = Nights()
        for _ in 0..<12 {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(4)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            let model = world.model(pipeline)
            let records = world.run(pipeline)
            try nights.load(records, model, batchSize: [1, 3, 50][world.random.below(3)], pipeline: "p\(pipeline)")
        }
        try nights.compare("seed \(seed)")
    }

    @Test(arguments: SeededRandom.seeds(0..<60))
    func pastEqualsCopyOverRecords(seed: Int) throws {
        var random = SeededRandom(seed + 5_000_000)
        var base = LoadPropertyTests.model
        if random.below(3) == 0 { base = LoadPropertyTests.withRandomWays(&random, base) }
        if random.below(3) > 0 { base = LoadPropertyTests.withRandomDeletions(&random, base) }
        if random.below(3) == 0 { base = LoadPropertyTests.withRandomNeeds(&random, base) }
        if random.below(2) == 0 { base = LoadPropertyTests.withStubs(base) }
        for index in base.entities.indices where random.below(3) == 0 { base.entities[index].orphans = .delete }
        var nights = Nights()
        if random.below(3) == 0 { nights.keep = .runs(2 + random.below(4)) }
        for _ in 0..<8 {
            let spread = [3, 12, 60][random.below(3)]
            let records = (0..<random.below(90)).map { _ in
                LoadPropertyTests.withRandomStatus(
                    &random, LoadPropertyTests.record(&random, spread: spread).cut(to: base), base)
            }
            nights.shortcuts = Shortcuts(rawValue: random.below(16))
            nights.cacheLimit = [0, 200, 20_000, Loader.defaultCacheLimit][random.below(4)]
            nights.end = [.saved, .saved, .saved, .failed, .failedWithBatches, .unchanged][random.below(6)]
            nights.savesAtEnd = random.below(2) == 0
            let model = random.below(3) == 0 ? LoadPropertyTests.withRandomModes(&random, base) : base
            try nights.load(records, model, batchSize: [1, 7, 30, 1000][random.below(4)], pipeline: "test")
            if random.below(2) == 0 { try nights.writeAsProgram(&random) }
        }
        try nights.compare("seed \(seed)")
    }
}

/// Runs of which each leaves a copy of the store.
private struct Nights {
    enum End { case saved, failed, failedWithBatches, unchanged }

    let folder = TemporaryFolder()
    var shortcuts = Shortcuts.all
    var cacheLimit = Loader.defaultCacheLimit
    var savesAtEnd = true
    var keep: HistoryKeep?
    var end = End.saved
    private var runs: [Int] = []

    private var path: String { folder.file("store.sqlite") }

    /// Loads records as one run, which keeps what goes.
    mutating func load(_ records: [TestRecord], _ model: Model, batchSize: Int, pipeline: String) throws {
        let isThere = SQLiteStore.isThere(path)
        let store = try SQLiteStore(path: path, model: model, pipeline: pipeline, buildsBeside: savesAtEnd)
        store.history = .kept(keep)
        let outcome = RunOutcome(status: "succeeded", finished: "2026-11-21T00:00:01Z", report: "{}")
        if isThere, end == .unchanged {
            _ = try store.noteUnchanged(RunStart(started: "2026-11-21T00:00:00Z")) { _ in outcome }
            return try copy()
        }
        _ = try store.begin(RunStart(started: "2026-11-21T00:00:00Z"))
        let options = Loader.Options(
            batchSize: batchSize, shortcuts: shortcuts, cacheLimit: cacheLimit, goneIdentifiers: IdentifierDatabase.init
        )
        let loader = try Loader(model, store, options, SilentSink())
        let batch = RecordBatch(model: model)
        for start in stride(from: 0, to: records.count, by: batchSize) {
            for number in start..<min(start + batchSize, records.count) {
                batch.append(records[number], number: number)
            }
            try loader.load(batch)
            batch.reset()
            if !savesAtEnd, end == .failedWithBatches { try store.saveBatch() }
        }
        try loader.finish()
        if end == .failed || end == .failedWithBatches {
            try store.rollback { outcome }
        } else {
            try store.commit(outcome)
        }
        if SQLiteStore.isThere(path) { try copy() }
    }

    private mutating func copy() throws {
        let run = Int(try rows(path, "SELECT max(run) FROM sluice_run")[0][0]) ?? 0
        try Connection(path: path, access: .read).execute("VACUUM INTO '\(folder.file("night-\(run)"))'")
        runs.append(run)
    }

    /// A program writes to the store: what it says of objects belongs to the next run.
    func writeAsProgram(_ random: inout SeededRandom) throws {
        guard SQLiteStore.isThere(path) else { return }
        let connection = try Connection(path: path, access: .write)
        for _ in 0..<(1 + random.below(5)) {
            let number = 1 + random.below(30)
            switch random.below(6) {
            case 0:
                try connection.execute("UPDATE Place SET note = 'edited \(random.below(3))' WHERE objectID = \(number)")
            case 1: try connection.execute("UPDATE Person SET name = 'edited' WHERE objectID = \(number)")
            case 2: try connection.execute("DELETE FROM Visit_regions WHERE source = \(number)")
            case 3:
                try connection.execute(
                    """
                    DELETE FROM Visit_regions WHERE source = \(number); DELETE FROM Visit_things WHERE source = \(number);
                    DELETE FROM sluice_unresolved WHERE entity = 'Visit' AND objectID = \(number);
                    DELETE FROM Visit WHERE objectID = \(number)
                    """)
            case 4:
                try connection.execute(
                    "INSERT OR IGNORE INTO Visit (objectID, id, note) VALUES (\(number), \(1000 + number), 'a program')"
                )
            default:
                try connection.execute(
                    "UPDATE Visit SET note = 'again', region = NULL WHERE objectID BETWEEN \(number) AND \(number + 3)")
            }
        }
    }

    /// Makes the store of each night again, and compares it with its copy.
    func compare(_ comment: String) throws {
        let floor = Int(try rows(path, "SELECT floor FROM sluice_history").first?[0] ?? "0") ?? 0
        for run in runs where run < floor {
            #expect(throws: Failure.self) { try PastStore.write(path, run: run, to: folder.file("forgotten")) }
        }
        for run in runs where run >= floor {
            let past = folder.file("past-\(run)")
            try PastStore.write(path, run: run, to: past)
            let (found, expected) = (try contents(past), try contents(folder.file("night-\(run)")))
            for name in Set(found.keys).union(expected.keys).sorted() {
                #expect(found[name] == expected[name], "\(comment), run \(run) of \(runs), table \(name)")
            }
            #expect(try rows(past, "PRAGMA integrity_check") == [["ok"]])
            let broken = "PRAGMA foreign_key_check"
            #expect(try rows(past, broken).count == rows(folder.file("night-\(run)"), broken).count)
        }
    }

    /// By table: how it was made, and its rows; of sluice's own, what it says of entities.
    private func contents(_ path: String) throws -> [String: [[String]]] {
        var contents: [String: [[String]]] = [:]
        let tables = try rows(
            path,
            """
            SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')
            AND (name NOT LIKE 'sluice\\_%' ESCAPE '\\' OR name = 'sluice_model')
            """)
        for table in tables {
            contents[table[0]] = [[table[1]]] + (try rows(path, "SELECT * FROM \(quoted(table[0])) ORDER BY 1, 2"))
        }
        return contents
    }
}
