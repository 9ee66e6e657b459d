/// Which values an attribute may have, as its definition says (`min`, `max`, `oneOf`); null is none of them, and always
/// may be.
public struct ValueBounds: Sendable {
    /// The least.
    public var min: (any StoreValue)?
    /// The greatest.
    public var max: (any StoreValue)?
    /// All that there are; empty: any.
    public var oneOf: [any StoreValue]

    /// Bounds; without arguments any value.
    public init(min: (any StoreValue)? = nil, max: (any StoreValue)? = nil, oneOf: [any StoreValue] = []) {
        self.min = min
        self.max = max
        self.oneOf = oneOf
    }

    /// Whether any value will do.
    var isEmpty: Bool { min == nil && max == nil && oneOf.isEmpty }
}
