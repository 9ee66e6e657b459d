import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceStoreSQLite

/// Makes a store what is published. At every moment there is the seed that was there, or the new one, whole.
package struct SeedInstaller {
    package struct Settings {
        package var store: String
        /// The public key that must have signed the manifest; nil: nobody need have.
        package var key: String?
        /// What programs need of it.
        package var required: SeedModel?
        package var isWhole = false
        package var isWritable = false
        package var force = false
        /// What is asked of services, and who ends all of it.
        package var session = FetchSession()
        package var note: (String) -> Void = { _ in }
        /// Told how many bytes of how many have come.
        package var progress: (UInt64, UInt64) -> Void = { _, _ in }

        var stop: Stop { Stop(of: session) }

        package init(store: String) { self.store = store }
    }

    /// What became of it.
    package struct Outcome: Sendable {
        package var manifest: SeedManifest
        /// Nil: nothing was to be done.
        package var source: Source?

        package enum Source: Sendable {
            case whole
            case delta(from: Int)
        }
    }

    let location: SeedLocation
    let settings: Settings

    /// - Parameter location: the manifest, see ``SeedLocation``.
    package init(_ location: String, _ settings: Settings) throws(Failure) {
        self.location = try SeedLocation(location, settings.session)
        self.settings = settings
    }

    var working: String { settings.store + ".sluice-seed" }
    var part: String { working + ".part" }

    /// Installs.
    ///
    /// - Parameter lock: takes the lock of the store until what it returns is called.
    package func perform(lock: () throws(Failure) -> () -> Void) throws(Failure) -> Outcome {
        let manifest = try ManifestSource(location, settings).manifest()
        let seen = try InstalledSeed.look(at: settings.store)
        // The usual case needs no lock, and writes nothing.
        if try isThere(manifest, seen) {
            if hasLeftovers { tidy(lock) }
            return Outcome(manifest: manifest)
        }
        let release = try lock()
        defer { release() }
        let installed = try InstalledSeed.look(at: settings.store)
        // Somebody else may have done it meanwhile.
        if try isThere(manifest, installed) { return Outcome(manifest: manifest) }
        clear()
        do throws(Failure) {
            let source = try make(manifest, installed)
            _ = unsafe unlink(part)
            return Outcome(manifest: manifest, source: source)
        } catch {
            clear()
            // What can go on later may; a disk that is full is not to stay so.
            if ![.unavailable, .cancelled].contains(error.kind) { _ = unsafe unlink(part) }
            throw error
        }
    }

    /// Whether one that died after it had done its work has left something, or another goes on.
    private var hasLeftovers: Bool {
        [working, part, settings.store + ".sluice-lock"].contains { FileNumber(named: $0) != nil }
    }

    /// Removes that, where nobody holds the store.
    private func tidy(_ lock: () throws(Failure) -> () -> Void) {
        guard let release = try? lock() else { return }
        defer { release() }
        clear()
        _ = unsafe unlink(part)
    }

    /// Removes what an installation that died has left.
    private func clear() {
        _ = unsafe unlink(working)
        StoreTraces.remove(working)
    }

    /// Whether it is installed already. Throws where it must not be.
    private func isThere(_ manifest: SeedManifest, _ installed: InstalledSeed) throws(Failure) -> Bool {
        let store = settings.store
        let row: SeedRow
        switch installed {
        case .absent, .damaged: return false
        case .other(let what):
            if settings.force { return false }
            throw Failure(.definition, "\(store) \(what), and is not replaced without --force")
        case .seed(let seed, let condition):
            let isSame =
                seed.version == manifest.version && seed.content == manifest.content
                && seed.name.isIdentical(to: manifest.name) && condition.isWritable == settings.isWritable
            if isSame != settings.force { return isSame }
            var hasOwn = condition.hasOwn
            if !hasOwn, condition.isWritable { hasOwn = try InstalledSeed.isChanged(store, seed, settings.stop) }
            if settings.force { return !hasOwn }
            if hasOwn {
                throw Failure(
                    .definition,
                    "\(store) holds what runs or programs have written to it, which version \(manifest.version) does not: "
                        + "it is not replaced without --force")
            }
            row = seed
        }
        guard row.name.isIdentical(to: manifest.name) else {
            throw Failure(
                .definition,
                "\(store) is the seed \(row.name), and not \(manifest.name): it is not replaced without --force")
        }
        guard row.version <= manifest.version else {
            throw Failure(
                .refused,
                "version \(manifest.version) is older than version \(row.version), which \(store) is: it is not replaced "
                    + "without --force")
        }
        return false
    }

    // MARK: The new store

    private func make(_ manifest: SeedManifest, _ installed: InstalledSeed) throws(Failure) -> Outcome.Source {
        if let delta = fitting(manifest, installed), try apply(delta, manifest) {
            try take()
            return .delta(from: delta.from)
        }
        try expand(manifest)
        try take()
        return .whole
    }

    private func fitting(_ manifest: SeedManifest, _ installed: InstalledSeed) -> SeedManifest.Delta? {
        guard !settings.isWhole, case .seed(let row, let condition) = installed, condition.isIntact,
            row.name.isIdentical(to: manifest.name)
        else { return nil }
        return manifest.deltas.first { $0.from == row.version && $0.fromContent == row.content }
    }

    private func expand(_ manifest: SeedManifest) throws(Failure) {
        let whole = manifest.whole
        let (file, start) = try location.open(
            whole.file, bytes: whole.bytes, sha256: whole.sha256, part: part, settings)
        let target = try NewStore(working)
        let expander = try Expander(file, from: start, expanded: whole.expandedBytes)
        let digest = try WholeFile.expand(expander, to: target.descriptor, named: working, settings.stop)
        guard digest == whole.expandedSha256 else {
            throw Failure(.data, "\(whole.file) expands to another SHA-256 than the manifest names")
        }
        guard try !StoreHeader(ReadFile(working)).isWAL else {
            throw Failure(.data, "\(whole.file) is a store in WAL mode, and no seed")
        }
        let connection = try SeedDatabase.openPrivate(working, settings.stop)
        try finish(target, connection, manifest)
    }

    /// False: the whole is needed.
    private func apply(_ delta: SeedManifest.Delta, _ manifest: SeedManifest) throws(Failure) -> Bool {
        do throws(Failure) {
            let (file, start) = try location.open(
                delta.file, bytes: delta.bytes, sha256: delta.sha256, part: part, settings)
            let target = try NewStore(working)
            try target.copy(settings)
            let application = DeltaApplication(
                delta: delta, file: file, start: start, path: working, stop: settings.stop)
            let connection = try application.perform { () throws(Failure) in try target.copy(settings) }
            guard let connection else { throw Failure(.data, "it does not fit what is installed") }
            try finish(target, connection, manifest)
            return true
        } catch {
            // What is installed may be damaged, in whatever way: then the whole mends it. If it is the disk, or there
            // is no room, the whole will tell.
            if [.cancelled, .unavailable, .busy, .uncreatable].contains(error.kind) { throw error }
            settings.note("the delta from version \(delta.from) is of no use: \(error.message)")
            clear()
            return false
        }
    }

    /// Compares what was made with what it should be, and puts it on the disk.
    private func finish(_ target: NewStore, _ connection: Connection, _ manifest: SeedManifest) throws(Failure) {
        do throws(Failure) {
            try SeedDatabase.refuseActors(connection)
            let faults = try SeedCheck(connection: connection, stop: settings.stop).identity(manifest)
            if let fault = faults.first { throw Failure(.data, "the seed is not what it should be: \(fault)") }
            guard try ContentHash.digest(of: connection, settings.stop) == manifest.content else {
                throw Failure(.data, "its content is not that of version \(manifest.version)")
            }
        } catch {
            // What is wrong with its schema is wrong with the seed.
            throw error.kind == .definition ? Failure(.data, error.message) : error
        }
        // Who may write to it has a store like any other, and no seed any more.
        if settings.isWritable { try connection.execute("PRAGMA application_id = 0") }
        connection.close()
        try target.finish(mode: settings.isWritable ? 0o640 : 0o440)
    }

    /// Gives it its name.
    private func take() throws(Failure) {
        try settings.stop.check()
        try OldStore(path: settings.store, stop: settings.stop).retire()
        guard unsafe rename(working, settings.store) == 0 else {
            throw Failure(.uncreatable, "the store \(settings.store) cannot be replaced", errno: errno)
        }
        let folder = FilePath.folder(settings.store)
        guard FilePath.syncFolder(folder) else {
            throw Failure(.io, "the folder \(folder) cannot be written", errno: errno)
        }
    }
}

/// The file of a store that has no name yet.
@safe
private final class NewStore {
    let descriptor: CInt
    private let path: String

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.uncreatable, "\(path) cannot be created", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Makes it a copy of what is installed.
    func copy(_ settings: SeedInstaller.Settings) throws(Failure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Failure(.io, "\(path) cannot be written", errno: errno)
        }
        try WholeFile.copy(ReadFile(settings.store), to: descriptor, named: path, settings.stop)
    }

    func finish(mode: mode_t) throws(Failure) {
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
            throw Failure(.io, "\(path) cannot be written", errno: errno)
        }
    }
}
