/// A link of an object by a to-many relationship.
package struct Link: Hashable, Sendable, BitwiseCopyable {
    /// Of which object: see `Reference`.
    package var reference: Reference
    /// Its place among the values of the record, from 0.
    package var position: Int64
    /// What it has of its own, by its number among `LinkValues`.
    package var values: Int32 = 0

    @inlinable package init(
        reference: Reference, position: Int64, values: Int32 = 0
    ) {
        self.reference = reference
        self.position = position
        self.values = values
    }
}

/// A link with the object that has it.
package struct SourceLink: Sendable, BitwiseCopyable {
    package var source: Int64
    package var link: Link

    @inlinable package init(source: Int64, link: Link) {
        self.source = source
        self.link = link
    }
}

/// A reference, seen from its target.
package struct Referrer: Hashable, Sendable {
    /// Which object refers to it.
    package var objectID: Int64
    package var target: Int64
    /// Of a to-many relationship: the link's place among the values of the record; else 0.
    package var position: Int64
    /// What the link has of its own, by its number among `LinkValues`.
    package var values: Int32 = 0

    @inlinable package init(
        objectID: Int64, target: Int64, position: Int64, values: Int32 = 0
    ) {
        self.objectID = objectID
        self.target = target
        self.position = position
        self.values = values
    }
}

/// What makes the links of an object what they should be.
package struct LinkChange: Sendable {
    package var source: Int64
    package var removed: [Link] = []
    package var added: [Link] = []
    /// Those of a set that have another position or other values; those of a list that lead elsewhere or have other
    /// values.
    package var changed: [Link] = []

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty && changed.isEmpty }
}

extension LinkChange {
    /// What makes the links that an object has those that it should have. Those of a set are distinguished by their
    /// targets, those of a list by their positions.
    init(_ source: Int64, from held: [Link], to links: [Link], isSet: Bool) {
        self.source = source
        if held.isEmpty {
            added = links
            return
        }
        let name = { (link: Link) in isSet ? link.reference.number : link.position }
        var known = Dictionary(held.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        for link in links {
            guard let before = known.removeValue(forKey: name(link)) else {
                added.append(link)
                continue
            }
            if before != link { changed.append(link) }
        }
        removed = known.values.sorted { ($0.reference, $0.position) < ($1.reference, $1.position) }
    }
}
