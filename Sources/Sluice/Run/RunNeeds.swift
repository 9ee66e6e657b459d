import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport

/// The needs of a run outside of this process, which are checked without a run: nothing is loaded, and nothing is left
/// behind.
///
///     for failure in RunNeeds(definition, options).failures() { print(failure) }
package struct RunNeeds {
    private let definition: PipelineDefinition
    private let options: RunOptions

    /// The needs of a run that has not begun; variables that it needs must be set, see
    /// ``PipelineDefinition/requireForRun(_:)``.
    package init(_ definition: PipelineDefinition, _ options: RunOptions = RunOptions()) {
        self.definition = definition
        self.options = options
    }

    /// The failures that the next run would meet, each with the place in the definition that asks for it: of the
    /// archive, the findings, rights on the store, secrets, files, services, commands of `after`.
    package func failures() -> [Failure] {
        var failures: [Failure] = []
        attempt(["archive", "directory"], &failures) { () throws(Failure) in try checkArchive(connects: true) }
        attempt(["findings"], &failures, checkFindings)
        attempt(["store"], &failures) { () throws(Failure) in
            try definition.location(instead: options.store).checkRights(definition.model, definition.keeping.history)
        }
        failures += sourceFailures() + commandFailures()
        return failures
    }

    /// Whether the feed can be saved, where it is to be.
    ///
    /// - Parameter connects: whether services are asked, too.
    package func checkArchive(connects: Bool = false) throws(Failure) {
        guard let archive = definition.archive, !definition.pending.contains(where: { $0.part == .archive }) else {
            return
        }
        if connects || !ObjectFolder.names(archive.directory) { try FeedArchive.checkDirectory(archive.directory) }
    }

    private func checkFindings() throws(Failure) {
        guard let written = options.findings ?? definition.findings else { return }
        let path = FindingsName(written: written).name(at: .now)
        if ObjectFolder.names(path) { return try FindingsFile.checkObject(path) }
        var status = stat()
        // Opening a pipe, and closing it, would end its reader.
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return }
        _ = try FindingsFile(path)
    }

    private func attempt(
        _ keys: [String], _ failures: inout [Failure], _ body: () throws(Failure) -> Void
    ) {
        do throws(Failure) {
            try body()
        } catch {
            failures.append(error.located(at: definition.tree.place(keys)))
        }
    }

    // MARK: Sources

    private func sourceFailures() -> [Failure] {
        var failures: [Failure] = []
        var services: [FeedInput] = []
        for source in definition.sources {
            attempt(definition.keys(of: source), &failures) { () throws(Failure) in
                let input = try FeedInput.ofDefinition(source, definition, options.control)
                if input.web != nil { services.append(input) }
                if case .command(let command) = input.origin,
                    !HookProcess.isThere(command.arguments[0], folder: command.folder)
                {
                    throw Failure(.missing, "there is no program \(command.arguments[0]) that could be started")
                }
                for file in input.paths where input.isFromFiles && file != "-" { _ = try openFeed(file) }
            }
        }
        if !services.isEmpty { askServices(services, &failures) }
        return failures
    }

    /// Asks each service for the beginning of its feed. What is asked for each record of another source is not known
    /// yet.
    private func askServices(_ inputs: [FeedInput], _ failures: inout [Failure]) {
        var use = StoreUse(model: definition.model, pipeline: definition.name, savesAtEnd: true)
        use.isDry = true
        // The requests may depend on what the store holds; failures of the store are reported elsewhere.
        guard let store = try? definition.location(instead: options.store).open(use),
            let marks = try? SinceMarks(definition, store, LastRun(store)),
            let web = try? WebFeeds(inputs, definition, store, WebFeeds.Settings(since: marks))
        else { return }
        defer { web.end() }
        for (index, input) in inputs.enumerated() where input.web != nil && input.web?.parents == nil {
            attempt(definition.keys(of: input.source), &failures) { () throws(Failure) in
                let feed = try web.feed(of: index)
                if input.web?.member != nil {
                    // An archive would have to be downloaded as a whole before any of it can be read.
                    _ = try feed.hasNews()
                    return
                }
                guard let page = try feed.nextPage() else { return }
                var buffer = [UInt8](repeating: 0, count: 1 << 10)
                let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                    Result { () throws(Failure) in try unsafe page.read(into: bytes) }
                }
                _ = try outcome.get()
            }
        }
    }

    // MARK: Commands

    private func commandFailures() -> [Failure] {
        var failures: [Failure] = []
        let folder = FilePath.folder(definition.file)
        for (status, hooks) in definition.after.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for hook in hooks where !HookProcess.isThere(hook.arguments[0], folder: folder) {
                failures.append(
                    Failure(
                        .missing, "there is no program \(hook.arguments[0]) that could be started",
                        at: definition.tree.place(["after", status.rawValue])))
            }
        }
        return failures
    }
}

extension PipelineDefinition {
    /// The keys that lead to what a source is read from.
    func keys(of source: Source) -> [String] {
        let keys = node("source") == nil ? ["sources", source.name] : ["source"]
        switch source.location {
        case .file, .objects, .remote: return keys + ["file"]
        case .web: return keys + ["url"]
        case .command: return keys + ["command"]
        }
    }
}

extension HookProcess {
    /// Whether a program is there that may be started, as `posix_spawnp` looks for it.
    static func isThere(_ program: String, folder: String) -> Bool {
        func isExecutable(_ path: String) -> Bool {
            var status = stat()
            // A folder has the same right, which means something else there.
            return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        if program.hasPrefix("/") { return isExecutable(program) }
        if program.utf8.contains(UInt8(ascii: "/")) { return isExecutable(folder + "/" + program) }
        let folders = (environmentVariable("PATH") ?? "/bin:/usr/bin").split(
            separator: ":", omittingEmptySubsequences: false)
        return folders.contains { isExecutable(($0.isEmpty ? folder : String($0)) + "/" + program) }
    }
}
