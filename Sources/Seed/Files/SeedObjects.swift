import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords

/// The objects of a service that speaks S3 as which seeds are published. Files are made in a temporary folder of this
/// machine, and sent; what is needed of earlier ones is brought there.
final class SeedObjects {
    let objects: ObjectFolder
    private let session: FetchSession
    private let stage: TemporaryFolder
    /// By name, the ETag of each small file when it was read first; empty: it was not there.
    private var read: [ExactText: String] = [:]
    /// Whether a manifest was written, which names what was sent.
    private var isNamed = false

    init(_ location: String, _ session: FetchSession) throws(Failure) {
        self.session = session
        objects = try ObjectFolder(location, session)
        stage = try TemporaryFolder()
    }

    /// The temporary folder.
    var path: String { stage.path }

    func shown(_ file: String) -> String { objects.location(of: file) }

    // MARK: Reading

    /// A small file; nil: there is none.
    func bytes(_ file: String, most: Int) throws(Failure) -> [UInt8]? {
        let found = try objects.bytes(file, most: most)
        if read[ExactText(file)] == nil { read[ExactText(file)] = found?.etag ?? "" }
        return found?.bytes
    }

    /// Brings a file here, and returns its path; nil: there is none.
    func bring(_ file: String) throws(Failure) -> String? {
        guard let entry = try objects.entries(file).first(where: { $0.name.isIdentical(to: file) }) else { return nil }
        let path = stage.path + "/" + file
        let sink = try BroughtFile(path)
        try FileDownload(objects.request(for: file), session).perform(
            size: entry.size, after: FileDownload.Beginning(), sink)
        return path
    }

    // MARK: Writing

    /// Sends files of the temporary folder, which nobody may have sent before. None is left where that fails.
    func send(_ files: [String]) throws(Failure) {
        var sent: [String] = []
        do throws(Failure) {
            for file in files {
                let local = try ReadFile(stage.path + "/" + file)
                let isWritten = try objects.write(
                    file: local.descriptor, size: local.size, to: file, headers: SeedObjects.lasting, if: .absent)
                guard isWritten else { throw SeedObjects.nameIsTaken(shown(file)) }
                sent.append(file)
            }
        } catch {
            withdraw(sent)
            throw error
        }
    }

    /// Removes the files of a manifest that could not be written.
    func withdraw(_ manifest: SeedManifest, after failure: Failure) {
        guard !isNamed, !mayBeThere(manifest, after: failure) else { return }
        withdraw(manifest.files)
    }

    /// Whether a manifest may be there that could not be written: a service may do that, and not say so.
    private func mayBeThere(_ manifest: SeedManifest, after failure: Failure) -> Bool {
        guard failure.kind == .unavailable else { return false }
        let bytes = Array(manifest.json.utf8)
        do throws(Failure) {
            let others = try lastly()
            for file in manifest.manifestFiles {
                if try others.bytes(file, most: SeedManifest.mostBytes)?.bytes == bytes { return true }
            }
            return false
        } catch {
            return true
        }
    }

    /// The folder for what is to be done in the end, though somebody wants the end.
    private func lastly() throws(Failure) -> ObjectFolder {
        var session = session
        session.isStopped = nil
        return try ObjectFolder(objects.location, session)
    }

    /// Removes files that no manifest names.
    func withdraw(_ files: [String]) {
        guard let others = try? lastly() else { return }
        for file in files { try? others.remove(file) }
    }

    /// Writes a small file.
    ///
    /// - Parameter isGuarded: whether it must still be what was read first.
    func write(_ bytes: [UInt8], to file: String, isGuarded: Bool) throws(Failure) {
        var condition = ObjectCondition.none
        if isGuarded {
            if read[ExactText(file)] == nil { _ = try self.bytes(file, most: SeedManifest.mostBytes) }
            let etag = read[ExactText(file)] ?? ""
            condition = etag.isEmpty ? .absent : .unchanged(etag)
        }
        guard try objects.write(bytes, to: file, headers: SeedObjects.passing, if: condition) else {
            throw SeedObjects.nameIsTaken(shown(file))
        }
        if isGuarded { isNamed = true }
    }

    private static func nameIsTaken(_ name: String) -> Failure {
        Failure(.busy, "\(name) was published by another build meanwhile, or one that died: build again")
    }

    /// What never changes once it is there, and what does.
    private static let lasting = [
        "Content-Type: application/zstd", "Cache-Control: public, max-age=31536000, immutable",
    ]
    private static let passing = ["Content-Type: application/json", "Cache-Control: no-cache"]
}

/// A file that is brought here.
private final class BroughtFile: DownloadSink {
    private let path: String
    private let descriptor: CInt

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.uncreatable, "\(path) cannot be created", errno: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func begin(_ validator: String?) throws(Failure) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor) else { throw failure }
    }

    private var failure: Failure { Failure(.io, "\(path) cannot be written", errno: errno) }
}
