/// How the identifiers of a new table come, which decides when they are indexed best.
package enum IdentifierOrder: Sendable {
    /// It is looked at in the first batch.
    case observed
    case sorted
    case random
}

/// The settings that all entities of a run share about the order of identifiers.
final class Indexing {
    /// Fewer objects than these are found quickly, in whatever order.
    private static let manyObjects: Int64 = 50_000

    let order: IdentifierOrder
    let budget: IdentifierFilter.Budget

    init(_ order: IdentifierOrder, _ budget: IdentifierFilter.Budget = .init()) {
        self.order = order
        self.budget = budget
    }

    /// Whether reading all objects of an entity is faster than looking so many up by their identifiers, each by itself:
    /// where these are at least one in `share` of all.
    func isWorth(_ lookedUp: Int, of objects: Int64, share: Int) -> Bool {
        switch order {
        case .sorted: false
        case .random: lookedUp > 0
        case .observed: isMany(objects) && lookedUp * share >= objects
        }
    }

    /// Whether there are so many objects that their pages are written and read again when the objects come in no order.
    func isMany(_ objects: Int64) -> Bool { objects >= Indexing.manyObjects }

    /// Whether successive numbers are mostly so far apart that each row written by them goes to another page.
    static func areFarApart(_ count: Int, _ number: (Int) -> Int) -> Bool {
        // Fewer numbers show no order.
        guard count >= 100 else { return false }
        let near = (1..<count).count { abs(number($0) - number($0 - 1)) <= 16 }
        return near * 2 < count
    }
}
