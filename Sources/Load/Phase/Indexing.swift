/// How the identifiers of a new table come, which decides when they are indexed best.
package enum IdentifierOrder: Sendable {
    /// It is looked at in the first batch.
    case observed
    case sorted
    case random
}

/// What the entities of a run have in common, of how identifiers come and what is done about it.
final class Indexing {
    /// Fewer objects than these are found quickly, in whatever order.
    private static let manyObjects: Int64 = 50_000

    let order: IdentifierOrder
    let budget: IdentifierFilter.Budget

    init(_ order: IdentifierOrder, _ budget: IdentifierFilter.Budget = .init()) {
        self.order = order
        self.budget = budget
    }

    /// Whether so many of an entity's objects are looked up by their identifiers, each by itself, that it is quicker to
    /// read them all: where these are a share of all, one part in `share`.
    func isWorth(_ lookedUp: Int, of objects: Int64, share: Int) -> Bool {
        switch order {
        case .sorted: false
        case .random: lookedUp > 0
        case .observed: isMany(objects) && lookedUp * share >= objects
        }
    }

    /// Whether objects are so many that their pages are written and read again where these are met in no order.
    func isMany(_ objects: Int64) -> Bool { objects >= Indexing.manyObjects }

    /// Whether numbers that follow one another are mostly far apart: so far that what is written by them goes to a page of
    /// its own each time.
    static func areFarApart(_ count: Int, _ number: (Int) -> Int) -> Bool {
        // Fewer say nothing of their order.
        guard count >= 100 else { return false }
        let near = (1..<count).count { abs(number($0) - number($0 - 1)) <= 16 }
        return near * 2 < count
    }
}
