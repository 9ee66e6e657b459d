import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceSeed

/// Stores that are published, and installed where programs use them.
public enum Seed {
    /// Installs what is published, where it is not there yet; which costs a look at the manifest. At every moment the
    /// store is the seed that was there, or the new one, whole; who has the old one open goes on with it.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - requiring: types that must fit it. Where the newest seed does not, the newest one is taken that has just the
    ///     model of these types, if there is one: so name the types of all its entities, not only of those that are
    ///     used.
    ///   - key: who must have signed it. Over plain `http:` it is needed.
    ///   - onProgress: told how much has come, by the thread that installs.
    /// - Returns: which seed is installed now.
    /// - Throws: `data` where something is not what the manifest says; `refused` where the signature is missing or
    ///   wrong, or the seed older than what is installed; `incompatible` where it lacks what the types need, or the
    ///   store is none that may be replaced; `busy`, `unavailable`, `missing`, `io`; `cancelled` once the task is
    ///   cancelled, after which a later call goes on where this one was.
    public static func install(
        from source: SeedSource, to store: String, requiring: [any StoredObject.Type] = [], key: SeedKey? = nil,
        onProgress: (@Sendable (SeedProgress) -> Void)? = nil
    ) async throws(StoreError) -> SeedVersion {
        var settings = SeedInstaller.Settings(store: StorePath.replaceable(store))
        settings.key = key?.path
        settings.required = requiring.isEmpty ? nil : StoreModel.model(requiring)
        if let onProgress {
            settings.progress = { done, total in onProgress(SeedProgress(bytes: Int(done), totalBytes: Int(total))) }
        }
        let installing = Installing(location: source.location, settings: settings)
        return try await installing.run()
    }
}

/// Where a seed comes from.
public struct SeedSource: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The path or the address of the manifest.
    public var location: String

    /// The manifest at a path or an address: `seeds/transit.seed.json`, `https://example.org/transit.seed.json`.
    public init(_ location: String) { self.location = location }

    /// The manifest at a path or an address.
    public init(stringLiteral value: String) { self.init(value) }
}

/// Who must have signed a seed.
public struct SeedKey: Sendable, Hashable {
    /// The path of the public key: Ed25519, PEM.
    public var path: String

    /// The key in a file.
    public init(path: String) { self.path = path }
}

/// How far an installation is.
public struct SeedProgress: Sendable, Hashable {
    /// Bytes that have come.
    public var bytes: Int
    /// Bytes that are to come in all.
    public var totalBytes: Int

    /// 0 to 1.
    public var fraction: Double { totalBytes == 0 ? 1 : Double(bytes) / Double(totalBytes) }
}

/// An installation on a thread of its own. Nothing in it changes after it was made.
private final class Installing: @unchecked Sendable {
    private let location: String
    private let settings: SeedInstaller.Settings
    private let cancellation: CancelFlag

    init(location: String, settings: SeedInstaller.Settings) {
        var settings = settings
        let cancellation = CancelFlag()
        settings.session.isStopped = { cancellation.isSet }
        self.cancellation = cancellation
        self.location = location
        self.settings = settings
    }

    func run() async throws(StoreError) -> SeedVersion {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<SeedVersion, StoreError>, Never>) in
                do throws(Failure) {
                    try WorkerThread.start("installs the seed") { continuation.resume(returning: self.install()) }
                } catch {
                    continuation.resume(returning: .failure(StoreError(error)))
                }
            }
        } onCancel: {
            cancellation.set()
        }
        return try outcome.get()
    }

    private func install() -> Result<SeedVersion, StoreError> {
        let store = settings.store
        do throws(Failure) {
            let outcome = try SeedInstaller(location, settings).perform { () throws(Failure) in
                let holder = StoreLock.Holder(
                    process: Int(getpid()), pipeline: "seed install", started: Instant.now.text(digits: 0))
                let lock = try StoreLock(
                    store: store, holder: holder, patience: 5,
                    check: { [cancellation] () throws(Failure) in
                        if cancellation.isSet { throw Failure(.cancelled, "the installation was ended") }
                    })
                return { lock.release() }
            }
            let manifest = outcome.manifest
            // What is not downloaded has come, too.
            if outcome.source != nil { settings.progress(manifest.whole.bytes, manifest.whole.bytes) }
            return .success(
                SeedVersion(
                    name: manifest.name, version: manifest.version, model: try manifest.model.hash(),
                    content: manifest.content,
                    created: manifest.created))
        } catch {
            return .failure(StoreError(error))
        }
    }
}
