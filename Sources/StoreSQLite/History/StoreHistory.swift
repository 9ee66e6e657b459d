import SluiceRecords
import SluiceSchema

/// Keeps the past of a store's objects. Triggers keep what a run, or a program, changes or deletes; this type prepares
/// them for a run, within its transaction, and settles them at its end. A store goes on to keep what it has begun to
/// keep.
struct StoreHistory {
    let connection: Connection

    /// Nil: the store keeps no past, and the definition does not want it to.
    init?(_ connection: Connection, isWanted: Bool) throws(Failure) {
        if !isWanted, try !HistoryTables.areThere(connection) { return nil }
        self.connection = connection
    }

    /// The tables whose past is kept, in the shapes that they have.
    func openTables() throws(Failure) -> [HistoryTable] {
        try HistoryTable.all(connection, where: "until IS NULL")
    }

    // MARK: Tables

    /// An entity of the store whose past is kept.
    struct Followed {
        /// The table of its objects.
        var table: String
        /// The columns that identify them.
        var identifier: [String]
        var linkTables: [String]
    }

    /// Numbers the tables of entities, and makes what notes where records stood.
    ///
    /// - Parameter isNew: of a table, whether the run has made it: it has no past.
    func number(_ entities: [Followed], run: Int, isNew: (String) -> Bool) throws(Failure) {
        if try !HistoryTables.areThere(connection) {
            try connection.execute(HistoryTables.create)
            try connection.execute("INSERT INTO sluice_history VALUES (1, \(run), 1, 0)")
        }
        for entity in entities {
            let object = try number(of: entity.table, isNew: isNew(entity.table))
            try connection.execute(HistoryTables.createPlace(object))
        }
    }

    /// Begins to keep the past of tables that have their shape by now; goes on with those that have got another.
    ///
    /// - Parameters:
    ///   - entities: they are numbered.
    ///   - isNew: of a table, whether the run has made it: it has no past, and no triggers before the run ends.
    func follow(
        _ entities: [Followed], run: Int, _ renaming: Renaming, isNew: (String) -> Bool
    ) throws(Failure) {
        for table in try HistoryTable.all(connection, where: "until = \(run)")
        where try connection.hasTable(table.nameNow) {
            let identifier = table.identifier.map { name in
                zip(table.columns, table.columnsNow).first { $0.0.isSameName(as: name) }?.1 ?? name
            }
            try follow(
                table.nameNow, table.object, identifier, hasLinks: table.hasLinks, run: run, isNew: false)
        }
        for entity in entities {
            let object = try number(of: entity.table, isNew: false)
            try follow(
                entity.table, object, entity.identifier, hasLinks: false, run: run, isNew: isNew(entity.table))
            for name in entity.linkTables {
                try follow(name, object, [], hasLinks: true, run: run, isNew: isNew(name))
            }
        }
        try setBounds()
    }

    private func follow(
        _ name: String, _ object: Int64, _ identifier: [String], hasLinks: Bool, run: Int, isNew: Bool
    ) throws(Failure) {
        guard try openTables().allSatisfy({ !$0.name.isSameName(as: name) }) else { return }
        let columns = try connection.storedColumns(of: name)
        var table = HistoryTable(
            number: 0, object: object, name: name, hasLinks: hasLinks, columns: columns,
            identifier: identifier.filter { part in columns.contains { $0.isSameName(as: part) } },
            sql: try sql(name), since: Int64(run), isBorn: isNew, nameNow: name, columnsNow: columns)
        table.number = try HistoryTable.insert(table, connection)
        try connection.execute(SQLiteHistoryTriggers(table: table).createPast)
        // Tables that the run makes have no past; without triggers they are written faster.
        if !isNew { try connection.execute(SQLiteHistoryTriggers(table: table).create) }
    }

    /// Notes which objects have a past: those that are there when a run begins.
    private func setBounds() throws(Failure) {
        for (number, name) in try objectTables() where try connection.hasTable(name) {
            try connection.execute(
                """
                UPDATE sluice_history_object SET before = (SELECT coalesce(max("objectID"), 0) FROM \(quoted(name)))
                WHERE number = \(number)
                """)
        }
    }

    /// The tables of objects, with their numbers.
    func objectTables() throws(Failure) -> [(number: Int64, name: String)] {
        try connection.rows("SELECT number, name FROM sluice_history_object ORDER BY number") { row in
            (number: row.integer(0), name: row.text(1))
        }
    }

    /// Whether the past of a table of objects is kept already.
    func follows(_ name: String) throws(Failure) -> Bool {
        guard try HistoryTables.areThere(connection) else { return false }
        return try number(of: name) != nil
    }

    /// The number of a table of objects; nil: its past is not kept.
    func number(of name: String) throws(Failure) -> Int64? {
        try connection.integer("SELECT number FROM sluice_history_object WHERE name = ? COLLATE NOCASE", name)
    }

    private func number(of name: String, isNew: Bool) throws(Failure) -> Int64 {
        if let known = try number(of: name) { return known }
        let highest =
            isNew ? 0 : try connection.integer("SELECT coalesce(max(\"objectID\"), 0) FROM \(quoted(name))") ?? 0
        let insertion = try connection.prepare(
            "INSERT INTO sluice_history_object (name, highest, before) VALUES (?, ?2, ?2) RETURNING number")
        insertion.bind(1, name)
        insertion.bind(2, highest)
        guard let number = try insertion.insertedNumber() else { throw Failure(.defect, "a table got no number") }
        return number
    }

    /// The highest objectID that an object of a table has ever had: no other object gets it. 0: the past of the table
    /// is not kept.
    func highest(of name: String) throws(Failure) -> Int64 {
        try connection.integer("SELECT highest FROM sluice_history_object WHERE name = ? COLLATE NOCASE", name) ?? 0
    }

    // MARK: The store's schema

    /// Whether a table still has the columns that it had.
    func hasShape(_ table: HistoryTable) throws(Failure) -> Bool {
        let columns = try connection.storedColumns(of: table.name)
        return columns.count == table.columns.count
            && zip(columns, table.columns).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// The statements that made a table and its indexes.
    func sql(_ table: String) throws(Failure) -> String {
        try connection.texts(
            """
            SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type IN ('table', 'index')
            AND sql IS NOT NULL ORDER BY type DESC, rowid
            """, table
        ).joined(separator: ";\n")
    }
}
