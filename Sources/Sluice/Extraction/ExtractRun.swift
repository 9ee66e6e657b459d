import SluiceColumns
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Reads one file of a feed, or the lines of a range of it, and writes its typed records as Parquet: the first two
/// stages of a run.
///
///     let outcome = try ExtractRun(definition, to: "parts").perform()
package struct ExtractRun {
    /// Values that wait in memory, of all entities, at the most.
    private static let rowGroupBytes = 64 << 20

    let definition: PipelineDefinition
    private var directory: String
    private let feeds: [RunOptions.FeedOverride]
    private let range: Range<Int>?
    private let part: String?
    private let control: RunControl

    /// - Parameters:
    ///   - directory: where the part's files go, each in the folder of its entity.
    ///   - feeds: the one to be read instead of the definition's, or none.
    ///   - range: bytes of the file; nil: all of it.
    ///   - part: the name of the part; nil: made from the names of source and file.
    package init(
        _ definition: PipelineDefinition, to directory: String, feeds: [RunOptions.FeedOverride] = [],
        range: Range<Int>? = nil, part: String? = nil, control: RunControl = RunControl()
    ) {
        self.definition = definition
        self.directory = directory
        self.feeds = feeds.map { $0.named(among: definition.sources) }
        self.range = range
        self.part = part
        self.control = control
    }

    /// The result: the part that was made, or was there.
    package struct Outcome {
        /// The part's name.
        package var part: String
        /// Whether it was there before, and is left as it is.
        package var wasThere: Bool
        /// How many records each entity has in it.
        package var records: [(entity: String, count: Int)] = []
        /// Records that could not become objects.
        package var rejects = 0
    }

    /// Makes the part, unless it is there.
    ///
    /// - Throws: `usage` where there is not exactly one file, or no range can be read of it; what is wrong with the
    ///   feed; what cannot be written. Nothing of the part is left then.
    package func perform() throws(Failure) -> Outcome {
        try control.cancellation.withReason { () throws(Failure) in
            let (input, source) = try input()
            let name = try checkedPart() ?? partName(input)
            guard ObjectFolder.names(directory) else { return try make(name, input, source) }
            return try makeObjects(name, input, source)
        }
    }

    /// Makes the part as objects.
    private func makeObjects(_ name: String, _ input: FeedInput, _ source: Int) throws(Failure) -> Outcome {
        let objects = try PartObjects(directory, name, control.cancellation)
        if try objects.isThere() { return Outcome(part: name, wasThere: true) }
        let scratch = try TemporaryFolder()
        var local = self
        local.directory = scratch.path
        let outcome = try local.make(name, input, source)
        try objects.send(
            from: PartFolder(directory: scratch.path, part: name), of: outcome.records.map(\.entity))
        return outcome
    }

    private func make(_ name: String, _ input: FeedInput, _ source: Int) throws(Failure) -> Outcome {
        let folder = PartFolder(directory: directory, part: name)
        if folder.isThere { return Outcome(part: name, wasThere: true) }
        let entities = definition.model.entities.indices.filter {
            definition.model.entities[$0].sources.contains(source)
        }
        try folder.create(entities.map { definition.model.entities[$0].name })
        var outputs: [Int: EntityOutput] = [:]
        for index in entities { outputs[index] = try EntityOutput(definition.model, index, folder) }
        return try write(input, source, folder, outputs)
    }

    // MARK: What is read

    private func input() throws(Failure) -> (FeedInput, Int) {
        var options = RunOptions()
        options.feeds = feeds
        options.control = control
        let names = definition.sources.map(\.name)
        guard feeds.count <= 1, feeds.count == 1 || names.count == 1 else { throw several(names) }
        let index = feeds.first?.source.map { names.firstIndex(of: $0) } ?? 0
        guard let index else {
            throw Failure(
                .usage, "--feed: there is no source \(feeds[0].source ?? ""); there is \(names.joined(separator: ", "))"
            )
        }
        guard feeds.first?.source != nil || names.count == 1 else { throw several(names) }
        // The files of other sources need not be there.
        var alone = definition
        alone.sources = [definition.sources[index]]
        let input = try FeedInput.all(of: alone, options)[0]
        guard input.isFromFiles || input.isDistant, input.files.count == 1 else {
            throw Failure(.usage, "one file makes a part: say which with --feed \(input.source.name)=FILE")
        }
        if range != nil, input.isDistant {
            throw Failure(.usage, "\(input.location) is not on this machine, and has no ranges: extract it whole")
        }
        if range != nil, input.source.encoding != nil {
            throw Failure(.usage, "\(input.location) is not in UTF-8, and has no ranges: extract it whole")
        }
        if range != nil, input.format != .lines {
            // A line of a table may be within a cell, and only the first one names the columns.
            let what = input.format.isTable ? "a table" : "one document"
            throw Failure(.usage, "\(input.location) is \(what), and has no ranges: extract it whole")
        }
        if range != nil,
            let entity = definition.model.entities.first(where: { $0.sources.contains(index) && $0.takes(.line) })
        {
            throw Failure(
                .usage, "\(entity.name) takes $line, which is not known in a range: extract \(input.location) whole")
        }
        return (input, index)
    }

    private func several(_ names: [String]) -> Failure {
        if names.isEmpty { return Failure(.usage, "the pipeline has no source; its entities belong to programs") }
        return Failure(
            .usage,
            "one file makes a part: say which with --feed SOURCE=FILE (the sources are \(names.joined(separator: ", ")))"
        )
    }

    private func partName(_ input: FeedInput) -> String {
        let file = input.files[0] == "-" ? "standard-input" : FilePath.name(input.files[0])
        return FolderName.one("\(input.source.name)-\(file)" + (range.map { "-\($0.lowerBound)" } ?? ""))
    }

    private func checkedPart() throws(Failure) -> String? {
        guard let part, part.isEmpty || !part.isIdentical(to: FolderName.one(part)) else { return part }
        throw Failure(.usage, "--part takes a name without a slash, a percent sign or a point in front, not \(part)")
    }

    // MARK: What is written

    private func write(
        _ input: FeedInput, _ source: Int, _ folder: PartFolder,
        _ outputs: [Int: EntityOutput]
    ) throws(Failure) -> Outcome {
        let options = input.options(batchSize: definition.batchSize)
        let copies = FeedCopies(
            copiesPipes: true, forms: [source: options],
            checkCancelled: control.cancellation.check)
        let findings = try FindingsFile(folder.findings)
        let collector = FindingCollector(FindingsWriter(findings, feeds(input, source), copies))
        let transformer = try Transformer(model: definition.model)
        let (bytes, lines) = try open(input, source, copies)
        let base = UInt64(lines?.start ?? 0)
        var digested = options
        digested.isDigested = true
        // In a range, a line that is no value may be a part of one that has several.
        digested.rejectsLines = definition.limits.allowRejects && range == nil
        let reader = FeedReader(model: definition.model, source: source, options: digested)
        let series =
            range == nil ? FileSeries(input, of: definition.model, source: source, isPart: true) : nil
        let beginning = FeedBeginning(series?.watch(bytes) { reader.recordCount > 0 } ?? bytes)
        let counted = CountedBytes(beginning)
        var rejects = definition.model.entities.map { _ in 0 }
        let take = { (batch: RecordBatch) throws(Failure) in
            try control.cancellation.check()
            move(batch, by: base)
            transformer.transform(batch)
            for fault in Set(batch.faults.map { [$0.entity, $0.row] }) { rejects[fault[0]] += 1 }
            Rejects.report(batch, definition.model, collector)
            try collector.batchEnded()
            for (index, output) in outputs {
                output.add(batch.sections[index], batch, input.source.name, input.files[0], folder.part)
            }
            try flush(outputs.values.flatMap { [$0.records, $0.rejects] })
            batch.reset()
        }
        var batch = RecordBatch(model: definition.model)
        let statistics = try read(reader, counted, lines, input, &batch, take)
        try take(batch)
        try collector.finish(copies, definition.model)
        let facts = FeedFacts(
            bytes: statistics.bytes, values: statistics.values, sha256: statistics.sha256 ?? "", drift: reader.drift,
            taken: reader.taken, accepted: [], beginning: beginning.bytes)
        let hidden = facts.drift.hidden
        let entities = outputs.keys.sorted().map { index in
            (
                definition.model.entities[index].name, outputs[index]?.records.rowCount ?? 0, rejects[index],
                hidden.contains(index)
            )
        }
        for output in outputs.values { try output.finish() }
        try findings.publish()
        for output in outputs.values { try output.publish() }
        try folder.write(
            PartManifest(
                source: input.source.name, file: input.files[0], range: range, bytes: statistics.bytes,
                values: statistics.values, newlines: counted.newlines, sha256: statistics.sha256 ?? "",
                definition: try hash(input, source),
                entities: entities,
                instead: entities.allSatisfy { $0.1 + $0.2 == 0 } ? instead(input, source, facts) : nil,
                odd: odd(series, input, source, records: reader.recordCount)))
        return Outcome(
            part: folder.part, wasThere: false, records: entities.map { ($0.0, $0.1) },
            rejects: rejects.reduce(0, +))
    }

    private func read(
        _ reader: FeedReader, _ bytes: CountedBytes, _ lines: LineRange?, _ input: FeedInput,
        _ batch: inout RecordBatch,
        _ take: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) -> FeedStatistics {
        do throws(Failure) {
            return try reader.read(bytes, named: input.files[0], into: &batch) { full throws(Failure) in
                try take(full)
                return full
            }
        } catch {
            guard let lines, error.kind == .data else { throw error }
            var place = error.place
            // The reader has seen nothing of the file before the range.
            place?.line += (try? lines.countLinesBefore()) ?? 0
            place?.offset += UInt64(lines.start)
            throw Failure(
                .data, error.message + " (in a range of lines each line holds whole values: else extract it whole)",
                at: place)
        }
    }

    /// The hash that a run of this file has.
    private func hash(_ input: FeedInput, _ source: Int) throws(Failure) -> String {
        try definition.hash(
            formats: definition.sources.enumerated().map { index, other in
                index == source ? input.format : FeedInput(source: other, location: "", files: []).format
            })
    }

    /// Findings name the source by its index.
    private func feeds(_ input: FeedInput, _ source: Int) -> [Feed] {
        definition.sources.enumerated().map { index, other in
            index == source ? input.feed : Feed(source: other.name, location: "", files: [])
        }
    }

    /// The bytes, and the range of the file that they are; nil: all of it.
    private func open(
        _ input: FeedInput, _ source: Int, _ copies: FeedCopies
    ) throws(Failure) -> (any ByteSource, LineRange?) {
        if input.isDistant {
            let bytes = try DistantBytes(input, control) {
                bytes, _ throws(Failure) in try copies.keep(bytes, source: source, file: 0)
            }
            return (bytes, nil)
        }
        let whole = try copies.open(input.paths[0], source: source, file: 0)
        guard let range else { return (whole, nil) }
        guard input.paths[0] != "-" else {
            throw Failure(.usage, "standard input has no ranges: extract it whole")
        }
        let lines = try LineRange(input.paths[0], range)
        return (lines, lines)
    }

    /// Offsets are those of the file.
    private func move(_ batch: RecordBatch, by base: UInt64) {
        guard base > 0 else { return }
        for section in batch.sections {
            for row in 0..<section.count { unsafe section.positions.base[row].offset &+= base }
        }
    }

    /// Memory stays bounded: the largest row group is written until the others fit.
    private func flush(_ files: [ParquetFile]) throws(Failure) {
        while files.reduce(0, { $0 + $1.waiting }) > ExtractRun.rowGroupBytes {
            guard let largest = files.max(by: { $0.waiting < $1.waiting }) else { return }
            try largest.endGroup()
        }
    }
}
