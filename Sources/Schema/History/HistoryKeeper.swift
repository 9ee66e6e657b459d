import SluiceRecords

/// Keeps the past of a store's objects. Triggers keep what a run, or a program, changes or deletes; this type prepares
/// them for a run, within its transaction, and settles them at its end. A store goes on to keep what it has begun to
/// keep.
package struct HistoryKeeper {
    package let store: any HistoryDatabase

    package init(_ store: any HistoryDatabase) { self.store = store }

    var dialect: any Dialect { store.dialect }

    /// One of the tables of the history, as SQL has it.
    func ownTable(_ table: String) -> String { store.dialect.ownTable(table) }

    /// The tables whose past is kept, in the shapes that they have.
    package func openTables() throws(Failure) -> [HistoryTable] {
        try store.historyTables().filter { $0.until == nil }
    }

    // MARK: Tables of objects

    /// An entity of the store whose past is kept.
    package struct FollowedTable {
        /// The table of its objects.
        package var table: String
        /// The columns that identify them.
        package var identifier: [String]
        package var linkTables: [String]
    }

    /// A table of objects whose past is kept.
    package struct ObjectTable {
        package var number: Int64
        package var name: String
        /// The highest objectID that an object has ever had: no other object gets it.
        package var highest: Int64
    }

    package func objectTables() throws(Failure) -> [ObjectTable] {
        var tables: [ObjectTable] = []
        try store.fewRows(
            "SELECT number, name, highest FROM \(ownTable("sluice_history_object")) ORDER BY number", []
        ) { row in tables.append(ObjectTable(number: row.integer(0), name: row.text(1), highest: row.integer(2))) }
        return tables
    }

    /// Numbers the tables of entities, and makes what keeps where records stood.
    ///
    /// - Parameters:
    ///   - isNew: of a table, whether the run has made it: it has no past.
    ///   - hasKeys: whether what keeps where records stood of new tables has its key from the beginning.
    /// - Returns: the numbers of tables that were not known, and were made by the run.
    @discardableResult
    package func number(
        _ entities: [FollowedTable], run: Int, isNew: (String) -> Bool, hasKeys: Bool = true
    ) throws(Failure) -> [Int64] {
        if try !store.keepsPast() {
            for table in OwnTable.history(hasTypes: store.keepsTypes) { try store.create(table) }
            try store.write("INSERT INTO \(ownTable("sluice_history")) VALUES (1, \(run), 1, 0)")
        }
        let known = try objectTables()
        var new: [Int64] = []
        for entity in entities where !known.contains(where: { dialect.isSame($0.name, entity.table) }) {
            let isNew = isNew(entity.table)
            let number = try number(entity.table, isNew: isNew)
            try store.create(OwnTable.historyPlace(number, hasKey: hasKeys || !isNew))
            if isNew { new.append(number) }
        }
        return new
    }

    private func number(_ table: String, isNew: Bool) throws(Failure) -> Int64 {
        let highest = isNew ? "0" : "(SELECT coalesce(max(\"objectID\"), 0) FROM \(dialect.table(table)))"
        let objects = ownTable("sluice_history_object")
        return try store.insertedNumber(
            """
            INSERT INTO \(objects) (number, name, highest, before) SELECT coalesce(max(number), 0) + 1,
            \(dialect.parameter(1)), \(highest), \(highest) FROM \(objects) RETURNING number
            """, [table])
    }

    // MARK: Shapes

    /// Begins to keep the past of tables that have their shape by now; goes on with those that have got another.
    ///
    /// - Parameters:
    ///   - entities: they are numbered.
    ///   - isNew: of a table, whether the run has made it: it has no past.
    ///   - hasTriggers: whether new ones have triggers from the beginning, as others can see them; without, they are
    ///     written faster.
    package func follow(
        _ entities: [FollowedTable], run: Int, isNew: (String) -> Bool, hasTriggers: Bool
    ) throws(Failure) {
        let (objects, shapes, all) = (try objectTables(), try store.shapes(), try store.historyTables())
        var open = all.filter { $0.until == nil }.map(\.name)
        func follow(
            _ name: String, _ object: Int64, _ identifier: [String], hasLinks: Bool, isNew: Bool
        ) throws(Failure) {
            guard !open.contains(where: { dialect.isSame($0, name) }), let shape = try shapes.columns(of: name) else {
                return
            }
            open.append(name)
            let columns = shape.map(\.name)
            var table = HistoryTable(
                number: 0, object: object, name: name, hasLinks: hasLinks, columns: columns,
                types: shape.compactMap(\.type), identifier: identifier.filter { dialect.has($0, in: columns) },
                sql: try store.earlyText(of: name), since: Int64(run), isBorn: isNew, nameNow: name,
                columnsNow: columns)
            table.number = try store.insert(table)
            let triggers = store.triggers(of: table)
            try store.write(triggers.createPast)
            if !isNew || hasTriggers { try store.write(triggers.create) }
        }
        for table in all where table.until == Int64(run) {
            let identifier = table.identifier.map { name in
                zip(table.columns, table.columnsNow).first { dialect.isSame($0.0, name) }?.1 ?? name
            }
            try follow(table.nameNow, table.object, identifier, hasLinks: table.hasLinks, isNew: false)
        }
        for entity in entities {
            guard let object = objects.first(where: { dialect.isSame($0.name, entity.table) })?.number else { continue }
            try follow(entity.table, object, entity.identifier, hasLinks: false, isNew: isNew(entity.table))
            for name in entity.linkTables { try follow(name, object, [], hasLinks: true, isNew: isNew(name)) }
        }
    }

    /// Records which objects have a past: those that are there when a run begins.
    package func setBounds() throws(Failure) {
        let shapes = try store.shapes()
        for object in try objectTables() where try shapes.columns(of: object.name) != nil {
            try store.write(
                """
                UPDATE \(ownTable("sluice_history_object")) SET before =
                (SELECT coalesce(max("objectID"), 0) FROM \(dialect.table(object.name))) WHERE number = \(object.number)
                """)
        }
    }
}
