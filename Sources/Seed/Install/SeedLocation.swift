import Glibc
import SluiceFetch
import SluicePosix
import SluiceRecords

/// Where a manifest is, and the files beside it.
struct SeedLocation: Sendable {
    private enum Place: Sendable {
        case folder(String)
        case web(WebAddress)
        /// Objects of a service that speaks S3.
        case objects(String)
    }

    private let place: Place
    /// What the manifest is called.
    let file: String
    private let session: FetchSession

    /// - Parameter text: the path of a manifest, or of a folder that has that of one seed; or the address of a
    ///   manifest.
    init(_ text: String, _ session: FetchSession) throws(Failure) {
        self.session = session
        guard !text.hasPrefix("http://"), !text.hasPrefix("https://") else {
            let address: WebAddress
            do throws(AddressError) { address = try WebAddress(text) } catch {
                throw Failure(.usage, "the address of the seed \(error.message)")
            }
            file = address.fileName
            place = .web(address)
            return
        }
        if ObjectFolder.names(text) {
            let isManifest = text.hasSuffix(SeedManifest.ending)
            let folder = isManifest ? FilePath.folder(text) : text
            place = .objects(folder)
            file =
                isManifest
                ? FilePath.name(text) : try SeedLocation.onlyManifest(SeedFolder(at: folder, session), folder)
            return
        }
        if SeedLocation.isFolder(text) {
            place = .folder(text)
            file = try SeedLocation.onlyManifest(SeedFolder(path: text), text)
        } else {
            place = .folder(FilePath.folder(text))
            file = FilePath.name(text)
        }
    }

    /// A manifest of this machine.
    init(file path: String) { self.init(.folder(FilePath.folder(path)), FilePath.name(path), FetchSession()) }

    private init(_ place: Place, _ file: String, _ session: FetchSession) {
        self.place = place
        self.file = file
        self.session = session
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The manifest of the newest seed of a folder that has only one.
    private static func onlyManifest(_ folder: SeedFolder, _ shown: String) throws(Failure) -> String {
        let all = try folder.manifests()
        let newest = all.filter { $0.file.isIdentical(to: SeedManifest.fileName($0.manifest.name)) }.map(\.file)
        guard newest.count == 1 else {
            let found = newest.isEmpty ? "no manifest" : "several: \(newest.joined(separator: ", "))"
            throw Failure(.missing, "the folder \(shown) has \(found); name the manifest")
        }
        return newest[0]
    }

    /// Whether what is read may be changed on its way.
    var isPlain: Bool {
        switch place {
        case .folder: return false
        case .web(let address): return address.isPlain
        case .objects(let folder):
            let request = try? ObjectFolder(folder, session).request(for: file)
            return request.flatMap { try? WebAddress($0.url).isPlain } ?? false
        }
    }

    /// For messages.
    var shown: String { shown(file) }

    private func shown(_ file: String) -> String {
        switch place {
        case .folder(let path): path == "." ? file : "\(path)/\(file)"
        case .web(let address): (try? address.sibling(file))?.shown ?? address.shown
        case .objects(let folder): "\(folder)/\(file)"
        }
    }

    /// The manifest beside this one that has another name.
    func sibling(_ file: String) -> SeedLocation { SeedLocation(place, file, session) }

    // MARK: Reading

    /// A small file beside the manifest; by default, the manifest itself.
    func bytes(_ name: String? = nil, most: Int) throws(Failure) -> [UInt8] {
        switch place {
        case .folder: return try local(name ?? file).bytes(most: most)
        case .web, .objects:
            return try download(name).bytes(most: most)
        }
    }

    /// A file of the seed, of that size and digest, and where in it the content begins.
    func open(
        _ name: String, bytes: UInt64, sha256: String, part path: String, _ settings: SeedInstaller.Settings
    ) throws(Failure) -> (file: ReadFile, start: UInt64) {
        switch place {
        case .folder:
            let file = try local(name)
            guard file.size == bytes else {
                throw Failure(.data, "\(shown(name)) has \(file.size) bytes, and the manifest names \(bytes)")
            }
            guard try WholeFile.digest(file, settings.stop) == sha256 else { throw wrongDigest(name) }
            return (file, 0)
        case .web, .objects:
            for _ in 0..<2 {
                let part = try PartFile(path, sha256: sha256, most: bytes) { settings.progress($0, bytes) }
                let wasBegun = part.content > 0
                if part.content < bytes {
                    try download(name).perform(size: bytes, after: part.beginning, part)
                }
                let file = try ReadFile(path)
                if try WholeFile.digest(file, from: PartFile.header, settings.stop) == sha256 {
                    return (file, PartFile.header)
                }
                part.remove()
                // What was begun earlier may have been another file's.
                guard wasBegun else { break }
            }
            throw wrongDigest(name)
        }
    }

    /// Downloads a file beside the manifest; nil: the manifest itself.
    private func download(_ name: String?) throws(Failure) -> FileDownload {
        switch place {
        case .folder: throw Failure(.defect, "a file of this machine is not downloaded")
        case .web(let address):
            // The address as it was given may have a query, which only the manifest's needs.
            let isGiven = name == nil && file == address.fileName
            return try FileDownload(isGiven ? address : self.address(name ?? file, address), session)
        case .objects(let folder):
            let request = try ObjectFolder(folder, session).request(for: name ?? file)
            return try FileDownload(request, session)
        }
    }

    private func wrongDigest(_ name: String) -> Failure {
        Failure(.data, "\(shown(name)) has another SHA-256 than the manifest names")
    }

    private func local(_ name: String) throws(Failure) -> ReadFile {
        guard case .folder(let path) = place else { throw Failure(.defect, "a file of the web is no local one") }
        return try ReadFile(path == "." ? name : "\(path)/\(name)")
    }

    private func address(_ name: String, _ base: WebAddress) throws(Failure) -> WebAddress {
        do throws(AddressError) {
            return try base.sibling(name)
        } catch {
            throw Failure(.data, "the address of \(name) \(error.message)")
        }
    }
}
