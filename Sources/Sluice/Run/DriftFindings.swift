import Extract
import Records

/// What all feeds of a run hold that the definition does not expect, as findings: one for each entity and field.
struct DriftFindings {
    private let model: Model
    private let drifts: [FeedDrift]

    init(_ model: Model, _ drifts: [FeedDrift]) {
        self.model = model
        self.drifts = drifts
    }

    func report(to sink: any FindingSink) {
        for finding in fields + members {
            sink.report(.drift, at: finding.at.position) { finding }
        }
    }

    private struct FieldKey: Hashable, Comparable {
        var entity: Int
        /// By bytes: two spellings of one letter are two names in a feed.
        var path: [UInt8]
        var isRepeated: Bool

        static func < (a: FieldKey, b: FieldKey) -> Bool {
            if a.entity != b.entity { return a.entity < b.entity }
            if a.path != b.path { return a.path.lexicographicallyPrecedes(b.path) }
            return !a.isRepeated && b.isRepeated
        }
    }

    /// The fields that records have, by their first records.
    private var fields: [Finding] {
        var found: [FieldKey: FeedDrift.Field] = [:]
        for field in drifts.flatMap(\.fields) {
            let key = FieldKey(
                entity: field.entity, path: Array(field.path.description.utf8), isRepeated: field.isRepeated)
            var total = found[key] ?? field
            if found[key] != nil { total.records += field.records }
            if field.first.position < total.first.position { total.first = field.first }
            found[key] = total
        }
        let ordered = found.sorted { left, right in
            let (at, other) = (left.value.first.position, right.value.first.position)
            return at == other ? left.key < right.key : at < other
        }
        return ordered.map { _, field in
            finding(
                field.entity, field.isRepeated ? .repeated : .unknown, field.path.description, field.records,
                field.first)
        }
    }

    /// The attributes and relationships of which no record has anything. An entity without records says nothing.
    private var members: [Finding] {
        model.entities.indices.flatMap { index -> [Finding] in
            guard let first = drifts.compactMap({ $0.firsts[index] }).min(by: { $0.position < $1.position }) else {
                return []
            }
            let entity = model.entities[index]
            let attributes = entity.attributes.map { ($0.name, [$0.value]) }
            let relationships = entity.relationships.map { ($0.name, $0.key) }
            return (attributes + relationships).compactMap { name, rules in
                let slots = rules.flatMap(\.slots)
                let isFilled = slots.contains { slot in drifts.contains { $0.filled[index][slot] } }
                guard !isFilled else { return nil }
                let paths = slots.map { entity.slots[$0].path.description }
                return finding(index, .missing(member: name), paths.joined(separator: ", "), 0, first)
            }
        }
    }

    private func finding(
        _ entity: Int, _ drift: Finding.Drift, _ field: String, _ records: UInt64, _ first: FeedLocation
    ) -> Finding {
        Finding(
            entity: model.entities[entity].name, identifier: "null",
            detail: .drift(drift, field: field, records: records), at: first)
    }
}

extension ValueRule {
    /// The slots that the value is made of.
    fileprivate var slots: [Int] {
        switch origin {
        case .slot(let slot): [slot]
        case .first(let rules), .joined(let rules, _): rules.flatMap(\.slots)
        }
    }
}
