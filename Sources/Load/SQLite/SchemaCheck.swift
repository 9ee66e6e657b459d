import Records

/// What must be done to a store before a model's objects fit into it; or why they cannot.
struct SchemaCheck {
    /// Entities without a table.
    private(set) var newTables: [Int] = []
    /// Columns that a table lacks.
    private(set) var newColumns: [(entity: Int, column: Schema.Column)] = []
    /// Indexes that an existing table lacks.
    private(set) var newIndexes: [(entity: Int, columns: [String])] = []
    /// Link tables that the store lacks.
    private(set) var newLinkTables: [Schema.LinkTable] = []
    /// Each is a contradiction between the definition and the store, as a sentence.
    private(set) var contradictions: [String] = []

    private let schema: Schema
    private let path: String

    init(_ connection: Connection, _ model: Model) throws(Failure) {
        schema = Schema(model: model)
        path = connection.path
        for (index, entity) in model.entities.enumerated() {
            for links in schema.linkTables(of: entity) { compare(links, try StoredTable(connection, links.name)) }
            guard let table = try StoredTable(connection, entity.table) else {
                newTables.append(index)
                continue
            }
            compare(index, entity, table)
        }
    }

    private mutating func compare(_ index: Int, _ entity: Entity, _ table: StoredTable) {
        if !table.isStrict {
            contradict(entity, "is not a STRICT table: it was not made by sluice")
        }
        guard let key = table.column("objectID"), key.type == "INTEGER" else {
            contradict(entity, "has no column objectID INTEGER PRIMARY KEY: it was not made by sluice")
            return
        }
        for column in schema.columns(of: entity) { compare(index, entity, column, table) }
        let identifier = schema.identifier(of: entity)
        if !table.hasIndex(on: identifier, unique: true) {
            let stored = table.indexes.filter(\.isUnique).map { $0.columns.joined(separator: ", ") }
            let found = stored.isEmpty ? "it has none" : "its own is \(stored.joined(separator: "; "))"
            contradict(
                entity, "has no unique index on the identifier \(identifier.joined(separator: ", ")): \(found)")
        }
    }

    private mutating func compare(
        _ index: Int, _ entity: Entity, _ column: Schema.Column, _ table: StoredTable
    ) {
        guard let stored = table.column(column.name) else {
            newColumns.append((index, column))
            if column.isIndexed { newIndexes.append((index, [column.name])) }
            return
        }
        if stored.type != column.type.rawValue {
            contradict(
                entity,
                "has the column \(stored.name) as \(stored.type), and the definition makes it \(column.type.rawValue)")
        } else if stored.references?.asciiLowercased != column.references?.asciiLowercased {
            let (old, new) = (stored.references ?? "nothing", column.references ?? "nothing")
            contradict(
                entity, "has the column \(stored.name) refer to \(old), and the definition makes it refer to \(new)")
        } else if column.isIndexed, !table.hasIndex(on: [column.name], unique: false) {
            newIndexes.append((index, [column.name]))
        }
    }

    private mutating func compare(_ links: Schema.LinkTable, _ stored: StoredTable?) {
        guard let stored else {
            newLinkTables.append(links)
            return
        }
        var expected = ["source", "target", "position"]
        if links.target == nil { expected.insert("target_entity", at: 2) }
        let found = stored.columns.map(\.name)
        let target = stored.column("target")?.references?.asciiLowercased
        if found != expected {
            contradict(links.name, "has the columns \(list(found)), and the definition needs \(list(expected))")
        } else if target != links.target?.asciiLowercased {
            let (old, new) = (target ?? "several entities", links.target ?? "several entities")
            contradict(links.name, "links to \(old), and the definition makes it link to \(new)")
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private mutating func contradict(_ entity: Entity, _ sentence: String) { contradict(entity.table, sentence) }

    private mutating func contradict(_ table: String, _ sentence: String) {
        contradictions.append("the table \(table) of the store \(path) \(sentence)")
    }
}
