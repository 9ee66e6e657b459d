import SluiceRecords
import SluiceSchema

/// Renames what is in a store, within a transaction.
struct StoreRenaming {
    let connection: Connection
    let renaming: Renaming

    func perform() throws(Failure) {
        guard !renaming.isEmpty else { return }
        for move in Renaming.Move.inSteps(renaming.tables) { try rename(move) }
        for move in Renaming.Move.inSteps(renaming.linkTables) { try rename(move) }
        for move in renaming.columns {
            try alter(
                move.table, "RENAME COLUMN \(quoted(move.from)) TO \(quoted(move.to))",
                "the column \(move.from) of the table \(move.table) cannot be renamed to \(move.to)")
        }
        try renameIndexes()
        try renameEntities()
        try renameRelationships()
        try renameWaiting(renaming.waitingLabels, in: "keys")
        try renameWaiting(renaming.waitingValues, in: "with")
    }

    // MARK: Tables

    private func rename(_ move: Renaming.Move) throws(Failure) {
        try alter(
            move.from, "RENAME TO \(quoted(move.to))", "the table \(move.from) cannot be renamed to \(move.to)")
    }

    /// A view or a trigger that does not fit the tables keeps SQLite from renaming anything: no defect of sluice.
    private func alter(_ table: String, _ sql: String, _ sentence: String) throws(Failure) {
        do throws(Failure) {
            try connection.execute("ALTER TABLE \(quoted(table)) \(sql)")
        } catch {
            guard [.defect, .definition].contains(error.kind) else { throw error }
            throw Failure(.definition, "\(sentence): \(error.message)")
        }
    }

    // MARK: Indexes

    /// Indexes that sluice has named after what they are on are made anew: SQLite cannot rename one.
    private func renameIndexes() throws(Failure) {
        var tables: [FoldedName: (now: String, before: String)] = [:]
        for move in renaming.columns { tables[FoldedName(move.table)] = (move.table, move.table) }
        for move in renaming.tables + renaming.linkTables { tables[FoldedName(move.to)] = (move.to, move.from) }
        for (now, before) in tables.values.sorted(by: { $0.now < $1.now }) {
            guard let table = try StoredTable(connection, now) else { continue }
            for index in table.indexes where !index.isPartial {
                let name = IndexNames.name(on: before, index.columns.map { columnBefore(now, $0) })
                let isOurs = index.name.isIdentical(to: name) || index.name.hasPrefix(name + " ")
                guard isOurs, !index.name.isSameName(as: IndexNames.name(on: now, index.columns)) else { continue }
                try connection.execute("DROP INDEX \(quoted(index.name))")
                var names = try IndexNames(connection)
                try names.create(on: now, index.columns, unique: index.isUnique)
            }
        }
    }

    private func columnBefore(_ table: String, _ column: String) -> String {
        renaming.nameBefore(column: column, of: table)
    }

    // MARK: Values

    private func renameEntities() throws(Failure) {
        for move in renaming.entities {
            for (table, column) in renaming.entityColumns { try replace(table, column, move) }
            for table in try ownTables() {
                for column in ["entity", "target"] where table.has(column) { try replace(table.name, column, move) }
            }
        }
    }

    private func renameRelationships() throws(Failure) {
        for move in renaming.relationships {
            for table in try ownTables() where table.has("entity") && table.has("relationship") {
                let update = try connection.prepare(
                    """
                    UPDATE OR REPLACE \(quoted(table.name)) SET relationship = ?1
                    WHERE entity = ?2 AND relationship = ?3
                    """)
                update.bind(1, move.to)
                update.bind(2, move.entity)
                update.bind(3, move.from)
                try update.run()
            }
        }
    }

    private func renameWaiting(_ moves: [Renaming.LabelMove], in name: String) throws(Failure) {
        guard !moves.isEmpty, try StoredTable(connection, "sluice_unresolved")?.column(name) != nil else { return }
        let column = quoted(name)
        for move in moves {
            let update = try connection.prepare(
                """
                UPDATE sluice_unresolved SET \(column) = replace(\(column), ?1, ?2)
                WHERE entity = ?3 AND relationship = ?4 AND instr(\(column), ?1) > 0
                """)
            for (index, text) in [move.members.from, move.members.to, move.entity, move.relationship].enumerated() {
                update.bind(index + 1, text)
            }
            try update.run()
        }
    }

    private func replace(_ table: String, _ column: String, _ move: Renaming.Move) throws(Failure) {
        let update = try connection.prepare(
            "UPDATE OR REPLACE \(quoted(table)) SET \(quoted(column)) = ?1 WHERE \(quoted(column)) = ?2")
        update.bind(1, move.to)
        update.bind(2, move.from)
        try update.run()
    }

    private struct RenamedTable {
        var name: String
        var columns: [String]

        func has(_ column: String) -> Bool { columns.contains(column) }
    }

    /// The tool's own tables with their columns of text; `sluice_model` is written as a whole.
    private func ownTables() throws(Failure) -> [RenamedTable] {
        var tables: [RenamedTable] = []
        try connection.forEachRow(
            """
            SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name LIKE 'sluice\\_%' ESCAPE '\\' AND t.name <> 'sluice_model'
            AND c.type = 'TEXT' ORDER BY t.name
            """
        ) { row in
            let name = row.text(0)
            if tables.last?.name.isIdentical(to: name) != true { tables.append(RenamedTable(name: name, columns: [])) }
            tables[tables.count - 1].columns.append(row.text(1))
        }
        return tables
    }
}
