/// Which typed cell of a row holds what: the attributes first, in their order, then the keys of each relationship.
///
/// A relationship's cells are: its selector, if it has one (an `integer` cell, the index of the target within the
/// relationship's targets; null where the reference is null); then for each way to find the target (else for each
/// target) the converted values of the key. With a selector, only the cells of the selected target count. A way whose
/// values are null has `impossible` ones there, unless all ways have none. Then come the values that links have of
/// their own, last what is said of stubs. A to-many relationship has lists in all of them, side by side.
public struct RowLayout: Sendable {
    /// All cells of a row.
    public let width: Int
    /// The first cell of each relationship.
    public let relationshipStart: [Int]

    /// The layout of an entity's rows.
    public init(_ entity: Entity) {
        var next = entity.attributes.count
        var starts: [Int] = []
        for relationship in entity.relationships {
            starts.append(next)
            next += relationship.cellCount
        }
        width = next
        relationshipStart = starts
    }

    /// The first key cell of a way of a relationship.
    public func keyStart(_ relationship: Relationship, at index: Int, way: Int) -> Int {
        relationshipStart[index] + (relationship.selector == nil ? 0 : 1) + way * relationship.keyWidth
    }

    /// The first cell of the values that the links of a relationship have.
    public func valueStart(_ relationship: Relationship, at index: Int) -> Int {
        relationshipStart[index] + relationship.keyCellCount
    }

    /// The first cell of what a relationship says of stubs.
    public func stubStart(_ relationship: Relationship, at index: Int) -> Int {
        valueStart(relationship, at: index) + relationship.values.count
    }
}

extension Relationship {
    /// How many cells a reference has, see ``RowLayout``.
    public var cellCount: Int { keyCellCount + values.count + stub.count }

    /// How many of them say what the reference is to.
    public var keyCellCount: Int { (selector == nil ? 0 : 1) + searchCount * keyWidth }
}
