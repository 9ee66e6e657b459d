import SluiceRecords

/// Compares one entity of a model with the tables of a store.
struct TableComparison {
    /// What the store lacks for the entity.
    private(set) var missing = MissingParts()
    /// Why its objects do not fit.
    private(set) var contradictions: [SchemaContradiction] = []

    private let index: Int
    private let entity: Entity
    private let schema: Schema
    private let image: StoreImage
    /// What the pipelines of the store have said.
    private let described: [EntityDescription]
    /// The most columns that a table can have.
    private let mostColumns: Int
    private var dialect: any Dialect { schema.dialect }
    private var server: String { dialect.server }

    /// How many columns the table of the entity can have: that of its past has some more.
    private var most: Int { mostColumns - (keepsPast ? Entity.pastColumns : 0) }
    private var keepsPast: Bool { entity.keepsPast ?? schema.model.hasPastViews }
    private var taken: String { "\(server) takes \(most)\(keepsPast ? " where the past is kept" : "")" }

    /// - Parameter entity: The one at `index`, with the relationships that can be compared.
    init(
        _ index: Int, _ entity: Entity, _ schema: Schema, _ image: StoreImage, described: [EntityDescription],
        mostColumns: Int
    ) {
        self.index = index
        self.entity = entity
        self.schema = schema
        self.image = image
        self.described = described
        self.mostColumns = mostColumns
    }

    /// Compares all parts, except those that are known not to fit.
    ///
    /// - Parameter conversions: By attribute: how its stored values take another form.
    mutating func run(refused: Set<FoldedName>, conversions: [Int: FormConversion]) throws(Failure) {
        for relationship in entity.relationships where relationship.isMany {
            guard !refused.contains(FoldedName(relationship.name)) else { continue }
            let links = schema.linkTable(of: entity, relationship)
            try compare(relationship, links, image.table(links.name))
        }
        guard let table = try image.table(entity.table) else {
            missing.tables.append(index)
            let count = 1 + schema.columns(of: entity).count
            if count > most { contradict("would have \(count) columns, and \(taken)") }
            return
        }
        guard !refused.contains(FoldedName("")) else { return }
        if let sign = table.foreignSign { contradict("\(sign): it was not made by sluice") }
        guard let key = table.column("objectID"), key.type == dialect.objectID else {
            contradict("has no column objectID \(dialect.objectID) PRIMARY KEY: it was not made by sluice")
            return
        }
        if table.key.count != 1 || !table.key[0].isSameName(as: "objectID") {
            contradict(
                "has not objectID, and nothing else, as its primary key: somebody has dropped or changed the key")
        }
        try compareColumns(table, refused, conversions)
        compareIdentifier(table)
    }

    private mutating func compareColumns(
        _ table: StoredTable, _ refused: Set<FoldedName>, _ conversions: [Int: FormConversion]
    ) throws(Failure) {
        var changing: [FoldedName: FormConversion] = [:]
        for (attribute, conversion) in conversions {
            changing[FoldedName(entity.attributes[attribute].name)] = conversion
        }
        for column in schema.columns(of: entity) where !refused.contains(FoldedName(column.name)) {
            if table.column(column.name) == nil, try image.hasLinks(entity.table, column.name) {
                contradict(
                    Entity.linkTable(of: entity.table, column.name), keys(of: column),
                    "holds links of \(entity.name), and the definition makes \(column.name) a column")
            } else {
                compare(column, table, changing[FoldedName(column.name)].map { dialect.type($0.from) })
            }
        }
        let count = table.columns.count + missing.columns.count
        if count > most { contradict("has \(table.columns.count) columns and would have \(count), and \(taken)") }
    }

    private mutating func compareIdentifier(_ table: StoredTable) {
        let identifier = schema.identifier(of: entity)
        for attribute in schema.model.keyAttributes[index] {
            let column = entity.attributes[attribute].name
            guard let collation = table.column(column)?.looseCollation else { continue }
            contradict(
                ["attributes", column],
                "has the column \(column) with the collation \(collation), to which texts are equal that are not: objects"
                    + " cannot be found by it")
        }
        guard !table.hasIndex(on: identifier, unique: true) else { return }
        let stored = table.indexes.filter(\.isUnique).map { $0.columns.joined(separator: ", ") }
        let found = stored.isEmpty ? "it has none" : "its own is \(stored.joined(separator: "; "))"
        contradict(
            ["identifier"],
            "has no unique index on the identifier \(identifier.joined(separator: ", ")): \(found)")
    }

    private mutating func compare(_ column: Schema.Column, _ table: StoredTable, _ before: String?) {
        guard let stored = table.column(column.name) else {
            missing.columns.append((index, column))
            if column.isIndexed { missing.indexes.append((index, [column.name])) }
            return
        }
        let keys = keys(of: column)
        if stored.type != before ?? column.declared {
            contradict(
                keys,
                "has the column \(stored.name) as \(stored.type), and the definition makes it \(column.declared)")
        } else if refersElsewhere(stored.references, column.references) {
            let (old, new) = (stored.references ?? "nothing", column.references ?? "nothing")
            contradict(
                keys,
                "has the column \(stored.name) refer to \(old), and the definition makes it refer to \(new)")
        } else {
            if column.isIndexed, !table.hasIndex(on: [column.name], unique: false) {
                missing.indexes.append((index, [column.name]))
            }
            noteForeignKey(entity.table, column.name, column.references, stored.references)
        }
    }

    /// Notes a foreign key that a table of a server lacks: a run that saved its first batches and then failed has made
    /// none.
    private mutating func noteForeignKey(_ table: String, _ column: String, _ wanted: String?, _ stored: String?) {
        guard dialect.mayLackForeignKeys, stored == nil, let wanted else { return }
        missing.foreignKeys.append(.init(table: table, column: column, target: wanted))
    }

    /// Whether a column refers to another table than it should. A column of a server may have no foreign key.
    private func refersElsewhere(_ stored: String?, _ wanted: String?) -> Bool {
        if stored == nil, dialect.mayLackForeignKeys { return false }
        return stored.map(FoldedName.init) != wanted.map(FoldedName.init)
    }

    /// The keys that lead to the part of the definition that a column is for.
    private func keys(of column: Schema.Column) -> [String] {
        if entity.attributes.contains(where: { $0.name.isIdentical(to: column.name) }) {
            return ["attributes", column.name]
        }
        let relationship = entity.relationships.first { relationship in
            relationship.name.isIdentical(to: column.name) || relationship.entityColumn.isIdentical(to: column.name)
        }
        return relationship.map { ["relationships", $0.name] } ?? ["absent"]
    }

    private mutating func compare(
        _ relationship: Relationship, _ links: Schema.LinkTable, _ stored: StoredTable?
    ) throws(Failure) {
        let keys = ["relationships", relationship.name]
        if try image.table(entity.table)?.column(relationship.name) != nil {
            contradict(
                keys, "has a column \(relationship.name), and the definition makes it a to-many relationship")
            return
        }
        guard let stored else {
            missing.linkTables.append(links)
            let count = links.columnNames.count + links.values.count
            if count > mostColumns {
                contradict(links.name, keys, "would have \(count) columns, and \(server) takes \(mostColumns)")
            }
            return
        }
        let expected = links.columnNames
        let own = links.values.map(\.name) + describedValues(relationship)
        let found = stored.columns.map(\.name).filter { name in !own.contains { $0.isSameName(as: name) } }
        let target = stored.column("target")?.references
        if Set(found) == Set(expected), stored.keyColumn(1)?.isSameName(as: "position") == links.isSet {
            let (old, new) = links.isSet ? ("lists", "sets") : ("sets", "lists")
            contradict(
                links.name, keys + ["set"], "holds \(old) of links, and the definition makes them \(new)")
        } else if found != expected {
            contradict(
                links.name, keys,
                "has the columns \(list(found)), and the definition needs \(list(expected))")
        } else if stored.key.first?.isSameName(as: "source") != true {
            contradict(links.name, keys, "has no primary key that begins with source: somebody has dropped it")
        } else if refersElsewhere(target, links.target) {
            let (old, new) = (target ?? "several entities", links.target ?? "several entities")
            contradict(
                links.name, keys, "links to \(old), and the definition makes it link to \(new)")
        } else {
            compareValues(links, stored, keys + ["with"])
            if !stored.hasIndex(on: ["target"], unique: false) { missing.linkIndexes.append(links) }
            noteForeignKey(links.name, "source", links.source, stored.column("source")?.references)
            noteForeignKey(links.name, "target", links.target, target)
        }
    }

    /// What links have had of their own, as the pipelines of the store describe them.
    private func describedValues(_ relationship: Relationship) -> [String] {
        described.filter { $0.name.isIdentical(to: entity.name) }
            .flatMap { $0.relationship(relationship.name)?.values.map(\.name) ?? [] }
    }

    private mutating func compareValues(_ links: Schema.LinkTable, _ stored: StoredTable, _ keys: [String]) {
        for value in links.values {
            guard let column = stored.column(value.name) else {
                missing.linkColumns.append((links, value))
                continue
            }
            let type = dialect.type(value.conversion.stored)
            if column.type != type {
                contradict(
                    links.name, keys + [value.name],
                    "has the column \(column.name) as \(column.type), and the definition makes it \(type)")
            }
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private mutating func contradict(_ sentence: String) { contradict([], sentence) }

    private mutating func contradict(_ keys: [String], _ sentence: String) {
        contradict(entity.table, keys, sentence)
    }

    private mutating func contradict(_ table: String, _ keys: [String], _ sentence: String) {
        contradictions.append(
            SchemaContradiction(
                message: "the table \(table) of the store \(image.path) \(sentence)",
                keys: ["entities", entity.name] + keys))
    }
}
