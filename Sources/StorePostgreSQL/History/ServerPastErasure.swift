import Glibc
import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Erases the past of an object from a store on a server: its past versions, its past links, where its records stood,
/// and what is left of these in the files of the tables.
package struct ServerPastErasure {
    private let connection: ServerConnection
    private let history: ServerHistory
    private let dialect: ServerDialect
    private let entity: EntityDescription
    private let current: HistoryTable
    private let shapes: PastShapes
    private let links: [HistoryTable]
    private let identifier: [String]
    private let source: ServerPastSource

    /// Erases the past, and notes that in the ledger as a run of its own, without the identifier. The object as it is
    /// now stays.
    ///
    /// - Parameters:
    ///   - identifier: as the store has it; of several attributes, a JSON list.
    ///   - time: RFC 3339, UTC.
    /// - Returns: how many versions were erased; 0: there was nothing to erase, and nothing has changed.
    /// - Throws: `missing` where neither the store nor its history knows the object; `definition` where the store keeps
    ///   no history of the entity; `busy` where a run has it.
    package static func perform(
        _ location: ServerLocation, of entity: String, _ identifier: String, pipeline: String, time: String,
        version: String
    ) throws(Failure) -> Int {
        let parts = try ServerPast(location).parts(of: entity, identifier)
        let connection = try location.connect(pipeline)
        var use = StoreUse(model: Model(entities: []), pipeline: pipeline, savesAtEnd: true)
        use.patience = 0
        try ServerLock(connection, location.schema).take(use) {}
        defer { try? connection.execute("SELECT pg_advisory_unlock_all()") }
        let erasure = try ServerPastErasure(connection, location.schema, entity, parts)
        try connection.execute("BEGIN")
        let count: Int
        do throws(Failure) {
            guard let erased = try erasure.erase() else {
                throw Failure.unknownObject(identifier, of: entity, erasure.source.name)
            }
            count = erased
            if count > 0 { try erasure.note(pipeline, time, version) }
            try connection.execute(count > 0 ? "COMMIT" : "ROLLBACK")
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            throw error
        }
        // What was deleted is in the files until they are written anew.
        if count > 0 { for table in erasure.written { try connection.execute("VACUUM FULL \(table)") } }
        return count
    }

    private init(
        _ connection: ServerConnection, _ schema: String, _ name: String, _ identifier: [String]
    ) throws(Failure) {
        source = ServerPastSource(connection, schema)
        dialect = ServerDialect(namespace: quoted(schema))
        history = ServerHistory(connection: connection, schema: schema, namespace: quoted(schema))
        let all = try source.historyTables()
        shapes = PastShapes(all, dialect)
        let descriptions = EntityDescription.joined(try source.descriptions())
        guard let entity = descriptions.first(where: { $0.name.isIdentical(to: name) }),
            let current = shapes.current(entity.table)
        else { throw Failure(.definition, "the store \(source.name) keeps no history of \(name)") }
        self.connection = connection
        self.entity = entity
        self.current = current
        self.identifier = identifier
        links = all.filter { $0.object == current.object && $0.hasLinks }
    }

    /// The tables from which rows were erased, as SQL has them.
    private var written: [String] {
        (shapes.all(of: current) + links).map { dialect.own($0.past) }
            + [dialect.own(HistoryTable.place(current.object))]
    }

    private func note(_ pipeline: String, _ time: String, _ version: String) throws(Failure) {
        let ledger = ServerLedgerTable(connection, dialect.own("sluice_run"), pipeline)
        let run = try ledger.start(RunStart(started: time, version: version))
        try ledger.finish(run, status: HistoryTable.forgot, at: time)
        try history.settle(run: run)
    }

    // MARK: SQL

    /// How many versions were erased; nil: neither the store nor its history knows the object.
    private func erase() throws(Failure) -> Int? {
        let table = dialect.table(current.nameNow)
        var objects = try integers("SELECT t.\"objectID\" FROM \(table) t", current) { "t.\(quoted($0))" }
        let present = objects.first
        for shape in shapes.all(of: current) {
            objects += try integers("SELECT DISTINCT o FROM \(dialect.own(shape.past)) t", shape) {
                shape.pastColumn(now: $0)?.name
            }
        }
        if objects.isEmpty { return nil }
        let list = Set(objects).sorted().map(String.init).joined(separator: ", ")
        if let present { try keepBeginning(of: present, table) }
        var count = 0
        for shape in shapes.all(of: current) {
            count += try changed("DELETE FROM \(dialect.own(shape.past)) t", shape) { shape.pastColumn(now: $0)?.name }
        }
        for shape in links {
            count += try connection.query("DELETE FROM \(dialect.own(shape.past)) WHERE o IN (\(list))").changed
        }
        let isPresent = present.map { " AND NOT (o = \($0) AND r = \(beginning($0, table)))" } ?? ""
        try connection.execute(
            "DELETE FROM \(dialect.own(HistoryTable.place(current.object))) WHERE o IN (\(list))\(isPresent)")
        return count
    }

    /// Notes from which run on the present version holds, so that it is not taken for the object's past.
    private func keepBeginning(of objectID: Int64, _ table: String) throws(Failure) {
        try connection.execute(
            """
            INSERT INTO \(dialect.own("sluice_history_given")) (object, o, run, is_new)
            SELECT \(current.object), \(objectID), \(beginning(objectID, table)), \(HistoryTable.forgotten) ON CONFLICT DO NOTHING
            """)
    }

    /// The run since which the object is as it is now.
    private func beginning(_ objectID: Int64, _ table: String) -> String {
        "(SELECT \(current.from("t", "t.\"objectID\"", dialect)) FROM \(table) t WHERE t.\"objectID\" = \(objectID))"
    }

    /// What a statement gives of the rows of the object, of a table in a shape.
    private func query(
        _ sql: String, _ shape: HistoryTable, _ column: (String) -> String?
    ) throws(Failure) -> ServerRows {
        var values: [PastValue] = []
        let conditions = zip(entity.identifier, identifier).map { name, text in
            guard let column = column(name), let type = shape.pastColumn(now: name)?.type else { return "false" }
            return source.condition(column, type: type, is: text, &values)
        }
        return try connection.query(
            "\(sql) WHERE \(conditions.joined(separator: " AND "))", values: values.map { ServerValue($0) })
    }

    private func integers(
        _ sql: String, _ shape: HistoryTable, _ column: (String) -> String?
    ) throws(Failure) -> [Int64] {
        let found = try query(sql, shape, column)
        return (0..<found.count).map { found.integer($0, 0) }
    }

    private func changed(
        _ sql: String, _ shape: HistoryTable, _ column: (String) -> String?
    ) throws(Failure) -> Int {
        try query(sql, shape, column).changed
    }
}
