/// Why a store and a definition do not fit together.
public struct SchemaContradiction: Sendable {
    /// A sentence without a full stop, which names both sides.
    public var message: String
    /// What leads to the place in the definition: `["entities", "Stop", "attributes", "name"]`.
    public var keys: [String]
}
