import SluiceFetch
import SluiceRecords

/// Reads a manifest that may be trusted, and that has what is required of it.
struct ManifestSource {
    private let location: SeedLocation
    private let settings: SeedInstaller.Settings

    init(_ location: SeedLocation, _ settings: SeedInstaller.Settings) {
        self.location = location
        self.settings = settings
    }

    /// The newest; or the newest of the model that is required, where the newest of all does not have it.
    func manifest() throws(Failure) -> SeedManifest {
        if location.isPlain, settings.key == nil {
            throw Failure(
                .refused, "whoever is on the way to \(location.shown) can change it: use https, or verify it with --key"
            )
        }
        let newest = try location.manifest(key: settings.key)
        guard let required = settings.required else { return newest }
        let contradictions = newest.model.contradictions(requiredBy: required)
        if contradictions.isEmpty { return newest }
        if let older = try sibling(SeedManifest.fileName(newest.name, model: required.hash())),
            older.name.isIdentical(to: newest.name), older.model.contradictions(requiredBy: required).isEmpty
        {
            settings.note(
                "version \(newest.version) has another model; the newest that fits is version \(older.version)")
            return older
        }
        throw Failure(
            .definition,
            "version \(newest.version) of \(newest.name) does not have what is required: "
                + contradictions.joined(separator: "; "))
    }

    private func sibling(_ file: String) throws(Failure) -> SeedManifest? {
        do throws(Failure) {
            return try location.sibling(file).manifest(key: settings.key)
        } catch {
            if error.kind == .missing { return nil }
            throw error
        }
    }
}

extension SeedLocation {
    /// The manifest that is here.
    ///
    /// - Parameter key: the public key that must have signed it; nil: nobody need have.
    func manifest(key: String?) throws(Failure) -> SeedManifest {
        var bytes = try bytes(most: SeedManifest.mostBytes)
        if let path = key {
            let key = try SignatureKey(path, isPrivate: false)
            if try !isSigned(bytes, by: key) {
                // The two may be of two versions, where one was published just now.
                bytes = try self.bytes(most: SeedManifest.mostBytes)
                guard try isSigned(bytes, by: key) else {
                    throw Failure(.refused, "the signature of \(shown) is not by the key \(path)")
                }
            }
        }
        let manifest = try SeedManifest(bytes, named: shown)
        try manifest.checkName(file, shown: shown)
        return manifest
    }

    private func isSigned(_ bytes: [UInt8], by key: SignatureKey) throws(Failure) -> Bool {
        let signatures: [UInt8]
        do throws(Failure) {
            signatures = try self.bytes(SeedManifest.signature(of: file), most: SignatureKey.mostBytes)
        } catch {
            guard [.missing, .data].contains(error.kind) else { throw error }
            throw Failure(.refused, "\(shown) has no signature: \(error.message)")
        }
        return try !key.verified(signatures, of: bytes).isEmpty
    }
}

extension SeedListing {
    /// What there is at a place: a folder, a manifest, or the address of one.
    package init(_ place: String, _ settings: SeedInstaller.Settings) throws(Failure) {
        let isFolder =
            ObjectFolder.names(place) ? !place.hasSuffix(SeedManifest.ending) : SeedLocation.isFolder(place)
        if settings.key == nil, isFolder {
            self = try SeedListing(SeedFolder(at: place, settings.session))
        } else {
            let location = try SeedLocation(place, settings.session)
            self.init(location.file, try ManifestSource(location, settings).manifest())
        }
    }
}
