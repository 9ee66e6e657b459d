import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceReport

/// A source with the files that a run reads of it.
struct FeedInput: Sendable {
    var source: Source
    var location: String
    /// As findings name them.
    var files: [String]
    /// The files that are read in their place, where these are not there any more.
    var copies: [String]?
    /// The service to ask, where the source is one.
    var web: WebSource?
    /// The command to start, where the source is one.
    var command: CommandSource?
    /// The objects to get, where the source is some: as many as there are files.
    var objects: [BucketObject]?
    /// The feed is a file of this path in each object; nil: it is the object.
    var member: String?
    /// The files of another machine to get, where the source is some: as many as there are files.
    var remote: RemoteInput?
    /// Counts what has happened on the wire already, where objects were listed.
    var meter: WireMeter?
    /// What the program gives, where it does.
    var program: ProgramFeed?
    /// What the pages are called that a service gives for each record of an entity.
    var pages: PageNames?
    /// Of a replay, by file: the values that records take of the record for which a service was asked.
    var parents: [[ExactText: Literal]] = []
    /// Whether it reads what the definition names, and nothing in its place.
    var isOwn = false
    /// Whether there may be nothing to read: the definition says so of all its entities.
    var mayBeMissing = false
    /// Whether a value of its records is the name of the file.
    var takesFileName = false

    /// Whether it is read from files, which can be opened again.
    var isFromFiles: Bool { web == nil && program == nil && command == nil && objects == nil && remote == nil }

    /// Whether it is read from files that are in a bucket, or on another machine.
    var isDistant: Bool { objects != nil || remote != nil }

    /// What is opened.
    var paths: [String] { copies ?? files }

    var feed: Feed {
        var feed = Feed(
            source: source.name, location: location, files: files, isPaged: web?.isPaged == true, pages: pages)
        feed.isNamed = takesFileName
        return feed
    }

    /// How the values of the feed follow one another: what the definition says, or else the name of the file, or that of
    /// the source's own, in whose place it is read.
    var format: FeedOptions.Format {
        // The name of a program is not that of a file.
        if command != nil { return (source.format ?? .json).reading }
        let names = [files.first ?? location, source.location.name]
        return (source.format ?? names.map { Source.Format(fileName: $0) }.first { $0 != .json } ?? .json).reading
    }

    /// How the source is read.
    func options(batchSize: Int) -> FeedOptions {
        var options = FeedOptions()
        options.format = format
        options.encoding = source.encoding
        options.table = source.table
        options.table.delimiter = source.delimiter ?? UInt8(ascii: format == .tsv ? "\t" : ",")
        options.maxText = source.maxText
        options.maxRecord = source.maxRecord
        options.maxDepth = source.maxDepth
        options.nullIsNothing = source.isPaged
        options.batchSize = batchSize
        return options
    }

    /// The files on this machine that some inputs are read from, by input; of what comes from elsewhere, none.
    static func localPaths(_ inputs: [FeedInput]) -> [[String]] { inputs.map { $0.isFromFiles ? $0.paths : [] } }

    /// How those of some inputs are read that are tables, or not in UTF-8, by their indices.
    static func forms(_ inputs: [FeedInput]) -> [Int: FeedOptions] {
        var forms: [Int: FeedOptions] = [:]
        for (index, input) in inputs.enumerated() where input.format.isTable || input.source.encoding != nil {
            forms[index] = input.options(batchSize: 1)
        }
        return forms
    }

    /// The sources of a definition, in their order, as the options change them. Throws `missing` where a file does not
    /// exist, `usage` where an option names no source.
    static func all(of definition: PipelineDefinition, _ options: RunOptions) throws(Failure) -> [FeedInput] {
        let inputs: [FeedInput]
        if let replay = options.replay {
            inputs = try all(of: definition, replay, options.control)
        } else {
            inputs = try given(definition, options)
        }
        return inputs.enumerated().map { index, input in
            var input = input
            input.takesFileName = definition.model.takes(.fileName, from: index)
            return input
        }
    }

    /// The sources of a definition, as the definition and the options name their feeds.
    private static func given(
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
            var input = try own(source, definition, options.control)
            input.isOwn = true
            inputs.append(input)
        }
        let standardInputs = inputs.count { $0.files.contains("-") }
        if standardInputs > 1 { throw Failure(.usage, "only one source can be standard input") }
        return inputs
    }

    /// A source as the definition has it. Throws `missing`, with the place, where a file does not exist.
    static func own(
        _ source: Source, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> FeedInput {
        switch source.location {
        case .file(let pattern):
            return FeedInput(source: source, location: pattern, files: try files(pattern, source, definition, control))
        case .web(let service):
            let name = source.location.name
            let file = name + (service.member.map { "/" + $0 } ?? "")
            var input = FeedInput(source: source, location: file, files: [file], web: service)
            input.mayBeMissing = mayBeEmpty(source, definition)
            if service.parents != nil { input.pages = PageNames() }
            return input
        case .objects(let place):
            return try own(source, place, definition, DistantListing(control))
        case .remote(let place):
            return try own(source, place, definition, DistantListing(control))
        case .command(let command):
            return FeedInput(source: source, location: command.name, files: [command.name], command: command)
        }
    }

    /// The files of a source, which are there.
    private static func files(
        _ pattern: String, _ source: Source, _ definition: PipelineDefinition, _ control: RunControl
    ) throws(Failure) -> [String] {
        do throws(Failure) {
            let files = try matchingFiles(pattern, control.archives)
            if files.isEmpty {
                // An archive need not hold what may be empty.
                if FeedPath.isInArchive(pattern), mayBeEmpty(source, definition) { return [] }
                // Nor has anybody to have dropped anything into a folder that is there.
                if source.isNew, isFolderThere(of: pattern) { return [] }
                throw noFileMatches(pattern)
            }
            for file in files where unsafe file != "-" && access(file, F_OK) != 0 && errno == ENOENT {
                throw Failure(.missing, "\(file) does not exist")
            }
            return files
        } catch {
            throw error.located(at: definition.tree.place(definition.keys(of: source)))
        }
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
        return entities.allSatisfy { definition.limits.records(of: $0.name).allowsNone }
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
            return FeedInput(source: source, location: feed.location, files: [feed.location], program: program)
        }
    }

    /// The bytes of all files of some inputs, as they are stored; 0 where one of them is no file.
    static func byteCount(_ inputs: [FeedInput]) -> Int {
        var total = 0
        guard inputs.allSatisfy(\.isFromFiles) else { return 0 }
        for file in inputs.flatMap(\.paths) {
            var status = stat()
            // How much of an archive is a member's, nobody knows before it is read.
            guard file != "-", FeedPath(file).member == nil, unsafe stat(file, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return 0 }
            total += Int(status.st_size)
        }
        return total
    }

    /// The sources of a definition as a saved feed has them.
    private static func all(
        of definition: PipelineDefinition, _ replay: RunOptions.Replay, _ control: RunControl
    ) throws(Failure) -> [FeedInput] {
        let names = definition.sources.map(\.name)
        for name in replay.sources.keys.sorted() where !names.containsExactly(name.string) {
            throw Failure(.usage, "there is no source \(name); there is \(names.joined(separator: ", "))")
        }
        var inputs: [FeedInput] = []
        for source in definition.sources {
            guard let files = replay.sources[ExactText(source.name)], !files.isEmpty || replay.run != nil else {
                throw Failure(.usage, "the saved feed of the source \(source.name) is missing: \(source.name)=FEED")
            }
            var input = FeedInput(
                source: source, location: files.first?.path ?? source.location.name, files: files.map(\.name))
            input.copies = files.map(\.path)
            if files.contains(where: { $0.parent == nil }) {
                try definition.requireNoParents(of: source, files[0].path)
            }
            input.parents = files.map { $0.parent.map(FeedInput.values) ?? [:] }
            let listing = DistantListing(control)
            try input.takeSaved(objects: files, listing)
            try input.takeSaved(remote: files, listing)
            inputs.append(input)
        }
        let standardInputs = inputs.reduce(0) { $0 + $1.paths.count { $0 == "-" } }
        if standardInputs > 1 { throw Failure(.usage, "only one feed can be standard input") }
        return inputs
    }

    /// The values of a record for which a service was asked, as the archive has them.
    private static func values(_ json: String) -> [ExactText: Literal] {
        guard let tree = try? JSONTree.read(Array(json.utf8), file: "the ledger"),
            case .object(let members) = tree.root.kind
        else { return [:] }
        var values: [ExactText: Literal] = [:]
        for member in members {
            switch member.value.kind {
            case .number(let text): values[ExactText(member.key)] = .number(text)
            case .string(let text): values[ExactText(member.key)] = .text(text)
            case .null, .boolean, .array, .object: values[ExactText(member.key)] = .null
            }
        }
        return values
    }

    /// By the name of the source, the file that is to be read instead of its own.
    static func overrides(
        _ definition: PipelineDefinition, _ options: RunOptions
    ) throws(Failure) -> [ExactText: RunOptions.FeedOverride] {
        var overrides: [ExactText: RunOptions.FeedOverride] = [:]
        let names = definition.sources.map(\.name)
        for feed in options.feeds.map({ $0.named(among: definition.sources) }) {
            try definition.requireSource(for: "--feed \(feed.location)")
            if feed.source == nil, names.count > 1 {
                throw Failure(
                    .usage,
                    "--feed \(feed.location): the pipeline has several sources, so say which: "
                        + names.map { "\($0)=\(feed.location)" }.joined(separator: " or "))
            }
            let name = feed.source ?? names[0]
            guard names.containsExactly(name) else {
                throw Failure(.usage, "--feed: there is no source \(name); there is \(names.joined(separator: ", "))")
            }
            guard overrides.updateValue(feed, forKey: ExactText(name)) == nil else {
                throw Failure(.usage, "--feed: the source \(name) is given twice")
            }
        }
        return overrides
    }
}

extension Model {
    /// Whether a value of a source's records is something of where they stand: `line` or `fileName`.
    func takes(_ place: ValueRule.Origin, from source: Int) -> Bool {
        entities.contains { $0.sources.contains(source) && $0.takes(place) }
    }
}

extension PipelineDefinition {
    /// Throws `usage` where records of a source take values of those for which its service is asked: a file has none of
    /// them.
    fileprivate func requireNoParents(of source: Source, _ given: String) throws(Failure) {
        guard let index = sources.firstIndex(where: { $0.name.isIdentical(to: source.name) }),
            let name = model.requestNames(of: index).first
        else { return }
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
    fileprivate var name: String {
        switch self {
        case .file(let pattern): pattern
        case .web(let service): WebFeed(service.request).name
        case .command(let command): command.name
        case .objects(let objects): objects.name
        case .remote(let files): files.name
        }
    }
}
