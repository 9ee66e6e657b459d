import SluiceRecords

/// The parts of an entity's definition that matter to the store: a row of `sluice_model`.
package struct EntityDescription {
    package struct Attribute {
        package var name: String
        /// An `AttributeType`; another one, if a later version of sluice wrote it.
        package var type: String
        /// Of a datetime and a decimal, see `StoredForm`.
        package var fraction: Int?
        package var scale: Int?
        package var isInteger = false
        /// Whether the definition no longer has it, while its column is still there.
        package var isLost = false
        /// Its name in the definition of this pipeline, if another pipeline has renamed it.
        package var was: String?

        /// The form of the values in its column; nil: only a later version of sluice knows the form.
        package var form: StoredForm? {
            AttributeType(rawValue: type).map {
                StoredForm($0, fraction: fraction, scale: scale, isInteger: isInteger)
            }
        }
    }

    package struct Relationship {
        package var name: String
        /// The names of the entities that it may lead to.
        package var targets: [String]
        package var isMany: Bool
        package var onDelete: String
        package var isLost = false
        package var was: String?
        /// Of a to-many relationship: whether an object has each target once.
        package var isSet = true
        /// What each link has of its own.
        package var values: [Attribute] = []

        package var isPolymorphic: Bool { targets.count > 1 }
        package var entityColumn: String { name + "_entity" }
    }

    package var name: String
    package var table: String
    /// The names of the identifying attributes, in their order.
    package var identifier: [String]
    package var absent: String
    package var attributes: [Attribute]
    package var relationships: [Relationship]
    package var isLost = false
    /// Whether its objects belong to programs.
    package var isOfPrograms = false
    /// Whether the store keeps, or at least records, what programs change of its objects.
    package var keepsEdits = false
    /// Whether the pipeline wants a view of the entity.
    package var isViewed = false
    /// How the pipeline wants its objects to be found by words, and by where they are.
    package var search: SearchIndex?
    package var place: PlaceIndex?
    /// The name of the entity in the definition of this pipeline, if another pipeline has renamed it.
    package var was: String?
    /// Likewise its table.
    package var tableWas: String?
}

extension EntityDescription.Attribute {
    package init(_ name: String, _ form: StoredForm) {
        self.name = name
        type = form.type.rawValue
        fraction = form.fraction
        scale = form.scale
        isInteger = form.isInteger
    }
}

extension EntityDescription {
    package init(_ entity: Entity, in model: Model) {
        name = entity.name
        table = entity.table
        identifier = entity.identifier.map { entity.attributes[$0].name }
        absent = entity.absence.choice.rawValue
        isViewed = model.hasViews
        isOfPrograms = entity.isOfPrograms
        keepsEdits = entity.edits.areKept
        search = entity.search
        place = entity.place
        attributes = entity.attributes.map { Attribute($0.name, $0.conversion.stored) }
        relationships = entity.relationships.map { relationship in
            Relationship(
                name: relationship.name, targets: relationship.targets.map { model.entities[$0.entity].name },
                isMany: relationship.isMany, onDelete: relationship.onDelete.rawValue, isSet: relationship.isSet,
                values: relationship.values.map { Attribute($0.name, $0.conversion.stored) })
        }
    }

    /// The name of the table that holds the links of a to-many relationship.
    package func linkTable(of relationship: Relationship) -> String { Entity.linkTable(of: table, relationship.name) }

    /// What a column, or a link table, of the entity is for.
    package enum Part {
        case attribute(Attribute)
        case relationship(Relationship)
        /// The column beside a polymorphic relationship.
        case entityColumn(Relationship)
    }

    /// All parts by their names. There may be thousands.
    package var parts: [FoldedName: Part] {
        var parts: [FoldedName: Part] = [:]
        for relationship in relationships where relationship.isPolymorphic && !relationship.isMany {
            parts[FoldedName(relationship.entityColumn)] = .entityColumn(relationship)
        }
        for relationship in relationships { parts[FoldedName(relationship.name)] = .relationship(relationship) }
        for attribute in attributes { parts[FoldedName(attribute.name)] = .attribute(attribute) }
        return parts
    }

    /// The present names of what another pipeline has renamed, by the names that the definition of this one has.
    package var marks: [FoldedName: String] {
        var marks: [FoldedName: String] = [:]
        for (was, name) in attributes.map({ ($0.was, $0.name) }) + relationships.map({ ($0.was, $0.name) }) {
            if let was { marks[FoldedName(was)] = name }
        }
        return marks
    }

    package func relationship(_ name: String) -> Relationship? { relationships.first { $0.name.isSameName(as: name) } }

    // MARK: Changes

    /// Renames an attribute or a relationship, and keeps the name by which the definition of the last run calls it.
    package mutating func rename(_ old: String, _ new: String) {
        func mark(_ was: String?) -> String? {
            let earlier = was ?? old
            return earlier.isSameName(as: new) ? nil : earlier
        }
        for index in attributes.indices where attributes[index].name.isSameName(as: old) {
            attributes[index].name = new
            attributes[index].was = mark(attributes[index].was)
        }
        for index in relationships.indices where relationships[index].name.isSameName(as: old) {
            relationships[index].name = new
            relationships[index].was = mark(relationships[index].was)
        }
        for index in identifier.indices where identifier[index].isSameName(as: old) { identifier[index] = new }
        search?.rename(old, new)
        place?.rename(old, new)
    }

    /// Takes over the names that an earlier definition has for what is called otherwise now.
    mutating func keepEarlierNames(of earlier: EntityDescription) {
        was = earlier.was
        let parts = earlier.parts
        for index in attributes.indices {
            guard case .attribute(let known)? = parts[FoldedName(attributes[index].name)] else { continue }
            attributes[index].was = known.was
        }
        for index in relationships.indices {
            guard case .relationship(let known)? = parts[FoldedName(relationships[index].name)] else { continue }
            relationships[index].was = known.was
        }
    }

    mutating func forgetEarlierNames() {
        was = nil
        for index in attributes.indices where !attributes[index].isLost { attributes[index].was = nil }
        for index in relationships.indices where !relationships[index].isLost { relationships[index].was = nil }
    }

    /// Takes over the parts of an earlier description that this one lacks, as long as the store has them.
    mutating func keepLost(of earlier: EntityDescription, where isThere: (Part) -> Bool) {
        let parts = parts
        for var attribute in earlier.attributes where parts[FoldedName(attribute.name)] == nil {
            attribute.isLost = true
            if isThere(.attribute(attribute)) { attributes.append(attribute) }
        }
        for var relationship in earlier.relationships where parts[FoldedName(relationship.name)] == nil {
            relationship.isLost = true
            if isThere(.relationship(relationship)) { relationships.append(relationship) }
        }
        for index in relationships.indices {
            for var value in earlier.relationship(relationships[index].name)?.values ?? []
            where !relationships[index].values.contains(where: { $0.name.isSameName(as: value.name) }) {
                value.isLost = true
                relationships[index].values.append(value)
            }
        }
    }

    /// Sets the form that an attribute of an earlier version has from now on, if it had none.
    mutating func setForm(_ name: String, _ form: StoredForm) {
        for index in attributes.indices where attributes[index].name.isSameName(as: name) {
            guard attributes[index].form == StoredForm(.datetime) else { continue }
            attributes[index].fraction = form.fraction
        }
    }
}
