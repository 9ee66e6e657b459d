import SluiceExtract
import SluiceRecords

/// What a folder has of a seed before a build.
struct PublishedSeed {
    let folder: SeedFolder
    let name: String
    /// What the newest manifest says; nil: there is none.
    let newest: SeedManifest?
    /// What is wrong with the newest manifest, where nothing can be read of it.
    let damage: String?

    init(_ folder: SeedFolder, _ name: String) throws(Failure) {
        self.folder = folder
        self.name = name
        let file = SeedManifest.fileName(name)
        do throws(Failure) {
            (newest, damage) = (try folder.manifest(file), nil)
        } catch {
            guard error.kind == .data, try !folder.hasLaterManifest(file) else { throw error }
            (newest, damage) = (nil, "\(folder.shown(file)) is damaged: \(error.message)")
        }
        try newest?.checkName(file, shown: folder.shown(file))
    }

    /// The version that is built next, higher than any that may have been published: a build that was killed may have
    /// published the manifest of a model and not the newest one, and manifests may be lost.
    func nextVersion() throws(Failure) -> Int {
        let files = try folder.names()
        let highest = manifests(among: files).map(\.manifest.version).max() ?? 0
        let named = files.compactMap { SeedName.version(of: $0, name) }.max() ?? 0
        // A file that nobody replaces may be that of a build which goes on, or has died.
        if folder.objects != nil { return max(highest, named) + 1 }
        return (highest > 0 ? highest : named) + 1
    }

    /// The seed of which a build that has ended too early has published the manifest of its model and not yet the
    /// newest one; nil: there is none.
    func unfinished(_ stop: Stop) throws(Failure) -> SeedManifest? {
        // A file that nobody replaces may be that of a build which goes on.
        guard folder.objects == nil, damage == nil else { return nil }
        let files = try folder.names()
        // Later ones may have been published, whose manifests are lost.
        let latest = files.compactMap { SeedName.version(of: $0, name) }.max()
        let ofModel = manifests(among: files).first { file, manifest in
            manifest.version == latest && manifest.manifestFiles[0].isIdentical(to: file)
        }
        guard let manifest = ofModel?.manifest, manifest.version > newest?.version ?? 0,
            try manifest.fileFault(folder, stop) == nil
        else { return nil }
        return manifest
    }

    /// The manifests of the seed among some files. One that is damaged tells nothing.
    private func manifests(among files: [String]) -> [(file: String, manifest: SeedManifest)] {
        files.filter { $0.hasPrefix(name + ".") && $0.hasSuffix(SeedManifest.ending) }.compactMap { file in
            guard let manifest = try? folder.manifest(file), manifest.name.isIdentical(to: name) else { return nil }
            return (file, manifest)
        }
    }

    /// What is missing of the newest seed, or is not as it was published; nil: nothing.
    ///
    /// - Parameter key: who should have signed it; nil: nobody need have.
    func fault(_ key: SignatureKey?, _ stop: Stop) throws(Failure) -> String? {
        guard let newest else { return nil }
        let bytes = try folder.bytes(SeedManifest.fileName(name), most: SeedManifest.mostBytes)
        for file in newest.manifestFiles {
            guard let bytes, try folder.bytes(file, most: SeedManifest.mostBytes) == bytes else {
                return "\(file) is not the manifest of version \(newest.version)"
            }
            guard let key else { continue }
            let signature = SeedManifest.signature(of: file)
            let signatures = try folder.bytes(signature, most: SignatureKey.mostBytes)
            guard let signatures, signatures.count == SignatureKey.bytes,
                try !key.verified(signatures, of: bytes).isEmpty
            else { return "\(signature) is not the signature of version \(newest.version) by this key" }
        }
        return try newest.fileFault(folder, stop)
    }
}

extension SeedFolder {
    /// Whether a manifest is one that a later version of sluice has written.
    fileprivate func hasLaterManifest(_ file: String) throws(Failure) -> Bool {
        guard let bytes = try bytes(file, most: SeedManifest.mostBytes),
            case .number(let text)? = (try? JSONTree.read(bytes, file: file))?.root["format"]?.kind,
            let format = Int(text)
        else { return false }
        return format > SeedManifest.format
    }
}

extension SeedManifest {
    /// What is wrong with one of the files that it names; nil: nothing.
    fileprivate func fileFault(_ folder: SeedFolder, _ stop: Stop) throws(Failure) -> String? {
        if let fault = try folder.fault(whole.file, bytes: whole.bytes, sha256: whole.sha256, isThorough: false, stop) {
            return fault
        }
        for delta in deltas {
            let fault = try folder.fault(
                delta.file, bytes: delta.bytes, sha256: delta.sha256, isThorough: false, stop)
            if let fault { return fault }
        }
        return nil
    }
}
