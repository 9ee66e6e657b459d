import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStoreSQLite
@testable import SluiceStores

/// Runs of which each leaves a copy of the store: of one store, or of several to which the same happens.
struct HistoryNights {
    enum End { case saved, failed, failedWithBatches, unchanged }

    var shortcuts = Shortcuts.all
    var cacheLimit = Loader.defaultCacheLimit
    var savesAtEnd = true
    var keep: HistoryKeep?
    var end = End.saved
    private(set) var shelves: [any NightShelf]
    private(set) var runs: [Int] = []
    /// By run: what it has read.
    private(set) var feeds: [Int: [TestRecord]] = [:]
    private(set) var models: [Int: Model] = [:]

    init(_ shelves: [any NightShelf]) { self.shelves = shelves }

    func drop() { for shelf in shelves { shelf.drop() } }

    // MARK: Nights

    /// Loads records as one run, which keeps what goes.
    mutating func load(_ records: [TestRecord], _ model: Model, batchSize: Int, pipeline: String) throws {
        var run: Int?
        for index in shelves.indices {
            let own = try load(records, model, batchSize, pipeline, into: shelves[index].location)
            if let run { #expect(run == own) }
            run = own
            if shelves[index].location.isThere { try shelves[index].copy(own) }
        }
        guard let run, shelves[0].location.isThere else { return }
        if end != .unchanged || runs.isEmpty { (feeds[run], models[run]) = (records, model) }
        runs.append(run)
    }

    private func load(
        _ records: [TestRecord], _ model: Model, _ batchSize: Int, _ pipeline: String, into location: StoreLocation
    ) throws -> Int {
        var use = StoreUse(model: model, pipeline: pipeline, savesAtEnd: savesAtEnd)
        use.history = .kept(keep)
        let store = try location.open(use)
        let outcome = RunOutcome(status: "succeeded", finished: "2026-11-21T00:00:01Z", report: "{}")
        let start = RunStart(started: "2026-11-21T00:00:00Z")
        if end == .unchanged, !runs.isEmpty { return try store.recordEnded(start) { _ in outcome } }
        let run = try store.begin(start)
        // As runs have it: a promise that is saved, and not kept, would be a reference to nothing.
        let possible = savesAtEnd ? shortcuts : shortcuts.intersection(.betweenSaves)
        let options = Loader.Options(
            batchSize: batchSize, shortcuts: possible, cacheLimit: cacheLimit, goneIdentifiers: IdentifierDatabase.init)
        let loader = try Loader(model, run, options, SilentSink())
        let batch = RecordBatch(model: model)
        for start in stride(from: 0, to: records.count, by: batchSize) {
            for number in start..<min(start + batchSize, records.count) {
                batch.append(records[number], number: number)
            }
            try loader.load(batch)
            batch.reset()
            if !savesAtEnd, end == .failedWithBatches { try run.saveBatch() }
        }
        try loader.finish()
        if end == .failed || end == .failedWithBatches {
            try store.rollback { outcome }
        } else {
            try run.commit(outcome)
        }
        return run.number
    }

    // MARK: Programs

    /// A program writes to the stores: what it says of objects belongs to the next run. Which ones, it tells by what
    /// identifies them: several stores give them other objectIDs.
    func writeAsProgram(_ random: inout SeededRandom) throws {
        guard !runs.isEmpty else { return }
        for _ in 0..<(1 + random.below(5)) {
            let statements = programs(1 + random.below(30), random.below(4), isEdit: random.below(3))
            let statement = statements[random.below(statements.count)]
            for shelf in shelves { try shelf.write(statement) }
        }
    }

    private func programs(_ number: Int, _ part: Int, isEdit text: Int) -> [String] {
        let visits = "(SELECT \"objectID\" FROM @\"Visit\" WHERE id % 4 = \(part))"
        let links = ["regions", "things"].map { "DELETE FROM @\"Visit_\($0)\" WHERE source IN \(visits)" }
        let waiting = "DELETE FROM @\"sluice_unresolved\" WHERE entity = 'Visit' AND \"objectID\" IN \(visits)"
        let owned = [
            // An objectID that another object may have had.
            """
            INSERT INTO @"Visit" ("objectID", id, note) SELECT \(number), \(1000 + number), 'a program'
            WHERE NOT EXISTS (SELECT 1 FROM @"Visit" WHERE id = \(1000 + number) OR "objectID" = \(number))
            """
        ]
        return [
            "UPDATE @\"Place\" SET note = 'edited \(text)' WHERE size % 4 = \(part)",
            "UPDATE @\"Person\" SET name = 'edited' WHERE id % 4 = \(part)",
            "UPDATE @\"Visit\" SET note = 'again', region = NULL WHERE id BETWEEN \(number) AND \(number + 3)",
            links[0],
            (links + [waiting, "DELETE FROM @\"Visit\" WHERE id % 4 = \(part)"]).joined(separator: ";\n"),
            """
            INSERT INTO @"Visit" ("objectID", id, note) SELECT coalesce(max("objectID"), 0) + 1, \(1000 + number), 'program'
            FROM @"Visit" HAVING NOT EXISTS (SELECT 1 FROM @"Visit" WHERE id = \(1000 + number))
            """,
            """
            UPDATE @"Visit" SET id = id + 5000 WHERE id % 9 = \(part) AND NOT EXISTS (
              SELECT 1 FROM @"Visit" w WHERE w.id = @"Visit".id + 5000)
            """,
            // What goes and comes again under its objectID.
            """
            CREATE TEMP TABLE kept AS SELECT * FROM @"Person" WHERE id % 4 = \(part);
            DELETE FROM @"Person" WHERE id % 4 = \(part); INSERT INTO @"Person" SELECT * FROM kept; DROP TABLE kept
            """,
        ] + (shelves.count == 1 ? owned : [])
    }

    /// A program forgets values, whatever the tables are.
    func writeAnywhere(_ random: inout SeededRandom) throws {
        guard !runs.isEmpty, let columns = try shelves.first?.freeColumns(), !columns.isEmpty else { return }
        let (free, rest) = (columns[random.below(columns.count)], random.below(3))
        let isOwn = "\(quoted(free.owner)) % 3 = \(rest)"
        for shelf in shelves {
            try shelf.write("UPDATE @\(quoted(free.table)) SET \(quoted(free.column)) = NULL WHERE \(isOwn)")
        }
    }

    // MARK: Comparing

    private func floor(_ shelf: any NightShelf) throws -> Int {
        Int(try shelf.rows("SELECT floor FROM @sluice_history", in: .store).first?[0] ?? "0") ?? 0
    }

    func kept(_ shelf: any NightShelf) throws -> [Int] {
        let floor = try floor(shelf)
        return runs.filter { $0 >= floor }
    }

    /// Makes the store of each night again, and compares it with its copy; what is forgotten is refused.
    func compare(_ comment: String) throws {
        for shelf in shelves {
            let floor = try floor(shelf)
            for run in runs where run < floor { #expect(throws: Failure.self) { try shelf.makePast(run) } }
            for run in runs where run >= floor {
                try shelf.makePast(run)
                let (found, expected) = (try shelf.contents(of: .past(run)), try shelf.contents(of: .night(run)))
                for name in Set(found.keys).union(expected.keys).sorted() {
                    #expect(found[name] == expected[name], "\(comment), run \(run) of \(runs), table \(name)")
                }
                #expect(try shelf.isSound(run))
            }
        }
    }

    /// The script from each night to each later one, and from some to earlier ones; or from each to the next one;
    /// applied to the copy of the first, gives the second: where all tables are the same.
    ///
    /// - Returns: how many scripts there were.
    @discardableResult
    func compareScripts(_ comment: String, ofAll: Bool) throws -> Int {
        var count = 0
        for shelf in shelves {
            let (kept, past) = (try kept(shelf), try shelf.location.past())
            let nights = Dictionary(
                uniqueKeysWithValues: try kept.map { ($0, try rows(shelf.contents(of: .night($0)))) })
            for from in kept {
                let others = kept.filter {
                    ofAll ? $0 > from || ($0 < from && (5 * from + 3 * $0) % 7 == 0) : $0 > from
                }
                for to in ofAll ? others : Array(others.prefix(1)) {
                    var script = ""
                    do throws(Failure) {
                        try past.script(from: from, to: to, of: nil) { script += $0 }
                    } catch {
                        #expect(error.kind == .definition, "\(comment): \(error.message)")
                        continue
                    }
                    count += 1
                    let found = try rows(shelf.contents(of: from, after: script))
                    #expect(found == nights[to], "\(comment), from \(from) to \(to) of \(runs): \(script)")
                }
            }
        }
        return count
    }

    /// Without what a script leaves as it is.
    private func rows(_ contents: [String: [[String]]]) -> [String: [[String]]] {
        contents.filter { !$0.key.hasPrefix("sluice_") && !$0.key.hasSuffix("_view") }
    }

    /// The view of all that objects have been, as of each night, shows what the view of that night's copy shows.
    func compareViews(_ model: Model, _ comment: String) throws {
        let descriptions = model.entities.map { EntityDescription($0, in: model) }
        for shelf in shelves {
            for run in try kept(shelf) {
                for (entity, description) in zip(model.entities, descriptions) {
                    guard let all = try shelf.makeView(description, among: descriptions, run) else { continue }
                    let lists = entity.relationships.filter(\.isMany).map(\.name)
                    let columns = all.filter { !lists.contains($0) }.map(quoted).joined(separator: ", ")
                    let expected = try shelf.rows(
                        "SELECT \(columns) FROM @\(quoted(entity.table + "_view")) ORDER BY 1", in: .night(run))
                    let found = try shelf.rows(
                        """
                        SELECT \(columns) FROM @\(quoted(entity.table + "_history"))
                        WHERE from_run <= \(run) AND (to_run IS NULL OR to_run > \(run)) ORDER BY 1
                        """, in: .store)
                    #expect(sorted(found) == sorted(expected), "\(comment), run \(run) of \(runs), \(entity.table)")
                }
            }
        }
    }

    private func sorted(_ rows: [[String]]) -> [[String]] { rows.sorted { $0.lexicographicallyPrecedes($1) } }

    /// Each object has the same versions in all stores, and the same differs between two nights.
    func compareStores(_ entities: [EntityDescription], _ comment: String) throws {
        let pasts = try shelves.map { try $0.location.past() }
        let kept = try kept(shelves[0])
        for other in pasts.dropFirst() {
            for from in kept {
                for to in kept where to != from {
                    let (found, expected) = (try differences(pasts[0], from, to), try differences(other, from, to))
                    #expect(found == expected, "\(comment), from \(from) to \(to) of \(runs)")
                }
            }
            for entity in entities {
                for identifier in try identifiers(of: entity, shelves[shelves.count - 1]) {
                    let (found, expected) = (
                        try versions(pasts[0], entity, identifier), try versions(other, entity, identifier)
                    )
                    #expect(found == expected, "\(comment), \(entity.name) \(identifier) of \(runs)")
                }
            }
        }
    }

    /// All that an entity's objects have ever been called.
    private func identifiers(of entity: EntityDescription, _ shelf: any NightShelf) throws -> Set<String> {
        let parts = entity.identifier.map(quoted)
        let value = parts.count == 1 ? parts[0] : "json_array(\(parts.joined(separator: ", ")))"
        let rows = try shelf.rows("SELECT \(value) FROM @\(quoted(entity.table + "_history"))", in: .store)
        return Set(rows.map { $0[0] })
    }

    private func versions(_ past: any HistoryReader, _ entity: EntityDescription, _ identifier: String) throws
        -> [String]
    {
        let found = try past.versions(of: entity.name, identifier)
        return ["\(found.names) \(found.identifier)"]
            + found.versions.map { version in
                "\(version.from) \(version.to ?? 0) \(version.values) \(version.at.map { "\($0)" } ?? "")"
            }
    }

    private func differences(_ past: any HistoryReader, _ from: Int, _ to: Int) throws -> [String] {
        var found: [String] = []
        try past.differences(from: from, to: to, of: nil) { entity, names, difference throws(Failure) in
            let (before, after) = (difference.before ?? [], difference.after ?? [])
            found.append("\(entity) \(difference.identifier) \(names) \(before) \(after) \(difference.changed)")
        }
        return found.sorted()
    }
}
