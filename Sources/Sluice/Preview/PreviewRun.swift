import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Reads the first records of each entity: the stages of a run, but the last.
///
///     let preview = try PreviewRun(definition, feeds: [], rows: 5).perform()
///     print(preview.text(width: 80, colours: false))
package struct PreviewRun {
    private let definition: PipelineDefinition
    private let options: RunOptions
    private let rows: Int

    /// - Parameters:
    ///   - feeds: to be read instead of those of the definition.
    ///   - rows: how many records of each entity, at the most.
    package init(_ definition: PipelineDefinition, feeds: [RunOptions.FeedOverride], rows: Int) {
        self.definition = definition
        self.rows = rows
        var options = RunOptions()
        options.feeds = feeds
        self.options = options
    }

    /// Reads until every entity has its rows, and no further. A feed that is wrong behind the first rows fails, but
    /// shows them: see ``Preview/error``.
    package func perform() throws(Failure) -> Preview {
        let transformer = try Transformer(model: definition.model)
        let inputs = try FeedInput.all(of: definition, options)
        var collector = PreviewRows(definition.model, rows: rows)
        var failure: Failure?
        // An archive is downloaded once for all sources that are in it.
        var archives: [WebRequest: WebArchive] = [:]
        defer { for archive in archives.values { archive.feed.end() } }
        do throws(Failure) {
            for (index, input) in inputs.enumerated() where !collector.hasEnough(ofSource: index) {
                try read(input, index, transformer, &collector, &archives)
            }
        } catch {
            failure = error
        }
        let entities = collector.sorted.map { rows in
            var rows = rows
            rows.parent = parent(of: rows.entity, inputs)
            return rows
        }
        return Preview(entities: entities, feeds: inputs.map(\.feed), error: failure)
    }

    /// The entity for each of whose records all sources of another one are asked; nil: one of them is read by itself.
    private func parent(of entity: Entity, _ inputs: [FeedInput]) -> String? {
        let parents = entity.sources.map { inputs[$0].web?.parents?.entity }
        guard !parents.isEmpty, !parents.contains(nil) else { return nil }
        return parents.compactMap { $0 }.first.map { definition.model.entities[$0].name }
    }

    private func read(
        _ input: FeedInput, _ source: Int, _ transformer: Transformer, _ collector: inout PreviewRows,
        _ archives: inout [WebRequest: WebArchive]
    ) throws(Failure) {
        // Only a run reads the records for which this service is asked.
        if input.web?.parents != nil { return }
        // Small batches: a pipe may bring no more than what is wanted.
        let reader = FeedReader(model: definition.model, source: source, options: input.options(batchSize: rows))
        var batch = RecordBatch(model: definition.model)
        let web = input.web.map { service in
            var request = service.request
            request.isTable = input.format.isTable && !request.isArchive
            return archives[request]?.feed ?? WebFeed(request, FetchSession(.sluice))
        }
        var archive: WebArchive?
        if let web, let service = input.web, service.member != nil {
            archive = archives[service.request] ?? WebArchive(web)
            archives[service.request] = archive
        }
        defer { if input.web?.member == nil { web?.end() } }
        let objects = ObjectReading(input, FetchSession(.sluice))
        defer { objects?.end() }
        let origin: FeedFiles.Origin
        if let web, let service = input.web {
            origin = .init(input, service, web, archive, of: definition.model, source: source)
        } else {
            origin = try .init(alone: input, objects)
        }
        let files = FeedFiles(input, origin)
        while let file = try files.nextFile() {
            let before = reader.recordCount
            do throws(Failure) {
                _ = try reader.read(file.bytes, named: file.name, file: file.index, into: &batch) {
                    full throws(Failure) in
                    collector.add(full, transformer)
                    full.reset()
                    // Whatever is thrown ends the reading.
                    if collector.hasEnough(ofSource: source) { throw Failure(.defect, "enough has been read") }
                    return full
                }
                collector.add(batch, transformer)
                batch.reset()
            } catch {
                if collector.hasEnough(ofSource: source) { return }
                // Rows before the mistake are shown, too.
                collector.add(batch, transformer)
                throw error
            }
            if collector.hasEnough(ofSource: source) { return }
            try files.endFile(records: reader.recordCount - before, taken: reader.taken)
        }
    }
}

extension PipelineDefinition {
    /// Checks that the environment sets all that a preview with these feeds uses.
    package func requireForPreview(_ feeds: [RunOptions.FeedOverride]) throws(DefinitionProblems) {
        let given = Set(feeds.map { $0.source ?? sources.first?.name ?? "" })
        let read = sources.indices.filter { !given.contains(sources[$0].name) }.map(Part.source)
        try require([.settings, .entities] + read)
    }
}
