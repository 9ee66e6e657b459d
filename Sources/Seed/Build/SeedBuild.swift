import Glibc
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceStoreSQLite

/// Publishes what a store holds as the next version of a seed.
///
///     let outcome = try SeedBuild(settings).perform()
package struct SeedBuild {
    /// What is built, and how.
    package struct Settings: Sendable {
        package var store: String
        package var name: String
        package var directory: String
        /// How many seeds before the new one stay, and get a delta to it.
        package var keep = SeedBuild.defaultKeep
        /// Of the compression.
        package var level = SeedBuild.defaultLevel
        /// A private key that signs the manifest; nil: it is not signed.
        package var key: String?
        /// RFC 3339, UTC.
        package var created: String
        /// The version of sluice.
        package var sluice: String
        /// What is asked of services, and who ends all of it.
        package var session = FetchSession()
        /// Takes what should be known.
        package var note: @Sendable (String) -> Void = { _ in }

        var stop: Stop { Stop(of: session) }

        package init(store: String, name: String, directory: String, created: String, sluice: String) {
            self.store = store
            self.name = name
            self.directory = directory
            self.created = created
            self.sluice = sluice
        }
    }

    package static let defaultKeep = 7
    package static let defaultLevel = 9
    package static let levels = 1...19

    /// What became of it.
    package enum Outcome: Sendable {
        case built(SeedManifest)
        /// The newest seed has the same content and model, and the same waits in it.
        case nothingNew(SeedManifest)
    }

    let settings: Settings
    let folder: SeedFolder

    package init(_ settings: Settings) throws(Failure) {
        self.settings = settings
        folder = try SeedFolder(at: settings.directory, settings.session)
    }

    /// Builds. The folder must be held by who calls.
    package func perform() throws(Failure) -> Outcome {
        let name = try SeedName.checked(settings.name)
        let key: SignatureKey? = if let path = settings.key { try SignatureKey(path, isPrivate: true) } else { nil }
        let work = WorkFiles(SeedFolder(path: folder.path), name)
        try folder.objects?.objects.abortUploads(name + "-") { SeedName.version(of: $0, name) != nil }
        defer { work.remove() }
        work.remove()
        let published = try PublishedSeed(folder, name)
        let (connection, content) = try SeedSnapshot(
            store: settings.store, path: try work.make("snapshot"), stop: settings.stop
        ).take()
        if let unfinished = try published.unfinished(settings.stop), content.isThat(of: unfinished) {
            connection.close()
            try ManifestPublication(folder: folder, manifest: unfinished, key: key).perform()
            return finished(unfinished)
        }
        if let newest = published.newest, content.isThat(of: newest) {
            guard let fault = try published.fault(key, settings.stop) else { return .nothingNew(newest) }
            settings.note("what is published is not whole, so that the same content gets another version: \(fault)")
        }
        if let damage = published.damage { settings.note("\(damage); the content gets another version") }
        if !content.leftOut.isEmpty {
            settings.note("left out, as no definition has it: \(content.leftOut.joined(separator: ", "))")
        }
        let row = SeedRow(
            name: name, version: try published.nextVersion(), model: content.modelHash, content: content.hash,
            created: settings.created)
        let seed = try work.make("seed")
        try finish(connection, row, into: seed)
        let manifest = try publish(seed, row, content, work)
        do throws(Failure) {
            try ManifestPublication(folder: folder, manifest: manifest, key: key).perform()
        } catch {
            // Nobody else's manifest names them.
            folder.objects?.withdraw(manifest, after: error)
            throw error
        }
        return finished(manifest)
    }

    /// What follows from a seed that is published.
    private func finished(_ manifest: SeedManifest) -> Outcome {
        remove(olderThan: manifest.version - settings.keep, manifest.name)
        return .built(manifest)
    }

    /// Writes the file that is published: the same bytes for the same content, whatever the store has been through.
    private func finish(_ connection: Connection, _ row: SeedRow, into path: String) throws(Failure) {
        try row.insert(connection)
        try connection.execute("PRAGMA application_id = \(SeedMark.application)")
        try connection.execute("PRAGMA user_version = 0")
        try connection.execute("PRAGMA schema_version = 1")
        try SeedSnapshot.vacuum(connection, into: path)
        connection.close()
    }

    // MARK: Files

    private func publish(
        _ seed: String, _ row: SeedRow, _ content: SeedSnapshot.Content, _ work: WorkFiles
    ) throws(Failure) -> SeedManifest {
        let source = try ReadFile(seed)
        let file = SeedName.whole(row.name, row.version)
        let written = try WrittenFile(folder.path(of: file))
        let compressor = try Compressor(written, level: settings.level, size: source.size)
        let digest = try SHA256()
        try unsafe WholeFile.visit(source, settings.stop) { bytes throws(Failure) in
            unsafe digest.update(bytes)
            try unsafe compressor.write(bytes)
        }
        let whole = SeedManifest.Whole(
            file: file, bytes: 0, sha256: try compressor.finish(), expandedBytes: compressor.taken,
            expandedSha256: try digest.hexadecimal())
        var manifest = SeedManifest(
            name: row.name, version: row.version, created: row.created, sluice: settings.sluice,
            sqlite: SeedDatabase.sqliteVersion, modelHash: row.model, content: row.content, model: content.model,
            objects: content.counts, whole: whole, deltas: [])
        manifest.waiting = content.waiting
        manifest.whole.bytes = compressor.written
        try written.finish()
        let deltas = DeltaBuild(
            folder: folder, work: work, seed: seed, row: row, whole: manifest.whole, settings: settings)
        manifest.deltas = try deltas.perform(content.model)
        return manifest
    }

    /// Removes what is too old, unless some manifest names it.
    private func remove(olderThan oldest: Int, _ name: String) {
        guard let files = try? folder.names(), let manifests = try? folder.manifests(of: name) else { return }
        let named = Set(manifests.flatMap(\.manifest.files).map { ExactText($0) })
        for file in files where !named.contains(ExactText(file)) {
            if let version = SeedName.version(of: file, name), version < oldest { folder.remove(file) }
        }
    }
}

/// The files in which a seed is made, in its own folder, where there is room for it: only their owner may read them,
/// and no server shows what begins with a dot.
struct WorkFiles {
    private let folder: SeedFolder
    private let name: String

    init(_ folder: SeedFolder, _ name: String) {
        self.folder = folder
        self.name = name
    }

    private static let kinds = ["snapshot", "seed", "earlier"]

    private func file(_ kind: String) -> String { ".\(name).\(kind).sluice-work" }

    /// An empty file, and its path.
    func make(_ kind: String) throws(Failure) -> String {
        let path = folder.path(of: file(kind))
        _ = unsafe unlink(path)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.uncreatable, "\(path) cannot be created", errno: errno) }
        close(descriptor)
        return path
    }

    /// Removes what there is of them, and of files that a build that died has not finished.
    func remove() {
        for kind in WorkFiles.kinds {
            for ending in ["", "-journal", "-wal", "-shm"] { folder.remove(file(kind) + ending) }
        }
        for file in (try? folder.names()) ?? [] where file.hasSuffix(WrittenFile.ending) {
            let named = String(file.dropLast(WrittenFile.ending.count))
            if named.hasPrefix(name + ".") || SeedName.version(of: named, name) != nil { folder.remove(file) }
        }
    }
}
