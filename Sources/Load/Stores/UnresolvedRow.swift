import SluiceRecords

/// An entry of the waiting list, as people see it.
package struct UnresolvedRow: Sendable {
    /// The run that found it.
    package var run: Int
    /// When that run started (RFC 3339, UTC); nil: the ledger has forgotten it.
    package var since: String?
    package var entity: String
    /// JSON: of the object that refers; a list for several attributes.
    package var identifier: String
    package var relationship: String
    /// The entities that the target may be of.
    package var targets: [String]
    /// JSON: the identifier of the target.
    package var value: String
    /// Where it stood in the feed; nil: no record of that run held it.
    package var at: FeedPosition?
    /// JSON: what that run read.
    package var sources: String?

    package init(
        run: Int, since: String? = nil, entity: String, identifier: String, relationship: String, targets: [String],
        value: String, at: FeedPosition? = nil, sources: String? = nil
    ) {
        self.run = run
        self.since = since
        self.entity = entity
        self.identifier = identifier
        self.relationship = relationship
        self.targets = targets
        self.value = value
        self.at = at
        self.sources = sources
    }
}

/// Which entries of the waiting list are wanted.
package struct UnresolvedFilter: Sendable {
    /// The entity whose objects refer; nil: all.
    package var entity: String?
    /// Nil: all.
    package var relationship: String?

    package init(entity: String? = nil, relationship: String? = nil) {
        self.entity = entity
        self.relationship = relationship
    }

    /// The relationships that are wanted, by the names of their entities and their own: a store may know others, of
    /// entities and relationships that the definition does not have, or not any more.
    package func relationships(of model: Model) -> [(entity: String, name: String)] {
        let entities = model.entities.filter { $0.name.isIdentical(to: entity ?? $0.name) }
        return entities.flatMap { owner in
            owner.relationships.filter { $0.name.isIdentical(to: relationship ?? $0.name) }
                .map { (entity: owner.name, name: $0.name) }
        }
    }
}

/// A target that references wait for.
package struct UnresolvedTarget: Sendable {
    /// The entity whose objects refer.
    package var entity: String
    package var relationship: String
    /// The entities that the target may be of.
    package var targets: [String]
    /// JSON: the identifier of the target.
    package var value: String
    /// How many references wait for it.
    package var references: Int
    /// The first run that found one of them.
    package var run: Int
}

extension UnresolvedTarget {
    /// - Parameter target: the entity that the record names; nil: any that the relationship leads to.
    package init(
        _ entity: Entity, _ relationship: String, target: String?, value: String, references: Int, run: Int,
        in model: Model
    ) {
        self.entity = entity.name
        self.relationship = relationship
        targets = target.map { [$0] } ?? entity.targetNames(of: relationship, in: model)
        self.value = value
        self.references = references
        self.run = run
    }
}

extension Entity {
    /// The entities that a relationship leads to.
    package func targetNames(of relationship: String, in model: Model) -> [String] {
        let relationship = relationships.first { $0.name.isIdentical(to: relationship) }
        return relationship?.targets.map { model.entities[$0.entity].name } ?? []
    }
}

extension Model {
    /// The entity of that name; the waiting list may name one that the definition does not have.
    package func entity(named name: String) -> Entity? { entities.first { $0.name.isIdentical(to: name) } }
}
