import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords

/// The folder that a seed is published from: one of this machine, or one of objects, of which some are here.
struct SeedFolder {
    /// Of this machine.
    let path: String
    private(set) var objects: SeedObjects?

    /// A folder of this machine.
    init(path: String) { self.path = path }

    /// A folder of this machine, or of objects: `s3://bucket/seeds`.
    init(at place: String, _ session: FetchSession) throws(Failure) {
        guard ObjectFolder.names(place) else {
            path = place
            return
        }
        let objects = try SeedObjects(place, session)
        self.objects = objects
        path = objects.path
    }

    func path(of file: String) -> String { path + "/" + file }

    /// For messages.
    func shown(_ file: String) -> String { objects?.shown(file) ?? path(of: file) }

    /// The path of a file, which is brought here where it is an object; nil: there is none that may be read.
    func bring(_ file: String) throws(Failure) -> String? {
        if let objects { return try objects.bring(file) }
        let path = path(of: file)
        if unsafe access(path, R_OK) == 0 { return path }
        guard PathFault(errno: errno) != .other else {
            throw Failure(.io, "\(path) cannot be read", errno: errno)
        }
        return nil
    }

    /// Gives files that were made here their names, before any manifest names them.
    func publish(_ files: [String]) throws(Failure) {
        if let objects { try objects.send(files) } else { try sync() }
    }

    /// The names in it, sorted.
    func names() throws(Failure) -> [String] {
        if let objects { return try objects.objects.entries().map(\.name) }
        guard let names = FilePath.names(in: path) else {
            let code = errno
            let fault = PathFault(errno: code)
            if fault == .missing { throw Failure(.missing, "the folder \(path) does not exist") }
            throw Failure(fault == .refused ? .refused : .io, "the folder \(path) cannot be read", errno: code)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Reads a manifest in it; nil where there is none of that name.
    func manifest(_ file: String) throws(Failure) -> SeedManifest? {
        if let objects {
            let bytes = try objects.bytes(file, most: SeedManifest.mostBytes)
            return try bytes.map { bytes throws(Failure) in try SeedManifest(bytes, named: shown(file)) }
        }
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try ReadFile(path(of: file)).bytes(most: SeedManifest.mostBytes)
        } catch {
            if error.kind == .missing { return nil }
            throw error
        }
        return try SeedManifest(bytes, named: path(of: file))
    }

    /// The bytes of a small file; nil where there is none that could be what it should be.
    func bytes(_ file: String, most: Int) throws(Failure) -> [UInt8]? {
        do throws(Failure) {
            if let objects { return try objects.bytes(file, most: most) }
            return try ReadFile(path(of: file)).bytes(most: most)
        } catch {
            if [.missing, .data].contains(error.kind) { return nil }
            throw error
        }
    }

    /// What is wrong with a file as it lies there; nil: nothing.
    ///
    /// - Parameter isThorough: whether objects are brought here, and not only listed: a service keeps what it has.
    func fault(
        _ file: String, bytes: UInt64, sha256: String, isThorough: Bool = true, _ stop: Stop
    ) throws(Failure) -> String? {
        if let objects {
            guard let entry = try objects.objects.entries(file).first(where: { $0.name.isIdentical(to: file) }) else {
                return "\(file) is missing"
            }
            if entry.size != bytes { return "\(file) has \(entry.size) bytes, and the manifest names \(bytes)" }
            guard isThorough else { return nil }
            _ = try objects.bring(file)
        }
        do throws(Failure) {
            let found = try ReadFile(path(of: file))
            if found.size != bytes { return "\(file) has \(found.size) bytes, and the manifest names \(bytes)" }
            return try WholeFile.digest(found, stop) == sha256
                ? nil : "\(file) has another SHA-256 than the manifest names"
        } catch {
            switch error.kind {
            case .missing: return "\(file) is missing"
            case .data: return error.message
            default: throw error
            }
        }
    }

    /// The manifests of a seed, or of all, by the names of their files.
    func manifests(of name: String? = nil) throws(Failure) -> [(file: String, manifest: SeedManifest)] {
        var found: [(file: String, manifest: SeedManifest)] = []
        for file in try names() where file.hasSuffix(SeedManifest.ending) {
            if let name, !file.hasPrefix(name + ".") { continue }
            guard let manifest = try manifest(file), name.map({ $0.isIdentical(to: manifest.name) }) ?? true else {
                continue
            }
            found.append((file, manifest))
        }
        return found
    }

    /// Makes it, where it is not there.
    func create() throws(Failure) {
        if objects != nil { return }
        guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
        throw Failure(.uncreatable, "the folder \(path) cannot be created", errno: errno)
    }

    /// Sees to it that the names in it are on the disk.
    func sync() throws(Failure) {
        if objects != nil { return }
        guard FilePath.syncFolder(path) else {
            throw Failure(.io, "the folder \(path) cannot be written", errno: errno)
        }
    }

    /// Writes a small file in place of what is there.
    ///
    /// - Parameter isGuarded: whether objects must still be what was read of them first.
    func write(_ bytes: [UInt8], to name: String, isGuarded: Bool = false) throws(Failure) {
        if let objects { return try objects.write(bytes, to: name, isGuarded: isGuarded) }
        let file = try WrittenFile(path(of: name))
        try file.write(bytes)
        try file.finish()
    }

    func remove(_ file: String) {
        if let objects { objects.withdraw([file]) } else { _ = unsafe unlink(path(of: file)) }
    }
}
