import SluiceRecords

/// Finds members that have the key by which their record is in a map: `"Q64": { "id": "Q64", … }`. They say better what
/// the key is, which then is no attribute.
struct KeyNames {
    private let pairs: [(key: DraftColumn, member: DraftColumn)]

    init(_ entities: [DraftEntity]) {
        pairs = entities.filter { !$0.isEmbedded }.flatMap { entity in
            entity.columns.filter { $0.isKey && $0.cut == nil }.flatMap { key in
                entity.columns.filter { KeyNames.mayBe($0, key) }.map { (key, $0) }
            }
        }
    }

    /// Whether the sketches let a member have a key.
    private static func mayBe(_ member: DraftColumn, _ key: DraftColumn) -> Bool {
        guard case .member = member.origin, member.isAlwaysThere, member.cut == nil, member.facts.reals.count == 0,
            member.facts.empties == 0, member.facts.sketch.count == key.facts.sketch.count
        else { return false }
        let (values, found) = member.facts.sketch.comparison(with: key.facts.sketch)
        return values > 0 && found == values
    }

    /// Has both compared in every record.
    func compare(_ measures: [RecordMeasure]) {
        for (key, member) in pairs { measures[key.entity.index].compare(key, member) }
    }

    /// Takes what was found into account.
    func settle(_ measures: [RecordMeasure]) {
        for (key, member) in pairs where key.sameAs == nil {
            let measure = measures[key.entity.index]
            if measure.records > 1, measure.equal(key, member) == measure.records { key.sameAs = member }
        }
    }
}
