import Records

/// The tables and indexes of a model, as SQL; and what a store must have to go with it.
struct Schema {
    let model: Model

    /// A column of an entity's table; attributes first, then relationships.
    struct Column {
        var name: String
        var type: ColumnType
        /// The table that a reference refers to.
        var references: String?
        var isIndexed: Bool
        var isRequired: Bool
    }

    /// The table of a to-many relationship.
    struct LinkTable {
        var name: String
        var source: String
        /// nil: the relationship is polymorphic, and the column `target_entity` names the target's entity.
        var target: String?
    }

    func linkTables(of entity: Entity) -> [LinkTable] {
        entity.relationships.filter(\.isMany).map { linkTable(of: entity, $0) }
    }

    func linkTable(of entity: Entity, _ relationship: Relationship) -> LinkTable {
        let target = relationship.isPolymorphic ? nil : model.entities[relationship.targets[0].entity].table
        return LinkTable(name: entity.linkTable(of: relationship), source: entity.table, target: target)
    }

    func createTable(_ table: LinkTable) -> String {
        func reference(_ table: String) -> String {
            "REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        var columns = ["\"source\" INTEGER NOT NULL \(reference(table.source))"]
        columns.append("\"target\" INTEGER NOT NULL" + (table.target.map { " " + reference($0) } ?? ""))
        if table.target == nil { columns.append("\"target_entity\" TEXT NOT NULL") }
        columns.append("\"position\" INTEGER NOT NULL")
        let key = ["source", "target"] + (table.target == nil ? ["target_entity"] : [])
        columns.append("PRIMARY KEY (\(key.map(quoted).joined(separator: ", ")))")
        return "CREATE TABLE \(quoted(table.name)) (\n  \(columns.joined(separator: ",\n  "))\n) STRICT, WITHOUT ROWID"
    }

    func columns(of entity: Entity) -> [Column] {
        let attributes = entity.attributes.enumerated().map { index, attribute in
            Column(
                name: attribute.name, type: attribute.conversion.type.column, references: nil,
                isIndexed: attribute.isIndexed, isRequired: entity.identifier.contains(index))
        }
        let relationships = entity.relationships.filter { !$0.isMany }.flatMap { columns(of: $0) }
        return attributes + relationships + (entity.absent == .mark ? [Schema.mark] : [])
    }

    private static let mark = Column(
        name: Entity.deletedAt, type: .text, references: nil, isIndexed: false, isRequired: false)

    /// One column; two where the relationship is polymorphic.
    private func columns(of relationship: Relationship) -> [Column] {
        let table = relationship.isPolymorphic ? nil : model.entities[relationship.targets[0].entity].table
        let reference = Column(
            name: relationship.name, type: .integer, references: table, isIndexed: true, isRequired: false)
        guard relationship.isPolymorphic else { return [reference] }
        let entity = Column(
            name: relationship.entityColumn, type: .text, references: nil, isIndexed: false, isRequired: false)
        return [reference, entity]
    }

    func createTable(_ entity: Entity) -> String {
        let columns = columns(of: entity).map { definition(of: $0) }
        let all = ["\"objectID\" INTEGER PRIMARY KEY"] + columns
        return "CREATE TABLE \(quoted(entity.table)) (\n  \(all.joined(separator: ",\n  "))\n) STRICT"
    }

    func addColumn(_ column: Column, to entity: Entity) -> String {
        "ALTER TABLE \(quoted(entity.table)) ADD COLUMN \(definition(of: column))"
    }

    private func definition(of column: Column) -> String {
        var sql = "\(quoted(column.name)) \(column.type.rawValue)"
        if column.isRequired { sql += " NOT NULL" }
        if let table = column.references {
            sql += " REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        return sql
    }

    /// The names of the identifying columns.
    func identifier(of entity: Entity) -> [String] { entity.identifier.map { entity.attributes[$0].name } }
}

/// What a table of a store is like.
struct StoredTable {
    struct Column {
        var name: String
        var type: String
        /// The table that it refers to.
        var references: String?
    }

    struct Index {
        var isUnique: Bool
        var isPartial: Bool
        var columns: [String]
    }

    var name: String
    var isStrict: Bool
    var columns: [Column]
    var indexes: [Index]

    /// The table of that name (SQLite folds the case of ASCII letters), or nil.
    init?(_ connection: Connection, _ name: String) throws(Failure) {
        let list = try connection.prepare("SELECT type, strict, name FROM pragma_table_list(?) WHERE schema = 'main'")
        list.bind(1, name)
        guard try list.step() else { return nil }
        let type = list.text(0)
        isStrict = list.integer(1) == 1
        self.name = list.text(2)
        list.reset()
        guard type == "table" else {
            throw Failure(
                .definition, "the store \(connection.path) has a \(type) named \(name), where a table is needed")
        }
        columns = try StoredTable.columns(connection, name)
        indexes = try StoredTable.indexes(connection, name)
    }

    func column(_ name: String) -> Column? {
        columns.first { $0.name.asciiLowercased == name.asciiLowercased }
    }

    /// Whether an index has exactly these columns, in this order.
    func hasIndex(on names: [String], unique: Bool) -> Bool {
        indexes.contains { index in
            index.isUnique == unique && !index.isPartial
                && index.columns.map(\.asciiLowercased) == names.map(\.asciiLowercased)
        }
    }

    private static func columns(_ connection: Connection, _ table: String) throws(Failure) -> [Column] {
        let statement = try connection.prepare(
            """
            SELECT c.name, c.type, (SELECT k."table" FROM pragma_foreign_key_list(?1) k WHERE k."from" = c.name)
            FROM pragma_table_xinfo(?1) c ORDER BY c.cid
            """)
        statement.bind(1, table)
        var columns: [Column] = []
        while try statement.step() {
            columns.append(
                Column(
                    name: statement.text(0), type: statement.text(1),
                    references: statement.isNull(2) ? nil : statement.text(2)))
        }
        return columns
    }

    private static func indexes(_ connection: Connection, _ table: String) throws(Failure) -> [Index] {
        let statement = try connection.prepare("SELECT name, \"unique\", partial FROM pragma_index_list(?)")
        statement.bind(1, table)
        var indexes: [Index] = []
        while try statement.step() {
            let columns = try indexColumns(connection, statement.text(0))
            indexes.append(
                Index(isUnique: statement.integer(1) == 1, isPartial: statement.integer(2) == 1, columns: columns))
        }
        return indexes
    }

    private static func indexColumns(_ connection: Connection, _ index: String) throws(Failure) -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
        statement.bind(1, index)
        var columns: [String] = []
        while try statement.step() { columns.append(statement.text(0)) }
        return columns
    }
}

extension String {
    /// With the case of ASCII letters folded, as SQLite compares names.
    var asciiLowercased: String {
        String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
