import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluiceRecords
import SluiceReport

/// Downloads the feeds of a pipeline into its archive, for a later replay: nothing is loaded.
///
///     let files = try FetchRun(definition, options).perform()
package struct FetchRun {
    private let definition: PipelineDefinition
    private let options: RunOptions

    /// A download that has not begun.
    package init(_ definition: PipelineDefinition, options: RunOptions) {
        self.definition = definition
        self.options = options
    }

    /// Reads all sources to their ends. What is no valid feed is refused, and then nothing is saved. The store is only
    /// asked for what `since` needs.
    ///
    /// - Returns: the paths of the saved files of each source, in their order.
    package func perform() throws(Failure) -> [(source: String, files: [String])] {
        guard let settings = definition.archive else {
            throw Failure(.definition, "a fetched feed is saved in the archive: the definition needs \"archive\"")
        }
        let all = try FeedInput.all(of: definition, options)
        if let input = all.first(where: { $0.web?.parents != nil }) {
            throw Failure(
                .definition,
                "the source \(input.source.name) is asked for each record of another, which only a run reads: it cannot be"
                    + " fetched alone")
        }
        let cancellation = options.control.cancellation
        let location = try definition.location(instead: options.store)
        var use = StoreUse(model: definition.model, pipeline: definition.name, savesAtEnd: true)
        use.isDry = true
        let store = try location.open(use)
        let lastRun = LastRun(store)
        let inputs = try NewFiles(all, definition, store, lastRun, readsAll: false).inputs
        let hash = try definition.hash(formats: all.map(\.format))
        var downloads = WebFeeds.Settings(since: try SinceMarks(definition, store, lastRun, hash: hash))
        downloads.onRetry = options.control.onRetry
        let web = try WebFeeds(inputs, definition, store, downloads)
        defer { web.end() }
        cancellation.whenRequested { web.stop() }
        defer { cancellation.whenRequested(nil) }
        let archive = try FeedArchive(
            settings, pipeline: definition.name, store: location,
            started: Timestamp.now.text, inputs,
            isStopped: { cancellation.isRequested })
        let copies = FeedCopies(
            copiesPipes: false, paths: FeedInput.localPaths(inputs),
            checkCancelled: cancellation.check)
        do throws(Failure) {
            for (source, input) in inputs.enumerated() { try save(input, source, web, archive, copies) }
        } catch {
            try cancellation.check()
            throw error
        }
        archive.endReading()
        try archive.finish(by: .fetch)
        return archive.entry.map { entry in
            entry.sources.map { source in (source.name, source.files.map { "\(entry.directory)/\($0)" }) }
        } ?? []
    }

    /// Saves one source, and reads it for its form; pages are followed to the one without records.
    private func save(
        _ input: FeedInput, _ source: Int, _ web: WebFeeds, _ archive: FeedArchive, _ copies: FeedCopies
    ) throws(Failure) {
        let reader = FeedReader(
            model: definition.model, source: source, options: input.options(batchSize: definition.batchSize))
        let files = FeedFiles(input, try origin(of: source, input, web, copies))
        var batch = RecordBatch(model: definition.model)
        while let file = try files.nextFile() {
            let before = reader.recordCount
            let bytes = try archive.save(file.bytes, source: source, file: file.index)
            _ = try reader.read(bytes, named: file.name, file: file.index, into: &batch) { full throws(Failure) in
                try options.control.cancellation.check()
                full.reset()
                return full
            }
            batch.reset()
            try files.endFile(records: reader.recordCount - before, taken: reader.taken)
        }
        try archive.endSource(source)
    }

    /// Where the bytes of a source come from.
    private func origin(
        of source: Int, _ input: FeedInput, _ web: WebFeeds, _ copies: FeedCopies
    ) throws(Failure) -> FeedFiles.Origin {
        if let origin = try web.origin(of: source, input, definition.model) { return origin }
        if case .command(let command) = input.origin {
            return .command(
                CommandBytes(
                    command, report: options.control.onComplaint, checkCancelled: options.control.cancellation.check))
        }
        return .files { file, index throws(Failure) in try copies.open(file, source: source, file: index) }
    }
}
