import Glibc
import SluiceColumns
import SluiceDefinition
import SluicePosix
import SluiceRecords

/// Where the files of a part go, below one folder.
struct PartFolder {
    let directory: String
    let part: String

    var manifest: String { "\(directory)/manifest/\(part).json" }
    var findings: String { "\(directory)/findings/\(part).ndjson" }

    func parquet(_ entity: String) -> String { "\(directory)/\(FolderName.escaped(entity))/\(part).parquet" }
    /// The identifiers of rejected records.
    func rejects(_ entity: String) -> String { "\(directory)/rejects/\(FolderName.escaped(entity))/\(part).parquet" }

    /// Whether the part has been made: its manifest is the last of its files.
    var isThere: Bool { unsafe access(manifest, F_OK) == 0 }

    /// Makes the folders for some entities.
    func create(_ entities: [String]) throws(Failure) {
        let names = entities.map(FolderName.escaped)
        let folders = ["manifest", "findings", "rejects"] + names + names.map { "rejects/\($0)" }
        for path in [directory] + folders.map({ "\(directory)/\($0)" }) {
            guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { continue }
            let code = errno
            throw Failure(.uncreatable, "the folder \(path) cannot be created", errno: code)
        }
    }

    /// Writes the manifest: from then on the part is there.
    func write(_ manifest: PartManifest) throws(Failure) {
        let file = try WrittenFile(self.manifest)
        try file.write(Array((manifest.json + "\n").utf8))
        try file.finish()
    }
}

/// What a part holds.
struct PartManifest {
    var source: String
    var file: String
    /// Bytes of the file; nil: all of it.
    var range: Range<Int>?
    var bytes: UInt64
    var values: UInt64
    var newlines: Int
    var sha256: String
    var definition: String
    /// By entity; of `hidden` ones, something stands in the place of records.
    var entities: [(name: String, records: Int, rejects: Int, isHidden: Bool)]
    /// What the file holds where it gives no record.
    var instead: String?
    /// What is wrong with the file, should it be one of several.
    var odd: String?

    var json: String {
        let range = range.map {
            JSONText.object([("first", String($0.lowerBound)), ("length", String($0.count))])
        }
        let entities = entities.map {
            let counts = [("records", String($0.records)), ("rejects", String($0.rejects))]
            return ($0.name, JSONText.object(counts + ($0.isHidden ? [("hidden", "true")] : [])))
        }
        let instead = instead.map { [("instead", JSONText.quoted($0))] } ?? []
        let members = [
            ("source", JSONText.quoted(source)), ("file", JSONText.quoted(file)), ("range", range ?? "null"),
            ("bytes", String(bytes)), ("values", String(values)), ("newlines", String(newlines)),
            ("sha256", JSONText.quoted(sha256)), ("definition", JSONText.quoted(definition)),
            ("version", JSONText.quoted(version)), ("entities", JSONText.object(entities)),
        ]
        return JSONText.object(members + instead + (odd.map { [("odd", JSONText.quoted($0))] } ?? []))
    }
}
