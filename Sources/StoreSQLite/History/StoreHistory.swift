import SluiceRecords
import SluiceSchema

/// Keeps the past of a store's objects: what a run, or a program, changes or deletes is kept by triggers; this prepares them
/// for a run, within its transaction, and settles them at its end. What a store has begun to keep it goes on with.
struct StoreHistory {
    let connection: Connection

    /// Nil: the store keeps no past, and is not to.
    init?(_ connection: Connection, isWanted: Bool) throws(Failure) {
        if !isWanted, try !HistoryTables.areThere(connection) { return nil }
        self.connection = connection
    }

    // MARK: The beginning of a run

    /// Begins a run before anything of the store changes: the rows of tables that get another shape are kept in the old one.
    func begin(run: Int, _ check: SchemaCheck, _ model: Model) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        if let last = try openRun() { try settle(run: last) }
        try connection.execute("UPDATE sluice_history SET run = \(run), is_open = 1")
        try keepModel(run, check)
        let names = Set(changing(check, model).map { FoldedName($0) })
        var closing: [HistoryTable] = []
        for table in try openTables() {
            try connection.execute(HistoryTriggers(table: table).dropOfNew)
            let keepsShape = check.renaming.isEmpty && !names.contains(FoldedName(table.name))
            if keepsShape, try isThere(table.name), try hasShape(table) { continue }
            closing.append(table)
        }
        if !closing.isEmpty { try PastViews(connection: connection).remove() }
        for table in closing { try close(table, run: run, isThere: isThere(table.name)) }
        try rename(check.renaming)
    }

    /// The run that has been under way, and of which nobody has said that it has ended.
    private func openRun() throws(Failure) -> Int? {
        try connection.integer("SELECT run FROM sluice_history WHERE is_open = 1").map { Int($0) }
    }

    private func openTables() throws(Failure) -> [HistoryTable] {
        try HistoryTable.all(connection, where: "until IS NULL")
    }

    /// The tables that a run gives another shape.
    private func changing(_ check: SchemaCheck, _ model: Model) -> [String] {
        check.formChanges.filter { $0.isRewritten(SQLiteDialect()) }.map { model.entities[$0.entity].table }
            + check.missing.columns.map { model.entities[$0.entity].table }
            + check.missing.linkColumns.map(\.table.name)
    }

    private func close(_ table: HistoryTable, run: Int, isThere: Bool) throws(Failure) {
        try connection.execute(HistoryTriggers(table: table).drop)
        if isThere {
            if try hasShape(table) { try note(sql: sql(table.name), of: table) }
            let present = try columns(table.name)
            var kept = table
            // Who has dropped what identifies objects has left nothing to find them by.
            if !table.identifier.allSatisfy({ name in present.contains { $0.isSameName(as: name) } }) {
                kept.identifier = []
            }
            try connection.execute(HistoryTriggers(table: kept).keepAll(columns: present))
        }
        try connection.execute("UPDATE sluice_history_table SET until = \(run) WHERE number = \(table.number)")
    }

    private func note(sql: String, of table: HistoryTable) throws(Failure) {
        let statement = try connection.prepare("UPDATE sluice_history_table SET sql = ? WHERE number = ?")
        statement.bind(1, sql)
        statement.bind(2, table.number)
        try statement.run()
    }

    /// Keeps what `sluice_model` holds, where that is to change.
    private func keepModel(_ run: Int, _ check: SchemaCheck) throws(Failure) {
        guard check.modelRows.rows.contains(where: \.isChanged) || !check.modelRows.dropped.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO sluice_history_change (run) VALUES (\(run));
            INSERT INTO sluice_history_model (run, pipeline, name, description, since)
            SELECT \(run), pipeline, entity, description, run FROM sluice_model;
            """)
    }

    private func rename(_ renaming: Renaming) throws(Failure) {
        if renaming.isEmpty { return }
        let statement = try connection.prepare(
            "UPDATE sluice_history_object SET name = ?2 WHERE name = ?1 COLLATE NOCASE")
        for move in Renaming.Move.inSteps(renaming.tables) {
            statement.bind(1, move.from)
            statement.bind(2, move.to)
            try statement.run()
        }
        for var table in try HistoryTable.all(connection) {
            table.nameNow = renaming.nameAfter(table: table.nameNow)
            table.columnsNow = table.columnsNow.map { renaming.nameAfter(column: $0, of: table.nameNow) }
            try table.noteNames(connection)
        }
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
        for table in try HistoryTable.all(connection, where: "until = \(run)") where try isThere(table.nameNow) {
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
        let columns = try columns(name)
        var table = HistoryTable(
            number: 0, object: object, name: name, hasLinks: hasLinks, columns: columns,
            identifier: identifier.filter { part in columns.contains { $0.isSameName(as: part) } },
            sql: try sql(name), since: Int64(run), isBorn: isNew, nameNow: name, columnsNow: columns)
        table.number = try HistoryTable.insert(table, connection)
        try connection.execute(HistoryTriggers(table: table).createPast)
        // What the run makes has no past; without triggers it is written faster.
        if !isNew { try connection.execute(HistoryTriggers(table: table).create) }
    }

    /// Which objects have a past: those that are there when a run begins.
    private func setBounds() throws(Failure) {
        for (number, name) in try objectTables() where try isThere(name) {
            try connection.execute(
                """
                UPDATE sluice_history_object SET before = (SELECT coalesce(max("objectID"), 0) FROM \(quoted(name)))
                WHERE number = \(number)
                """)
        }
    }

    /// The tables of objects, with their numbers.
    func objectTables() throws(Failure) -> [(number: Int64, name: String)] {
        let statement = try connection.prepare("SELECT number, name FROM sluice_history_object ORDER BY number")
        var tables: [(number: Int64, name: String)] = []
        while try statement.step() { tables.append((statement.integer(0), statement.text(1))) }
        return tables
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
        guard try insertion.step() else { throw Failure(.defect, "a table got no number") }
        let number = insertion.integer(0)
        while try insertion.step() {}
        return number
    }

    /// The highest objectID that an object of a table has ever had: none gets it again. 0: its past is not kept.
    func highest(of name: String) throws(Failure) -> Int64 {
        try connection.integer("SELECT highest FROM sluice_history_object WHERE name = ? COLLATE NOCASE", name) ?? 0
    }

    // MARK: The end of a run

    /// Ends a run: notes which objectIDs it gave out. From then on, all changes belong to the next one.
    func settle(run: Int) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        for table in try openTables() where try isThere(table.name) {
            let triggers = HistoryTriggers(table: table)
            if !table.hasLinks {
                try dropUnchanged(table, run: run)
                try noteMade(table, run: run)
            }
            try connection.execute(triggers.create + triggers.createOfNew)
        }
        try connection.execute(
            """
            UPDATE sluice_history_object SET before = \(Int64.max);
            UPDATE sluice_history SET run = \(run + 1), is_open = 0;
            """)
    }

    private func noteMade(_ table: HistoryTable, run: Int) throws(Failure) {
        let highest = "coalesce((SELECT max(\"objectID\") FROM \(quoted(table.name))), 0)"
        try connection.execute(
            """
            INSERT INTO sluice_history_made (object, first, last, run)
            SELECT number, highest + 1, \(highest), \(run) FROM sluice_history_object
            WHERE number = \(table.object) AND highest < \(highest);
            UPDATE sluice_history_object SET highest = max(highest, \(highest)) WHERE number = \(table.object);
            """)
    }

    /// Forgets rows that are in the end as they were before the run.
    private func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure) {
        let pairs = zip(table.pastColumns, table.columns).map { " AND t.\(quoted($1)) IS \(table.past).\($0)" }
        try connection.execute(
            """
            DELETE FROM \(table.past) WHERE r = \(run) AND EXISTS (
              SELECT 1 FROM \(quoted(table.name)) t WHERE t."objectID" = o\(pairs.joined()))
            AND NOT EXISTS (
              SELECT 1 FROM sluice_history_given g WHERE g.object = \(table.object) AND g.o = \(table.past).o
              AND g.run = \(run))
            """)
    }

    // MARK: What is forgotten

    /// Forgets all of the past, and keeps nothing of it any more.
    func forget() throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        try PastViews(connection: connection).remove()
        for table in try HistoryTable.all(connection) {
            try connection.execute(HistoryTriggers(table: table).drop + "\nDROP TABLE IF EXISTS \(table.past)")
        }
        for (number, _) in try objectTables() {
            try connection.execute("DROP TABLE IF EXISTS \(HistoryTables.place(number))")
        }
        for name in HistoryTables.names { try connection.execute("DROP TABLE \(name)") }
    }

    /// Forgets what ended before the part of the past that is to stay.
    ///
    /// - Parameter now: when the run started: RFC 3339, UTC.
    func trim(_ keep: HistoryKeep, run: Int, now: String) throws(Failure) {
        let floor =
            switch keep {
            case .runs(let count): run - count
            case .days(let count): try lastRun(endedDays: count, before: now)
            }
        guard floor > 0 else { return }
        let tables = try HistoryTable.all(connection)
        if tables.contains(where: { $0.until.map { $0 <= floor } ?? false }) {
            try PastViews(connection: connection).remove()
        }
        for table in tables {
            try forgetPlaces(of: table, upTo: floor)
            if let until = table.until, until <= floor {
                try connection.execute(
                    """
                    DROP TABLE \(table.past);
                    DELETE FROM sluice_history_table WHERE number = \(table.number);
                    """)
            } else {
                try connection.execute("DELETE FROM \(table.past) WHERE r <= \(floor)")
            }
        }
        // Which run has made an object stays: it is there, or a row of its past is.
        try connection.execute(
            """
            DELETE FROM sluice_history_model WHERE run <= \(floor);
            DELETE FROM sluice_history_change WHERE run <= \(floor);
            UPDATE sluice_history SET floor = max(floor, \(floor));
            """)
    }

    /// Forgets where the records stood of what is forgotten.
    private func forgetPlaces(of table: HistoryTable, upTo floor: Int) throws(Failure) {
        if table.hasLinks { return }
        try connection.execute(
            """
            DELETE FROM \(HistoryTables.place(table.object)) WHERE (r, o) IN (
              SELECT f, o FROM \(table.past) WHERE r <= \(floor))
            """)
    }

    /// The last run that had ended so many days before; 0: there is none that the ledger knows.
    private func lastRun(endedDays count: Int, before now: String) throws(Failure) -> Int {
        let run = try connection.integer(
            """
            SELECT coalesce(max(run), 0) FROM sluice_run
            WHERE julianday(finished) <= julianday(?) - \(count)
            """, now)
        return Int(run ?? 0)
    }

    // MARK: The store's schema

    private func isThere(_ table: String) throws(Failure) -> Bool {
        try connection.integer("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", table)
            != nil
    }

    /// All columns that hold something: not those that SQLite computes.
    private func columns(_ table: String) throws(Failure) -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid")
        statement.bind(1, table)
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        return names
    }

    /// Whether a table still has the columns that it had.
    private func hasShape(_ table: HistoryTable) throws(Failure) -> Bool {
        let columns = try columns(table.name)
        return columns.count == table.columns.count
            && zip(columns, table.columns).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// The statements that made a table and its indexes.
    private func sql(_ table: String) throws(Failure) -> String {
        let statement = try connection.prepare(
            """
            SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type IN ('table', 'index')
            AND sql IS NOT NULL ORDER BY type DESC, rowid
            """)
        statement.bind(1, table)
        var statements: [String] = []
        while try statement.step() { statements.append(statement.text(0)) }
        return statements.joined(separator: ";\n")
    }
}

extension Renaming {
    /// What the store calls a table from now on, of objects or of links.
    fileprivate func nameAfter(table: String) -> String {
        (tables + linkTables).first { $0.from.isSameName(as: table) }?.to ?? table
    }

    /// What the store calls a column from now on, of a table by its new name.
    fileprivate func nameAfter(column: String, of table: String) -> String {
        columns.first { $0.table.isSameName(as: table) && $0.from.isSameName(as: column) }?.to ?? column
    }
}
