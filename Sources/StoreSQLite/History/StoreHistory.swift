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
        for table in try openTables() {
            try connection.execute(HistoryTriggers(table: table).dropOfNew)
            let isThere = try isThere(table.name)
            if isThere, !table.hasLinks { try lowerHighest(table) }
            if isThere, check.renaming.isEmpty, !names.contains(FoldedName(table.name)),
                try hasShape(table)
            {
                continue
            }
            try close(table, run: run, isThere: isThere)
        }
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

    /// The run gives out objectIDs behind the highest that is there: lower ones than before, where programs have deleted
    /// the last objects since.
    private func lowerHighest(_ table: HistoryTable) throws(Failure) {
        try connection.execute(
            """
            UPDATE sluice_history_object SET highest = min(
              highest, coalesce((SELECT max("objectID") FROM \(quoted(table.name))), 0))
            WHERE number = \(table.object)
            """)
    }

    private func close(_ table: HistoryTable, run: Int, isThere: Bool) throws(Failure) {
        let triggers = HistoryTriggers(table: table)
        try connection.execute(triggers.drop)
        if isThere {
            if try hasShape(table) { try note(sql: sql(table.name), of: table) }
            try connection.execute("DELETE FROM \(table.past) WHERE r = \(run)")
            try connection.execute(triggers.keepAll(run: run, columns: columns(table.name)))
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
        let statement = try connection.prepare(
            "UPDATE sluice_history_object SET name = ?2 WHERE name = ?1 COLLATE NOCASE")
        for move in Renaming.Move.inSteps(renaming.tables) {
            statement.bind(1, move.from)
            statement.bind(2, move.to)
            try statement.run()
        }
    }

    // MARK: Tables

    /// Begins to keep the past of tables that have their shape by now; goes on with those that have got another.
    ///
    /// - Parameter isNew: of a table, whether the run has made it: it has no past, and no triggers before the run ends.
    func follow(
        _ entities: [(name: String, links: [String])], run: Int, _ renaming: Renaming, isNew: (String) -> Bool
    ) throws(Failure) {
        if try !HistoryTables.areThere(connection) {
            try connection.execute(HistoryTables.create)
            try connection.execute("INSERT INTO sluice_history VALUES (1, \(run), 1, 0)")
        }
        for table in try HistoryTable.all(connection, where: "until = \(run)") {
            let name = renaming.nameAfter(table: table.name)
            guard try isThere(name) else { continue }
            try follow(name, table.object, hasLinks: table.hasLinks, run: run, isNew: false)
        }
        for entity in entities {
            let object = try number(of: entity.name, isNew: isNew(entity.name))
            for (name, hasLinks) in [(entity.name, false)] + entity.links.map({ ($0, true) }) {
                try follow(name, object, hasLinks: hasLinks, run: run, isNew: isNew(name))
            }
        }
        for table in try openTables() { try setBounds(table) }
    }

    private func follow(
        _ name: String, _ object: Int64, hasLinks: Bool, run: Int, isNew: Bool
    ) throws(Failure) {
        guard try HistoryTable.all(connection, where: "until IS NULL").allSatisfy({ !$0.name.isSameName(as: name) })
        else { return }
        let insertion = try connection.prepare(
            """
            INSERT INTO sluice_history_table (object, name, has_links, columns, sql, since, born, before)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0) RETURNING number
            """)
        insertion.bind(1, object)
        insertion.bind(2, name)
        insertion.bind(3, hasLinks ? 1 : 0)
        insertion.bind(4, try columns(name).joined(separator: "\u{0}"))
        insertion.bind(5, try sql(name))
        insertion.bind(6, Int64(run))
        insertion.bind(7, isNew ? 1 : 0)
        guard try insertion.step() else { return }
        let number = insertion.integer(0)
        while try insertion.step() {}
        guard let table = try HistoryTable.all(connection, where: "number = \(number)").first else { return }
        try connection.execute(HistoryTriggers(table: table).createPast)
        // What the run makes has no past; without triggers it is written faster.
        if !isNew { try connection.execute(HistoryTriggers(table: table).create) }
    }

    /// Which objects of a table have a past: those that were there when the run began.
    private func setBounds(_ table: HistoryTable) throws(Failure) {
        try connection.execute(
            """
            UPDATE sluice_history_table SET before = (
              SELECT coalesce(max("objectID"), 0) FROM \(quoted(try objectTable(of: table))))
            WHERE number = \(table.number)
            """)
    }

    private func objectTable(of table: HistoryTable) throws(Failure) -> String {
        try connection.text("SELECT name FROM sluice_history_object WHERE number = \(table.object)") ?? table.name
    }

    /// Whether the past of a table of objects is kept already.
    func follows(_ name: String) throws(Failure) -> Bool {
        guard try HistoryTables.areThere(connection) else { return false }
        return try connection.integer("SELECT 1 FROM sluice_history_object WHERE name = ? COLLATE NOCASE", name) != nil
    }

    /// The number of a table of objects.
    private func number(of name: String, isNew: Bool) throws(Failure) -> Int64 {
        if let known = try connection.integer(
            "SELECT number FROM sluice_history_object WHERE name = ? COLLATE NOCASE", name)
        {
            return known
        }
        let highest =
            isNew ? 0 : try connection.integer("SELECT coalesce(max(\"objectID\"), 0) FROM \(quoted(name))") ?? 0
        let insertion = try connection.prepare(
            "INSERT INTO sluice_history_object (name, highest) VALUES (?, ?) RETURNING number")
        insertion.bind(1, name)
        insertion.bind(2, highest)
        guard try insertion.step() else { throw Failure(.defect, "a table got no number") }
        let number = insertion.integer(0)
        while try insertion.step() {}
        return number
    }

    // MARK: The end of a run

    /// Ends a run: notes which objectIDs it gave out. From then on, all changes belong to the next one.
    func settle(run: Int) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        for table in try openTables() where try isThere(table.name) {
            if table.hasLinks {
                try connection.execute(HistoryTriggers(table: table).create)
            } else {
                try dropUnchanged(table, run: run)
                try noteMade(table, run: run)
                let triggers = HistoryTriggers(table: table)
                try connection.execute(triggers.create + triggers.createOfNew)
            }
        }
        try connection.execute(
            """
            UPDATE sluice_history_table SET before = \(Int64.max);
            UPDATE sluice_history SET run = \(run + 1), is_open = 0;
            """)
    }

    private func noteMade(_ table: HistoryTable, run: Int) throws(Failure) {
        let highest = "coalesce((SELECT max(\"objectID\") FROM \(quoted(table.name))), 0)"
        try connection.execute(
            """
            INSERT OR REPLACE INTO sluice_history_made (object, run, first, last)
            SELECT number, \(run), highest + 1, \(highest) FROM sluice_history_object
            WHERE number = \(table.object) AND highest < \(highest);
            UPDATE sluice_history_object SET highest = \(highest) WHERE number = \(table.object);
            """)
    }

    /// Forgets rows that are in the end as they were before the run.
    private func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure) {
        let pairs = zip(table.pastColumns, table.columns).map { " AND t.\(quoted($1)) IS \(table.past).\($0)" }
        try connection.execute(
            """
            DELETE FROM \(table.past) WHERE r = \(run) AND EXISTS (
              SELECT 1 FROM \(quoted(table.name)) t WHERE t."objectID" = o\(pairs.joined()))
            """)
    }

    // MARK: What is forgotten

    /// Forgets all of the past, and keeps nothing of it any more.
    func forget() throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        for table in try HistoryTable.all(connection) {
            try connection.execute(HistoryTriggers(table: table).drop + "\nDROP TABLE IF EXISTS \(table.past)")
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
        for table in try HistoryTable.all(connection) {
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
        try connection.execute(
            """
            DELETE FROM sluice_history_made WHERE run <= \(floor);
            DELETE FROM sluice_history_model WHERE run <= \(floor);
            DELETE FROM sluice_history_change WHERE run <= \(floor);
            UPDATE sluice_history SET floor = max(floor, \(floor));
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
    /// What the store calls a table from now on.
    fileprivate func nameAfter(table: String) -> String {
        (tables + linkTables).first { $0.from.isSameName(as: table) }?.to ?? table
    }
}
