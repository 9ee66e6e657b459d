/// Why a store and a definition do not fit together.
struct SchemaContradiction: Sendable {
    /// A sentence without a full stop, which names both sides.
    var message: String
    /// What leads to the place in the definition: `["entities", "Stop", "attributes", "name"]`.
    var keys: [String]
}
