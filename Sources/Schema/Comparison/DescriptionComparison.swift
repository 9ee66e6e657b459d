import SluiceRecords

/// Compares an entity of a definition with what `sluice_model` holds: of the same entity, and of others.
struct DescriptionComparison {
    private(set) var contradictions: [SchemaContradiction] = []
    /// The names of the parts that do not fit; the empty name stands for the whole entity.
    private(set) var refusedParts: Set<FoldedName> = []

    /// By attribute: how its values change.
    private(set) var conversions: [Int: FormConversion] = [:]
    /// By attribute: the row that says how they are.
    private(set) var describing: [Int: ModelRow] = [:]

    /// Attributes of which a row says something.
    private var described: Set<FoldedName> = []
    /// Those of the row that is compared.
    private var parts: [FoldedName: EntityDescription.Part] = [:]
    let image: StoreImage
    private let model: Model
    let entity: Entity
    private let rows: [ModelRow]
    let pipeline: String

    /// `rows`: those whose tables are there.
    init(_ image: StoreImage, _ model: Model, _ entity: Entity, _ rows: [ModelRow], pipeline: String) {
        self.image = image
        self.model = model
        self.entity = entity
        self.rows = rows
        self.pipeline = pipeline
    }

    mutating func run() throws(Failure) {
        for row in rows {
            guard row.description.name.isIdentical(to: entity.name) else {
                try compareNames(row)
                continue
            }
            guard row.description.table.isSameName(as: entity.table) else {
                refuse(
                    "", ["table"],
                    "the entity \(entity.name) has the table \(row.description.table) \(placeText(row)), and the definition"
                        + " gives it \(entity.table)")
                continue
            }
            try comparePrograms(row)
            compareAbsent(row)
            compareEdits(row)
            compareIdentifier(row)
            parts = row.description.parts
            for attribute in entity.attributes.indices { try compare(attribute, row) }
            for relationship in entity.relationships { try compare(relationship, row) }
        }
        try takeForOld()
    }

    /// Takes a store from before `sluice_model`: it has times in the form of that version.
    private mutating func takeForOld() throws(Failure) {
        guard let table = try image.table(entity.table) else { return }
        for (index, attribute) in entity.attributes.enumerated() where attribute.conversion.type == .datetime {
            guard !described.contains(FoldedName(attribute.name)), table.column(attribute.name)?.type == "TEXT" else {
                continue
            }
            conversions[index] = FormConversion(from: StoredForm(.datetime), to: attribute.conversion.stored)
        }
    }

    // MARK: Other entities

    /// Compares with another entity: no two may have one table.
    private mutating func compareNames(_ row: ModelRow) throws(Failure) {
        let other = row.description
        if other.table.isSameName(as: entity.table) {
            // To a pipeline that gives an entity another name, the table holds another entity.
            let hint = isOwn(row) ? "; if it is that entity, say \"was\": \(JSONText.quoted(other.name))" : ""
            return refuse(
                "", ["table"],
                "the table \(entity.table) is that of the entity \(other.name) \(placeText(row)), and the definition gives it"
                    + " to \(entity.name)\(hint)")
        }
        for links in other.relationships where links.isMany {
            let table = other.linkTable(of: links)
            guard try image.isLinkTable(table) else { continue }
            let what = "the table \(table) holds the links \(other.name).\(links.name) \(placeText(row))"
            if table.isSameName(as: entity.table) {
                refuse("", ["table"], "\(what), and the definition gives it to the entity \(entity.name)")
            }
            for relationship in entity.relationships where relationship.isMany {
                guard entity.linkTable(of: relationship).isSameName(as: table) else { continue }
                refuse(
                    relationship.name, ["relationships", relationship.name],
                    "\(what), and the definition gives it to \(entity.name).\(relationship.name)")
            }
        }
        for relationship in entity.relationships where relationship.isMany {
            guard entity.linkTable(of: relationship).isSameName(as: other.table) else { continue }
            refuse(
                relationship.name, ["relationships", relationship.name],
                "the table \(other.table) is that of the entity \(other.name) \(placeText(row)), and the definition gives it"
                    + " to the links \(entity.name).\(relationship.name)")
        }
    }

    // MARK: The same entity

    private mutating func compareIdentifier(_ row: ModelRow) {
        let (stored, new) = (row.description.identifier, entity.identifier.map { entity.attributes[$0].name })
        guard stored.map(FoldedName.init) != new.map(FoldedName.init) else { return }
        refuse(
            "", ["identifier"],
            "the entity \(entity.name) is identified by \(list(stored)) \(placeText(row)), and the definition identifies it"
                + " by \(list(new))" + anew)
    }

    private mutating func compare(_ index: Int, _ row: ModelRow) throws(Failure) {
        let attribute = entity.attributes[index]
        guard let part = try part(attribute.name, row) else { return }
        described.insert(FoldedName(attribute.name))
        let keys = ["attributes", attribute.name]
        guard case .attribute(let stored) = part else {
            return refuseKind(attribute.name, keys, part, "an attribute", row)
        }
        let form = attribute.conversion.stored
        guard stored.form != form else { return }
        // A form that an earlier version wrote may be changed, whichever pipeline describes it; all others only by the
        // pipeline that alone describes the attribute.
        let isOld = stored.form == StoredForm(.datetime) && form.type == .datetime
        if isOwn(row) || isOld, let conversion = stored.form.flatMap({ FormConversion(from: $0, to: form) }) {
            conversions[index] = conversion
            describing[index] = row
            return
        }
        let remedy = try way(index, row)
        refuse(attribute.name, keys + ["type"], contradiction(index, stored.described, placeText(row)) + remedy)
    }

    /// How the user can still give the attribute its form. The history of a column goes with the column.
    private func way(_ index: Int, _ row: ModelRow) throws(Failure) -> String {
        guard isOwn(row), !entity.identifier.contains(index) else { return isOwn(row) ? anew : otherPipeline }
        if try image.table("sluice_history") != nil { return way(row) }
        return "; to have the feed fill it anew, drop its column: ALTER TABLE \(quoted(entity.table)) DROP COLUMN"
            + " \(quoted(entity.attributes[index].name))"
    }

    private mutating func compare(_ relationship: Relationship, _ row: ModelRow) throws(Failure) {
        let keys = ["relationships", relationship.name]
        if relationship.isPolymorphic, !relationship.isMany, let part = try part(relationship.entityColumn, row) {
            guard case .entityColumn = part else {
                return refuseKind(relationship.entityColumn, keys, part, "the column of a relationship's entities", row)
            }
        }
        guard let part = try part(relationship.name, row) else { return }
        guard case .relationship(let stored) = part else {
            return refuseKind(relationship.name, keys, part, "a relationship", row)
        }
        let what = "the relationship \(entity.name).\(relationship.name)"
        if !stored.name.isIdentical(to: relationship.name) {
            refuse(
                relationship.name, keys,
                "\(what) is written \(stored.name) \(placeText(row)): the case of letters must be the same")
        }
        if stored.isMany != relationship.isMany {
            let (old, new) = stored.isMany ? ("to-many", "to-one") : ("to-one", "to-many")
            return refuse(
                relationship.name, keys + ["many"],
                "\(what) is \(old) \(placeText(row)), and the definition makes it \(new)" + way(row))
        }
        if stored.isSet != relationship.isSet {
            let (old, new) = stored.isSet ? ("sets", "lists") : ("lists", "sets")
            refuse(
                relationship.name, keys + ["set"],
                "the links of \(what) are \(old) \(placeText(row)), and the definition makes them \(new)" + way(row))
        }
        compareValues(relationship, stored, row, what)
        compareTargets(relationship, stored, row, what)
    }

    /// Compares what links have of their own.
    private mutating func compareValues(
        _ relationship: Relationship, _ stored: EntityDescription.Relationship, _ row: ModelRow, _ what: String
    ) {
        for value in relationship.values {
            guard let old = stored.values.first(where: { $0.name.isSameName(as: value.name) }) else { continue }
            let new = EntityDescription.Attribute(value.name, value.conversion.stored)
            guard old.form != new.form || !old.name.isIdentical(to: new.name) else { continue }
            refuse(
                relationship.name, ["relationships", relationship.name, "with", value.name],
                "the links of \(what) have \(old.name) as \(old.described) \(placeText(row)), and the definition makes it"
                    + " \(new.name), \(new.described)" + way(row))
        }
    }

    /// A relationship to several entities may get more of them; one to one entity stays with it.
    private mutating func compareTargets(
        _ relationship: Relationship, _ stored: EntityDescription.Relationship, _ row: ModelRow, _ what: String
    ) {
        let targets = relationship.targets.map { model.entities[$0.entity].name }
        let lost = stored.targets.filter { name in !targets.contains { $0.isIdentical(to: name) } }
        guard !lost.isEmpty || stored.isPolymorphic != relationship.isPolymorphic else { return }
        refuse(
            relationship.name, ["relationships", relationship.name, "to"],
            "\(what) leads to \(list(stored.targets)) \(placeText(row)), and the definition makes it lead to"
                + " \(list(targets))" + way(row))
    }

    /// How the user can still change the relationship.
    private func way(_ row: ModelRow) -> String {
        isOwn(row) ? "; under another name, it is a new one, which the feed fills" : otherPipeline
    }

    /// What takes an entity that cannot change where it is.
    var anew: String {
        "; an entity of another name, or another store (--store), is filled anew, and this store stays as it is"
    }

    /// The way where another pipeline describes it, too.
    private var otherPipeline: String {
        "; say the same in both definitions, or give one of the pipelines a name of its own for it"
    }

    private mutating func refuseKind(
        _ name: String, _ keys: [String], _ part: EntityDescription.Part, _ new: String, _ row: ModelRow
    ) {
        let old =
            switch part {
            case .attribute: "an attribute"
            case .relationship: "a relationship"
            case .entityColumn(let relationship): "the column of the entities of the relationship \(relationship.name)"
            }
        refuse(
            name, keys,
            "\(entity.name).\(name) is \(old) \(placeText(row)), and the definition makes it \(new)" + way(row))
    }

    /// The part that a row describes under a name, if the store has that part.
    private func part(_ name: String, _ row: ModelRow) throws(Failure) -> EntityDescription.Part? {
        guard let part = parts[FoldedName(name)] else { return nil }
        if case .relationship(let relationship) = part, relationship.isMany {
            return try image.isLinkTable(row.description.linkTable(of: relationship)) ? part : nil
        }
        return try image.table(entity.table)?.column(name) == nil ? nil : part
    }

    // MARK: Sentences

    var path: String { image.path }

    func isOwn(_ row: ModelRow) -> Bool { row.pipeline.isIdentical(to: pipeline) }

    func placeText(_ row: ModelRow) -> String { "in the store \(path) (pipeline \(row.pipeline))" }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    mutating func refuse(_ part: String, _ keys: [String], _ message: String) {
        refusedParts.insert(FoldedName(part))
        contradictions.append(SchemaContradiction(message: message, keys: ["entities", entity.name] + keys))
    }
}
