import SluiceRecords

/// The prepared statements of one link table, made when they are first needed.
final class LinkStatements {
    private let connection: Connection
    private let table: Schema.LinkTable
    private var queries: [Int: Statement] = [:]
    private var insertion: Statement?
    private var batchInsertion: Statement?
    private var deletion: Statement?
    private var move: Statement?

    init(_ connection: Connection, _ table: Schema.LinkTable) {
        self.connection = connection
        self.table = table
    }

    private var isPolymorphic: Bool { table.target == nil }

    /// The links of objects, by ascending source and position. SQLite gives them in the order of the table, source and
    /// target; to sort an object's few links here costs less than to let SQLite sort them all.
    func load(
        _ objectIDs: [Int64], _ names: [String], _ each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure) {
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
            let length = EntityTable.listLength(for: sorted.count - start)
            let statement = try query(length)
            for index in 0..<length { statement.bind(index + 1, sorted[min(start + index, sorted.count - 1)]) }
            while try statement.step() {
                let target = isPolymorphic ? try statement.target(3, among: names) : 0
                let reference = Reference(try statement.objectID(1), target: target)
                if statement.integer(0) != source {
                    end()
                    source = statement.integer(0)
                    // Whoever asked walks along with them.
                    while place < sorted.count, sorted[place] < source { place += 1 }
                    guard place < sorted.count, sorted[place] == source else {
                        throw connection.damage("the links in \(table.name) are not in the order of their objects")
                    }
                }
                links.append(Link(reference: reference, position: try statement.position(2)))
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
            SELECT source, target, position\(entity) FROM \(quoted(table.name)) WHERE source IN (\(list))
            ORDER BY source
            """)
        queries[length] = statement
        return statement
    }

    func write(_ change: LinkChange, _ names: [String]) throws(Failure) {
        for reference in change.removed {
            let statement = try prepared(\.deletion, deletionSQL)
            bind(statement, change.source, reference, names)
            try statement.run()
        }
        for link in change.added {
            let statement = try prepared(\.insertion, insertionSQL)
            bind(statement, change.source, link.reference, names)
            statement.bind(4, link.position)
            try statement.run()
        }
        for link in change.moved {
            let statement = try prepared(\.move, moveSQL)
            bind(statement, change.source, link.reference, names)
            statement.bind(4, link.position)
            try statement.run()
        }
    }

    /// Writes the links of the batch table, with `batchColumns`.
    func batch() throws(Failure) -> Statement { try prepared(\.batchInsertion, batchSQL) }

    var batchColumns: [BatchTable.Column] {
        isPolymorphic ? [.source, .target, .linkTargetName, .position] : [.source, .target, .position]
    }

    private func bind(_ statement: Statement, _ source: Int64, _ reference: Reference, _ names: [String]) {
        statement.bind(1, source)
        statement.bind(2, reference.objectID)
        if isPolymorphic { statement.bind(3, names[reference.target]) }
    }

    private func prepared(
        _ place: ReferenceWritableKeyPath<LinkStatements, Statement?>, _ sql: @autoclosure () -> String
    ) throws(Failure) -> Statement {
        if let statement = self[keyPath: place] { return statement }
        let statement = try connection.prepare(sql())
        self[keyPath: place] = statement
        return statement
    }

    private var condition: String { "source = ?1 AND target = ?2" + (isPolymorphic ? " AND target_entity = ?3" : "") }

    private var deletionSQL: String { "DELETE FROM \(quoted(table.name)) WHERE \(condition)" }

    private var moveSQL: String { "UPDATE \(quoted(table.name)) SET position = ?4 WHERE \(condition)" }

    private var insertionSQL: String {
        let (column, value) = isPolymorphic ? (", target_entity", ", ?3") : ("", "")
        return "INSERT INTO \(quoted(table.name)) (source, target\(column), position) VALUES (?1, ?2\(value), ?4)"
    }

    private var batchSQL: String {
        let column = isPolymorphic ? ", target_entity" : ""
        let values = BatchTable.columnList(isPolymorphic ? 4 : 3)
        return """
            INSERT OR FAIL INTO \(quoted(table.name)) (source, target\(column), position)
            SELECT \(values) FROM \(BatchTable.name)
            """
    }
}
