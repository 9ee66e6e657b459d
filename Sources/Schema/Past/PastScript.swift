import SluiceRecords

/// SQL statements that bring the tables of entities and links from the state that one run left to that of another: in
/// any database that has these tables, with the same objectIDs.
///
/// First rows are deleted, then others are changed, and new ones are inserted last, so that no two have the same
/// identifier at any time. Values are written so that SQLite and PostgreSQL take them, except for bytes, which are
/// written for the database of the store.
package struct PastScript {
    private let source: any HistorySource
    private let dialect: any Dialect
    private let (from, to): (Int, Int)
    private let (lower, upper): (Int, Int)
    private let descriptions: [EntityDescription]
    /// Those of objects, each with those of its links, in the shapes that they have at both runs.
    private var tables: [(objects: HistoryTable, links: [HistoryTable])] = []

    /// - Parameter only: the name of the only entity; nil: all of which a history is kept.
    /// - Throws: `definition` where a table is not the same at both runs; `missing` where it is not known what it held.
    init(
        _ source: any HistorySource, _ descriptions: [EntityDescription], from: Int, to: Int, of only: String?
    ) throws(Failure) {
        self.source = source
        self.descriptions = descriptions
        dialect = source.dialect
        (self.from, self.to) = (from, to)
        (lower, upper) = (min(from, to), max(from, to))
        let all = try source.historyTables()
        let shapes = PastShapes(all, dialect)
        for description in descriptions where only.map(description.name.isIdentical) ?? true {
            // Tables that a program has dropped are left out.
            guard let object = shapes.current(description.table)?.object, try source.table(description.table) != nil
            else { continue }
            let own = all.filter { $0.object == object }
            guard let objects = try table(own.filter { !$0.hasLinks }) else { continue }
            var links: [HistoryTable] = []
            for (name, group) in Dictionary(grouping: own.filter(\.hasLinks), by: { ExactText($0.nameNow) }) {
                guard try source.table(name.string) != nil else { continue }
                if let table = try table(group) { links.append(table) }
            }
            links.sort { $0.number < $1.number }
            tables.append((objects, links))
        }
    }

    /// The shape that a table has at both runs; nil: it is there at neither.
    private func table(_ shapes: [HistoryTable]) throws(Failure) -> HistoryTable? {
        let (old, new) = (shapes.first { $0.isValid(at: Int64(lower)) }, shapes.first { $0.isValid(at: Int64(upper)) })
        if let old, let new, old.number == new.number { return old }
        if old == nil, let first = shapes.first, !first.isBorn, first.since > lower {
            throw Failure(
                .missing, "the history of \(first.name) in the store \(source.name) begins with run \(first.since)")
        }
        guard let table = new ?? old else { return nil }
        let what =
            old == nil ? "is not there at run \(lower)" : "has another shape at run \(upper) than at run \(lower)"
        throw Failure(
            .definition,
            "the table \(table.name) in the store \(source.name) \(what): a script of SQL changes rows alone")
    }

    // MARK: Statements

    private enum Phase: CaseIterable { case remove, change, add }

    /// Hands out the statements, each with its end.
    func statements(_ each: (String) throws(Failure) -> Void) throws(Failure) {
        try each("BEGIN;\n")
        var written: Set<ExactText> = []
        for phase in Phase.allCases {
            for (objects, links) in tables {
                // Links are deleted before their targets, and inserted after them.
                let parts = phase == .remove ? links + [objects] : phase == .add ? [objects] + links : [objects]
                for table in parts where try statements(table, phase, each) && phase != .remove {
                    written.insert(ExactText(table.nameNow))
                }
            }
        }
        for statement in try clearings(of: written) { try each(statement + ";\n") }
        try each("COMMIT;\n")
    }

    /// What clears the references to objects whose past was erased on demand: the script does not bring these objects.
    private func clearings(of written: Set<ExactText>) throws(Failure) -> [String] {
        guard try source.integer(ForgottenReferences.mayBe(in: dialect.ownTable("sluice_run"))) != nil else {
            return []
        }
        let then = Dictionary(
            tables.flatMap { [$0.objects] + $0.links }.map { (ExactText($0.nameNow), $0) }
        ) { first, _ in first }
        let references = ForgottenReferences(descriptions) {
            quoted(then[ExactText($0)]?.name ?? $0)
        } column: { name, table in
            then[ExactText(table)].flatMap { shape in
                shape.columnsNow.firstIndex { $0.isSameName(as: name) }.map { shape.columns[$0] }
            }
        }
        return try references.clearings { then[ExactText($0)] != nil }
            .filter { written.contains(ExactText($0.table)) }.map(\.statement)
    }

    /// Returns whether there are any.
    private func statements(
        _ table: HistoryTable, _ phase: Phase, _ each: (String) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var isWritten = false
        func put(_ statement: String) throws(Failure) {
            isWritten = true
            try each(statement)
        }
        var (owner, before, after): (Int64, [[String]], [[String]]) = (0, [], [])
        func end() throws(Failure) {
            // Two spellings of one letter are two values.
            let isSame = before.elementsEqual(after) { $0.areIdentical(to: $1) }
            if !isSame { try write(table, owner, before, after, phase, put) }
            (before, after) = ([], [])
        }
        let width = table.columns.count
        try source.rows(rows(of: table), []) { row throws(Failure) in
            if row.integer(1) != owner {
                try end()
                owner = row.integer(1)
            }
            let values = (0..<width).map { row.text(3 + $0) }
            if row.integer(0) == 0 { before.append(values) } else { after.append(values) }
        }
        try end()
        return isWritten
    }

    /// Writes the changes to the rows of one object.
    private func write(
        _ table: HistoryTable, _ owner: Int64, _ before: [[String]], _ after: [[String]], _ phase: Phase,
        _ each: (String) throws(Failure) -> Void
    ) throws(Failure) {
        let name = quoted(table.name)
        let changed = changedColumns(table, before, after)
        switch phase {
        case .remove:
            if changed == nil, !before.isEmpty { try each("DELETE FROM \(name) WHERE \(table.owner) = \(owner);\n") }
        case .change:
            guard let changed, let values = after.first else { return }
            let list = changed.map { "\(quoted(table.columns[$0])) = \(values[$0])" }.joined(separator: ", ")
            try each("UPDATE \(name) SET \(list) WHERE \(table.owner) = \(owner);\n")
        case .add:
            if changed != nil { return }
            let columns = table.columns.map(quoted).joined(separator: ", ")
            for values in after {
                try each("INSERT INTO \(name) (\(columns)) VALUES (\(values.joined(separator: ", ")));\n")
            }
        }
    }

    /// The columns of an object that differ; nil: its rows are deleted and inserted anew. That is done for links, and
    /// where the identifier differs.
    private func changedColumns(_ table: HistoryTable, _ before: [[String]], _ after: [[String]]) -> [Int]? {
        guard !table.hasLinks, let old = before.first, let new = after.first else { return nil }
        let changed = table.columns.indices.filter { !old[$0].isIdentical(to: new[$0]) }
        let isOther = changed.contains { column in
            table.identifier.contains { $0.isSameName(as: table.columns[column]) }
        }
        return isOther ? nil : changed
    }

    // MARK: Rows

    /// The rows of objects that may differ: whether at the run to which it goes, the object, its place, and its values
    /// as SQL.
    private func rows(of table: HistoryTable) -> String {
        let sides = [from, to].enumerated().map { side, run in
            let past = selection(side, table, table.pastColumns.map { "p.\($0)" })
            let present = selection(side, table, table.columns.map { "t.\(quoted($0))" })
            let rows = "\(past) \(pastRows(table, run))"
            return table.until == nil
                ? rows + "\n  UNION ALL \(present) \(presentRows(table, run))" : rows
        }
        return sides.joined(separator: "\n  UNION ALL ") + "\n  ORDER BY 2, 1, 3"
    }

    private func selection(_ side: Int, _ table: HistoryTable, _ columns: [String]) -> String {
        let column = { (name: String) in
            table.columns.firstIndex { $0.isSameName(as: name) }.map { columns[$0] }
        }
        let owner = column(table.hasLinks ? "source" : "objectID") ?? "0"
        let place = table.hasLinks ? column("position") ?? "0" : "0"
        let values = columns.enumerated().map { place, column in
            dialect.literal(column, table.types.indices.contains(place) ? table.types[place] : nil)
        }
        return "SELECT \(side), \(owner), \(place), \(values.joined(separator: ", "))"
    }

    private func pastRows(_ table: HistoryTable, _ run: Int) -> String {
        let past = dialect.ownTable(table.past)
        let rows =
            table.hasLinks
            ? "FROM \(past) h JOIN \(past) p ON p.r = h.r AND p.o = h.o AND p.n > 0 WHERE h.n = 0 AND h"
            : "FROM \(past) p WHERE p"
        let version = table.hasLinks ? "h" : "p"
        return "\(rows).f <= \(run) AND \(version).r > \(run) AND p.o IN (\(touched(table)))"
    }

    private func presentRows(_ table: HistoryTable, _ run: Int) -> String {
        let owner = "t.\(table.owner)"
        let from = table.from("t", owner, dialect)
        return "FROM \(dialect.table(table.name)) t WHERE \(owner) IN (\(touched(table))) AND \(from) <= \(run)"
    }

    /// The objects of which something ended or began between the runs.
    private func touched(_ table: HistoryTable) -> String {
        let isBetween = { (run: String) in "\(run) > \(lower) AND \(run) <= \(upper)" }
        let (past, isFirst) = (dialect.ownTable(table.past), table.hasLinks ? " AND n = 0" : "")
        var parts = [
            "SELECT o FROM \(past) WHERE \(isBetween("r"))\(isFirst)",
            "SELECT o FROM \(past) WHERE r > \(upper) AND \(isBetween("f"))\(isFirst)",
            "SELECT o FROM \(dialect.ownTable("sluice_history_given")) WHERE object = \(table.object) AND \(isBetween("run"))",
        ]
        if table.until == nil {
            parts.append(
                """
                SELECT x.\(table.owner) FROM \(dialect.ownTable("sluice_history_made")) m JOIN \(dialect.table(table.name)) x
                ON x.\(table.owner) BETWEEN m.first AND m.last WHERE m.object = \(table.object) AND \(isBetween("m.run"))
                """)
        }
        return parts.joined(separator: " UNION ")
    }
}
