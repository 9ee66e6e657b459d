import Load
import Records
import Transform

/// What the last succeeded run of a pipeline found in its feeds: what a run is compared with.
struct Baseline: Sendable {
    /// The number of the run in the ledger.
    var run: Int
    private let report: RunReport
    private let entities: [ExactText: RunReport.EntityFacts]

    /// - Parameter report: of that run. One that says nothing of fields, as those of older versions do not, nor those of
    ///   runs that read a few mended records, is none to compare with: then the result is nil.
    init?(_ report: RunReport) {
        guard let run = report.run, report.status == .succeeded, report.entities.contains(where: { !$0.fields.isEmpty })
        else { return nil }
        self.run = run
        self.report = report
        entities = Dictionary(report.entities.map { (ExactText($0.name), $0) }) { $1 }
    }

    /// The last succeeded run of the pipeline, if its store knows one to compare with.
    static func last(in store: SQLiteStore) throws(Failure) -> Baseline? {
        var found: Baseline?
        try store.runs { row in
            guard row.status == RunReport.Status.succeeded.rawValue, let json = row.report else { return true }
            found = RunReport(json: json, sources: nil).flatMap(Baseline.init)
            return found == nil
        }
        return found
    }

    /// What the run found of an entity; nil: its definition did not have it.
    func entity(_ name: String) -> RunReport.EntityFacts? { entities[ExactText(name)] }

    /// What the run found of an attribute or a relationship; nil: its definition did not have it, or no record came.
    func field(_ name: String, of entity: String) -> FieldFacts? {
        guard let facts = self.entity(entity), facts.counts.records > 0 else { return nil }
        return facts.fields.first { ExactText($0.name) == ExactText(name) }
    }

    /// Whether a tenth of the records of an entity had a field, or more.
    func hadOften(_ name: String, of entity: String) -> Bool {
        guard let facts = self.entity(entity), let field = field(name, of: entity) else { return false }
        return field.records > 0 && field.records * 10 >= facts.counts.records
    }

    /// Whether a finding of drift is none that the run had as well.
    func isNew(_ drift: Finding.Drift, _ field: String, of name: String) -> Bool {
        // Of an entity without records nothing was known.
        guard let entity = entity(name), entity.counts.records > 0 else { return false }
        switch drift {
        case .unknown: return !entity.unused.contains { ExactText($0.name) == ExactText(field) }
        case .repeated: return !entity.repeated.contains { ExactText($0) == ExactText(field) }
        case .missing(let member): return self.field(member, of: name).map { $0.records > 0 } ?? true
        case .retyped: return true
        }
    }
}
