import Glibc
import SluicePosix
import SluiceRecords

/// The folder that a seed is published from.
struct SeedFolder {
    let path: String

    func path(of file: String) -> String { path + "/" + file }

    /// The names in it, sorted.
    func names() throws(Failure) -> [String] {
        guard let folder = unsafe opendir(path) else {
            let code = errno
            if [ENOENT, ENOTDIR].contains(code) { throw Failure(.missing, "the folder \(path) does not exist") }
            throw Failure(code == EACCES ? .refused : .io, "the folder \(path) cannot be read", errno: code)
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Reads a manifest in it; nil where there is none of that name.
    func manifest(_ file: String) throws(Failure) -> SeedManifest? {
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
            return try ReadFile(path(of: file)).bytes(most: most)
        } catch {
            if [.missing, .data].contains(error.kind) { return nil }
            throw error
        }
    }

    /// What is wrong with a file as it lies there; nil: nothing.
    func fault(_ file: String, bytes: UInt64, sha256: String, _ stop: Stop) throws(Failure) -> String? {
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
        guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
        throw Failure(.uncreatable, "the folder \(path) cannot be created", errno: errno)
    }

    /// Sees to it that the names in it are on the disk.
    func sync() throws(Failure) {
        guard FilePath.syncFolder(path) else {
            throw Failure(.io, "the folder \(path) cannot be written", errno: errno)
        }
    }

    func remove(_ file: String) { _ = unsafe unlink(path(of: file)) }
}
