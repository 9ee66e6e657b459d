import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The prepared statements of one link table, made when they are first needed.
final class LinkStatements {
    private let connection: Connection
    private let table: Schema.LinkTable
    private var queries: [Int: Statement] = [:]
    private var insertion = PreparedStatement()
    private var batchInsertion = PreparedStatement()
    private var deletion = PreparedStatement()
    private var change = PreparedStatement()

    init(_ connection: Connection, _ table: Schema.LinkTable) {
        self.connection = connection
        self.table = table
    }

    private var isPolymorphic: Bool { table.target == nil }

    /// The links of objects, by ascending source and position. SQLite gives them in the order of the table, source and
    /// target; to sort an object's few links here costs less than to let SQLite sort them all.
    func load(
        _ objectIDs: [Int64], _ names: [String], _ values: LinkValues?, _ each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
        // Most links have nothing of their own.
        let values = table.values.isEmpty ? nil : values
        let sorted = objectIDs.sorted()
        var (source, links): (Int64, [Link]) = (0, [])
        var place = 0
        func end() {
            links.sort { $0.position < $1.position }
            for link in links { each(source, link) }
            links.removeAll(keepingCapacity: true)
        }
        var start = 0
        while start < sorted.count {
            let length = SQLiteTable.listLength(for: sorted.count - start)
            let statement = try query(length)
            for index in 0..<length { statement.bind(index + 1, sorted[min(start + index, sorted.count - 1)]) }
            while try statement.step() {
                let target = isPolymorphic ? try statement.target(3, among: names) : 0
                let reference = Reference(try statement.objectID(1), target: target)
                if statement.integer(0) != source {
                    end()
                    source = statement.integer(0)
                    // The caller walks through its objects in the order of these rows.
                    while place < sorted.count, sorted[place] < source { place += 1 }
                    guard place < sorted.count, sorted[place] == source else {
                        throw connection.damage("the links in \(table.name) are not in the order of their objects")
                    }
                }
                let number = values.map { statement.number($0, from: isPolymorphic ? 4 : 3) } ?? 0
                links.append(Link(reference: reference, position: try statement.position(2), values: number))
            }
            start += length
        }
        end()
    }

    private func query(_ length: Int) throws(Failure) -> Statement {
        if let statement = queries[length] { return statement }
        let list = Array(repeating: "?", count: length).joined(separator: ",")
        let entity = isPolymorphic ? ", target_entity" : ""
        let statement = try connection.prepare(
            """
            SELECT source, target, position\(entity)\(valueNames) FROM \(quoted(table.name)) WHERE source IN (\(list))
            ORDER BY source
            """)
        queries[length] = statement
        return statement
    }

    func write(_ change: LinkChange, _ names: [String], _ values: LinkValues) throws(Failure) {
        for link in change.removed {
            let statement = try deletion.get(connection, deletionSQL)
            bind(statement, change.source, link, names, nil)
            try statement.run()
        }
        for link in change.added {
            let statement = try insertion.get(connection, insertionSQL)
            bind(statement, change.source, link, names, values)
            try statement.run()
        }
        for link in change.changed {
            let statement = try self.change.get(connection, changeSQL)
            bind(statement, change.source, link, names, values)
            try statement.run()
        }
    }

    /// Writes the links of the batch table, with `batchColumns`.
    func batch() throws(Failure) -> Statement { try batchInsertion.get(connection, batchSQL) }

    var batchColumns: [BatchTable.Column] {
        [.source, .target] + (isPolymorphic ? [.linkTargetName] : []) + [.position]
            + table.values.indices.map { .linkValue($0) }
    }

    /// Binds what the statements have in common: the source, the target, the target's entity, the position, and what
    /// the link has of its own, where that is to be written.
    private func bind(
        _ statement: Statement, _ source: Int64, _ link: Link, _ names: [String], _ values: LinkValues?
    ) {
        statement.bind(1, source)
        statement.bind(2, link.reference.objectID)
        if isPolymorphic { statement.bind(3, names[link.reference.target]) }
        statement.bind(4, link.position)
        guard let values else { return }
        for column in table.values.indices {
            unsafe statement.bind(5 + column, values.cell(link.values, column), values.arena.base)
        }
    }

    /// Which link of its source it is: that to a target, or in a list that at a position.
    private var condition: String {
        if !table.isSet { return "source = ?1 AND position = ?4" }
        return "source = ?1 AND target = ?2" + (isPolymorphic ? " AND target_entity = ?3" : "")
    }

    private var valueNames: String { table.values.map { ", \(quoted($0.name))" }.joined() }

    private var deletionSQL: String { "DELETE FROM \(quoted(table.name)) WHERE \(condition)" }

    private var changeSQL: String {
        let place = table.isSet ? "position = ?4" : "target = ?2" + (isPolymorphic ? ", target_entity = ?3" : "")
        let values = table.values.enumerated().map { ", \(quoted($1.name)) = ?\(5 + $0)" }.joined()
        return "UPDATE \(quoted(table.name)) SET \(place)\(values) WHERE \(condition)"
    }

    private var insertionSQL: String {
        let (column, value) = isPolymorphic ? (", target_entity", ", ?3") : ("", "")
        let values = table.values.indices.map { ", ?\(5 + $0)" }.joined()
        return "INSERT INTO \(quoted(table.name)) (source, target\(column), position\(valueNames))"
            + " VALUES (?1, ?2\(value), ?4\(values))"
    }

    private var batchSQL: String {
        let column = isPolymorphic ? ", target_entity" : ""
        let values = BatchTable.columnList(batchColumns.count)
        return """
            INSERT OR FAIL INTO \(quoted(table.name)) (source, target\(column), position\(valueNames))
            SELECT \(values) FROM \(BatchTable.name)
            """
    }
}

extension Statement {
    /// The number of the values of a link in the columns from one on.
    package func number(_ values: LinkValues, from first: Int) -> Int32 {
        values.number { column, arena in cell(first + column, in: &arena) }
    }
}
