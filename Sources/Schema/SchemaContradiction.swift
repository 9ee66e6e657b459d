import SluiceRecords

/// Why a store and a definition do not fit together.
package struct SchemaContradiction: Sendable {
    /// A sentence without a full stop, which names both sides.
    package var message: String
    /// The keys that lead to the place in the definition: `["entities", "Stop", "attributes", "name"]`.
    package var keys: [String]

    package init(
        message: String, keys: [String]
    ) {
        self.message = message
        self.keys = keys
    }
}

extension [SchemaContradiction] {
    /// Throws the first of them, with how many more there are.
    ///
    /// - Parameter place: where in the definition a list of keys leads.
    package func refuse(_ place: ([String]) -> Failure.Place?) throws(Failure) {
        guard let first else { return }
        let rest = count - 1
        throw Failure(.definition, first.message + (rest > 0 ? " (and \(rest) more)" : ""), at: place(first.keys))
    }
}
