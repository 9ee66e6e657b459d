import SluiceRecords
import SluiceSchema

/// The views that show all that objects have been, a version a row: made, kept in step with the tables, and removed.
struct PastViews {
    let connection: Connection

    /// The names of those that sluice has made.
    static func names(_ connection: Connection) throws(Failure) -> [String] {
        guard try HistoryTables.areThere(connection) else { return [] }
        let statement = try connection.prepare("SELECT view FROM sluice_history_object WHERE view IS NOT NULL")
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        return names
    }

    /// Removes all, so that none keeps a table from being renamed, or from going.
    func remove() throws(Failure) {
        for name in try PastViews.names(connection) { try remove(name) }
        try connection.execute("UPDATE sluice_history_object SET view = NULL")
    }

    private func remove(_ name: String) throws(Failure) {
        // Who has put something else in its place keeps it.
        if try kind(of: name) == "view" { try connection.execute("DROP VIEW \(quoted(name))") }
    }

    /// Makes those that lack, or are not in step.
    ///
    /// - Parameter descriptions: what all pipelines say.
    func make(_ descriptions: [EntityDescription]) throws(Failure) {
        let shapes = try HistoryTable.all(connection, where: "NOT has_links")
        let entities = EntityDescription.joined(descriptions)
        let tables = try StoredTable.list(connection)
        for entity in entities {
            guard let current = shapes.last(where: { $0.until == nil && $0.nameNow.isSameName(as: entity.table) }),
                let table = try StoredTable(connection, entity.table, tables)
            else { continue }
            let past = PastViews.relations(table, current, shapes)
            var view = EntityView(entity, among: descriptions, table, SQLiteDialect(), past: past)
            try make(past.view, view.sql(), object: current.object)
        }
    }

    private func make(_ name: String, _ sql: String, object: Int64) throws(Failure) {
        let made = try connection.text("SELECT view FROM sluice_history_object WHERE number = \(object)")
        if let made {
            let stored = try connection.text("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", made)
            if made.isIdentical(to: name), stored?.isIdentical(to: sql) == true { return }
            try remove(made)
        }
        // The name is somebody else's.
        guard try kind(of: name) == nil else { return }
        try connection.execute(sql)
        let update = try connection.prepare("UPDATE sluice_history_object SET view = ? WHERE number = \(object)")
        update.bind(1, name)
        try update.run()
    }

    private func kind(of name: String) throws(Failure) -> String? {
        try connection.text("SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name)
    }

    // MARK: SQL

    /// What views of the past read.
    ///
    /// - Parameters:
    ///   - current: the shape that the table has.
    ///   - shapes: those of all tables of objects.
    static func relations(_ table: StoredTable, _ current: HistoryTable, _ shapes: [HistoryTable]) -> PastRelations {
        PastRelations(
            view: Entity.pastView(of: table.name), versions: versions(table, current, shapes), gone: gone(shapes))
    }

    /// The versions of the objects of a table: those that are true, and those that were, in all shapes of the table.
    private static func versions(_ table: StoredTable, _ current: HistoryTable, _ shapes: [HistoryTable]) -> String {
        let columns = table.columns.map(\.name).filter { !$0.isSameName(as: "objectID") }
        let names = columns.map { ", t.\(quoted($0))" }.joined()
        let from = HistoryTriggers(table: current).from("t", "t.\"objectID\"")
        var arms = [
            "SELECT t.\"objectID\"\(names), \(from) AS \(PastRelations.from), NULL AS \(PastRelations.to)"
                + " FROM \(quoted(table.name)) t"
        ]
        for shape in shapes where shape.object == current.object {
            let values = columns.map { ", \(shape.pastColumn(now: $0) ?? "NULL")" }.joined()
            arms.append("SELECT o\(values), f, r FROM \(shape.past)")
        }
        return "(\(arms.joined(separator: "\n  UNION ALL ")))"
    }

    /// By table: what identified its objects that are gone.
    static func gone(_ shapes: [HistoryTable]) -> [FoldedName: [String]] {
        var gone: [FoldedName: [String]] = [:]
        for current in shapes where current.until == nil && !current.identifier.isEmpty {
            gone[FoldedName(current.nameNow)] = shapes.filter { $0.object == current.object }.map { shape in
                let values = current.identifier.map { ", \(shape.pastColumn(now: $0) ?? "NULL") AS \(quoted($0))" }
                return "(SELECT o AS \"objectID\"\(values.joined()) FROM \(shape.past) WHERE d = 1)"
            }
        }
        return gone
    }
}

extension HistoryTable {
    /// The column of the past rows that holds what is called so now; nil: there was none.
    func pastColumn(now name: String) -> String? {
        columnsNow.firstIndex { $0.isSameName(as: name) }.map { pastColumns[$0] }
    }
}
