import SluiceRecords

/// All mistakes of a definition, in the order of the file.
package struct DefinitionProblems: Error, Sendable, CustomStringConvertible {
    /// At least one.
    package let failures: [Failure]

    /// All mistakes of a definition; there is one at least.
    package init(_ failures: [Failure]) {
        self.failures = failures.enumerated().sorted { left, right in
            let places = (left.element.place?.offset ?? 0, right.element.place?.offset ?? 0)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }

    /// What the exit status says.
    package var kind: Failure.Kind { failures.first?.kind ?? .definition }

    /// One mistake a line.
    package var description: String { failures.map(\.description).joined(separator: "\n") }
}
