import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Keeps the past of the objects of a store on a server. Triggers keep what a run, or a program, changes or deletes;
/// this type prepares them for a run, and settles them at its end. A store goes on to keep what it has begun to keep.
///
/// Triggers are made and dropped in the transaction in which tables get another shape: others can write to the tables
/// while a run goes on.
struct ServerHistory {
    /// An entity of the store whose past is kept.
    struct Followed {
        /// The table of its objects.
        var table: String
        /// The columns that identify them.
        var identifier: [String]
        var linkTables: [String]
    }

    let connection: ServerConnection
    /// The name of the schema, and as SQL has it.
    let schema: String
    let namespace: String

    var tables: ServerHistoryTables { ServerHistoryTables(connection: connection, namespace: namespace) }
    var dialect: ServerDialect { ServerDialect(namespace: namespace) }

    func named(_ table: String) -> String { tables.named(table) }

    func triggers(_ table: HistoryTable) -> ServerHistoryTriggers {
        ServerHistoryTriggers(table: table, dialect: dialect, schema: schema)
    }

    func write(_ statements: [String]) throws(Failure) {
        for statement in statements { try connection.write(statement) }
    }

    /// The tables whose past is kept, in the shapes that they have.
    func openTables() throws(Failure) -> [HistoryTable] { try tables.all().filter { $0.until == nil } }

    // MARK: Tables of objects

    /// The tables of objects, with their numbers.
    func objectTables() throws(Failure) -> [(number: Int64, name: String, highest: Int64)] {
        let found = try connection.query(
            "SELECT number, name, highest FROM \(named("sluice_history_object")) ORDER BY number")
        return (0..<found.count).map { (found.integer($0, 0), found.text($0, 1), found.integer($0, 2)) }
    }

    /// Numbers the tables of entities, and makes what notes where records stood.
    ///
    /// - Parameters:
    ///   - isNew: of a table, whether the run has made it: it has no past.
    ///   - hasKeys: whether what notes where records stood of new tables has its key from the beginning.
    /// - Returns: the numbers of tables that were not known, and were made by the run.
    @discardableResult
    func number(
        _ entities: [Followed], run: Int, isNew: (String) -> Bool, hasKeys: Bool = true
    ) throws(Failure) -> [Int64] {
        if try !tables.areThere() {
            try tables.create()
            try connection.write("INSERT INTO \(named("sluice_history")) VALUES (1, \(run), 1, 0)")
        }
        let known = try objectTables()
        var new: [Int64] = []
        for entity in entities where !known.contains(where: { $0.name.isIdentical(to: entity.table) }) {
            let isNew = isNew(entity.table)
            let number = try number(entity.table, isNew: isNew)
            try tables.createPlace(number, hasKey: hasKeys || !isNew)
            if isNew { new.append(number) }
        }
        return new
    }

    private func number(_ table: String, isNew: Bool) throws(Failure) -> Int64 {
        let highest =
            isNew ? "0" : "(SELECT coalesce(max(\"objectID\"), 0) FROM \(dialect.table(table)))"
        let objects = named("sluice_history_object")
        return try connection.query(
            """
            INSERT INTO \(objects) (number, name, highest, before)
            SELECT coalesce(max(number), 0) + 1, $1, \(highest), \(highest) FROM \(objects) RETURNING number
            """, .text(table)
        ).integer(0, 0)
    }

    // MARK: Shapes

    /// Begins to keep the past of tables that have their shape by now; goes on with those that have got another.
    ///
    /// - Parameters:
    ///   - entities: they are numbered.
    ///   - renaming: the names that have changed since tables were closed in this run.
    ///   - isNew: of a table, whether the run has made it.
    ///   - hasTriggers: whether new ones have triggers from the beginning: others can see them.
    func follow(
        _ entities: [Followed], run: Int, isNew: (String) -> Bool, hasTriggers: Bool
    ) throws(Failure) {
        let objects = try objectTables()
        let shapes = try ServerShapes(connection, schema)
        let all = try tables.all()
        var open = Set(all.filter { $0.until == nil }.map { ExactText($0.name) })
        func follow(
            _ name: String, _ object: Int64, _ identifier: [String], hasLinks: Bool, isNew: Bool
        ) throws(Failure) {
            guard let shape = shapes[name], open.insert(ExactText(name)).inserted else { return }
            let names = shape.map(\.name)
            var table = HistoryTable(
                number: 0, object: object, name: name, hasLinks: hasLinks, columns: names, types: shape.map(\.type),
                identifier: identifier.filter(names.containsExactly), sql: "", since: Int64(run), isBorn: isNew,
                nameNow: name, columnsNow: names)
            table.number = try tables.insert(table)
            try write(triggers(table).createPast)
            // Tables that the run makes have no past; without triggers they are written faster.
            if !isNew || hasTriggers { try write(triggers(table).create) }
        }
        for table in all where table.until == Int64(run) {
            let identifier = table.identifier.map { name in
                zip(table.columns, table.columnsNow).first { $0.0.isIdentical(to: name) }?.1 ?? name
            }
            try follow(table.nameNow, table.object, identifier, hasLinks: table.hasLinks, isNew: false)
        }
        for entity in entities {
            guard let object = objects.first(where: { $0.name.isIdentical(to: entity.table) })?.number else { continue }
            try follow(entity.table, object, entity.identifier, hasLinks: false, isNew: isNew(entity.table))
            for name in entity.linkTables { try follow(name, object, [], hasLinks: true, isNew: isNew(name)) }
        }
    }

    /// Notes which objects have a past: those that are there when a run begins.
    func setBounds() throws(Failure) {
        let shapes = try ServerShapes(connection, schema)
        for object in try objectTables() where shapes[object.name] != nil {
            try connection.write(
                """
                UPDATE \(named("sluice_history_object")) SET before =
                (SELECT coalesce(max("objectID"), 0) FROM \(dialect.table(object.name))) WHERE number = \(object.number)
                """)
        }
    }
}

/// The ordinary tables of a schema: their columns that hold something, and the types of these.
struct ServerShapes {
    private var tables: [ExactText: [(name: String, type: String)]] = [:]

    init(_ connection: ServerConnection, _ schema: String) throws(Failure) {
        let found = try connection.query(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attgenerated = '' ORDER BY c.oid, a.attnum
            """, .text(schema))
        for row in 0..<found.count {
            tables[ExactText(found.text(row, 0)), default: []].append((found.text(row, 1), found.text(row, 2)))
        }
    }

    subscript(table: String) -> [(name: String, type: String)]? { tables[ExactText(table)] }

    /// Whether a table still has the columns that it had.
    func hasShape(_ table: HistoryTable) -> Bool {
        guard let columns = self[table.name], columns.count == table.columns.count else { return false }
        return zip(columns, zip(table.columns, table.types)).allSatisfy { column, kept in
            column.name.isIdentical(to: kept.0) && column.type.isIdentical(to: kept.1)
        }
    }
}
