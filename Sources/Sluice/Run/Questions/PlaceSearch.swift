import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Looks for the records of some objects, in feeds that can be read once more: a run does not remember where the
/// records of objects stood, and checks name few objects.
final class PlaceSearch {
    private let model: Model
    private let transformer: Transformer
    private let isLineRejected: Bool
    private let checkCancelled: () throws(Failure) -> Void
    /// By entity: what identifies those that are looked for, as JSON, and where they were found.
    private var places: [Int: [ExactText: FeedPosition?]]

    /// - Parameter objects: those that are looked for: by entity, what identifies them as JSON.
    init(
        _ objects: [Int: Set<ExactText>], _ definition: PipelineDefinition, _ transformer: Transformer,
        checkCancelled: @escaping () throws(Failure) -> Void
    ) {
        model = definition.model
        self.transformer = transformer
        isLineRejected = definition.limits.allowRejects
        self.checkCancelled = checkCancelled
        places = objects.mapValues { Dictionary(uniqueKeysWithValues: $0.map { ($0, nil) }) }
    }

    /// Where the record of an object stands; nil: nowhere, or its feed cannot be read again.
    func place(of identifier: String, entity: Int) -> FeedPosition? { places[entity]?[ExactText(identifier)] ?? nil }

    /// Reads the feeds that have records of these entities. What cannot be read any more is passed over: the run itself
    /// has read it.
    func read(_ inputs: [FeedInput], batchSize: Int) throws(Failure) {
        let sources = Set(places.keys.flatMap { model.entities[$0].sources })
        for (index, input) in inputs.enumerated() where sources.contains(index) && PlaceSearch.canRead(input) {
            do throws(Failure) { try read(input, source: index, batchSize) } catch {
                if error.kind == .cancelled { throw error }
            }
        }
    }

    /// Only files can be read again: the answers of a service, and the data of a program or a pipe, come once.
    private static func canRead(_ input: FeedInput) -> Bool {
        input.isFromFiles && LedgerSources.sizes(of: input.paths) != nil
    }

    private func read(_ input: FeedInput, source: Int, _ batchSize: Int) throws(Failure) {
        var options = input.options(batchSize: batchSize)
        options.rejectsLines = isLineRejected
        let reader = FeedReader(model: model, source: source, options: options)
        let files = FeedFiles(input, .files { file, _ throws(Failure) in try openFeed(file) })
        try files.readAll(by: reader, model) { batch throws(Failure) in try observe(batch) }
    }

    private func observe(_ batch: RecordBatch) throws(Failure) {
        try checkCancelled()
        transformer.transform(batch)
        for entity in places.keys { observe(batch.sections[entity], model.entities[entity], batch) }
    }

    private func observe(_ section: EntityRecords, _ entity: Entity, _ batch: RecordBatch) {
        let width = section.width
        for row in 0..<section.count where section.status[row] == .complete {
            let key = entity.identifier.map { section.typed[row * width + $0] }
            let identifier = ExactText(batch.arena.json(ofKey: key))
            guard let known = places[section.entity]?[identifier] else { continue }
            // The copy that counts.
            if known != nil, !entity.duplicates.lastCounts { continue }
            places[section.entity]?[identifier] = FeedPosition(section.positions[row], in: batch.arena)
        }
    }
}
