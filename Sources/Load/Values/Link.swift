/// A link of an object by a to-many relationship.
public struct Link: Hashable, Sendable {
    /// Of which object: see `Reference`.
    public var reference: Reference
    /// Its place among the values of the record, from 0.
    public var position: Int64
}

/// A link with the object that has it.
public struct SourceLink: Sendable, BitwiseCopyable {
    public var source: Int64
    /// To which object: see `Reference`.
    public var reference: Reference
    /// Its place among the values of the record, from 0.
    public var position: Int64
}

/// A reference, seen from its target.
public struct Referrer: Hashable, Sendable {
    /// Which object refers to it.
    public var objectID: Int64
    public var target: Int64
    /// Of a to-many relationship: the link's place among the values of the record; else 0.
    public var position: Int64
}

/// What makes the links of an object what they should be.
public struct LinkChange: Sendable {
    public var source: Int64
    public var removed: [Reference] = []
    public var added: [Link] = []
    public var moved: [Link] = []

    public var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty }
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
