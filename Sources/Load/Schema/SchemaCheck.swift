import SluiceRecords

/// What must be done to a store before a model's objects fit into it; or why they cannot.
struct SchemaCheck {
    /// What the store has under another name. All else is meant as it is after that.
    private(set) var renaming = Renaming()
    /// Entities without a table.
    private(set) var newTables: [Int] = []
    /// Columns that a table lacks.
    private(set) var newColumns: [(entity: Int, column: Schema.Column)] = []
    /// Indexes that an existing table lacks.
    private(set) var newIndexes: [(entity: Int, columns: [String])] = []
    /// Link tables that the store lacks.
    private(set) var newLinkTables: [Schema.LinkTable] = []
    /// Link tables that are there, and lack the index by which links are found from their targets.
    private(set) var newLinkIndexes: [Schema.LinkTable] = []
    /// References of existing tables that a server knows nothing of.
    private(set) var newForeignKeys: [ForeignKey] = []
    /// What links have of their own that their table lacks.
    private(set) var newLinkColumns: [(table: Schema.LinkTable, value: Attribute)] = []
    /// Attributes whose values take another form.
    private(set) var formChanges: [FormChange] = []
    /// What `sluice_model` holds of all pipelines, under the names from now on.
    private(set) var described: [EntityDescription] = []
    /// What this pipeline has said before of its entities, under the names from now on.
    private(set) var earlier: [EntityDescription] = []
    /// The views that sluice has made, and those that there will be.
    private(set) var views = ViewPlan()
    /// What `sluice_model` must hold of all pipelines.
    private(set) var rows: [ModelRow] = []
    /// What it holds and must lose.
    private(set) var droppedRows: [ModelRow] = []
    private(set) var contradictions: [SchemaContradiction] = []
    /// Whether runs that do not know the relationships of the definition may have brought their targets.
    private(set) var hasObjectsOfOthers = false

    /// That a column of a table refers to the objects of another.
    struct ForeignKey {
        var table: String
        var column: String
        var target: String
    }

    /// Whether the store has everything, under its name.
    var isComplete: Bool {
        renaming.isEmpty && newTables.isEmpty && newColumns.isEmpty && newIndexes.isEmpty && newLinkTables.isEmpty
            && newLinkIndexes.isEmpty && newLinkColumns.isEmpty && formChanges.isEmpty
    }

    private let schema: Schema
    private let pipeline: String
    private let image: StoreImage
    let dialect: Dialect
    /// The most columns that a table can have.
    private let mostColumns: Int

    init(_ connection: Connection, _ model: Model, pipeline: String) throws(Failure) {
        try self.init(SQLiteCatalog(connection), model, pipeline: pipeline)
    }

    init(_ catalog: any StoreCatalog, _ model: Model, pipeline: String) throws(Failure) {
        try catalog.checkOwnTables()
        dialect = catalog.dialect
        schema = Schema(model: model, dialect: catalog.dialect)
        self.pipeline = pipeline
        image = StoreImage(catalog)
        mostColumns = catalog.mostColumns
        let planner = try RenamePlanner(image, model, catalog.modelRows(), pipeline: pipeline)
        renaming = planner.renaming
        if catalog.dialect == .postgresql { try renaming.followCase(model, schema, image) }
        rows = planner.rows
        described = rows.map(\.description)
        contradictions = planner.contradictions
        var present: [ModelRow] = []
        for row in rows where try image.has(row.description.table) { present.append(row) }
        let claims = TableClaims(present)
        for (index, whole) in model.entities.enumerated() where !planner.isBroken[index] {
            // What leads to an entity whose name is in doubt cannot be compared.
            var entity = whole
            entity.relationships.removeAll { $0.targets.contains { planner.isBroken[$0.entity] } }
            var comparison = DescriptionComparison(
                image, model, entity, claims.rows(concerning: entity), pipeline: pipeline)
            try comparison.run()
            contradictions += comparison.contradictions
            try compare(index, entity, comparison.refusedParts, comparison.conversions)
            let forms = try FormPlan(index, comparison, image, renaming, catalog)
            formChanges += forms.changes
            contradictions += forms.contradictions
        }
        try describe(model)
        views = try ViewPlan(before: described, after: rows.map(\.description), catalog, renaming)
        contradictions += views.contradictions
    }

    // MARK: Tables

    /// Compares an entity with the tables, but for those parts of which it is known that they do not fit.
    private mutating func compare(
        _ index: Int, _ entity: Entity, _ refused: Set<FoldedName>, _ conversions: [Int: FormConversion]
    ) throws(Failure) {
        for relationship in entity.relationships where relationship.isMany {
            guard !refused.contains(FoldedName(relationship.name)) else { continue }
            let links = schema.linkTable(of: entity, relationship)
            try compare(entity, relationship, links, image.table(links.name))
        }
        guard let table = try image.table(entity.table) else {
            newTables.append(index)
            return
        }
        guard !refused.contains(FoldedName("")) else { return }
        if !table.isStrict {
            contradict(entity, "is not a STRICT table: it was not made by sluice")
        }
        guard let key = table.column("objectID"), key.type == dialect.objectID else {
            contradict(entity, "has no column objectID \(dialect.objectID) PRIMARY KEY: it was not made by sluice")
            return
        }
        let known = newColumns.count
        var changing: [FoldedName: FormConversion] = [:]
        for (attribute, conversion) in conversions {
            changing[FoldedName(entity.attributes[attribute].name)] = conversion
        }
        for column in schema.columns(of: entity) where !refused.contains(FoldedName(column.name)) {
            if table.column(column.name) == nil, try image.hasLinks(entity.table, column.name) {
                contradict(
                    "\(entity.table)_\(column.name)", entity, keys(of: column, entity),
                    "holds links of \(entity.name), and the definition makes \(column.name) a column")
            } else {
                compare(index, entity, column, table, changing[FoldedName(column.name)].map { dialect.type($0.from) })
            }
        }
        let count = table.columns.count + newColumns.count - known
        if count > mostColumns {
            contradict(
                entity,
                "has \(table.columns.count) columns and would have \(count), and \(dialect == .sqlite ? "SQLite" : "PostgreSQL") takes \(mostColumns)"
            )
        }
        compareIdentifier(entity, table)
    }

    private mutating func compareIdentifier(_ entity: Entity, _ table: StoredTable) {
        let identifier = schema.identifier(of: entity)
        guard !table.hasIndex(on: identifier, unique: true) else { return }
        let stored = table.indexes.filter(\.isUnique).map { $0.columns.joined(separator: ", ") }
        let found = stored.isEmpty ? "it has none" : "its own is \(stored.joined(separator: "; "))"
        contradict(
            entity, ["identifier"],
            "has no unique index on the identifier \(identifier.joined(separator: ", ")): \(found)")
    }

    private mutating func compare(
        _ index: Int, _ entity: Entity, _ column: Schema.Column, _ table: StoredTable, _ before: String?
    ) {
        guard let stored = table.column(column.name) else {
            newColumns.append((index, column))
            if column.isIndexed { newIndexes.append((index, [column.name])) }
            return
        }
        let keys = keys(of: column, entity)
        if stored.type != before ?? column.declared {
            contradict(
                entity, keys,
                "has the column \(stored.name) as \(stored.type), and the definition makes it \(column.declared)")
        } else if refersElsewhere(stored.references, column.references) {
            let (old, new) = (stored.references ?? "nothing", column.references ?? "nothing")
            contradict(
                entity, keys,
                "has the column \(stored.name) refer to \(old), and the definition makes it refer to \(new)")
        } else {
            if column.isIndexed, !table.hasIndex(on: [column.name], unique: false) {
                newIndexes.append((index, [column.name]))
            }
            noteForeignKey(entity.table, column.name, column.references, stored.references)
        }
    }

    /// Notes a foreign key that a table of a server lacks: a run that saved its first batches and then failed has made
    /// none.
    private mutating func noteForeignKey(_ table: String, _ column: String, _ wanted: String?, _ stored: String?) {
        guard dialect == .postgresql, stored == nil, let wanted else { return }
        newForeignKeys.append(ForeignKey(table: table, column: column, target: wanted))
    }

    /// Whether a column refers to another table than it is to. One of a server may have no foreign key.
    private func refersElsewhere(_ stored: String?, _ wanted: String?) -> Bool {
        if stored == nil, dialect == .postgresql { return false }
        return stored.map(FoldedName.init) != wanted.map(FoldedName.init)
    }

    /// What leads to the part of the definition that a column is for.
    private func keys(of column: Schema.Column, _ entity: Entity) -> [String] {
        if entity.attributes.contains(where: { $0.name.isIdentical(to: column.name) }) {
            return ["attributes", column.name]
        }
        let relationship = entity.relationships.first { relationship in
            relationship.name.isIdentical(to: column.name) || relationship.entityColumn.isIdentical(to: column.name)
        }
        return relationship.map { ["relationships", $0.name] } ?? ["absent"]
    }

    private mutating func compare(
        _ entity: Entity, _ relationship: Relationship, _ links: Schema.LinkTable, _ stored: StoredTable?
    ) throws(Failure) {
        let keys = ["relationships", relationship.name]
        if try image.table(entity.table)?.column(relationship.name) != nil {
            contradict(
                entity, keys, "has a column \(relationship.name), and the definition makes it a to-many relationship")
            return
        }
        guard let stored else {
            newLinkTables.append(links)
            return
        }
        let expected = links.columnNames
        let own = links.values.map(\.name) + describedValues(entity, relationship)
        let found = stored.columns.map(\.name).filter { name in !own.contains { $0.isSameName(as: name) } }
        let target = stored.column("target")?.references
        if Set(found) == Set(expected), stored.keyColumn(1)?.isSameName(as: "position") == links.isSet {
            let (old, new) = links.isSet ? ("lists", "sets") : ("sets", "lists")
            contradict(
                links.name, entity, keys + ["set"], "holds \(old) of links, and the definition makes them \(new)")
        } else if found != expected {
            contradict(
                links.name, entity, keys,
                "has the columns \(list(found)), and the definition needs \(list(expected))")
        } else if refersElsewhere(target, links.target) {
            let (old, new) = (target ?? "several entities", links.target ?? "several entities")
            contradict(
                links.name, entity, keys, "links to \(old), and the definition makes it link to \(new)")
        } else {
            compareValues(entity, links, stored, keys + ["with"])
            if !stored.hasIndex(on: ["target"], unique: false) { newLinkIndexes.append(links) }
            noteForeignKey(links.name, "source", links.source, stored.column("source")?.references)
            noteForeignKey(links.name, "target", links.target, target)
        }
    }

    /// What links have had of their own, as the pipelines of the store describe them.
    private func describedValues(_ entity: Entity, _ relationship: Relationship) -> [String] {
        described.filter { $0.name.isIdentical(to: entity.name) }
            .flatMap { $0.relationship(relationship.name)?.values.map(\.name) ?? [] }
    }

    private mutating func compareValues(
        _ entity: Entity, _ links: Schema.LinkTable, _ stored: StoredTable, _ keys: [String]
    ) {
        for value in links.values {
            guard let column = stored.column(value.name) else {
                newLinkColumns.append((links, value))
                continue
            }
            let type = dialect.type(value.conversion.stored)
            if column.type != type {
                contradict(
                    links.name, entity, keys + [value.name],
                    "has the column \(column.name) as \(column.type), and the definition makes it \(type)")
            }
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private mutating func contradict(_ entity: Entity, _ sentence: String) { contradict(entity, [], sentence) }

    private mutating func contradict(_ entity: Entity, _ keys: [String], _ sentence: String) {
        contradict(entity.table, entity, keys, sentence)
    }

    private mutating func contradict(_ table: String, _ entity: Entity, _ keys: [String], _ sentence: String) {
        contradictions.append(
            SchemaContradiction(
                message: "the table \(table) of the store \(image.path) \(sentence)",
                keys: ["entities", entity.name] + keys))
    }

    // MARK: sluice_model

    /// Makes the rows say what the definition says; of this pipeline, they keep what the store still has.
    private mutating func describe(_ model: Model) throws(Failure) {
        var others: [ModelRow] = []
        var own: [ModelRow] = []
        for row in rows {
            if row.pipeline.isIdentical(to: pipeline) { own.append(row) } else { others.append(row) }
        }
        for change in formChanges {
            let entity = model.entities[change.entity]
            let name = entity.attributes[change.attribute].name
            for index in others.indices where others[index].description.name.isIdentical(to: entity.name) {
                others[index].description.setForm(name, change.conversion.to)
            }
        }
        earlier = own.map(\.description)
        rows = others
        hasObjectsOfOthers = !others.isEmpty
        var places: [ExactText: Int] = [:]
        for (place, row) in own.enumerated().reversed() { places[ExactText(row.description.name)] = place }
        var isKept = own.map { _ in false }
        for entity in model.entities {
            var row = ModelRow(pipeline: pipeline, description: EntityDescription(entity, in: model), stored: nil)
            if let place = places[ExactText(entity.name)] {
                let earlier = own[place]
                isKept[place] = true
                row.stored = earlier.stored
                if earlier.description.isLost || hasRegained(entity, earlier.description) { hasObjectsOfOthers = true }
                try keepLost(earlier.description, in: &row.description)
            }
            rows.append(row)
        }
        for (place, row) in own.enumerated() where !isKept[place] {
            var row = row
            if try image.has(row.description.table) {
                row.description.isLost = true
                row.description.isViewed = row.description.isViewed && model.hasViews
                rows.append(row)
            } else {
                droppedRows.append(row)
            }
        }
    }

    /// Whether the definition has a relationship again that the last one lacked.
    private func hasRegained(_ entity: Entity, _ earlier: EntityDescription) -> Bool {
        entity.relationships.contains { earlier.relationship($0.name)?.isLost == true }
    }

    private func keepLost(
        _ earlier: EntityDescription, in description: inout EntityDescription
    ) throws(Failure) {
        guard let table = try image.table(description.table) else { return }
        var links: Set<FoldedName> = []
        for relationship in earlier.relationships where relationship.isMany {
            let name = description.linkTable(of: relationship)
            if try image.isLinkTable(name) { links.insert(FoldedName(name)) }
        }
        let lost = description
        description.keepLost(of: earlier) { part in
            switch part {
            case .attribute(let attribute): table.column(attribute.name) != nil
            case .relationship(let relationship) where relationship.isMany:
                links.contains(FoldedName(lost.linkTable(of: relationship)))
            case .relationship(let relationship), .entityColumn(let relationship):
                table.column(relationship.name) != nil
            }
        }
    }
}
