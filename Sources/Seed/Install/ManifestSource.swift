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
        let newest = try read(location)
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
            return try read(location.sibling(file))
        } catch {
            if error.kind == .missing { return nil }
            throw error
        }
    }

    private func read(_ location: SeedLocation) throws(Failure) -> SeedManifest {
        var bytes = try location.bytes(most: SeedManifest.mostBytes, settings.stop)
        if let path = settings.key {
            let key = try SignatureKey(path, isPrivate: false)
            if try !isSigned(bytes, by: key, location) {
                // The two may be of two versions, where one was published just now.
                bytes = try location.bytes(most: SeedManifest.mostBytes, settings.stop)
                guard try isSigned(bytes, by: key, location) else {
                    throw Failure(.refused, "the signature of \(location.shown) is not by the key \(path)")
                }
            }
        }
        return try SeedManifest(bytes, named: location.shown)
    }

    private func isSigned(_ bytes: [UInt8], by key: SignatureKey, _ location: SeedLocation) throws(Failure) -> Bool {
        let signature: [UInt8]
        do throws(Failure) {
            signature = try location.bytes(location.file + ".sig", most: SignatureKey.bytes, settings.stop)
        } catch {
            guard [.missing, .data].contains(error.kind) else { throw error }
            throw Failure(.refused, "\(location.shown) has no signature: \(error.message)")
        }
        return try key.verifies(signature, of: bytes)
    }
}

extension SeedListing {
    /// What there is at a place: a folder, a manifest, or the address of one.
    package init(_ place: String, _ settings: SeedInstaller.Settings) throws(Failure) {
        if settings.key == nil, SeedLocation.isFolder(place) {
            self = try SeedListing(folder: place)
        } else {
            let location = try SeedLocation(place, settings.fetch)
            self.init(location.file, try ManifestSource(location, settings).manifest())
        }
    }
}
