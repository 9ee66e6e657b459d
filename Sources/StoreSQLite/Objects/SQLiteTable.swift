import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The prepared statements of one entity's table, made when they are first needed.
@safe
final class SQLiteTable {
    /// The longest `IN` list. Longer ones bring nothing; SQLite allows 32,766 parameters by default.
    static let longestList = 4096
    /// The most prepared updates, by sets of changed columns, that are kept.
    private static let keptUpdates = 64

    let entity: Entity
    let identifierCount: Int
    /// Columns of a row that `find` compares: attributes, then relationships, from result column `firstColumn`.
    let firstColumn: Int
    let layout: ColumnLayout
    let insertion: ObjectInsertion
    /// By relationship: the tables of to-many ones.
    let links: [LinkStatements?]

    private let connection: Connection
    private let words: LateWords?
    private let identifier: [String]
    private var statements = Statements()

    /// The statements that were needed so far.
    private struct Statements {
        /// By the length of their list.
        var finds: [Int: Statement] = [:]
        /// Likewise, and by the attributes.
        var lookUps: [LookUp: Statement] = [:]
        var updates: [ColumnSet: Update] = [:]
        var scan: SequenceScan?
        var presence = PreparedStatement()
        var references = PreparedStatement()
        var attributes = PreparedStatement()
    }

    private struct LookUp: Hashable {
        var attributes: [Int]
        var length: Int
    }

    /// The tables of all entities of a store.
    static func all(_ store: SQLiteStore, _ words: LateWords?) -> [SQLiteTable] {
        zip(store.model.entities, ColumnLayout.all(store.schema)).map {
            SQLiteTable(store.connection, store.schema, $0, $1, words)
        }
    }

    private init(
        _ connection: Connection, _ schema: Schema, _ entity: Entity, _ layout: ColumnLayout, _ words: LateWords?
    ) {
        self.connection = connection
        self.words = words
        self.entity = entity
        self.layout = layout
        identifier = schema.identifier(of: entity)
        identifierCount = identifier.count
        firstColumn = 1 + identifier.count
        insertion = ObjectInsertion(
            connection, entity, layout.columns, identifier: identifier, targetNames: layout.targetNames, words)
        links = entity.relationships.map { relationship in
            guard relationship.isMany else { return nil }
            return LinkStatements(connection, schema.linkTable(of: entity, relationship))
        }
    }

    private var table: String { quoted(entity.table) }

    /// The length of the statement's list for this many keys: a power of four, filled up with nulls.
    static func listLength(for keys: Int) -> Int {
        var length = 1
        while length < keys, length < longestList { length *= 4 }
        return length
    }

    /// objectID, identifier and all columns of the objects with one of `length` identifiers, sorted by identifier.
    func find(_ length: Int) throws(Failure) -> Statement {
        if let statement = statements.finds[length] { return statement }
        let statement = try select(layout.columns.map(\.name), length, by: identifier)
        statements.finds[length] = statement
        return statement
    }

    /// objectID and key only, of the objects with one of `length` keys in some attributes, sorted by key.
    func lookUp(_ length: Int, by attributes: [Int]) throws(Failure) -> Statement {
        let lookUp = LookUp(attributes: attributes, length: length)
        if let statement = statements.lookUps[lookUp] { return statement }
        let statement = try select([], length, by: attributes.map { entity.attributes[$0].name })
        statements.lookUps[lookUp] = statement
        return statement
    }

    /// Finds the objects that follow one another.
    func sequence() throws(Failure) -> SequenceScan {
        if let scan = statements.scan { return scan }
        let scan = SequenceScan(try range())
        statements.scan = scan
        return scan
    }

    /// objectID and all columns of the objects between two objectIDs, the second one included, in their order.
    func range() throws(Failure) -> Statement {
        let names = (["objectID"] + layout.columns.map(\.name)).map(quoted).joined(separator: ", ")
        return try connection.prepare(
            "SELECT \(names) FROM \(table) WHERE objectID > ? AND objectID <= ? ORDER BY objectID")
    }

    private func select(_ names: [String], _ length: Int, by key: [String]) throws(Failure) -> Statement {
        let keys = key.map { "t." + quoted($0) }
        let result = (["t.\"objectID\""] + keys + names.map { "t." + quoted($0) }).joined(separator: ", ")
        let order = keys.joined(separator: ", ")
        if keys.count == 1 {
            let list = Array(repeating: "?", count: length).joined(separator: ",")
            return try connection.prepare(
                "SELECT \(result) FROM \(table) t WHERE \(order) IN (\(list)) ORDER BY \(order)")
        }
        // SQLite 3.40 scans the table for a row value IN a list. A join keeps the order of the list, which is sorted.
        let row = "(" + Array(repeating: "?", count: keys.count).joined(separator: ",") + ")"
        let list = Array(repeating: row, count: length).joined(separator: ",")
        let on = keys.enumerated().map { "\($1) = k.column\($0 + 1)" }.joined(separator: " AND ")
        return try connection.prepare("SELECT \(result) FROM (VALUES \(list)) k CROSS JOIN \(table) t ON \(on)")
    }

    /// A row where there is an object with an objectID.
    func presence() throws(Failure) -> Statement {
        try statements.presence.get(connection, "SELECT 1 FROM \(table) WHERE objectID = ?")
    }

    /// The statement that writes the columns of a set, which parameters it takes, and objectID as its last one.
    func update(_ set: ColumnSet) throws(Failure) -> Update {
        if let update = statements.updates[set] { return update }
        if statements.updates.count >= SQLiteTable.keptUpdates { statements.updates.removeAll() }
        let written = set.writtenColumns(of: entity)
        let names = written.map(\.name)
        var update = Update(parameters: written.map(\.what))
        let assignments = names.map { "\(quoted($0)) = ?" }.joined(separator: ", ")
        if !written.isEmpty {
            try words?.begin(entity.table, writing: names)
            update.statement = try connection.prepare("UPDATE \(table) SET \(assignments) WHERE \"objectID\" = ?")
        }
        statements.updates[set] = update
        return update
    }

    struct Update {
        /// nil: no column of the set is in this table, as links are in tables of their own.
        var statement: Statement?
        var parameters: [WrittenColumn]
    }

    /// The attributes of the object with an objectID.
    func attributes() throws(Failure) -> Statement {
        try statements.attributes.get(connection, select(entity.attributes.map { quoted($0.name) }))
    }

    /// The to-one references of the object with an objectID, as the columns after the attributes.
    func references() throws(Failure) -> Statement {
        try statements.references.get(
            connection, select(layout.columns[entity.attributes.count...].map { quoted($0.name) } + ["1"]))
    }

    /// What is asked of the object with an objectID.
    private func select(_ what: [String]) -> String {
        "SELECT \(what.joined(separator: ", ")) FROM \(table) WHERE \"objectID\" = ?"
    }

    /// A reference that a row of a query holds: `column` is where the first column of the table would be.
    @inline(__always)
    func reference(_ statement: Statement, _ relationship: Int, from column: Int) throws(Failure) -> Reference {
        guard let place = layout.referencePlaces[relationship] else { return .null }
        if statement.integer(column + place) == 0 { return .null }
        let objectID = try statement.objectID(column + place)
        if layout.targetNames[relationship].count == 1 { return Reference(objectID) }
        let target = try statement.target(column + place + 1, among: layout.targetNames[relationship])
        return Reference(objectID, target: target)
    }
}
