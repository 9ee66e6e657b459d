import SluiceRecords

extension Entity {
    /// Whether a record may be known by the bytes of its item alone: whether nothing but the record, and the objects that
    /// it names by their identifiers, has a say in what becomes of it.
    var isKnowable: Bool {
        mode == .upsert && deletions.isEmpty && edits == .replace && !isOfPrograms && !takesPlaces
            && relationships.allSatisfy(\.isKnowable) && !slots.contains { $0.path.isKey || $0.path.root == .request }
    }

    /// Whether a value says where the record stands.
    private var takesPlaces: Bool {
        let rules =
            attributes.map(\.value)
            + relationships.flatMap { $0.key + $0.values.map(\.value) + ($0.selector.map { [$0] } ?? []) }
        return rules.contains(where: \.takesPlace)
    }
}

extension Relationship {
    /// Whether its target is named by its identifier, and needs no more than to be there.
    fileprivate var isKnowable: Bool { !isSearched && ways.isEmpty && stub.isEmpty && missing != .reject }
}

extension ValueRule {
    /// Whether it takes the line of the record, or the name of its file.
    fileprivate var takesPlace: Bool {
        switch origin {
        case .line, .fileName: true
        case .first(let rules), .joined(let rules, _): rules.contains(where: \.takesPlace)
        case .elements(_, let rule, _): rule.takesPlace
        case .slot, .oneOrMany, .constant: false
        }
    }
}
