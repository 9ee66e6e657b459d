import SluiceRecords

extension Relationship.Target {
    /// The forms of its identifier: all that decides how a value becomes one.
    package var identifierTypes: String { conversions.map(\.stored.name).joined(separator: " ") }
}

extension Relationship {
    /// The labels of the searches for a target, which distinguish their values: the types of the identifiers, or the
    /// ways.
    package func searchLabels(in model: Model) -> [String] {
        ways.isEmpty ? targets.map(\.identifierTypes) : ways.indices.map { wayLabels($0, in: model).own }
    }
}
