import SluiceExtract
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Fields in the feeds of a run that the definition does not expect, or that the last succeeded run did not meet: a
/// finding for each entity and field.
struct DriftFindings {
    private let model: Model
    private let drifts: [FeedDrift]
    private let census: FieldCensus
    private let baseline: Baseline?
    /// By entity: whether all its records come, not only those that are new.
    private let comesWhole: [Bool]
    /// By entity.
    private let sought: [SoughtPaths]
    /// The fields that records have, by their first records.
    private var fields: [(field: FieldKey, finding: Finding)] = []
    /// The elements that no entity takes, by their kind, in the order of the first ones.
    private var untaken: [(entity: Int, finding: Finding)] = []

    /// - Parameters:
    ///   - drifts: of each source.
    ///   - baseline: nil: there is nothing to compare with.
    ///   - comesWhole: by source: whether all its records come, not only those that are new.
    init(
        _ model: Model, _ drifts: [FeedDrift], _ census: FieldCensus, _ baseline: Baseline? = nil,
        comesWhole: [Bool]
    ) {
        self.comesWhole = model.entities.map { $0.sources.allSatisfy { comesWhole[$0] } }
        self.model = model
        sought = model.entities.map { SoughtPaths($0, in: model) }
        self.drifts = drifts
        self.census = census
        self.baseline = baseline
        fields = foundFields
        untaken = foundUntaken
    }

    /// Reports the findings: what is new first, then by their weight.
    func report(to sink: any FindingSink) {
        for finding in findings { sink.report(.drift, at: finding.at.position) { finding } }
    }

    /// All findings, in the order of their weight.
    var findings: [Finding] {
        let all = missing + emptied + retyped + untaken.map(\.finding) + fields.map(\.finding)
        // What has no weight of its own stays in the order of the feed.
        return all.enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }.map(
            \.element)
    }

    /// Notes in a report what its text and its limits need, and what later runs are compared with.
    func addFacts(to report: inout RunReport) {
        report.earlier.compared = baseline?.run
        for kind in Finding.Kind.allCases { report.earlier.counts[kind] = baseline?.count(kind) }
        let retyped = retyped
        for index in report.entities.indices {
            addFacts(to: &report.entities[index], index)
            let name = report.entities[index].name
            report.entities[index].drifted.type = retyped.compactMap { finding in
                guard finding.entity?.isIdentical(to: name) == true, case .drift(let drift, _, _) = finding.detail
                else { return nil }
                return drift.member
            }
        }
        for (field, finding) in fields { add(field, finding, to: &report.entities[field.entity]) }
        for (entity, field) in untaken where report.entities[entity].untaken.count < RunReport.EntityFacts.namesKept {
            guard case .drift(_, let name, let records) = field.detail else { continue }
            report.entities[entity].untaken.append(.init(name: name, records: Int(records), isNew: field.isNew))
        }
    }

    private func addFacts(to facts: inout RunReport.EntityFacts, _ index: Int) {
        if comesWhole[index] {
            facts.recordsBefore = baseline?.entity(facts.name)?.counts.records
            facts.news = news(facts)
        }
        facts.fields = census.fields(of: index)
        facts.drifted.shape = fields.compactMap { key, finding in
            if key.entity == index, case .drift(.shape, let field, _) = finding.detail { field } else { nil }
        }
        guard census.recordCount(index) > 0 else { return }
        let missing = facts.fields.filter { $0.isMissing && tells($0, of: index) }
        let expected = missing.filter { baseline?.hadOften($0.name, of: facts.name) == true }
        let emptied = facts.fields.filter { field in
            field.values == 0 && falls(field, of: index) != nil
                && baseline?.hadAlmostAlways(field.name, of: facts.name, isList: field.isList) == true
        }
        // Records since some time need not have all fields that all records together have.
        facts.drifted.missing = (missing + emptied).map(\.name)
        facts.drifted.expected = comesWhole[index] ? (expected + emptied).map(\.name) : []
    }

    /// What has become of an entity as a whole.
    private func news(_ facts: RunReport.EntityFacts) -> [RunReport.EntityNews] {
        RunReport.EntityNews.allCases.filter { news in
            switch news {
            case .fewer: isFewer(facts)
            case .replaced: isReplaced(facts)
            case .rewritten: isRewritten(facts)
            }
        }
    }

    /// Whether half of the records or fewer have come.
    private func isFewer(_ facts: RunReport.EntityFacts) -> Bool {
        guard let before = facts.recordsBefore else { return false }
        return before >= Limits.someRecords && facts.counts.records * 2 <= before
    }

    /// Whether the objects are all new ones, though the last run knew most of its own.
    private func isReplaced(_ facts: RunReport.EntityFacts) -> Bool {
        guard let baseline, let before = baseline.entity(facts.name)?.counts, before.records >= Limits.someRecords
        else { return false }
        let counts = facts.counts
        // Of the first run, which knows nothing, no one can say whether each night has other objects.
        return counts.created >= Limits.someRecords && counts.updated + counts.unchanged + counts.skipped == 0
            && (baseline.run == 1 || (before.updated + before.unchanged) * 2 >= before.records)
    }

    /// Whether nearly all objects were updated, though the last run left most of its own as they were.
    private func isRewritten(_ facts: RunReport.EntityFacts) -> Bool {
        guard let before = baseline?.entity(facts.name)?.counts else { return false }
        let (now, met) = (facts.counts, facts.counts.updated + facts.counts.unchanged + facts.counts.skipped)
        return now.updated >= Limits.someRecords && now.updated * 10 >= met * 9
            && before.unchanged >= Limits.someRecords && before.unchanged >= before.updated
    }

    private func add(_ field: FieldKey, _ finding: Finding, to facts: inout RunReport.EntityFacts) {
        guard case .drift(let drift, _, let records) = finding.detail else { return }
        if field.isRepeated, facts.repeated.count < RunReport.EntityFacts.namesKept {
            facts.repeated.append(field.path)
        } else if !field.isRepeated, facts.unused.count < RunReport.EntityFacts.namesKept {
            let sought: String? = if case .shape(let sought) = drift { sought } else { nil }
            facts.unused.append(
                .init(name: field.path, records: Int(records), isNew: finding.isNew, sought: sought))
        }
    }

    // MARK: Fields of records

    private struct FieldKey: Hashable, Comparable {
        var entity: Int
        var path: String
        var isRepeated: Bool

        static func == (a: FieldKey, b: FieldKey) -> Bool {
            (a.entity, a.isRepeated) == (b.entity, b.isRepeated) && a.path.isIdentical(to: b.path)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(entity)
            hasher.combine(ExactText(path))
            hasher.combine(isRepeated)
        }

        static func < (a: FieldKey, b: FieldKey) -> Bool {
            if a.entity != b.entity { return a.entity < b.entity }
            // By bytes: two spellings of one letter are two names in a feed.
            if !a.path.isIdentical(to: b.path) { return a.path.utf8.lexicographicallyPrecedes(b.path.utf8) }
            return !a.isRepeated && b.isRepeated
        }
    }

    private var foundFields: [(field: FieldKey, finding: Finding)] {
        var found: [FieldKey: FeedDrift.Field] = [:]
        for field in drifts.indices.flatMap(countedFields) where field.isRepeated || !isIgnored(field) {
            let key = FieldKey(entity: field.entity, path: field.path.description, isRepeated: field.isRepeated)
            var total = found[key] ?? field
            if found[key] != nil { total.records += field.records }
            if field.first.position < total.first.position { total.first = field.first }
            found[key] = total
        }
        let ordered = found.sorted { left, right in
            let (at, other) = (left.value.first.position, right.value.first.position)
            return at == other ? left.key < right.key : at < other
        }
        return ordered.map { key, field in
            (key, finding(field.entity, drift(of: field), key.path, field.records, field.first))
        }
    }

    private func drift(of field: FeedDrift.Field) -> Finding.Drift {
        if field.isRepeated { return .repeated }
        return sought[field.entity].path(into: field.path).map { .shape(sought: $0.description) } ?? .unknown
    }

    /// The fields of the records of a source that count.
    private func countedFields(ofSource source: Int) -> [FeedDrift.Field] {
        drifts[source].counted { census.records(noting: $1, of: $0, source: source) }
    }

    private func isIgnored(_ field: FeedDrift.Field) -> Bool {
        model.entities[field.entity].ignored.contains { $0.covers(field.path) }
    }

    // MARK: Elements

    private var foundUntaken: [(entity: Int, finding: Finding)] {
        census.untakenElements.sorted { $0.first.position < $1.first.position }.map { entity, field, elements, first in
            (entity, finding(entity, .untaken, field, UInt64(elements), first))
        }
    }

    // MARK: Fields that are used

    /// The attributes and relationships of which no record has anything. An entity without records says nothing.
    private var missing: [Finding] {
        eachField { index, _, field, first in
            guard field.isMissing, tells(field, of: index) else { return nil }
            return finding(index, .missing(member: field.name), field.paths.joined(separator: ", "), 0, first)
        }
    }

    /// The attributes and relationships of which far fewer records have a value than in the last run.
    private var emptied: [Finding] {
        eachField { index, _, field, first in
            guard let before = falls(field, of: index) else { return nil }
            let drift = Finding.Drift.fewer(
                member: field.name, among: census.recordCount(index), before: before.values, all: before.records)
            return finding(index, drift, field.paths.joined(separator: ", "), UInt64(field.values), first)
        }
    }

    /// How many records had a value in the last run, where far fewer have one now; nil: not so many fewer.
    private func falls(_ field: FieldFacts, of index: Int) -> (values: Int, records: Int)? {
        let name = model.entities[index].name
        guard !field.isMissing, field.isPossible, var before = baseline?.field(field.name, of: name),
            let all = baseline?.entity(name)?.counts.records
        else { return nil }
        // Reports do not say so.
        before.isList = field.isList
        let had = min(before.values, all)
        let tells = LackChance.tells(values: field.values, of: census.recordCount(index), before: had, of: all)
        return tells ? (had, all) : nil
    }

    /// Whether it means anything that no record has a field: a few new records may lack it by chance.
    private func tells(_ field: FieldFacts, of index: Int) -> Bool {
        let name = model.entities[index].name
        guard !comesWhole[index], let baseline, let before = baseline.field(field.name, of: name),
            let records = baseline.entity(name)?.counts.records
        else { return true }
        return LackChance.tells(of: census.recordCount(index), had: before.records, of: records)
    }

    /// The attributes and relationships whose values are of types that the last run did not meet there.
    private var retyped: [Finding] {
        guard let baseline else { return [] }
        return eachField { index, number, field, first in
            // That there are lists, empty ones perhaps, says nothing of what is in them.
            let none: Set<ValueType> = field.isList ? [.null, .array] : [.null]
            let before = baseline.field(field.name, of: model.entities[index].name)?.types.keys
                .filter { !none.contains($0) }
            guard let before, !before.isEmpty else { return nil }
            let new = ValueType.allCases.filter {
                !none.contains($0) && !before.contains($0) && field.types[$0] != nil
            }
            guard !new.isEmpty else { return nil }
            let drift = Finding.Drift.retyped(
                member: field.name, types: new.map(\.rawValue),
                before: ValueType.allCases.filter(before.contains).map(\.rawValue))
            let records = new.reduce(0) { $0 + (field.types[$1] ?? 0) }
            let place = census.first(of: number, of: index, types: new) ?? first
            return finding(index, drift, field.paths.joined(separator: ", "), UInt64(records), place)
        }
    }

    /// Makes findings of the fields of entities, which have a number each, and of the entities' first records.
    private func eachField(_ make: (Int, Int, FieldFacts, FeedPosition) -> Finding?) -> [Finding] {
        model.entities.indices.flatMap { index -> [Finding] in
            guard let first = census.first(of: index) else { return [] }
            return census.fields(of: index).enumerated().compactMap { make(index, $0, $1, first) }
        }
    }

    private func finding(
        _ entity: Int, _ drift: Finding.Drift, _ field: String, _ records: UInt64, _ first: FeedPosition
    ) -> Finding {
        let name = model.entities[entity].name
        var finding = Finding(
            entity: name, identifier: "null", detail: .drift(drift, field: field, records: records), at: first)
        finding.isNew = baseline.map { $0.isNew(drift, field, of: name) }
        return finding
    }
}
