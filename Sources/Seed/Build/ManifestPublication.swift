import SluiceRecords

/// Publishes a manifest, and its signature.
///
/// Both are files of their own, and no system replaces two at once. So the new signature comes first, before that of
/// the manifest that is still there; then the manifest; and last the old signature goes. A reader that fetches a
/// manifest and then the signatures has one that fits, unless all this happened between the two; then it fetches both
/// once more. The files verify even if the build is killed at any moment.
struct ManifestPublication {
    let folder: SeedFolder
    let manifest: SeedManifest
    /// Nil: it is not signed.
    let key: SignatureKey?

    func perform() throws(Failure) {
        let bytes = Array(manifest.json.utf8)
        let signature = try key?.sign(bytes)
        // What the manifest names is there for good before it is.
        try folder.publish(manifest.files)
        if let signature {
            for file in manifest.manifestFiles {
                try folder.write(signature + older(file), to: SeedManifest.signature(of: file))
            }
            try folder.sync()
        }
        for file in manifest.manifestFiles { try folder.write(bytes, to: file, isGuarded: true) }
        try folder.sync()
        for file in manifest.manifestFiles {
            let name = SeedManifest.signature(of: file)
            if let signature { try folder.write(signature, to: name) } else { folder.remove(name) }
        }
        try folder.sync()
    }

    /// The signatures that the manifest has that is still there. Who has signed it with another key is not known: then
    /// all are kept for which there is room.
    private func older(_ file: String) throws(Failure) -> [UInt8] {
        guard let signatures = try folder.bytes(SeedManifest.signature(of: file), most: SignatureKey.mostBytes),
            signatures.count % SignatureKey.bytes == 0,
            let old = try folder.bytes(file, most: SeedManifest.mostBytes)
        else { return [] }
        let verified = try key?.verified(signatures, of: old) ?? []
        return Array((verified.isEmpty ? signatures : verified).prefix(SignatureKey.mostBytes - SignatureKey.bytes))
    }
}
