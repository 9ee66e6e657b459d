import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceTransform

/// What the last succeeded run of a pipeline found in its feeds: what a run is compared with.
package struct Baseline: Sendable {
    /// The number of the run in the ledger.
    package var run: Int
    private let report: RunReport
    private let entities: [ExactText: RunReport.EntityFacts]
    /// What the run read; nil: that is not known.
    private let sources: LedgerSources?
    /// What its examples tell.
    private let examples: Set<ExactText>

    /// - Parameters:
    ///   - report: of that run. One that says nothing of fields, as those of older versions do not, nor those of
    ///     runs that read a few mended records, is none to compare with: then the result is nil.
    ///   - sources: what the run read, as the ledger has it.
    init?(_ report: RunReport, _ sources: String? = nil) {
        guard let run = report.run, report.outcome.status == .succeeded,
            report.entities.contains(where: { !$0.fields.isEmpty })
        else { return nil }
        self.run = run
        self.report = report
        examples = Set(report.found.examples.compactMap(\.identity))
        entities = Dictionary(report.entities.map { (ExactText($0.name), $0) }) { $1 }
        self.sources = sources.flatMap(LedgerSources.init(json:))
    }

    /// The last succeeded run of the pipeline, if its store knows one to compare with.
    package static func ofLastRun(in store: any OpenStore) throws(Failure) -> Baseline? {
        try store.lastSucceeded { Baseline($0, $1) }
    }

    /// The files of a feed that the run read and that are there no longer, in their order. Where there are as many
    /// files as then, or more, others have come in their place, and none is missed.
    package func goneFiles(of feed: Feed) -> [String] {
        guard let before = sources?.sources.first(where: { $0.name.isIdentical(to: feed.source) }),
            before.location.isIdentical(to: feed.location), feed.files.count < before.files.count
        else { return [] }
        let now = Set(feed.files.map { ExactText($0) })
        return before.files.filter { !now.contains(ExactText($0)) }
    }

    /// How many records the first page of a feed had when it last led to others; nil: that is not known.
    package func firstPage(of feed: Feed) -> UInt64? { source(of: feed)?.firstPage }

    /// How many values a feed had: of a service, pages; nil: that is not known.
    package func values(of feed: Feed) -> UInt64? { source(of: feed)?.values }

    /// The paths of the lists at the top of a feed of which no entity had records; nil: that is not known.
    package func unusedLists(of feed: Feed) -> [String]? {
        source(named: feed.source)?.unused?.map(\.path)
    }

    private func source(of feed: Feed) -> RunReport.SourceFacts? {
        source(named: feed.source).flatMap { $0.location.isIdentical(to: feed.location) ? $0 : nil }
    }

    private func source(named name: String) -> RunReport.SourceFacts? {
        report.sources.first { $0.name.isIdentical(to: name) }
    }

    /// What the run found of an entity; nil: its definition did not have it.
    package func entity(_ name: String) -> RunReport.EntityFacts? { entities[ExactText(name)] }

    /// What the run found of an attribute or a relationship; nil: its definition did not have it, or no record came.
    package func field(_ name: String, of entity: String) -> FieldFacts? {
        guard let facts = self.entity(entity), facts.counts.records > 0 else { return nil }
        return facts.fields.first { $0.name.isIdentical(to: name) }
    }

    /// Whether a tenth of the records of an entity had a field, or more, of enough records to tell.
    package func hadOften(_ name: String, of entity: String) -> Bool {
        guard let facts = self.entity(entity), facts.counts.records >= Limits.someRecords,
            let field = field(name, of: entity)
        else { return false }
        return field.records > 0 && field.records * 10 >= facts.counts.records
    }

    /// Whether nine tenths of the records of an entity had a value, which is not null, for an attribute or a
    /// relationship.
    ///
    /// - Parameter isList: whether it is a list: an empty one has no value.
    package func hadAlmostAlways(_ name: String, of entity: String, isList: Bool) -> Bool {
        guard let facts = self.entity(entity), facts.counts.records >= Limits.someRecords,
            var field = field(name, of: entity)
        else { return false }
        field.isList = isList
        return field.values * 10 >= facts.counts.records * 9
    }

    /// How many findings of a kind the run had.
    package func count(_ kind: Finding.Kind) -> Int { report.found.counts[kind] ?? 0 }

    /// Whether the run had a finding of a record; nil: its report does not name all of the kind, and not this one.
    package func contains(_ finding: Finding) -> Bool? {
        guard let identity = finding.identity else { return nil }
        // Of duplicates, those alone are noted that differ.
        let isNotable = finding.kind != .duplicate || finding.isConflict
        let isNoted =
            examples.contains(identity) ? true : isNotable ? report.found.digests.contains(finding) : nil
        // Which record a reject without an identifier is, nobody knows: one more is none of those before.
        if isNoted == true, finding.kind == .reject, finding.identifier == "null" { return nil }
        if let isNoted { return isNoted }
        let named = report.found.examples.count { $0.kind == finding.kind }
        return named == count(finding.kind) ? false : nil
    }

    /// Whether the run did not have a finding of a record. Where nobody knows, it is new if there are more of its kind
    /// now.
    package func isNew(_ finding: Finding, among count: Int) -> Bool {
        contains(finding).map { !$0 } ?? (count > self.count(finding.kind))
    }

    /// Whether a finding of drift is none that the run had as well.
    package func isNew(_ drift: Finding.Drift, _ field: String, of name: String) -> Bool {
        guard let entity = entity(name) else { return false }
        switch drift {
        // Those are of no entity, whatever records this one had.
        case .untaken: return !entity.untaken.contains { $0.name.isIdentical(to: field) }
        // Of an entity without records nothing was known.
        case _ where entity.counts.records == 0: return false
        case .unknown, .shape: return !entity.unused.contains { $0.name.isIdentical(to: field) }
        case .repeated: return !entity.repeated.contains { $0.isIdentical(to: field) }
        case .missing(let member): return self.field(member, of: name).map { $0.records > 0 } ?? true
        case .retyped, .fewer: return true
        }
    }
}
