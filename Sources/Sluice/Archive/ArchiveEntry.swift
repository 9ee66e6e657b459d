import SluiceExtract
import SluiceRecords

/// Where the feed of a run is saved: what the ledger says of it.
struct ArchiveEntry: Sendable, Hashable {
    /// An absolute path.
    var directory: String
    /// The names of the files of each source, in their order.
    var sources: [(name: String, files: [String])]

    static func == (one: ArchiveEntry, other: ArchiveEntry) -> Bool { one.json == other.json }

    func hash(into hasher: inout Hasher) { hasher.combine(json) }

    var json: String {
        JSONText.object([
            ("directory", JSONText.quoted(directory)),
            (
                "sources",
                JSONText.object(sources.map { ($0.name, JSONText.array($0.files.map(JSONText.quoted))) })
            ),
        ])
    }

    init(directory: String, sources: [(name: String, files: [String])]) {
        self.directory = directory
        self.sources = sources
    }

    /// Nil where the text is not what `json` gives.
    init?(json: String) {
        guard let tree = try? JSONTree.read(Array(json.utf8), file: "the ledger"),
            let directory = tree.root["directory"]?.text, case .object(let members)? = tree.root["sources"]?.kind
        else { return nil }
        self.directory = directory
        sources = members.map { ($0.key, $0.value.elements.compactMap(\.text)) }
    }
}
