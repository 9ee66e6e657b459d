import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceSchema
import SluiceStores

extension RunOptions.Replay {
    /// The feed that a run saved: one of the ledger of `store`, or else of the definition's store. So a run can be
    /// replayed on an older copy of a store, which does not know it.
    ///
    /// - Throws: `missing` where the ledger does not know the run, or its feed was not saved, or is gone; the problems
    ///   of a definition whose store lacks a variable, where that is looked into.
    package static func saved(
        by run: Int, of definition: PipelineDefinition, store: String? = nil
    ) throws -> RunOptions.Replay {
        let other = try store.map { given throws(Failure) in try definition.location(instead: given) }
        if let other, other != definition.location, let row = try row(of: run, in: other) {
            return try saved(by: row, definition, of: other, loadedInto: other)
        }
        try definition.require(.store)
        guard let row = try definition.location.ledger().row(run) else {
            throw Failure(.missing, "the store \(definition.location) knows no run \(run)")
        }
        return try saved(
            by: row, definition, of: definition.location, loadedInto: other == nil ? definition.location : nil)
    }

    private static func saved(
        by row: LedgerRow, _ definition: PipelineDefinition, of store: StoreLocation,
        loadedInto location: StoreLocation?
    ) throws -> RunOptions.Replay {
        let entry = try entry(of: row, definition, store)
        var run = RunOptions.Replay.SavedRun(number: row.run)
        (run.partial, run.shifting) = (entry.partial, entry.shifting)
        run.newer = try location.flatMap { location throws(Failure) in try newer(than: row, in: location) }
        run.isFull = row.report.map(ReportMarks.isFull) == true
        return RunOptions.Replay(.run(run), sources: try files(of: entry, row, definition))
    }

    /// The run whose feed the store holds, where that is newer than the feed of another run; nil: it is none.
    private static func newer(than older: LedgerRow, in location: StoreLocation) throws(Failure) -> Int? {
        var feed: Int?
        try location.ledger().rows(of: older.pipeline) { row throws(Failure) in
            guard row.status == "succeeded" else { return row.run > older.run }
            feed = row.replayOf ?? row.run
            return false
        }
        return feed.flatMap { $0 > older.run ? $0 : nil }
    }

    /// The row of a run in a copy of the store; nil where there is no such run, as there is none in a store that is not
    /// there yet. A replay in that copy has a number of its own there, and saves nothing.
    private static func row(of run: Int, in copy: StoreLocation) throws(Failure) -> LedgerRow? {
        do throws(Failure) {
            return try copy.ledger().row(run).flatMap { $0.replayOf == nil ? $0 : nil }
        } catch  where error.kind == .missing {
            return nil
        }
    }

    /// What the archive has of a run.
    private static func entry(
        of row: LedgerRow, _ definition: PipelineDefinition, _ store: StoreLocation
    ) throws(Failure) -> ArchiveEntry {
        let run = row.run
        guard row.pipeline.isIdentical(to: definition.name) else {
            throw Failure(.missing, "run \(run) was one of the pipeline \(row.pipeline), not of \(definition.name)")
        }
        guard let entry = row.archive.flatMap(ArchiveEntry.init(json:)) else {
            let reason =
                try definition.archive == nil
                ? "was not saved: \"archive\": { \"directory\": \"feeds\" } in the definition saves those of runs to come"
                : "was not saved, or has been deleted: \(kept(definition, store))"
            throw Failure(.missing, "the feed of run \(run) \(reason)")
        }
        return entry
    }

    /// So many runs are named whose feeds are kept.
    private static let mostNamed = 10

    /// Of which runs there are feeds.
    private static func kept(_ definition: PipelineDefinition, _ store: StoreLocation) throws(Failure) -> String {
        var runs: [String] = []
        try store.ledger().rows(of: definition.name) { row throws(Failure) in
            if row.archive != nil { runs.append(String(row.run)) }
            return runs.count <= mostNamed
        }
        if runs.isEmpty { return "that of no run is kept" }
        let named = runs.prefix(mostNamed).joined(separator: ", ") + (runs.count > mostNamed ? ", …" : "")
        return runs.count == 1 ? "that of run \(named) is kept" : "those of the runs \(named) are kept"
    }

    private static func files(
        of entry: ArchiveEntry, _ row: LedgerRow, _ definition: PipelineDefinition
    ) throws(Failure) -> [ExactText: [RunOptions.SavedFile]] {
        let names = row.sources.flatMap(LedgerSources.init(json:))
        var sources: [ExactText: [RunOptions.SavedFile]] = [:]
        for source in entry.sources {
            let index = definition.sources.firstIndex { $0.name.isIdentical(to: source.name) }
            let isNamed = index.map { definition.model.takes(.fileName, from: $0) } ?? false
            var saved: [RunOptions.SavedFile] = []
            let files = names?.sources.first { $0.name.isIdentical(to: source.name) }?.files
            let pages = entry.pageNames(of: source.name)
            let known = pages ?? files ?? []
            for (index, file) in source.files.enumerated() {
                let path = try find(file, entry.directory, definition.archive?.directory)
                // A single file keeps its own name: findings name the saved file, which people can find.
                let isShown = source.files.count > 1 || isNamed || pages != nil
                let name = isShown && known.indices.contains(index) ? known[index] : nil
                let parent = entry.parent(of: source.name, index)
                saved.append(.init(path: path, name: name, parent: parent, isPage: pages != nil))
            }
            sources[ExactText(source.name)] = saved
        }
        return sources
    }

    /// The path of a saved file, in the archive as it was, or as the definition has it now.
    private static func find(_ file: String, _ directory: String, _ other: String?) throws(Failure) -> String {
        for folder in [directory, other].compactMap({ $0 }) {
            let path = folder + "/" + file
            // Whether an object is there, is seen when it is listed.
            if ObjectFolder.names(folder) { return path }
            if unsafe access(path, F_OK) == 0 { return path }
            guard PathFault(errno: errno) != .other else {
                throw Failure(.io, "the saved feed \(path) cannot be read", errno: errno)
            }
        }
        throw Failure(.missing, "the saved feed \(directory)/\(file) does not exist")
    }

    /// The feed of a replay as the command line names it: `[SOURCE=]FEED`, where FEED may be a pattern.
    ///
    /// - Throws: `usage` where it does not say which of several sources is meant; `missing` where there is no file.
    package static func named(
        _ feeds: [RunOptions.FeedOverride], in definition: PipelineDefinition
    ) throws(Failure) -> RunOptions.Replay {
        var sources: [ExactText: [RunOptions.SavedFile]] = [:]
        for feed in feeds.map({ $0.named(among: definition.sources) }) {
            try definition.requireSource(for: feed.location)
            if feed.source == nil, definition.sources.count > 1 {
                let choices = definition.sources.map { "\($0.name)=\(feed.location)" }.joined(separator: " or ")
                throw Failure(.usage, "\(feed.location): the pipeline has several sources, so say which: \(choices)")
            }
            // What is elsewhere is listed when it is read.
            let isElsewhere = ObjectFolder.names(feed.location) || RemotePattern.names(feed.location)
            let files = isElsewhere ? [feed.location] : try expandGlob(feed.location)
            sources[ExactText(feed.source ?? definition.sources[0].name), default: []] += files.map {
                RunOptions.SavedFile(path: $0)
            }
        }
        return RunOptions.Replay(sources: sources)
    }
}
