import SluiceRecords

/// Why a store and a definition do not fit together.
struct SchemaContradiction: Sendable {
    /// A sentence without a full stop, which names both sides.
    var message: String
    /// What leads to the place in the definition: `["entities", "Stop", "attributes", "name"]`.
    var keys: [String]
}

extension [SchemaContradiction] {
    /// Throws the first of them, with how many more there are.
    ///
    /// - Parameter place: where in the definition a list of keys leads.
    func refuse(_ place: ([String]) -> Failure.Place?) throws(Failure) {
        guard let first else { return }
        let rest = count - 1
        throw Failure(.definition, first.message + (rest > 0 ? " (and \(rest) more)" : ""), at: place(first.keys))
    }
}
