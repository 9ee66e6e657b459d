import SluicePostgreSQL
import SluiceRecords

/// A store in a schema of a PostgreSQL database: a table for each entity, and the tool's own tables.
///
/// A run is one transaction, so that readers see the old data until its end. New rows are copied into their tables a
/// batch at a time; new tables get their keys, indexes and foreign keys when all rows are there.
@safe
package final class PostgreSQLStore {
    let model: Model
    let schema: Schema
    let location: ServerLocation
    let pipeline: String
    var connection: ServerConnection
    private(set) var check: SchemaCheck
    private(set) var tables: [ServerTable] = []
    let use: StoreLocation.Use
    /// Whether sluice has written to the schema before.
    private let existed: Bool
    /// The tables of the tool's own that the store had before the run.
    private let ownTables: Set<String>
    private let hasSchema: Bool
    /// The number of this run; 0 before it has started.
    private(set) var run = 0
    /// When it started: RFC 3339, UTC.
    private(set) var started = ""
    /// Whether the ledger has a row of this run for good.
    private(set) var isNoted = false
    var hasSavedBatches = false
    /// Whether nobody knows if the run is saved.
    package internal(set) var isUncertain = false
    package var ledgerKeep: Int?
    package var changesKeep = 0
    /// The entities whose identifiers are not indexed yet.
    private(set) var unindexed: Set<Int> = []
    private var indexedEarly: Set<ExactText> = []
    /// By entity: the attributes by which references look for its objects, its identifier first.
    private(set) lazy var keyAttributes: [[Int]] = model.keyAttributes
    /// By entity: its highest objectID when the run began.
    private(set) var highest: [Int64] = []
    var rows = CopyBuffer()
    var parameters = Parameters()

    /// Opens a store without changing anything yet. Another run that has it is waited for as `use` says.
    init(_ location: ServerLocation, _ use: StoreLocation.Use) throws(Failure) {
        self.location = location
        model = use.model
        pipeline = use.pipeline
        self.use = use
        schema = Schema(model: use.model, dialect: .postgresql)
        connection = try location.connect(use.pipeline, isCancelled: use.isCancelled)
        if use.isDry {
            // All is read as it is at one moment.
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        } else {
            try ServerLock(connection, location.schema).take(use)
        }
        let catalog = ServerCatalog(connection, location.schema)
        hasSchema = try catalog.hasSchema()
        existed = try catalog.hasLedger
        ownTables = try catalog.ownTables()
        check = try SchemaCheck(catalog, use.model, pipeline: use.pipeline)
        try refuseContradictions()
    }

    deinit {
        // The server would only let go of it once it has noticed that nobody is there any more: the next run may be sooner.
        connection.disarm()
        if connection.isAlive { try? connection.execute("SELECT pg_advisory_unlock_all()") }
        rows.deallocate()
        parameters.deallocate()
    }

    /// Compares the model of a pipeline with a store: what a run would do to it first.
    static func plan(_ location: ServerLocation, _ model: Model, pipeline: String) throws(Failure) -> SchemaPlan {
        let limits = ServerLimits(model).contradictions
        if !limits.isEmpty { return SchemaPlan(refused: limits) }
        let catalog = ServerCatalog(try location.connect(pipeline), location.schema)
        guard try catalog.hasLedger else {
            let check = try SchemaCheck(catalog, model, pipeline: pipeline)
            var plan = SchemaPlan(refused: check.contradictions)
            plan.isNew = true
            return plan
        }
        return try SchemaPlan(SchemaCheck(catalog, model, pipeline: pipeline), model)
    }

    private func refuseContradictions() throws(Failure) {
        try (ServerLimits(model).contradictions + check.contradictions).refuse(use.place)
    }

    /// Whether the store had a ledger before the run, and whether it has one by now.
    var hadLedger: Bool { existed }
    var hasLedger: Bool { isNoted || existed }
    var isDry: Bool { use.isDry }

    /// Whether the store has a table of the tool's own that a run makes.
    func has(_ table: String) -> Bool { ownTables.contains(table) || run > 0 && !isDry }

    package var hasObjectsOfOthers: Bool { check.hasObjectsOfOthers }

    /// Where the tables are: a dry run has copies of its own.
    private(set) lazy var namespace = quoted(location.schema)

    /// A table of the tool's own, or of an entity, as SQL has it.
    func named(_ table: String) -> String { namespace + "." + quoted(table) }

    /// Likewise, in the store itself.
    func stored(_ table: String) -> String { quoted(location.schema) + "." + quoted(table) }

    // MARK: The run

    package func begin(_ start: RunStart) throws(Failure) -> Int {
        if changesKeep > 0 {
            throw Failure(
                .definition, "a store on a server does not keep changes yet: \"changes\" is for SQLite",
                at: use.place(["changes"]))
        }
        started = start.started
        if isDry {
            try beginDry()
        } else {
            try noteStart(start)
            try grow()
            try connection.execute("BEGIN")
            try createTables()
        }
        tables = model.entities.indices.map { ServerTable(schema, $0, in: namespace) }
        for entity in model.entities.indices { highest.append(try highestObjectID(of: entity)) }
        return run
    }

    /// Notes in the ledger for good that the run has started.
    private func noteStart(_ start: RunStart) throws(Failure) {
        try connection.execute("BEGIN")
        if !hasSchema { try connection.execute("CREATE SCHEMA \(quoted(location.schema))") }
        let ledger = ServerLedgerTable(connection, stored("sluice_run"), pipeline)
        if !existed { try ledger.create() }
        run = try ledger.start(start)
        try connection.execute("COMMIT")
        isNoted = true
    }

    /// Adds the columns that tables lack, in a transaction of its own: readers are kept out only for a moment.
    private func grow() throws(Failure) {
        if check.newColumns.isEmpty, check.newLinkColumns.isEmpty { return }
        try connection.execute("BEGIN")
        for (index, column) in check.newColumns {
            try connection.execute(
                "ALTER TABLE \(stored(model.entities[index].table)) ADD COLUMN \(ServerSchema.definition(of: column))")
        }
        for (table, value) in check.newLinkColumns {
            try connection.execute(
                "ALTER TABLE \(stored(table.name)) ADD COLUMN \(ServerSchema.definition(of: value))")
        }
        try connection.execute("COMMIT")
    }

    private func createTables() throws(Failure) {
        let sql = ServerSchema(schema: schema, namespace: namespace)
        // What others may see before the run has ended has its keys from the beginning.
        for index in check.newTables {
            try connection.execute(sql.createTable(model.entities[index]))
            if use.savesAtEnd {
                unindexed.insert(index)
            } else {
                try connection.execute(sql.keys(model.entities[index]))
            }
        }
        for table in check.newLinkTables {
            try connection.execute(sql.createTable(table))
            if !use.savesAtEnd { try connection.execute(sql.keys(table)) }
        }
        // Later, rows that wait for their foreign keys to be checked would be in the way.
        for (index, columns) in check.newIndexes {
            try connection.execute(sql.index(model.entities[index].table, columns))
        }
        try connection.execute(ServerSchema.ownTables(namespace))
        try ServerModelTable(connection, named("sluice_model")).write(
            check.rows, dropping: check.droppedRows, run: run)
    }

    /// Copies the tables, and lets the server refuse whatever is written elsewhere.
    private func beginDry() throws(Failure) {
        namespace = "pg_temp"
        let sql = ServerSchema(schema: schema, namespace: namespace)
        for (index, entity) in model.entities.enumerated() {
            if check.newTables.contains(index) {
                try connection.execute(sql.createTable(entity))
            } else {
                try connection.execute(
                    "CREATE TEMP TABLE \(quoted(entity.table)) AS SELECT * FROM \(stored(entity.table))")
                for (place, column) in check.newColumns where place == index {
                    try connection.execute(
                        "ALTER TABLE \(named(entity.table)) ADD COLUMN \(ServerSchema.definition(of: column))")
                }
            }
            try connection.execute(sql.keys(entity))
            for column in schema.columns(of: entity) where column.isIndexed {
                try connection.execute(sql.index(entity.table, [column.name]))
            }
            for links in schema.linkTables(of: entity) {
                if check.newLinkTables.contains(where: { $0.name.isIdentical(to: links.name) }) {
                    try connection.execute(sql.createTable(links))
                } else {
                    try connection.execute(
                        "CREATE TEMP TABLE \(quoted(links.name)) AS SELECT * FROM \(stored(links.name))")
                }
                for (table, value) in check.newLinkColumns where table.name.isIdentical(to: links.name) {
                    try connection.execute(
                        "ALTER TABLE \(named(links.name)) ADD COLUMN \(ServerSchema.definition(of: value))")
                }
                try connection.execute(sql.keys(links))
                try connection.execute(sql.index(links.name, ["target"]))
            }
        }
        try connection.execute(ServerSchema.ownTables(namespace))
        if existed {
            for table in ["sluice_unresolved", "sluice_stub"] where ownTables.contains(table) {
                try connection.execute("INSERT INTO \(named(table)) SELECT * FROM \(stored(table))")
            }
            run = Int(try connection.query("SELECT coalesce(max(run), 0) FROM \(stored("sluice_run"))").integer(0, 0))
        }
        run += 1
        try connection.execute("SET TRANSACTION READ ONLY")
    }

    // MARK: Indexes

    /// Nothing is gained by an index before all rows are there.
    package var indexesLate: Bool { true }

    package var givesDigests: Bool { false }

    package func canIndexLate(entity: Int) -> Bool { unindexed.contains(entity) }

    package func indexIdentifiers(of entity: Int) throws(Failure) {
        guard unindexed.contains(entity) else { return }
        try addKeys(to: entity)
        // Whoever looks for objects now needs a plan for as many as there are.
        try connection.execute("ANALYZE \(named(model.entities[entity].table))")
    }

    private func addKeys(to entity: Int) throws(Failure) {
        unindexed.remove(entity)
        try connection.execute(ServerSchema(schema: schema, namespace: namespace).keys(model.entities[entity]))
    }

    package func dropIndexes(of entity: Int) throws(Failure) {}

    /// Indexes other attributes than the identifier before objects are found by them, unless they are indexed, or no
    /// index is wanted of them.
    func indexValues(of attributes: [Int], entity: Int) throws(Failure) {
        if isDry { return }
        let definition = model.entities[entity]
        guard check.newTables.contains(entity) else { return }
        for attribute in attributes.map({ definition.attributes[$0] }) where attribute.isIndexed {
            let key = ExactText(definition.table + "/" + attribute.name)
            guard indexedEarly.insert(key).inserted else { continue }
            try connection.execute(
                ServerSchema(schema: schema, namespace: namespace).index(definition.table, [attribute.name]))
        }
    }

    package func finishIndexes() throws(Failure) {
        if isDry { return }
        let sql = ServerSchema(schema: schema, namespace: namespace)
        for entity in unindexed.sorted() { try addKeys(to: entity) }
        for index in check.newTables {
            let entity = model.entities[index]
            for column in schema.columns(of: entity) where column.isIndexed {
                if indexedEarly.contains(ExactText(entity.table + "/" + column.name)) { continue }
                try connection.execute(sql.index(entity.table, [column.name]))
            }
        }
        for table in check.newLinkTables {
            if use.savesAtEnd { try connection.execute(sql.keys(table)) }
            try connection.execute(sql.index(table.name, ["target"]))
        }
        if location.declaresForeignKeys { try declareForeignKeys(sql) }
        for entity in model.entities { try connection.execute("ANALYZE \(named(entity.table))") }
    }

    private func declareForeignKeys(_ sql: ServerSchema) throws(Failure) {
        for index in check.newTables {
            let entity = model.entities[index]
            for column in schema.columns(of: entity) {
                if let target = column.references {
                    try connection.execute(sql.foreignKey(entity.table, column.name, target))
                }
            }
        }
        // A table whose rows wait for a check takes no further key.
        let columns = check.newColumns.filter { $0.column.references != nil }
        if !columns.isEmpty { try connection.execute("SET CONSTRAINTS ALL IMMEDIATE") }
        for (index, column) in columns {
            try connection.execute(
                sql.foreignKey(model.entities[index].table, column.name, column.references ?? ""))
        }
        if !columns.isEmpty { try connection.execute("SET CONSTRAINTS ALL DEFERRED") }
        for table in check.newLinkTables {
            try connection.execute(sql.foreignKey(table.name, "source", table.source))
            if let target = table.target { try connection.execute(sql.foreignKey(table.name, "target", target)) }
        }
    }
}
