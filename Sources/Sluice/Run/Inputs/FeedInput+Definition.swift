import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

extension FeedInput {
    /// The sources of a definition, in their order, as the options change them. Throws `missing` where a file does not
    /// exist, `usage` where an option names no source.
    static func all(of definition: PipelineDefinition, _ options: RunOptions) throws(Failure) -> [FeedInput] {
        let inputs: [FeedInput]
        if let replay = options.replay {
            inputs = try all(of: definition, replay, options.control)
        } else {
            inputs = try requested(definition, options)
        }
        return inputs.enumerated().map { index, input in
            var input = input
            input.takesFileName = definition.model.takes(.fileName, from: index)
            return input
        }
    }

    /// The sources of a definition, as the definition and the options name their feeds.
    private static func requested(
        _ definition: PipelineDefinition, _ options: RunOptions
    ) throws(Failure) -> [FeedInput] {
        let overrides = try overrides(definition, options)
        var inputs: [FeedInput] = []
        for source in definition.sources {
            if let feed = overrides[ExactText(source.name)] {
                try definition.requireNoParents(of: source, "--feed \(feed.location)")
                inputs.append(
                    try overridden(
                        source, feed, isArchived: definition.archive != nil && !options.isDry, options.control))
                continue
            }
            var input = try ofDefinition(source, definition, options.control)
            input.isOwn = true
            inputs.append(input)
        }
        let standardInputs = inputs.count { $0.files.contains("-") }
        if standardInputs > 1 { throw Failure(.usage, "only one source can be standard input") }
        return inputs
    }

    /// A source as the definition has it. Throws `missing`, with the place, where a file does not exist.
    static func ofDefinition(
        _ source: Source, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> FeedInput {
        do throws(Failure) { return try located(source, definition, control) } catch {
            throw error.located(at: definition.tree.place(definition.keys(of: source)))
        }
    }

    private static func located(
        _ source: Source, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> FeedInput {
        switch source.location {
        case .file(let pattern):
            return FeedInput(source: source, location: pattern, files: try files(pattern, source, definition, control))
        case .web(let service):
            let name = source.location.name
            let file = name + (service.member.map { "/" + $0 } ?? "")
            let pages = service.parents.map { _ in PageNames() }
            return FeedInput(
                source: source, location: file, files: [file], origin: .service(service, pages: pages),
                mayBeMissing: mayBeEmpty(source, definition))
        case .objects(let place):
            return try listed(source, place, DistantListing(control))
        case .remote(let place):
            return try listed(source, place, DistantListing(control))
        case .command(let command):
            return FeedInput(
                source: source, location: command.name, files: [command.name], origin: .command(command))
        }
    }

    /// The files of a source, which are there.
    private static func files(
        _ pattern: String, _ source: Source, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> [String] {
        let files = try matchingFiles(pattern, control.archives)
        if files.isEmpty {
            // An archive need not hold the file of a source that may be empty.
            if FeedPath.isInArchive(pattern), mayBeEmpty(source, definition) { return [] }
            // Nor need there be a file in a folder that is there, where only new files are read.
            if source.isNew, isFolderThere(of: pattern) { return [] }
            throw noFileMatches(pattern, control.archives)
        }
        for file in files where unsafe file != "-" && access(file, F_OK) != 0 && errno == ENOENT {
            throw Failure(.missing, "\(file) does not exist")
        }
        return files
    }

    /// Whether the folder is there in which the files of a pattern would be.
    private static func isFolderThere(of pattern: String) -> Bool {
        guard PathPattern.isPattern(pattern) else { return false }
        var folder = FilePath.folder(pattern)
        while PathPattern.isPattern(folder) { folder = FilePath.folder(folder) }
        return unsafe access(folder, X_OK) == 0
    }

    /// Whether the definition says of all entities of a source that they may have no record.
    static func mayBeEmpty(_ source: Source, _ definition: PipelineDefinition) -> Bool {
        let index = definition.sources.firstIndex { $0.name.isIdentical(to: source.name) }
        let entities = definition.model.entities.filter { entity in index.map(entity.sources.contains) == true }
        return entities.allSatisfy { definition.limits.allowNone(of: $0.name) }
    }

    /// A source that reads another feed than its own.
    static func overridden(
        _ source: Source, _ feed: RunOptions.FeedOverride, isArchived: Bool, _ control: RunControl
    ) throws(Failure) -> FeedInput {
        switch feed.origin {
        case .file(let text) where ObjectFolder.names(text):
            return try overridden(source, objects: text, DistantListing(control))
        case .file(let text) where RemotePattern.names(text):
            return try overridden(source, remote: text, DistantListing(control))
        case .file(let file):
            return FeedInput(source: source, location: file, files: try expandGlob(file, control.archives))
        case .program(let program):
            if program.hasRecords, isArchived {
                throw Failure(
                    .usage, "the records that the program makes for the source \(source.name) cannot be archived")
            }
            return FeedInput(
                source: source, location: feed.location, files: [feed.location], origin: .program(program))
        }
    }

    /// By the name of the source, the file that is to be read instead of its own.
    ///
    /// - Parameter option: how the command line gives it.
    static func overrides(
        _ definition: PipelineDefinition, _ options: RunOptions, by option: String = "--feed"
    ) throws(Failure) -> [ExactText: RunOptions.FeedOverride] {
        var overrides: [ExactText: RunOptions.FeedOverride] = [:]
        let names = definition.sources.map(\.name)
        for feed in options.feeds.map({ $0.named(among: definition.sources) }) {
            try definition.requireSource(for: "\(option) \(feed.location)")
            if feed.source == nil, names.count > 1 {
                throw Failure(
                    .usage,
                    "\(option) \(feed.location): the pipeline has several sources, so say which: "
                        + names.map { "\($0)=\(feed.location)" }.joined(separator: " or "))
            }
            let name = feed.source ?? names[0]
            guard names.containsExactly(name) else {
                throw Failure(
                    .usage, "\(option): there is no source \(name); there is \(names.joined(separator: ", "))")
            }
            guard overrides.updateValue(feed, forKey: ExactText(name)) == nil else {
                throw Failure(.usage, "\(option): the source \(name) is given twice")
            }
        }
        return overrides
    }
}

extension PipelineDefinition {
    /// The attributes that records of a source take of the record for which its service is asked.
    func parentNames(of source: Source) -> [String] {
        guard source.isAskedForEach, let index = sources.firstIndex(where: { $0.name.isIdentical(to: source.name) })
        else { return [] }
        return model.requestNames(of: index)
    }

    /// Throws `usage` where records of a source take values of those for which its service is asked: a file has none of
    /// them.
    func requireNoParents(of source: Source, _ given: String) throws(Failure) {
        guard let name = parentNames(of: source).first else { return }
        throw Failure(
            .usage,
            "\(given): records of the source \(source.name) take $for.\(name), which only a run knows that asks the"
                + " service, and the replay of such a run (--run N)")
    }

    /// Throws `usage` where no feed can be given, since there is no source.
    func requireSource(for given: String) throws(Failure) {
        guard sources.isEmpty else { return }
        throw Failure(.usage, "\(given): the pipeline has no source; its entities belong to programs")
    }
}

extension Source.Location {
    /// As the definition names it; of a service, its address.
    var name: String {
        switch self {
        case .file(let pattern): pattern
        case .web(let service): WebFeed(service.request).name
        case .command(let command): command.name
        case .objects(let objects): objects.name
        case .remote(let files): files.name
        }
    }
}
