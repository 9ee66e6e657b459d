import SluiceDefinition
import SluiceExtract
import SluicePosix
import SluiceRecords
import SluiceReport

/// The files that a run writes, held against those that it reads and against one another: none may take the place of
/// another, whatever its name is spelled like.
///
///     try OutputNames(definition, options, report: "report.json").check()
package struct OutputNames {
    private let definition: PipelineDefinition
    private let options: RunOptions
    private let report: String?
    private let metrics: String?
    private let diagram: String?
    private let types: String?

    /// - Parameters:
    ///   - report: the file for the report, where there is one.
    ///   - metrics: likewise.
    ///   - diagram: the file of what is made of the definition, without a run: that alone is looked at then.
    ///   - types: likewise.
    package init(
        _ definition: PipelineDefinition, _ options: RunOptions = RunOptions(), report: String? = nil,
        metrics: String? = nil, diagram: String? = nil, types: String? = nil
    ) {
        self.definition = definition
        self.options = options
        self.report = report
        self.metrics = metrics
        self.diagram = diagram
        self.types = types
    }

    /// What a file is to a run.
    private struct Use {
        enum Role: String {
            case definition, feed, rejects, store, archive, findings, report, metrics, diagram, types
        }

        var role: Role
        /// As it was named: of what belongs to a store, the store.
        var path: String
        /// Where the definition says it; nil: the command line does.
        var place: Failure.Place?

        var described: String { "the \(role.rawValue) \(path)" }
        var isDocument: Bool { role == .diagram || role == .types }
    }

    /// Throws `definition`, with the place, where the definition alone makes a run replace a file that must stay;
    /// `usage` where the command line has a part in it.
    package func check() throws(Failure) {
        let isOfRun = diagram == nil && types == nil
        if isOfRun {
            _ = try definition.location(instead: options.store)
            try checkFindingsName()
        }
        var taken: [FileIdentity: Use] = [:]
        for (use, paths) in inputs {
            for path in paths { FileIdentity(path).map { taken[$0] = use } }
        }
        for (use, paths) in outputs {
            let isAsked = isOfRun || use.isDocument
            for identity in paths.compactMap({ FileIdentity($0) }) {
                if let other = taken[identity], isAsked { try refuse(use, other) }
            }
            // Only then: a store that is just getting its name has two.
            for path in paths { FileIdentity(path).map { taken[$0] = use } }
            if use.role != .archive, isAsked {
                try refuseSavedFeed(use)
                try refusePattern(use)
            }
        }
    }

    // MARK: What is read and written

    private var inputs: [(Use, [String])] {
        let isPartial = options.replay?.isPartial == true
        let place = definition.tree.place([])
        let files = definition.tree.isMadeInCode ? [] : [definition.file]
        return [(Use(role: .definition, path: definition.file, place: place), files)]
            + feeds.map { path, place in (Use(role: isPartial ? .rejects : .feed, path: path, place: place), [path]) }
    }

    private var feeds: [(path: String, place: Failure.Place?)] {
        if options.replay != nil {
            let inputs = (try? FeedInput.all(of: definition, options)) ?? []
            return inputs.flatMap(\.paths).map { ($0, nil) }
        }
        let given = overrides.values.compactMap { feed in
            if case .file(let pattern) = feed.origin { (pattern: pattern, place: Failure.Place?.none) } else { nil }
        }
        return (given + sourcesRead.map { ($0.pattern, $0.place) }).flatMap { pattern, place in
            // What is not there yet has a name all the same.
            ((try? expandGlob(pattern, options.control.archives)) ?? [pattern]).map { ($0, place) }
        }
    }

    private var overrides: [ExactText: RunOptions.FeedOverride] {
        (try? FeedInput.overrides(definition, options)) ?? [:]
    }

    /// The sources whose own files are read.
    private var sourcesRead: [(pattern: String, place: Failure.Place)] {
        guard options.replay == nil else { return [] }
        let overrides = overrides
        return definition.sources.enumerated().compactMap { index, source in
            guard overrides[ExactText(source.name)] == nil, isKnown(.source(index)),
                case .file(let pattern) = source.location
            else { return nil }
            return (pattern, definition.tree.place(definition.keys(of: source)))
        }
    }

    private var outputs: [(Use, [String])] {
        var outputs: [(Use, [String])] = []
        // A store on a server takes the place of no file.
        let isFile = (try? definition.location(instead: options.store))?.path != nil
        if isFile, let store = use(.store, options.store, definition.store, .store, ["store", "sqlite"]) {
            outputs.append((store, StorePath.belongings(of: store.path)))
        }
        let directory = options.replay == nil ? definition.archive?.directory : nil
        if let archive = use(.archive, nil, directory, .archive, ["archive", "directory"]) {
            outputs.append((archive, [archive.path]))
        }
        if var findings = writtenFindings {
            findings.path = FindingsName(written: findings.path).name(at: .now)
            outputs.append((findings, [findings.path, findings.path + ".sluice-new"]))
        }
        for (role, path) in [(Use.Role.report, report), (.metrics, metrics), (.diagram, diagram), (.types, types)] {
            if let path, path != "-" { outputs.append((Use(role: role, path: path), [path])) }
        }
        return outputs
    }

    private var writtenFindings: Use? {
        use(.findings, options.findings, definition.findings, .findings, ["findings"])
    }

    private func checkFindingsName() throws(Failure) {
        guard let findings = writtenFindings, let mistake = FindingsName(written: findings.path).mistake else { return }
        guard let place = findings.place else { throw Failure(.usage, mistake) }
        throw Failure(.definition, mistake, at: place)
    }

    /// What the command line names, or else the definition.
    private func use(
        _ role: Use.Role, _ given: String?, _ own: String?, _ part: PipelineDefinition.Part, _ keys: [String]
    ) -> Use? {
        if let given { return given == "-" ? nil : Use(role: role, path: given) }
        guard let own, isKnown(part) else { return nil }
        return Use(role: role, path: own, place: definition.tree.place(keys))
    }

    /// Whether no variable of a part is missing.
    private func isKnown(_ part: PipelineDefinition.Part) -> Bool { !definition.pending.contains { $0.part == part } }

    // MARK: What is refused

    private func refuse(_ use: Use, _ other: Use) throws(Failure) {
        // A replay of mended rejects is meant to replace them.
        if use.role == .findings, other.role == .rejects { return }
        throw failure("\(use.described) would replace \(other.described)", use, other)
    }

    /// What the archive holds, or will.
    private func refuseSavedFeed(_ use: Use) throws(Failure) {
        guard let directory = definition.archive?.directory, isKnown(.archive), use.path.hasSuffix(".zst") else {
            return
        }
        let folders = [use.path, StorePath.real(use.path)].map { FileIdentity(FilePath.folder($0)) }
        guard folders.contains(FileIdentity(directory)) else { return }
        let archive = Use(role: .archive, path: directory, place: definition.tree.place(["archive", "directory"]))
        throw failure("\(use.described) would be among the saved feeds of \(archive.described)", use, archive)
    }

    /// What the next run would take for a feed.
    private func refusePattern(_ use: Use) throws(Failure) {
        for source in definition.sources where options.replay == nil {
            guard case .objects(let objects) = source.location, objects.pattern.names(use.path) else { continue }
            let place = definition.tree.place(definition.keys(of: source))
            let feed = Use(role: .feed, path: objects.name, place: place)
            throw failure("\(use.described) would be read as a feed: \(objects.name) matches it", use, feed)
        }
        for (pattern, place) in sourcesRead where StorePath.matches(use.path, pattern: pattern) {
            let feed = Use(role: .feed, path: pattern, place: place)
            throw failure("\(use.described) would be read as a feed: \(pattern) matches it", use, feed)
        }
    }

    private func failure(_ message: String, _ use: Use, _ other: Use) -> Failure {
        guard let place = use.place, other.place != nil else { return Failure(.usage, message) }
        return Failure(.definition, message, at: place)
    }
}
