// Objects that have all that a record says.
extension DraftEntity {
    /// What records have beside an object with all that they say: which one they are, and what is about the answer.
    private static let besideEnvelope: Set = [
        "_id", "_ignored", "_index", "_primary_term", "_routing", "_score", "_seq_no", "_type", "_version",
        "createdTime",
        "expand", "found", "id", "key", "lid", "matched_queries", "self", "sort", "type",
    ]

    /// Whether records say nothing by themselves but which ones they are: all else is in objects.
    var hasEnvelope: Bool {
        let own = columns.compactMap { $0.path?.count == 1 ? $0.path?[0] : nil }
        return own.allSatisfy(DraftEntity.besideEnvelope.contains)
    }

    /// The object that has all that a record says, by a name that says what that is: `{ "league": { "id": 78, … } }`;
    /// nil: there is none.
    var only: String? {
        let paths = columns.filter { $0.cut == nil }.compactMap(\.path)
        guard place.steps.last == .element, let first = paths.first?.first, paths.count > 1,
            !Names.isGeneric(first), !DraftEntity.saysNothing.contains(first.lowercased()),
            Names.rank(first, of: "") == .other, !DraftColumn.envelopes.contains(first),
            paths.allSatisfy({ $0.count > 1 && $0[0].isIdentical(to: first) })
        else { return nil }
        return first
    }

    private static let saysNothing: Set = [
        "base", "body", "core", "details", "general", "info", "main", "meta", "metadata", "node",
    ]
}
