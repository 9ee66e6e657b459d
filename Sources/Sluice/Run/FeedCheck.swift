import Extract
import Records

/// Reads feeds only for what they hold that a definition does not expect: no record is converted, no store looked at.
///
///     let drift = try FeedCheck(definition, feeds: feeds).perform()
///     print(drift.text)
public struct FeedCheck {
    private let definition: PipelineDefinition
    private let options: RunOptions

    /// - Parameter feeds: the feeds to read, each with its source. Other sources of the definition are not read.
    public init(_ definition: PipelineDefinition, feeds: [RunOptions.FeedOverride]) {
        self.definition = definition
        var options = RunOptions()
        options.feeds = feeds
        self.options = options
    }

    /// What the feeds hold that is not as the definition expects it.
    public struct Drift: Sendable {
        var findings: [Finding]
        var feeds: [Feed]
        /// All records that were read, of all entities.
        public var records: Int

        /// A line for each finding.
        public var text: String {
            findings.map { $0.text(feeds).printable.wrapped(TextStyle.width, rest: "  ") + "\n" }.joined()
        }

        /// A line of JSON for each finding, as in a file of findings.
        public var json: String { findings.map { $0.json(feeds) + "\n" }.joined() }

        public var isEmpty: Bool { findings.isEmpty }
    }

    /// Throws what is wrong with a feed.
    public func perform() throws(Failure) -> Drift {
        let files = try FeedPlan.overrides(definition, options)
        var plans: [FeedPlan] = []
        for source in definition.sources {
            let location = files[source.name]
            plans.append(
                FeedPlan(source: source, location: location ?? "", files: try location.map(expandGlob) ?? []))
        }
        var facts: [FeedFacts?] = []
        var records = 0
        for (index, plan) in plans.enumerated() {
            let reader = FeedReader(
                model: definition.model, source: index, options: plan.options(batchSize: definition.batchSize))
            for file in plan.files { records += try count(file, reader) }
            facts.append(
                plan.files.isEmpty
                    ? nil
                    : FeedFacts(
                        bytes: 0, values: 0, sha256: "", drift: reader.drift, taken: reader.taken,
                        accepted: definition.model.entities.map { _ in nil }))
        }
        let collector = AllFindings()
        UnmatchedFindings(definition.model, definition.limits, facts).report(to: collector)
        DriftFindings(definition.model, facts.compactMap { $0?.drift }).report(to: collector)
        return Drift(findings: collector.findings, feeds: plans.map(\.feed), records: records)
    }

    /// Reads a file to its end. Returns how many records it has.
    private func count(_ file: String, _ reader: FeedReader) throws(Failure) -> Int {
        var batch = RecordBatch(model: definition.model)
        var records = 0
        _ = try reader.read(openFeed(file), named: file, file: 0, into: &batch) { full in
            records += full.rowCount
            full.reset()
            return full
        }
        return records + batch.rowCount
    }
}

/// Keeps all findings, which are few.
private final class AllFindings: FindingSink {
    private(set) var findings: [Finding] = []

    func report(_ kind: Finding.Kind, at position: RecordPositionKey, isMinor: Bool, _ make: () -> Finding) {
        findings.append(make())
    }
}
