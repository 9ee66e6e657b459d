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
    @Test(arguments: 0..<60)
    func pastEqualsCopy(seed: Int) throws {
        var world = GrowingStore(seed)
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        var nights: [Int] = []
        for _ in 0..<12 {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(4)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            let model = world.model(pipeline)
            let records = world.run(pipeline)
            let run = try loadNight(records, model, path, [1, 3, 50][world.random.below(3)], "p\(pipeline)")
            try copy(path, to: folder.file("night-\(run)"))
            nights.append(run)
        }
        for run in nights {
            let past = folder.file("past-\(run)")
            try PastStore.write(path, run: run, to: past)
            let (found, expected) = (try contents(past), try contents(folder.file("night-\(run)")))
            for name in Set(found.keys).union(expected.keys).sorted() {
                #expect(found[name] == expected[name], "seed \(seed), run \(run) of \(nights), table \(name)")
            }
            #expect(try rows(past, "PRAGMA integrity_check") == [["ok"]])
            #expect(try rows(past, "PRAGMA foreign_key_check").isEmpty)
        }
    }

    /// Loads records as one run, which keeps what goes.
    private func loadNight(
        _ records: [TestRecord], _ model: Model, _ path: String, _ batchSize: Int, _ pipeline: String
    ) throws -> Int {
        try load(
            records, into: .file(path), .init(model: model, pipeline: pipeline, savesAtEnd: true),
            batchSize: batchSize, open: { store in (store as? SQLiteStore)?.keepsHistory = true })
        return Int(try rows(path, "SELECT max(run) FROM sluice_run")[0][0]) ?? 0
    }

    private func copy(_ path: String, to copy: String) throws {
        try Connection(path: path, access: .read).execute("VACUUM INTO '\(copy)'")
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
