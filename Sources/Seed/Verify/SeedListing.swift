import SluiceRecords
import SluiceSchema

/// What seeds there are: in a folder, or at an address.
package struct SeedListing: Sendable {
    /// By their files.
    package let manifests: [(file: String, manifest: SeedManifest)]

    /// All manifests of a folder.
    init(_ folder: SeedFolder) throws(Failure) {
        manifests = try folder.manifests()
    }

    init(_ file: String, _ manifest: SeedManifest) { manifests = [(file, manifest)] }

    /// A line for each manifest, and one for each delta, in columns.
    package var text: String {
        if manifests.isEmpty { return "no seeds\n" }
        return manifests.map { file, manifest in
            let objects = manifest.objects.reduce(0, +)
            let head =
                "\(manifest.name.printable) \(manifest.version)  \(manifest.created.printable)  "
                + "model \(manifest.shortModel)  \(objects) objects  (\(file.printable))\n"
            let whole = "  whole    \(manifest.whole.bytes) bytes, expanded \(manifest.whole.expandedBytes)\n"
            let deltas = manifest.deltas.map { "  from \($0.from)".padded(11) + "\($0.bytes) bytes\n" }
            return head + whole + deltas.joined()
        }.joined()
    }

    /// A line of JSON for each manifest.
    package var json: String {
        manifests.map { file, manifest in
            let deltas = manifest.deltas.map { delta in
                JSONText.object([("from", String(delta.from)), ("bytes", String(delta.bytes))])
            }
            return JSONText.object([
                ("file", JSONText.quoted(file)), ("name", JSONText.quoted(manifest.name)),
                ("version", String(manifest.version)), ("created", JSONText.quoted(manifest.created)),
                ("model", JSONText.quoted(manifest.modelHash)), ("content", JSONText.quoted(manifest.content)),
                ("objects", String(manifest.objects.reduce(0, +))), ("bytes", String(manifest.whole.bytes)),
                ("expandedBytes", String(manifest.whole.expandedBytes)), ("deltas", JSONText.array(deltas)),
            ]) + "\n"
        }.joined()
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
