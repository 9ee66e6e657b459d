import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Looks whether a seed is what it says it is: a manifest with all files that it names, or a store that was installed.
///
///     let faults = try SeedVerification("seeds/transit.seed.json").perform()
package struct SeedVerification {
    let path: String
    let key: String?
    let session: FetchSession

    /// What was looked at, and what is wrong with it: nothing, if all is well.
    package struct Outcome: Sendable {
        package var name: String
        package var version: Int
        package var objects: Int
        package var deltas: Int
        package var faults: [String]
    }

    package init(_ path: String, key: String? = nil, _ session: FetchSession = FetchSession()) {
        self.path = path
        self.key = key
        self.session = session
    }

    var stop: Stop { Stop(of: session) }

    /// - Throws: where it cannot be looked at; `refused` where the signature is wrong.
    package func perform() throws(Failure) -> Outcome {
        if ObjectFolder.names(path) { return try verifyManifest() }
        if SeedLocation.isFolder(path) { throw Failure(.usage, "\(path) is a folder: name the manifest in it") }
        if try SeedVerification.isDatabase(ReadFile(path)) {
            guard key == nil else {
                throw Failure(.refused, "\(path) is a store, and a manifest is what has a signature")
            }
            return try verifyStore()
        }
        return try verifyManifest()
    }

    static func isDatabase(_ file: ReadFile) throws(Failure) -> Bool {
        let header = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
        defer { unsafe header.deallocate() }
        guard try unsafe file.read(into: header, at: 0) == 16 else { return false }
        return unsafe header.elementsEqual(Array("SQLite format 3".utf8) + [0])
    }

    // MARK: A store

    private func verifyStore() throws(Failure) -> Outcome {
        let reader = try StoreReader(path, patience: 5000)
        defer { reader.close() }
        return try reader.read { connection throws(Failure) in
            stop.attach(to: connection)
            guard let row = try SeedRow.read(connection) else {
                throw Failure(.definition, "the store \(path) is no seed: it has no table sluice_seed with one row")
            }
            let model = try SeedModel.described(by: StoredEntity.all(connection))
            let check = SeedCheck(connection: connection, stop: stop)
            var faults = try check.faults(row)
            if try model.hash() != row.model {
                faults.append("the model of the store is not the one that it was published with")
            }
            return Outcome(
                name: row.name, version: row.version, objects: try model.counts(connection).reduce(0, +), deltas: 0,
                faults: faults)
        }
    }

    // MARK: A manifest

    private func verifyManifest() throws(Failure) -> Outcome {
        let isObject = ObjectFolder.names(path)
        let location = isObject ? try SeedLocation(path, session) : SeedLocation(file: path)
        let manifest = try location.manifest(key: key)
        let folder = try SeedFolder(at: FilePath.folder(path), session)
        let (seed, expanded) = try TemporaryFile.create()
        defer {
            close(seed)
            _ = unsafe unlink(expanded)
        }
        let whole = manifest.whole
        var faults: [String] = []
        if let fault = try folder.fault(whole.file, bytes: whole.bytes, sha256: whole.sha256, stop) {
            faults.append(fault)
        } else {
            faults = try expand(manifest, folder, seed, expanded)
        }
        for delta in manifest.deltas {
            if let fault = try folder.fault(delta.file, bytes: delta.bytes, sha256: delta.sha256, stop) {
                faults.append(fault)
            } else {
                faults += try tryDelta(delta, manifest, folder)
            }
        }
        return Outcome(
            name: manifest.name, version: manifest.version, objects: manifest.objects.reduce(0, +),
            deltas: manifest.deltas.count, faults: faults)
    }

    private func expand(
        _ manifest: SeedManifest, _ folder: SeedFolder, _ target: CInt, _ path: String
    ) throws(Failure) -> [String] {
        let whole = manifest.whole
        do throws(Failure) {
            let expander = try Expander(ReadFile(folder.path(of: whole.file)), expanded: whole.expandedBytes)
            guard try WholeFile.expand(expander, to: target, named: path, stop) == whole.expandedSha256 else {
                return ["\(whole.file) expands to another SHA-256 than the manifest names"]
            }
        } catch {
            if error.kind == .data { return [error.message] }
            throw error
        }
        let connection = try Connection(path: path, access: .readUnlocked)
        stop.attach(to: connection)
        defer { connection.close() }
        return try SeedCheck(connection: connection, stop: stop).faults(manifest)
    }

    /// Applies a delta, where the seed that it was made from is there.
    private func tryDelta(
        _ delta: SeedManifest.Delta, _ manifest: SeedManifest, _ folder: SeedFolder
    ) throws(Failure) -> [String] {
        guard let earlier = try folder.bring(SeedName.whole(manifest.name, delta.from)) else { return [] }
        let (target, path) = try TemporaryFile.create()
        defer {
            close(target)
            _ = unsafe unlink(path)
        }
        do throws(Failure) {
            _ = try WholeFile.expand(Expander(ReadFile(earlier), expanded: nil), to: target, named: path, stop)
            let file = try ReadFile(folder.path(of: delta.file))
            let connection = try DeltaApplication(delta: delta, file: file, start: 0, path: path, stop: stop).perform {
                () throws(Failure) in
                _ = try WholeFile.expand(
                    Expander(ReadFile(earlier), expanded: nil), to: emptied(target), named: path, stop)
            }
            guard let connection else { return ["\(delta.file) does not fit version \(delta.from)"] }
            defer { connection.close() }
            guard try ContentHash.digest(of: connection, stop) == manifest.content else {
                return ["\(delta.file) makes something else of version \(delta.from) than version \(manifest.version)"]
            }
        } catch {
            if error.kind == .data { return [error.message] }
            throw error
        }
        return []
    }

    private func emptied(_ descriptor: CInt) -> CInt {
        _ = ftruncate(descriptor, 0)
        _ = lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }
}
