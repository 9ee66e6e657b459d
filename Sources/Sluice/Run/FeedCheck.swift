import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Reads feeds only to find where they differ from a definition: values are converted, no store is opened.
///
///     let outcome = try FeedCheck(definition, feeds: feeds).perform()
///     print(outcome.text)
package struct FeedCheck {
    private let definition: PipelineDefinition
    private let options: RunOptions

    /// - Parameter feeds: the feeds to read, each with its source. Other sources of the definition are not read.
    package init(_ definition: PipelineDefinition, feeds: [RunOptions.FeedOverride]) {
        self.definition = definition
        var options = RunOptions()
        options.feeds = feeds
        self.options = options
    }

    /// What the feeds hold.
    package struct Outcome: Sendable {
        /// The first rejects, and all drift.
        var findings: [Finding]
        var rejects: Int
        var feeds: [Feed]
        var entities: [CheckedEntity]

        /// All records that were read, of all entities.
        package var records: Int { entities.reduce(0) { $0 + $1.records } }

        /// Whether every path finds something, every record can become an object, and every attribute and relationship
        /// finds a value somewhere.
        package var fits: Bool {
            rejects == 0
                && !findings.contains { finding in
                    switch finding.detail {
                    case .unmatched, .drift(.missing, _, _): true
                    default: false
                    }
                }
        }
    }

    /// An entity of which records were read.
    struct CheckedEntity: Sendable {
        var name: String
        var records: Int
        /// With examples.
        var fields: [FieldFacts]
    }

    /// Reads the feeds.
    ///
    /// - Throws: what is wrong with a feed.
    package func perform() throws(Failure) -> Outcome {
        let files = try FeedInput.overrides(definition, options, by: "--against")
        var inputs: [FeedInput] = []
        for source in definition.sources {
            var input = FeedInput(source: source, location: "", files: [])
            if let feed = files[ExactText(source.name)] {
                input = try .overridden(source, feed, isArchived: false, options.control)
            }
            inputs.append(input)
        }
        let reading = CheckReading(definition.model, try Transformer(model: definition.model))
        for (index, input) in inputs.enumerated() {
            try reading.read(input, source: index, batchSize: definition.batchSize)
        }
        UnmatchedFindings(definition.model, definition.limits, reading.facts).report(to: reading.collector)
        let drift = DriftFindings(
            definition.model, reading.facts.map { $0?.drift ?? FeedDrift() }, reading.census,
            comesWhole: inputs.map { _ in true })
        drift.report(to: reading.collector)
        let entities = definition.model.entities.enumerated().map { index, entity in
            CheckedEntity(
                name: entity.name, records: reading.census.recordCount(index),
                fields: reading.census.fields(of: index))
        }
        return Outcome(
            findings: reading.collector.examples, rejects: reading.collector.counts[.reject] ?? 0,
            feeds: inputs.map(\.feed), entities: entities)
    }
}

/// What is found while feeds are read.
private final class CheckReading {
    let census: FieldCensus
    let collector = FindingCollector(keepsAllDrift: true)
    /// By source; nil: it was not read.
    private(set) var facts: [FeedFacts?] = []
    private let model: Model
    private let transformer: Transformer

    init(_ model: Model, _ transformer: Transformer) {
        self.model = model
        self.transformer = transformer
        census = FieldCensus(model, transformer, keepsExamples: true)
    }

    func read(_ input: FeedInput, source: Int, batchSize: Int) throws(Failure) {
        guard !input.files.isEmpty else { return facts.append(nil) }
        let reader = FeedReader(model: model, source: source, options: input.options(batchSize: batchSize))
        census.begin(source)
        let objects = ObjectReading(input, FetchSession(.sluice))
        defer { objects?.end() }
        try FeedFiles(input, FeedFiles.Origin(alone: input, objects)).readAll(by: reader, model, observe)
        facts.append(
            FeedFacts(
                bytes: 0, values: 0, sha256: "", drift: reader.drift, taken: reader.taken,
                accepted: census.entities(of: source)))
    }

    private func observe(_ batch: RecordBatch) {
        transformer.transform(batch)
        census.add(batch)
        Rejects.report(batch, model, collector)
    }
}
