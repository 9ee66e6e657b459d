/// A link of an object by a to-many relationship.
package struct Link: Hashable, Sendable {
    /// Of which object: see `Reference`.
    package var reference: Reference
    /// Its place among the values of the record, from 0.
    package var position: Int64
}

/// A link with the object that has it.
package struct SourceLink: Sendable, BitwiseCopyable {
    package var source: Int64
    /// To which object: see `Reference`.
    package var reference: Reference
    /// Its place among the values of the record, from 0.
    package var position: Int64
}

/// A reference, seen from its target.
package struct Referrer: Hashable, Sendable {
    /// Which object refers to it.
    package var objectID: Int64
    package var target: Int64
    /// Of a to-many relationship: the link's place among the values of the record; else 0.
    package var position: Int64
}

/// What makes the links of an object what they should be.
package struct LinkChange: Sendable {
    package var source: Int64
    package var removed: [Reference] = []
    package var added: [Link] = []
    package var moved: [Link] = []

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty }
}

extension LinkChange {
    /// What makes the links that an object has those that it should have.
    init(_ source: Int64, from held: [Link], to links: [Link]) {
        self.source = source
        if held.isEmpty {
            added = links
            return
        }
        var positions = Dictionary(held.map { ($0.reference, $0.position) }, uniquingKeysWith: { first, _ in first })
        for link in links {
            guard let position = positions.removeValue(forKey: link.reference) else {
                added.append(link)
                continue
            }
            if position != link.position { moved.append(link) }
        }
        removed = positions.keys.sorted()
    }
}
