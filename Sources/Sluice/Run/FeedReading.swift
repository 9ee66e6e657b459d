import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluiceRecords
import SluiceTransform

/// The reading side of a run: all feeds, in the order of the definition, as typed batches.
struct FeedReading: Sendable {
    let inputs: [FeedInput]
    let model: Model
    private let transformer: Transformer
    let batchSize: Int
    private let copies: FeedCopies
    private let web: WebFeeds
    let program: ProgramFeeds
    private let parents: ParentRecords
    private let parentValues: ParentValues
    private let archive: FeedArchive?
    private let fit: (any RecordFit)?
    /// Whether a line that is no record is a reject, and does not end the run.
    private let rejectsLines: Bool
    /// Of a replay of rejects: those that are as they were.
    private let unmended: UnmendedRecords?
    /// Takes what commands say.
    private let onComplaint: @Sendable (String) -> Void
    private let checkCancelled: @Sendable () throws(Failure) -> Void
    /// The command that is read.
    private let running = RunningCommand()
    /// Nil: all is read, and nothing is noted of it.
    private let noting: ItemNoting?
    let meter: ProgressMeter
    /// What the records hold.
    let census: FieldCensus

    /// - Parameters:
    ///   - archive: saves what is read; nil: nothing is saved.
    ///   - fit: says what the store cannot hold; nil: it can hold all.
    init(
        _ work: RunWork, _ definition: PipelineDefinition, _ options: RunOptions, batchSize: Int, _ web: WebFeeds,
        _ program: ProgramFeeds, archive: FeedArchive?, fit: (any RecordFit)?
    ) {
        (inputs, model, transformer, copies) = (work.inputs, definition.model, work.transformer, work.copies)
        (self.web, self.program, self.archive, self.fit) = (web, program, archive, fit)
        self.batchSize = batchSize
        parents = ParentRecords(inputs, model, since: web.parentSince)
        parentValues = ParentValues(inputs, model)
        rejectsLines = definition.limits.allowRejects
        unmended = options.replay?.unmended
        noting = work.fingerprints?.noting
        meter = options.control.meter
        onComplaint = options.control.onComplaint
        checkCancelled = options.control.cancellation.check
        census = FieldCensus(model, transformer)
    }

    /// Reads all feeds, and hands their batches over.
    func readAll(_ queue: BatchQueue<[FeedFacts]>) -> Result<[FeedFacts], Failure> {
        defer { copies.endReading() }
        do throws(Failure) {
            var batch = try queue.nextEmpty()
            var facts: [FeedFacts] = []
            for (index, input) in inputs.enumerated() {
                if case .program(.records(let produce)) = input.origin {
                    if batch.rowCount > 0 { try exchange(&batch, queue) }
                    facts.append(try take(program.start(produce), index, &batch, queue))
                } else {
                    facts.append(try read(input, index, &batch, queue))
                }
            }
            queue.hand(batch)
            queue.prepareAll()
            archive?.endReading()
            for index in facts.indices { facts[index].accepted = census.entities(of: index) }
            return .success(facts)
        } catch {
            archive?.complete { source, file throws(Failure) in
                try copies.open(inputs[source].paths[file], source: source, file: file)
            }
            archive?.endReading()
            return .failure(running.explain(error))
        }
    }

    /// Turns what was read into typed values, before it is loaded.
    func prepare(_ batch: RecordBatch) {
        parentValues.fill(batch)
        transformer.transform(batch)
        unmended?.reject(in: batch)
        inspect(batch) { census.add($0) }
    }

    /// Looks at a batch of typed values, wherever these come from.
    ///
    /// - Parameter count: adds its records to the census.
    func inspect(_ batch: RecordBatch, _ count: (RecordBatch) -> Void) {
        fit?.check(batch)
        count(batch)
        // A later source may be asked for each of these records.
        parents.add(batch)
    }

    private func exchange(_ batch: inout RecordBatch, _ queue: BatchQueue<[FeedFacts]>) throws(Failure) {
        queue.hand(batch)
        batch = try queue.nextEmpty()
    }

    /// Ends the waiting for a service, or for the program. The rest of a feed that is saved is still read, unless a
    /// pipe is silent.
    func stop() {
        web.stop()
        program.stop()
        copies.stopWaiting(patience: archive == nil ? 0 : FeedReading.longestSilence)
    }

    /// Seconds in which a pipe must give something, once the run has failed.
    private static let longestSilence = 5.0

    /// Where the bytes of a source come from.
    private func origin(
        of source: Int, _ input: FeedInput, _ parts: [PartedFeed.Part]
    ) throws(Failure) -> FeedFiles.Origin {
        if let origin = try web.origin(of: source, input, model, parts: parts) { return origin }
        switch input.origin {
        case .command(let command): return .command(bytes(of: command))
        case .program(.bytes(let produce)):
            return .program(try openFeed(ProgramBytes(program.start(produce)), named: input.location))
        case .files, .service, .program, .objects, .remote:
            return .files { [copies] file, index throws(Failure) in
                try copies.open(file, source: source, file: index)
            }
        }
    }

    /// The output of a command. The rest of output that is saved is still read, unless the command is silent.
    private func bytes(of command: CommandSource) -> CommandBytes {
        let bytes = CommandBytes(command, report: onComplaint, checkCancelled: checkCancelled)
        running.set(bytes)
        program.whenStopped { [archive] in
            bytes.stopWaiting(patience: archive == nil ? 0 : FeedReading.longestSilence)
        }
        return bytes
    }

    private func read(
        _ input: FeedInput, _ source: Int, _ batch: inout RecordBatch, _ queue: BatchQueue<[FeedFacts]>
    ) throws(Failure) -> FeedFacts {
        var options = input.options(batchSize: batchSize)
        options.isDigested = true
        options.noting = noting
        options.rejectsLines = rejectsLines
        let reader = FeedReader(model: model, source: source, options: options)
        var facts = FeedFacts(
            bytes: 0, values: 0, sha256: "", drift: FeedDrift(), taken: [], accepted: [])
        // The batch may hold the records of earlier sources for which this one is asked.
        if input.web?.parents != nil, batch.rowCount > 0 { try exchange(&batch, queue) }
        queue.prepareAll()
        census.begin(source)
        let records = parents.records(of: source)
        var digests: [String] = []
        let files = FeedFiles(input, try origin(of: source, input, records.map(\.part))) {
            page, index throws(Failure) in try copies.keep(page, source: source, file: index)
        }
        let series = FileSeries(input, of: model, source: source)
        while let file = try files.nextFile() {
            let before = reader.recordCount
            if let part = file.part { parentValues.append(records[part].values, to: source) }
            let saved =
                try archive?.save(
                    file.bytes, source: source, file: file.index, page: input.web == nil ? nil : file.name,
                    parent: input.web == nil ? nil : parentValues.json(of: source, page: file.index)) ?? file.bytes
            let beginning = FeedBeginning(series?.watch(saved) { reader.recordCount > before } ?? saved)
            let bytes = MeteredBytes(beginning, meter)
            let statistics: FeedStatistics
            do throws(Failure) {
                statistics = try reader.read(bytes, named: file.name, file: file.index, into: &batch) {
                    full throws(Failure) in
                    queue.hand(full)
                    return try queue.nextEmpty()
                }
            } catch {
                throw files.shown(copies.explain(error, source: source, file: file.index))
            }
            meter.endFile()
            facts.bytes += statistics.bytes
            facts.values += statistics.values
            if digests.isEmpty { facts.digestOfBeginning = statistics.beginning }
            digests.append(statistics.sha256 ?? "")
            try series?.endFile(file.index, named: file.name, records: reader.recordCount - before)
            if facts.misreading == nil { facts.misreading = statistics.misreading.map { (file.index, $0) } }
            if facts.beginning.isEmpty { facts.beginning = files.shown(beginning.bytes) }
            try files.endFile(records: reader.recordCount - before, taken: reader.taken)
        }
        try archive?.endSource(source)
        facts.sha256 = try SHA256.digest(ofFiles: digests)
        facts.drift = reader.drift
        facts.taken = reader.taken
        facts.oddFile = series?.odd
        if input.web != nil { facts.pages = files.yield }
        return facts
    }
}
