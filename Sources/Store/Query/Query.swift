import SluiceSchema

/// Which objects of an entity, and in which order: a value, which a store runs.
public struct Query<Object: StoredObject>: Sendable {
    var condition: Condition<Object>?
    private var order: [Ordering<Object>] = []
    private var most: Int?
    private var skipped = 0
    /// The seed that it is about; nil: the store itself.
    private(set) var seed: String?

    init(condition: Condition<Object>? = nil) { self.condition = condition }

    /// Those of them that meet a condition.
    public func filter(_ condition: (Object.Columns) -> Condition<Object>) -> Query {
        var query = self
        let other = condition(Object.columns)
        query.condition = self.condition.map { $0 && other } ?? other
        return query
    }

    /// In the order of these; then of those given before. Without, in any order.
    public func sorted(_ order: (Object.Columns) -> [Ordering<Object>]) -> Query {
        var query = self
        query.order = order(Object.columns) + query.order
        return query
    }

    /// At most so many, after those that are skipped.
    public func limit(_ count: Int, skipping skipped: Int = 0) -> Query {
        var query = self
        query.most = max(0, count)
        query.skipped = max(0, skipped)
        return query
    }

    /// Those of a seed beside the store, by the name that ``Store/init(_:access:seeds:objects:)`` gave it.
    public func `in`(_ seed: String) -> Query {
        var query = self
        query.seed = seed
        return query
    }

    // MARK: SQL

    /// Whether it is about all objects that meet the condition.
    var isUnlimited: Bool { most == nil }

    /// - Parameter isOrdered: whether it matters which object comes first.
    func select(_ columns: String, isOrdered: Bool = true) -> Fragment {
        var fragment = Fragment([.sql("SELECT \(columns) FROM "), .table(Object.columnList.table)])
        if let condition { fragment.append(" WHERE " + condition.fragment) }
        if isOrdered, !order.isEmpty { fragment.append(" ORDER BY " + Fragment(joining: order.map(\.fragment), ", ")) }
        if let most { fragment.append(" LIMIT \(most) OFFSET \(skipped)") }
        return fragment
    }

    /// The objects with all their columns.
    var selection: Fragment { select(Object.columnList.selected) }

    /// Their objectIDs, as part of another statement: of its tables, those of this query are.
    var objectIDs: Fragment {
        let selected = select("\(quoted(Object.columnList.table)).\"objectID\"")
        guard let seed else { return selected }
        return Fragment(selected.pieces.map { $0.inSeed(seed) })
    }

    /// How many there are.
    var count: Fragment {
        guard !isUnlimited else { return select("count(*)", isOrdered: false) }
        return "SELECT count(*) FROM (" + select("1") + ") AS counted"
    }
}

/// A column or calculation to sort by.
public struct Ordering<Object: StoredObject>: Sendable {
    let fragment: Fragment
}

extension Operand {
    /// The smallest first, null before all: numbers and times as such, texts by their bytes.
    public var ascending: Ordering<Object> {
        Ordering(fragment: expression.ordered + Fragment(file: "", server: " NULLS FIRST"))
    }
    /// The greatest first, null last.
    public var descending: Ordering<Object> {
        Ordering(fragment: expression.ordered + Fragment(file: " DESC", server: " DESC NULLS LAST"))
    }
}
