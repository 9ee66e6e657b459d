import Foundation
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
            if world.random.below(2) == 0 { try nights.writeAnywhere(&world.random) }
        }
        try nights.compare("seed \(seed)")
        if seed % 4 == 0 { try nights.compareScripts("seed \(seed)") }
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
        try nights.compareViews(base, "seed \(seed)")
        try nights.comparePlaces(base, "seed \(seed)")
        try nights.compareDifferences(base, "seed \(seed)", &random)
        if seed % 2 == 0 { try nights.compareScripts("seed \(seed)") }
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
    /// By run: what it has read.
    private var feeds: [Int: [TestRecord]] = [:]
    private var models: [Int: Model] = [:]

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
        let run = try store.begin(RunStart(started: "2026-11-21T00:00:00Z"))
        (feeds[run], models[run]) = (records, model)
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
            switch random.below(8) {
            case 6: try connection.execute("UPDATE OR IGNORE Visit SET id = id + 1 WHERE objectID = \(number)")
            case 7:
                // What goes and comes again under its objectID.
                try connection.execute(
                    """
                    CREATE TEMP TABLE kept AS SELECT * FROM Person WHERE objectID = \(number);
                    DELETE FROM Person WHERE objectID = \(number); INSERT INTO Person SELECT * FROM kept; DROP TABLE kept
                    """)
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

    /// A program forgets values, whatever the tables are.
    func writeAnywhere(_ random: inout SeededRandom) throws {
        guard SQLiteStore.isThere(path) else { return }
        let connection = try Connection(path: path, access: .write)
        let columns = try rows(
            path,
            """
            SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
            AND t.name NOT LIKE 'sluice\\_%' ESCAPE '\\' AND NOT c."notnull" AND NOT c.pk
            AND NOT EXISTS (
              SELECT 1 FROM pragma_table_info(t.name) e
              WHERE e.name IN (c.name || '_entity', rtrim(c.name, '_entity')) AND e.name <> c.name)
            ORDER BY 1, 2
            """)
        guard let column = columns.isEmpty ? nil : columns[random.below(columns.count)] else { return }
        let table = column[0]
        let owner = try rows(path, "SELECT name FROM pragma_table_info(\(quotedText(table))) WHERE cid = 0")[0][0]
        try connection.execute(
            "UPDATE \(quoted(table)) SET \(quoted(column[1])) = NULL WHERE \(quoted(owner)) % 3 = \(random.below(3))")
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

    /// The view of all that objects have been, as of each night, shows what the view of that night's copy shows.
    func compareViews(_ model: Model, _ comment: String) throws {
        let floor = Int(try rows(path, "SELECT floor FROM sluice_history").first?[0] ?? "0") ?? 0
        let descriptions = model.entities.map { EntityDescription($0, in: model) }
        for run in runs where run >= floor {
            let night = try Connection(path: folder.file("night-\(run)"), access: .write)
            for (entity, description) in zip(model.entities, descriptions) {
                guard let table = try StoredTable(night, entity.table) else { continue }
                var view = EntityView(description, among: descriptions, table, SQLiteDialect())
                // SQLite trusts no functions of a view in a store that comes from elsewhere.
                try night.execute(view.sql().replacingExactly("CREATE VIEW", with: "CREATE TABLE"))
                let lists = entity.relationships.filter(\.isMany).map(\.name)
                let columns = try rows(night.path, "SELECT name FROM pragma_table_info('\(entity.table)_view')")
                    .map { $0[0] }.filter { !lists.contains($0) }.map(quoted).joined(separator: ", ")
                let expected = try rows(
                    night.path, "SELECT \(columns) FROM \(quoted(entity.table + "_view")) ORDER BY 1")
                let found = try rows(
                    path,
                    """
                    SELECT \(columns) FROM \(quoted(entity.table + "_history"))
                    WHERE from_run <= \(run) AND (to_run IS NULL OR to_run > \(run)) ORDER BY 1
                    """)
                #expect(sorted(found) == sorted(expected), "\(comment), run \(run) of \(runs), \(entity.table)")
            }
        }
    }

    /// The script from one night to another, applied to the copy of the first, gives the second: where all tables
    /// are the same.
    func compareScripts(_ comment: String) throws {
        let floor = Int(try rows(path, "SELECT floor FROM sluice_history").first?[0] ?? "0") ?? 0
        let (kept, file) = (runs.filter { $0 >= floor }, try PastFile(path))
        for from in kept {
            // Each to the next one, and some to others, also back.
            for to in kept where to != from && (kept.first { $0 > from } == to || (5 * from + 3 * to) % 7 == 0) {
                var script = ""
                do throws(Failure) {
                    try file.script(from: from, to: to, of: nil) { script += $0 }
                } catch {
                    #expect(error.kind == .definition, "\(comment): \(error.message)")
                    continue
                }
                let copy = folder.file("script")
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: folder.file("night-\(from)"), toPath: copy)
                try Connection(path: copy, access: .write).execute(script)
                var (found, expected) = (try contents(copy), try contents(folder.file("night-\(to)")))
                for name in ["sluice_model"] + found.keys.filter({ $0.hasSuffix("_view") }) {
                    (found[name], expected[name]) = (nil, nil)
                }
                #expect(found == expected, "\(comment), from \(from) to \(to) of \(runs): \(script)")
            }
        }
    }

    private func sorted(_ rows: [[String]]) -> [[String]] { rows.sorted { $0.lexicographicallyPrecedes($1) } }

    /// What differs between two nights, applied to what the one's copy holds, gives what the other's holds.
    func compareDifferences(_ model: Model, _ comment: String, _ random: inout SeededRandom) throws {
        let floor = Int(try rows(path, "SELECT floor FROM sluice_history").first?[0] ?? "0") ?? 0
        let kept = runs.filter { $0 >= floor }
        guard kept.count > 1 else { return }
        let file = try PastFile(path)
        for _ in 0..<6 {
            let (from, to) = (kept[random.below(kept.count)], kept[random.below(kept.count)])
            for entity in model.entities {
                let columns = try rows(
                    folder.file("night-\(to)"),
                    "SELECT name FROM pragma_table_info(\(quotedText(entity.table + "_view")))"
                )
                .map { $0[0] }
                var found = try objects(entity, columns, from)
                try file.differences(from: from, to: to, of: entity.name) { _, names, difference throws(Failure) in
                    let key = plain(difference.identifier)
                    guard let after = difference.after else {
                        #expect(found.removeValue(forKey: key) != nil, "\(comment): \(key) was not there")
                        return
                    }
                    #expect((difference.before != nil) == (found[key] != nil), "\(comment): \(key)")
                    let changed = difference.before == nil ? Array(names.indices) : difference.changed
                    for index in changed { found[key, default: [:]][names[index]] = plain(after[index]) }
                }
                let expected = try objects(entity, columns, to)
                #expect(found == expected, "\(comment), from \(from) to \(to) of \(runs), \(entity.table)")
            }
        }
    }

    /// By identifier: what a night's copy holds of an entity, by column.
    private func objects(_ entity: Entity, _ columns: [String], _ night: Int) throws -> [String: [String: String]] {
        let names = columns.map(quoted).joined(separator: ", ")
        let rows = try rows(folder.file("night-\(night)"), "SELECT \(names) FROM \(quoted(entity.table + "_view"))")
        let identifier = entity.identifier.map { entity.attributes[$0].name }
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let values = Dictionary(uniqueKeysWithValues: zip(columns, row))
                let key = identifier.map { values[$0] ?? "" }
                return (key.joined(separator: "|"), values)
            })
    }

    /// What stands where a record is said to have made an object what it is, is a record of that object; and of each object
    /// that a record has made, it is said.
    func comparePlaces(_ model: Model, _ comment: String) throws {
        for (index, entity) in model.entities.enumerated() {
            guard
                let number = try rows(
                    path, "SELECT number FROM sluice_history_object WHERE name = '\(entity.table)'"
                ).first?[0]
            else { continue }
            let places = try rows(path, "SELECT r, o, \"offset\" FROM sluice_history_place_\(number)")
            let noted = Set(places.map { "\($0[0]) \($0[1])" })
            let identifier = quoted(entity.attributes[entity.identifier[0]].name)
            let name = { (record: TestRecord) in
                record.values[entity.identifier[0]].written
            }
            for run in runs {
                let night = try rows(
                    folder.file("night-\(run)"), "SELECT objectID, \(identifier) FROM \(quoted(entity.table))")
                let names = Dictionary(uniqueKeysWithValues: night.map { ($0[0], $0[1]) })
                for place in places where place[0] == "\(run)" {
                    guard let offset = Int(place[2]), let feed = feeds[run], feed.indices.contains(offset) else {
                        Issue.record("\(comment): \(place) is no record of \(entity.table)")
                        continue
                    }
                    let record = feed[offset]
                    #expect(record.entity == index)
                    if let found = names[place[1]] {
                        #expect(found == name(record), "\(comment), run \(run), \(entity.table) \(place) \(record)")
                    }
                }
                let floor = try rows(path, "SELECT floor FROM sluice_history")[0][0]
                guard let before = runs.last(where: { $0 < run }), "\(before)" >= floor else { continue }
                // Others may make an object for a record that does not.
                guard let model = models[run], model.entities[index].mode == .upsert,
                    !model.entities.flatMap(\.relationships).contains(where: { $0.missing != .null })
                else { continue }
                let described = Set(
                    (feeds[run] ?? []).filter { $0.entity == index && $0.status == .complete }.map(name))
                let earlier = Set(
                    try rows(folder.file("night-\(before)"), "SELECT objectID FROM \(quoted(entity.table))").map {
                        $0[0]
                    })
                let highest = earlier.compactMap { Int($0) }.max() ?? 0
                for (objectID, found) in names where Int(objectID) ?? 0 > highest && described.contains(found) {
                    let row = try rows(
                        path,
                        """
                        SELECT 1 FROM sluice_history_made m, sluice_history_object o WHERE o.number = \(number)
                        AND m.object = o.number AND m.run = \(run) AND \(objectID) BETWEEN m.first AND m.last
                        AND NOT EXISTS (SELECT 1 FROM sluice_history_given g WHERE g.o = \(objectID) AND g.object = o.number)
                        """)
                    if row.isEmpty { continue }
                    #expect(noted.contains("\(run) \(objectID)"), "\(comment), run \(run), \(entity.table) \(found)")
                }
            }
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
            AND (type = 'table' OR name NOT LIKE '%\\_history' ESCAPE '\\')
            """)
        for table in tables {
            contents[table[0]] = [[table[1]]] + (try rows(path, "SELECT * FROM \(quoted(table[0])) ORDER BY 1, 2"))
        }
        return contents
    }
}

extension TestValue {
    /// As the store shows it.
    fileprivate var written: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text.description
        default: ""
        }
    }
}

/// JSON as the rows of a test have it; the parts of a compound identifier with lines between them.
private func plain(_ json: String) -> String {
    let value = try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    switch value {
    case let text as String: return text
    case is NSNull: return "∅"
    case let list as [Any] where json.hasPrefix("[") && !list.isEmpty && json.contains(", "):
        return list.map { "\($0)" }.joined(separator: "|")
    default: return json
    }
}
