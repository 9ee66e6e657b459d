import Glibc
import SluiceExtract
import SluiceFetch
import SluicePosix
import SluiceRecords

/// A part whose files become objects of a service that speaks S3: made in a temporary folder of this machine, and then
/// sent, the manifest last.
struct PartObjects {
    private let objects: ObjectFolder
    private let location: String
    let part: String

    init(_ location: String, _ part: String, _ cancellation: Cancellation) throws(Failure) {
        self.location = location
        self.part = part
        objects = try ObjectFolder(location, FetchSession(.sluice, isStopped: { cancellation.isRequested }))
    }

    private var manifest: String { "manifest/\(part).json" }

    /// Whether the part has been made: its manifest is the last of its files.
    func isThere() throws(Failure) -> Bool { try objects.bytes(manifest, most: 1 << 24) != nil }

    /// Sends the files of a part that was made in a folder. Nothing of it is left where that fails.
    func send(from folder: PartFolder, of entities: [String]) throws(Failure) {
        let names = entities.flatMap { [folder.parquet($0), folder.rejects($0)] } + [folder.findings, folder.manifest]
        var sent: [String] = []
        do throws(Failure) {
            // What a call that was killed has sent may have had rejects where this one has none.
            let isAgain = try names.first.map { path throws(Failure) in try objects.has(name(path, folder)) }
            for path in names {
                let name = name(path, folder)
                sent.append(name)
                // There need not be any rejects.
                guard let file = PartObjects.open(path) else {
                    if isAgain == true { try objects.remove(name) }
                    continue
                }
                defer { close(file.descriptor) }
                try objects.write(file: file.descriptor, size: file.size, to: name)
            }
        } catch {
            if let others = try? ObjectFolder(location, FetchSession(.sluice)) {
                for name in sent.reversed() { try? others.remove(name) }
            }
            throw error
        }
    }

    private func name(_ path: String, _ folder: PartFolder) -> String {
        String(decoding: path.utf8.dropFirst(folder.directory.utf8.count + 1), as: UTF8.self)
    }

    private static func open(_ path: String) -> (descriptor: CInt, size: UInt64)? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt64(max(status.st_size, 0)))
    }
}
