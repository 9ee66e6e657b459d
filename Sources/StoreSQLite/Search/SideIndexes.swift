import SluiceRecords
import SluiceSchema

/// The side indexes of a store: made, kept in step with what pipelines say, and removed.
package struct SideIndexes {
    let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// An entry of the schema that belongs to a side index, with its SQL.
    private struct Part {
        var type: String
        var name: String
        var sql: String
    }

    /// Triggers come first, as those of a virtual table must be dropped before it.
    private func parts() throws(Failure) -> [Part] {
        try connection.rows(
            """
            SELECT type, name, sql FROM sqlite_schema WHERE name LIKE '\(ToolTables.names)' ESCAPE '\\'
            AND (type = 'table' AND rootpage = 0 OR type = 'index' AND sql IS NOT NULL
            OR type = 'trigger' AND name NOT LIKE '\(SQLiteHistoryTriggers.names)' ESCAPE '\\')
            ORDER BY type = 'trigger' DESC, rowid
            """
        ) { row in
            Part(type: row.text(0), name: row.text(1), sql: row.text(2))
        }.filter { $0.type == "trigger" || SideIndex.isOwn($0.name) }
    }

    /// A view, trigger or virtual table, by its type and name, that is none of the store's own to the letter; nil:
    /// there is none.
    package func stranger() throws(Failure) -> String? {
        let found = try connection.rows(
            """
            SELECT sql, type || ' ' || name FROM sqlite_schema
            WHERE type NOT IN ('table', 'index') OR upper(sql) LIKE 'CREATE VIRTUAL%'
            """
        ) { row in
            (sql: row.text(0), name: row.text(1))
        }
        if found.isEmpty { return nil }
        let own = SideIndex.all(try StoredEntity.all(connection)).flatMap(\.statements)
        let known = Set(own.map { ExactText($0.sql) })
        return found.first { !known.contains(ExactText($0.sql)) }?.name
    }

    /// Lets a connection that is about to write to the store write to its indexes of words as well, if there are any.
    package func letWrite() throws(Failure) {
        let trigger = """
            SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sluice\\_search\\_%' ESCAPE '\\'
            """
        if try connection.integer(trigger) != nil { connection.trustSchema() }
    }

    /// Removes the side indexes that no pipeline wants any more, those that differ from what is wanted, and those of
    /// certain tables.
    ///
    /// - Parameter isTouched: whether the table of a side index is about to be renamed or rewritten, not just to get
    ///   other rows.
    func remove(but wanted: [SideIndex], isTouched: (SideIndex) -> Bool) throws(Failure) {
        let parts = try parts()
        if !wanted.isEmpty { connection.trustSchema() }
        if parts.isEmpty { return }
        let kept = SideIndexes.existing(of: wanted, in: parts).filter { !isTouched($0) }
        let keptParts = Set(kept.flatMap(\.statements).map { ExactText($0.sql) })
        for part in parts where !keptParts.contains(ExactText(part.sql)) {
            try connection.execute("DROP \(part.type.uppercased()) \(quoted(part.name))")
        }
    }

    /// Those of the wanted side indexes that the schema has with the same SQL.
    func existing(of wanted: [SideIndex]) throws(Failure) -> [SideIndex] {
        wanted.isEmpty ? [] : SideIndexes.existing(of: wanted, in: try parts())
    }

    private static func existing(of wanted: [SideIndex], in parts: [Part]) -> [SideIndex] {
        let there = Set(parts.map { ExactText($0.sql) })
        return wanted.filter { side in side.statements.allSatisfy { there.contains(ExactText($0.sql)) } }
    }

    /// Fills the existing side indexes anew: they hold deleted texts for a while, marked as deleted.
    func fillAgain() throws(Failure) {
        let there = Set(try parts().map { ExactText($0.sql) })
        for side in SideIndex.all(try StoredEntity.all(connection)) {
            guard let fill = side.fill, there.contains(ExactText(side.statements[0].sql)) else { continue }
            try connection.execute(fill)
        }
    }

    /// Makes those that are not there, and fills them.
    ///
    /// - Parameter isLast: whether nothing will change them.
    package func make(_ wanted: [SideIndex], isLast: Bool = false) throws(Failure) {
        if wanted.isEmpty { return }
        let there = Set(try parts().map { FoldedName($0.name) })
        let tables = try StoredTable.list(connection)
        for side in wanted where !there.contains(FoldedName(side.name)) {
            guard let table = try StoredTable(connection, side.table, tables),
                side.columns.allSatisfy({ table.column($0) != nil })
            else { continue }
            for statement in side.statements { try connection.execute(statement.sql) }
            if let fill = side.fill { try connection.execute(fill) }
            if isLast, let finish = side.finish { try connection.execute(finish) }
        }
    }
}
