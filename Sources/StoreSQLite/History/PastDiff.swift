import SluiceLoad
import SluiceRecords
import SluiceSchema

/// What differs in an object between two runs.
package struct ObjectDifference: Sendable {
    /// JSON; a list for several attributes.
    package var identifier: String
    /// By the names in `PastDiff.names`: JSON; nil: the object was not there. A to-many relationship is `null` in both where
    /// its links have not changed.
    package var before: [String]?
    package var after: [String]?
    /// Which of the names differ; of an object that came or went, none.
    package var changed: [Int] = []
}

/// What differs in the objects of an entity between two runs: what ended after the one, and until the other, and what
/// began then.
struct PastDiff {
    private let connection: Connection
    let entity: EntityDescription
    private let descriptions: [EntityDescription]
    private let table: StoredTable
    private let current: HistoryTable
    private let shapes: [HistoryTable]
    private let links: [HistoryTable]
    private let allShapes: [HistoryTable]
    /// The runs, the earlier one first, and whether it is gone back from the later to the earlier one.
    private let (lower, upper): (Int, Int)
    private let isBackwards: Bool
    /// Attributes and references, then to-many relationships.
    private(set) var names: [String] = []
    private(set) var columnCount = 0
    private let toMany: [EntityDescription.Relationship]

    /// Nil: the store keeps no history of the entity.
    init?(
        _ connection: Connection, _ entity: EntityDescription, among descriptions: [EntityDescription], from: Int,
        to: Int
    ) throws(Failure) {
        let all = try HistoryTable.all(connection)
        guard
            let current = all.last(where: {
                !$0.hasLinks && $0.until == nil && $0.nameNow.isSameName(as: entity.table)
            }),
            let table = try StoredTable(connection, entity.table)
        else { return nil }
        self.connection = connection
        self.entity = entity
        self.descriptions = descriptions
        self.table = table
        self.current = current
        allShapes = all.filter { !$0.hasLinks }
        shapes = allShapes.filter { $0.object == current.object }
        links = all.filter { $0.object == current.object && $0.hasLinks }
        (lower, upper) = (min(from, to), max(from, to))
        isBackwards = from > to
        var view = EntityView(entity, among: descriptions, table, SQLiteDialect(), past: nil)
        let query = view.query()
        toMany = view.toMany
        columnCount = query.names.count
        names = query.names + toMany.map(\.name)
    }

    /// The first run at which it is known what the table held.
    var since: Int { shapes.first.map { $0.isBorn ? 0 : Int($0.since) } ?? 0 }

    /// Whether the tables got another shape between the runs.
    var changesShape: Bool {
        (shapes + links).contains { $0.until.map { $0 > lower && $0 <= upper } ?? false }
    }

    // MARK: Differences

    /// Hands out what differs, those objects first of which more than links differs, by identifier.
    func differences(_ each: (ObjectDifference) throws(Failure) -> Void) throws(Failure) {
        var linked = try linkDifferences()
        let statement = try connection.prepare(rows)
        let keys = entity.identifier.count
        var arena = Arena()
        defer { arena.deallocate() }
        var (key, before, after): (String, [String]?, [String]?) = ("", nil, nil)
        func end() throws(Failure) {
            guard before != nil || after != nil else { return }
            if let found = difference(key, before, after, linked.removeValue(forKey: ExactText(key))) {
                try each(found)
            }
            (before, after) = (nil, nil)
        }
        while try statement.step() {
            arena.reset()
            let next = statement.key(1..<(1 + keys), &arena)
            if !next.isIdentical(to: key) {
                try end()
                key = next
            }
            let values = (0..<columnCount).map { arena.json(of: statement.cell(1 + keys + $0, in: &arena)) }
            if statement.integer(0) == 0 { before = values } else { after = values }
        }
        try end()
        let nulls = Array(repeating: "null", count: columnCount)
        for key in linked.keys.sorted() {
            if let found = difference(key.string, nulls, nulls, linked[key]) { try each(found) }
        }
    }

    private func difference(
        _ key: String, _ old: [String]?, _ new: [String]?, _ sets: LinkSets?
    ) -> ObjectDifference? {
        // Links that have not changed are not told. Of who has come or gone without, it is known that there were none.
        let isOneSided = old == nil || new == nil
        let told = { (lists: [String]?) in
            (lists ?? Array(repeating: "null", count: toMany.count)).map { isOneSided && $0 == "null" ? "[]" : $0 }
        }
        let before = old.map { $0 + told(sets?.before) }
        let after = new.map { $0 + told(sets?.after) }
        var difference = ObjectDifference(
            identifier: key, before: isBackwards ? after : before, after: isBackwards ? before : after)
        if let before, let after {
            difference.changed = names.indices.filter { before[$0] != after[$0] }
            if difference.changed.isEmpty { return nil }
        }
        return difference
    }

    // MARK: Links

    /// By relationship: the links of an object, as JSON; `null` where they have not changed.
    private struct LinkSets {
        var before: [String]
        var after: [String]
    }

    /// By identifier: what differs in the links of objects.
    private func linkDifferences() throws(Failure) -> [ExactText: LinkSets] {
        var found: [ExactText: LinkSets] = [:]
        let identify = try identifiers()
        let nothing = Array(repeating: "null", count: toMany.count)
        for (place, relationship) in toMany.enumerated() {
            let name = entity.linkTable(of: relationship)
            for (isAfter, query) in try linkQueries(relationship, name) {
                let statement = try connection.prepare(query)
                while try statement.step() {
                    let key = try identify(statement.integer(0), isAfter ? upper : lower)
                    guard let key = key.map({ ExactText($0) }) else { continue }
                    var sets = found[key] ?? LinkSets(before: nothing, after: nothing)
                    if isAfter { sets.after[place] = statement.text(1) } else { sets.before[place] = statement.text(1) }
                    found[key] = sets
                }
            }
            // Who had links, or has got some, has had none otherwise.
            for (key, sets) in found where (sets.before[place] == "null") != (sets.after[place] == "null") {
                if sets.before[place] == "null" { found[key]?.before[place] = "[]" }
                if sets.after[place] == "null" { found[key]?.after[place] = "[]" }
            }
        }
        return found
    }

    private func linkQueries(
        _ relationship: EntityDescription.Relationship, _ name: String
    ) throws(Failure) -> [(isAfter: Bool, sql: String)] {
        let view = pastView("")
        var queries: [(isAfter: Bool, sql: String)] = []
        for shape in links where shape.nameNow.isSameName(as: name) {
            let columns = zip(shape.columnsNow, shape.pastColumns).map { "\($1) AS \(quoted($0))" }
                .joined(separator: ", ")
            let rows = "(SELECT \(columns) FROM \(shape.past) WHERE r = h.r AND o = h.o AND n > 0)"
            let past = "SELECT h.o, \(view.list(relationship, of: rows)) FROM \(shape.past) h WHERE h.n = 0 AND "
            queries.append(
                (false, past + "h.f <= \(lower) AND h.r > \(lower) AND (h.r <= \(upper) OR h.o IN (\(renamed)))"))
            queries.append(
                (true, past + "h.f <= \(upper) AND h.r > \(upper) AND (h.f > \(lower) OR h.o IN (\(renamed)))"))
            guard shape.until == nil else { continue }
            let from = HistoryTriggers(table: shape).from("", "t.\"objectID\"")
            let links = "(SELECT * FROM \(quoted(name)) WHERE \"source\" = t.o)"
            let present = """
                SELECT t.o, \(view.list(relationship, of: links)) FROM (
                  SELECT t."objectID" AS o, \(from) AS f FROM \(quoted(table.name)) t
                  WHERE t."objectID" IN (\(touched))) t WHERE
                """
            queries.append(
                (true, present + " t.f <= \(upper) AND (t.f > \(lower) OR t.o IN (\(renamed)))"))
            queries.append((false, present + " t.f <= \(lower) AND t.o IN (\(renamed))"))
        }
        return queries
    }

    /// The objects to which programs gave another identifier between the runs: their links are those of another object.
    private var renamed: String {
        """
        SELECT o FROM sluice_history_given WHERE object = \(current.object) AND run > \(lower) AND run <= \(upper)
        AND NOT is_new
        """
    }

    /// What tells by what an object was known at a run, as JSON.
    private func identifiers() throws(Failure) -> (_ objectID: Int64, _ run: Int) throws(Failure) -> String? {
        let names = entity.identifier.map(quoted).joined(separator: ", ")
        var queries: [Statement] = []
        // Only those to which programs gave their objectID, or another identifier, have been known by several.
        for shape in shapes {
            let values = entity.identifier.map { shape.pastColumn(now: $0) ?? "NULL" }.joined(separator: ", ")
            queries.append(
                try connection.prepare(
                    """
                    SELECT \(values) FROM \(shape.past) WHERE r > ?2 AND f <= ?2 AND o = ?1 AND EXISTS (
                      SELECT 1 FROM sluice_history_given WHERE object = \(current.object) AND o = ?1)
                    """))
        }
        queries.append(try connection.prepare("SELECT \(names) FROM \(quoted(table.name)) WHERE \"objectID\" = ?1"))
        for gone in PastViews.gone(allShapes)[FoldedName(table.name)] ?? [] {
            queries.append(try connection.prepare("SELECT \(names) FROM \(gone) WHERE \"objectID\" = ?1"))
        }
        let count = entity.identifier.count
        return { [queries] objectID, run throws(Failure) in
            var arena = Arena()
            defer { arena.deallocate() }
            for query in queries {
                query.bind(1, objectID)
                query.bind(2, Int64(run))
                guard try query.step() else { continue }
                defer { query.reset() }
                return query.key(0..<count, &arena)
            }
            return nil
        }
    }

    // MARK: Rows

    private var columns: [String] { table.columns.map(\.name).filter { !$0.isSameName(as: "objectID") } }

    private func past(_ shape: HistoryTable, _ condition: String) -> String {
        let values = columns.map { ", \(shape.pastColumn(now: $0) ?? "NULL") AS \(quoted($0))" }.joined()
        return """
            SELECT o AS "objectID"\(values), f AS \(PastRelations.from), r AS \(PastRelations.to) FROM \(shape.past)
            WHERE \(condition)
            """
    }

    /// What was true at the earlier run, and ended until the later one.
    private var ended: String {
        let condition = "r > \(lower) AND r <= \(upper) AND f <= \(lower)"
        return shapes.map { past($0, condition) }.joined(separator: "\n  UNION ALL ")
    }

    /// What began after the earlier run, and was true at the later one.
    private var begun: String {
        let condition = "r > \(upper) AND f > \(lower) AND f <= \(upper)"
        let names = columns.map { ", t.\(quoted($0))" }.joined()
        let from = HistoryTriggers(table: current).from("t", "t.\"objectID\"")
        let present = """
            SELECT * FROM (SELECT t."objectID"\(names), \(from) AS \(PastRelations.from), NULL AS \(PastRelations.to)
              FROM \(quoted(table.name)) t WHERE t."objectID" IN (\(touched)))
            WHERE \(PastRelations.from) > \(lower) AND \(PastRelations.from) <= \(upper)
            """
        return ([present] + shapes.map { past($0, condition) }).joined(separator: "\n  UNION ALL ")
    }

    /// The objects of which something ended or began between the runs.
    private var touched: String {
        let isBetween = { (run: String) in "\(run) > \(lower) AND \(run) <= \(upper)" }
        let ended = (shapes + links).map { "SELECT o FROM \($0.past) WHERE \(isBetween("r"))" }
        let made = """
            SELECT t."objectID" FROM sluice_history_made m JOIN \(quoted(table.name)) t
            ON t."objectID" BETWEEN m.first AND m.last WHERE m.object = \(current.object) AND \(isBetween("m.run"))
            """
        let given = "SELECT o FROM sluice_history_given WHERE object = \(current.object) AND \(isBetween("run"))"
        // A table that got another shape has all of its objects in both.
        let isShaped = shapes.contains { $0.since > lower && $0.since <= upper }
        let shaped = isShaped ? ["SELECT \"objectID\" FROM \(quoted(table.name))"] : []
        return (ended + [made, given] + shaped).joined(separator: " UNION ")
    }

    /// All of them: on which side, what identifies the object, and what it is; those of one object behind one another.
    private var rows: String {
        let keys = entity.identifier.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let sides = [ended, begun].enumerated().map { side, rows in
            var view = pastView("(\(rows))")
            return "SELECT \(side), \(keys), \(view.query().values.joined(separator: ", ")) FROM (\(rows)) t"
        }
        let order = (2..<(2 + entity.identifier.count)).map(String.init).joined(separator: ", ")
        return "SELECT * FROM (\(sides[0])) UNION ALL SELECT * FROM (\(sides[1])) ORDER BY \(order), 1"
    }

    private func pastView(_ rows: String) -> EntityView {
        EntityView(
            entity, among: descriptions, table, SQLiteDialect(),
            past: PastRelations(view: "", versions: rows, gone: PastViews.gone(allShapes)))
    }
}

extension Statement {
    /// The value of an identifier as JSON; of several attributes, a list.
    fileprivate func key(_ columns: Range<Int>, _ arena: inout Arena) -> String {
        var cells: [Cell] = []
        for column in columns { cells.append(cell(column, in: &arena)) }
        return arena.json(ofKey: cells)
    }
}
