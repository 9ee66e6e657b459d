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

/// Which entries of the waiting list are asked for.
package struct UnresolvedFilter: Sendable {
    /// The entity whose objects refer; nil: all.
    package var entity: String?
    /// Nil: all.
    package var relationship: String?

    package init(entity: String? = nil, relationship: String? = nil) {
        self.entity = entity
        self.relationship = relationship
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

    package init(
        entity: String, relationship: String, targets: [String], value: String, references: Int, run: Int
    ) {
        self.entity = entity
        self.relationship = relationship
        self.targets = targets
        self.value = value
        self.references = references
        self.run = run
    }
}
