import SluiceExtract
import SluiceRecords

/// What a seed promises to programs: its entities, with their tables, identifiers, attributes and relationships.
package struct SeedModel: Sendable, Hashable {
    /// By name.
    package var entities: [SeedEntity]

    package init(_ entities: [SeedEntity]) {
        self.entities = entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The text of which the hash is the model's: see ``CanonicalJSON``.
    var canonical: String { CanonicalJSON.object(entities.map { ($0.name, CanonicalJSON.object($0.members)) }) }

    /// SHA-256, in hexadecimal.
    package func hash() throws(Failure) -> String { try SHA256.digest(of: canonical) }
}

/// An entity of a seed.
package struct SeedEntity: Sendable, Hashable {
    package struct Attribute: Sendable, Hashable {
        package var name: String
        /// Canonical JSON: the name of a type; or an object, where the definition says more of how values are stored.
        package var type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    package struct Relationship: Sendable, Hashable {
        package var name: String
        package var targets: [String]
        package var isMany: Bool

        package init(name: String, targets: [String], isMany: Bool) {
            self.name = name
            self.targets = targets
            self.isMany = isMany
        }
    }

    package var name: String
    package var table: String
    package var identifier: [String]
    package var attributes: [Attribute]
    package var relationships: [Relationship]
    /// Canonical JSON of what its objects are found by besides, words and places; nil: by nothing.
    package var search: String?
    package var near: String?

    package init(
        name: String, table: String, identifier: [String], attributes: [Attribute], relationships: [Relationship],
        search: String? = nil, near: String? = nil
    ) {
        self.name = name
        self.table = table
        self.search = search
        self.near = near
        self.identifier = identifier
        self.attributes = attributes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.relationships = relationships.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// All but the number of objects, each value canonical.
    var members: [(String, String)] {
        let attributes = attributes.map { ($0.name, $0.type) }
        let relationships = relationships.map { relationship in
            let members = [
                ("many", "\(relationship.isMany)"),
                ("to", CanonicalJSON.list(relationship.targets.map(CanonicalJSON.text))),
            ]
            return (relationship.name, CanonicalJSON.object(members))
        }
        return [
            ("attributes", CanonicalJSON.object(attributes)),
            ("identifier", CanonicalJSON.list(identifier.map(CanonicalJSON.text))),
            ("relationships", CanonicalJSON.object(relationships)), ("table", CanonicalJSON.text(table)),
        ] + [("search", search), ("near", near)].compactMap { name, value in value.map { (name, $0) } }
    }
}

extension SeedEntity.Attribute {
    /// An attribute as a definition has it.
    package init(_ name: String, _ form: StoredForm) {
        self.name = name
        var members = [("type", CanonicalJSON.text(form.type.rawValue))]
        if let fraction = form.fraction, fraction != StoredForm.defaultFraction {
            members.append(("fraction", String(fraction)))
        }
        if let scale = form.scale { members.append(("scale", String(scale))) }
        if form.isInteger { members.append(("as", CanonicalJSON.text("integer"))) }
        type = members.count == 1 ? members[0].1 : CanonicalJSON.object(members)
    }
}

extension SeedModel {
    /// What of a definition's model a seed could have.
    package init(_ model: Model) {
        self.init(
            model.entities.filter { !$0.isOfPrograms }.map { entity in
                SeedEntity(
                    name: entity.name, table: entity.table,
                    identifier: entity.identifier.map { entity.attributes[$0].name },
                    attributes: entity.attributes.map { SeedEntity.Attribute($0.name, $0.conversion.stored) },
                    relationships: entity.relationships.map { relationship in
                        SeedEntity.Relationship(
                            name: relationship.name,
                            targets: relationship.targets.map { model.entities[$0.entity].name },
                            isMany: relationship.isMany)
                    }, search: entity.search.map(CanonicalJSON.search), near: entity.place.map(CanonicalJSON.near))
            })
    }
}

extension CanonicalJSON {
    /// How objects are found by words.
    static func search(_ index: SearchIndex) -> String {
        object([
            ("fields", list(index.fields.map(text))), ("prefix", list(index.prefixes.map(String.init))),
            ("tokenize", text(index.tokenizer)),
        ])
    }

    /// How they are found by where they are.
    static func near(_ index: PlaceIndex) -> String { list([text(index.latitude), text(index.longitude)]) }
}
