import SluiceRecords

/// What `sluice_model` holds of the pipelines of a store, and what it must hold.
package struct ModelRowChanges {
    /// The rows that it holds of all pipelines, with the new names.
    package let before: [EntityDescription]
    /// The earlier descriptions of this pipeline's entities, with the new names.
    let earlier: [EntityDescription]
    /// The rows that it must hold of all pipelines, until the run has succeeded: of what the run has renamed, those of
    /// this pipeline know the names that the definition of the last successful run has.
    package private(set) var rows: [ModelRow]
    /// The rows that must be removed from it.
    package private(set) var dropped: [ModelRow] = []
    /// Whether runs that do not know the relationships of the definition may have brought their targets.
    package private(set) var hasObjectsOfOthers: Bool

    private let image: StoreImage
    /// Where the rows of the definition's entities are.
    private var ownRows: Range<Int> = 0..<0

    /// Makes the rows describe the definition. The rows of this pipeline keep parts that the store still has.
    ///
    /// - Parameter rows: What the table holds, under the names from now on.
    init(
        _ rows: [ModelRow], _ model: Model, pipeline: String, formChanges: [FormChange], _ image: StoreImage
    ) throws(Failure) {
        before = rows.map(\.description)
        self.image = image
        let own = rows.filter { $0.pipeline.isIdentical(to: pipeline) }
        earlier = own.map(\.description)
        self.rows = rows.filter { !$0.pipeline.isIdentical(to: pipeline) }
        hasObjectsOfOthers = !self.rows.isEmpty
        for change in formChanges { setForm(change, model) }
        try describe(model, pipeline, own)
    }

    /// The rows that must be written once the run has succeeded: its definition is the one that counts from then on.
    package var settled: [ModelRow] {
        ownRows.compactMap { index in
            var row = rows[index]
            row.stored = (row.description.name, row.description.json)
            row.description.forgetEarlierNames()
            return row.isChanged ? row : nil
        }
    }

    /// Whether a run that succeeds changes what the table holds.
    package var isChanged: Bool { rows.contains(where: \.isChanged) || !dropped.isEmpty || !settled.isEmpty }

    /// What the table must hold of all pipelines' entities.
    package var descriptions: [EntityDescription] { rows.map(\.description) }

    /// Records the form that values take from now on, where other pipelines know the attribute.
    private mutating func setForm(_ change: FormChange, _ model: Model) {
        let entity = model.entities[change.entity]
        let name = entity.attributes[change.attribute].name
        for index in rows.indices where rows[index].description.name.isIdentical(to: entity.name) {
            rows[index].description.setForm(name, change.conversion.to)
        }
    }

    /// Adds a row for each entity of the definition, and for those that it had.
    private mutating func describe(_ model: Model, _ pipeline: String, _ own: [ModelRow]) throws(Failure) {
        var places: [ExactText: Int] = [:]
        for (place, row) in own.enumerated().reversed() { places[ExactText(row.description.name)] = place }
        var isKept = own.map { _ in false }
        let first = rows.count
        for entity in model.entities {
            var row = ModelRow(pipeline: pipeline, description: EntityDescription(entity, in: model), stored: nil)
            if let place = places[ExactText(entity.name)] {
                let earlier = own[place]
                isKept[place] = true
                row.stored = earlier.stored
                if earlier.description.isLost || hasRegained(entity, earlier.description) { hasObjectsOfOthers = true }
                try keepLost(earlier.description, in: &row.description)
                row.description.keepEarlierNames(of: earlier.description)
            }
            rows.append(row)
        }
        ownRows = first..<rows.count
        for (place, row) in own.enumerated() where !isKept[place] { try keepOrDrop(row, model) }
    }

    /// Keeps the row of an entity that the definition has lost, as long as the store has its table.
    private mutating func keepOrDrop(_ row: ModelRow, _ model: Model) throws(Failure) {
        var row = row
        if try image.has(row.description.table) {
            row.description.isLost = true
            row.description.isViewed = row.description.isViewed && model.hasViews
            rows.append(row)
        } else {
            dropped.append(row)
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
