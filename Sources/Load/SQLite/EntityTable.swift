import Records

/// The prepared statements of one entity's table, made when they are first needed.
@safe
final class EntityTable {
    /// The longest `IN` list. Longer ones bring nothing; SQLite allows 32,766 parameters by default.
    static let longestList = 4096
    /// More sets of changed columns than these are forgotten, not kept.
    private static let keptUpdates = 64

    let entity: Entity
    let identifierCount: Int
    /// Columns of a row that `find` compares: attributes, then relationships, from result column `firstColumn`.
    let firstColumn: Int
    /// By attribute: whether an absent value leaves an existing object what it has.
    let keepsAbsent: [Bool]

    private let connection: Connection
    private let columns: [Schema.Column]
    private let identifier: [String]
    private var finds: [Int: Statement] = [:]
    private var lookUps: [Int: Statement] = [:]
    private var updates: [ColumnSet: (statement: Statement, columns: [Int])] = [:]
    private var insertion: Statement?
    private var referenceQuery: Statement?

    init(_ connection: Connection, _ schema: Schema, _ index: Int) throws(Failure) {
        self.connection = connection
        entity = schema.model.entities[index]
        columns = schema.columns(of: entity)
        identifier = schema.identifier(of: entity)
        identifierCount = identifier.count
        firstColumn = 1 + identifier.count
        keepsAbsent = entity.attributes.map { $0.onAbsent == .keep }
    }

    private var table: String { quoted(entity.table) }

    /// The length of the statement's list for this many keys: a power of four, filled up by repeating the last key.
    static func listLength(for keys: Int) -> Int {
        var length = 1
        while length < keys, length < longestList { length *= 4 }
        return length
    }

    /// objectID, identifier and all columns of the objects with one of `length` identifiers, sorted by identifier.
    func find(_ length: Int) throws(Failure) -> Statement {
        if let statement = finds[length] { return statement }
        let statement = try select(columns.map(\.name), length)
        finds[length] = statement
        return statement
    }

    /// objectID and identifier only.
    func lookUp(_ length: Int) throws(Failure) -> Statement {
        if let statement = lookUps[length] { return statement }
        let statement = try select([], length)
        lookUps[length] = statement
        return statement
    }

    private func select(_ names: [String], _ length: Int) throws(Failure) -> Statement {
        let keys = identifier.map { "t." + quoted($0) }
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

    /// objectID, attributes, references; without effect where the identifier is taken.
    func insert() throws(Failure) -> Statement {
        if let statement = insertion { return statement }
        let names = (["objectID"] + columns.map(\.name)).map(quoted)
        let values = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let statement = try connection.prepare(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(values))
            ON CONFLICT (\(identifier.map(quoted).joined(separator: ", "))) DO NOTHING
            """)
        insertion = statement
        return statement
    }

    /// The columns of the set, then objectID.
    func update(_ set: ColumnSet) throws(Failure) -> (statement: Statement, columns: [Int]) {
        if let update = updates[set] { return update }
        if updates.count >= EntityTable.keptUpdates { updates.removeAll() }
        let changed = set.columns
        let assignments = changed.map { "\(quoted(columns[$0].name)) = ?" }.joined(separator: ", ")
        let statement = try connection.prepare("UPDATE \(table) SET \(assignments) WHERE \"objectID\" = ?")
        updates[set] = (statement, changed)
        return (statement, changed)
    }

    /// The references of the object with an objectID.
    func references() throws(Failure) -> Statement {
        if let statement = referenceQuery { return statement }
        let names = entity.relationships.map { quoted($0.name) }.joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(names) FROM \(table) WHERE \"objectID\" = ?")
        referenceQuery = statement
        return statement
    }
}
