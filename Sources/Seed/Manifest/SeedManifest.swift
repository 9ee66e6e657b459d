import SluiceRecords

/// What stands beside a seed, and is read before any byte of it: which version it is, what it holds, and where the
/// files are that it is made of.
package struct SeedManifest: Sendable, Hashable {
    /// Of this form of manifests and seeds.
    static let format = 1
    static let ending = ".seed.json"

    /// The whole store, compressed.
    package struct Whole: Sendable, Hashable {
        package var file: String
        package var bytes: UInt64
        package var sha256: String
        package var expandedBytes: UInt64
        package var expandedSha256: String
    }

    /// What makes this seed of an earlier one: a patchset of SQLite's session extension, compressed.
    package struct Delta: Sendable, Hashable {
        package var from: Int
        package var fromContent: String
        package var file: String
        package var bytes: UInt64
        package var sha256: String
        package var expandedBytes: UInt64
    }

    package var name: String
    package var version: Int
    /// RFC 3339, UTC.
    package var created: String
    /// The versions that made it.
    package var sluice: String
    package var sqlite: String
    /// The hash of the model.
    package var modelHash: String
    /// The hash of the content, see ``ContentHash``.
    package var content: String
    /// The hash of the references that wait and of the list of stubs, made likewise; nil: there are none.
    package var waiting: String?
    package var model: SeedModel
    /// The number of objects of each entity of the model, in its order.
    package var objects: [Int]
    package var whole: Whole
    /// The newest first.
    package var deltas: [Delta]

    /// What identifies the model in names of files.
    package var shortModel: String { String(modelHash.prefix(8)) }

    /// The name of the manifest of the newest seed.
    static func fileName(_ name: String) -> String { name + ending }
    /// The name of the manifest of the newest seed of a model.
    static func fileName(_ name: String, model hash: String) -> String { "\(name).\(hash.prefix(8))\(ending)" }

    /// The names of the manifests that say what this one does: that of its model, and that of the newest.
    var manifestFiles: [String] { [SeedManifest.fileName(name, model: modelHash), SeedManifest.fileName(name)] }

    /// The name of the signature of a manifest.
    static func signature(of file: String) -> String { file + ".sig" }

    /// Throws where the file is named after another seed than this one: a server that gives the manifest of another
    /// seed under this name, with the right signature, is noticed. A file that is called after no seed may hold any.
    func checkName(_ file: String, shown: String) throws(Failure) {
        guard file.hasSuffix(SeedManifest.ending) else { return }
        guard !manifestFiles.contains(where: { $0.isIdentical(to: file) }) else { return }
        throw Failure(
            .refused,
            "\(shown) is the manifest of another seed: those of \(name), of its model, are called "
                + manifestFiles.joined(separator: " and "))
    }

    /// All files that it names.
    var files: [String] { [whole.file] + deltas.map(\.file) }
}

extension SeedManifest {
    /// The manifest as it is published.
    package var json: String {
        let entities = zip(model.entities, objects).map { entity, count in
            (entity.name, JSONText.object([("objects", String(count))] + entity.members))
        }
        var members = [
            ("format", String(SeedManifest.format)), ("name", CanonicalJSON.text(name)), ("version", String(version)),
            ("created", CanonicalJSON.text(created)), ("sluice", CanonicalJSON.text(sluice)),
            ("sqlite", CanonicalJSON.text(sqlite)), ("model", CanonicalJSON.text(modelHash)),
            ("content", CanonicalJSON.text(content)),
            ("entities", SeedManifest.lines("{", entities.map { "\(CanonicalJSON.text($0.0)): \($0.1)" }, "}")),
            ("whole", whole.json), ("deltas", SeedManifest.lines("[", deltas.map(\.json), "]")),
        ]
        if let waiting { members.insert(("waiting", CanonicalJSON.text(waiting)), at: 8) }
        return "{\n" + members.map { "  \(CanonicalJSON.text($0.0)): \($0.1)" }.joined(separator: ",\n") + "\n}\n"
    }

    private static func lines(_ begin: String, _ items: [String], _ end: String) -> String {
        items.isEmpty ? begin + end : begin + "\n" + items.map { "    \($0)" }.joined(separator: ",\n") + "\n  " + end
    }
}

extension SeedManifest.Whole {
    fileprivate var json: String {
        JSONText.object([
            ("file", CanonicalJSON.text(file)), ("bytes", String(bytes)), ("sha256", CanonicalJSON.text(sha256)),
            ("expandedBytes", String(expandedBytes)), ("expandedSha256", CanonicalJSON.text(expandedSha256)),
        ])
    }
}

extension SeedManifest.Delta {
    fileprivate var json: String {
        JSONText.object([
            ("from", String(from)), ("fromContent", CanonicalJSON.text(fromContent)),
            ("file", CanonicalJSON.text(file)), ("bytes", String(bytes)), ("sha256", CanonicalJSON.text(sha256)),
            ("expandedBytes", String(expandedBytes)),
        ])
    }
}
