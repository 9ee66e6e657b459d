import SluiceRecords

/// All mistakes of a definition, in the order of the file.
public struct DefinitionProblems: Error, Sendable, CustomStringConvertible {
    /// At least one.
    public let failures: [Failure]

    /// All mistakes of a definition; there is one at least.
    package init(_ failures: [Failure]) {
        self.failures = failures.enumerated().sorted { left, right in
            let places = (left.element.place?.offset ?? 0, right.element.place?.offset ?? 0)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }

    /// What the exit status says.
    public var kind: Failure.Kind { failures.first?.kind ?? .definition }

    /// One mistake a line.
    public var description: String { failures.map(\.description).joined(separator: "\n") }
}
