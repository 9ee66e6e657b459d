import SluiceExtract
import SluiceRecords

/// Where the feed of a run is saved: what the ledger says of it.
struct ArchiveEntry: Sendable, Hashable {
    /// An absolute path, or where objects are: `s3://bucket/archive`.
    var directory: String
    /// The names of the files of each source, in their order.
    var sources: [(name: String, files: [String])]
    /// For sources that ask a service for each record of an entity: the values that their records take of that record,
    /// as JSON, by file.
    var parents: [(name: String, values: [String])] = []
    /// What the run called the files of each source that gives its feed in pages.
    var pages: [(name: String, names: [String])] = []
    /// The store of the run, by ``StoreLocation/identity``; nil: an earlier version did not note it.
    var store: String?
    /// The sources that did not give all that there was: their objects are not absent where a replay lacks them.
    var partial: [String] = []
    /// The sources that gave what there was at different times: what moved meanwhile is absent, and perhaps there.
    var shifting: [String] = []

    static func == (one: ArchiveEntry, other: ArchiveEntry) -> Bool { one.json == other.json }

    func hash(into hasher: inout Hasher) { hasher.combine(json) }

    var json: String {
        var members = [
            ("directory", JSONText.quoted(directory)),
            (
                "sources",
                JSONText.object(sources.map { ($0.name, JSONText.array($0.files.map(JSONText.quoted))) })
            ),
        ]
        if let store { members.append(("store", JSONText.quoted(store))) }
        if !parents.isEmpty {
            members.append(("parents", JSONText.object(parents.map { ($0.name, JSONText.array($0.values)) })))
        }
        if !pages.isEmpty {
            let names = pages.map { ($0.name, JSONText.array($0.names.map(JSONText.quoted))) }
            members.append(("pages", JSONText.object(names)))
        }
        if !partial.isEmpty { members.append(("partial", JSONText.array(partial.map(JSONText.quoted)))) }
        if !shifting.isEmpty { members.append(("shifting", JSONText.array(shifting.map(JSONText.quoted)))) }
        return JSONText.object(members)
    }

    init(
        directory: String, sources: [(name: String, files: [String])], parents: [(name: String, values: [String])] = [],
        pages: [(name: String, names: [String])] = [], partial: [String] = [], shifting: [String] = []
    ) {
        self.directory = directory
        self.sources = sources
        self.parents = parents
        self.pages = pages
        self.partial = partial
        self.shifting = shifting
    }

    /// The values that records of a file take of the record for which a service was asked, as JSON.
    func parent(of source: String, _ file: Int) -> String? {
        guard let values = parents.first(where: { $0.name.isIdentical(to: source) })?.values,
            values.indices.contains(file)
        else { return nil }
        return values[file]
    }

    /// What the run called the files of a source; nil: the files have names of their own, or it noted none.
    func pageNames(of source: String) -> [String]? { pages.first { $0.name.isIdentical(to: source) }?.names }

    /// Nil where the text is not what `json` gives.
    init?(json: String) {
        guard let tree = try? JSONTree.read(Array(json.utf8), file: "the ledger"),
            let directory = tree.root["directory"]?.text, case .object(let members)? = tree.root["sources"]?.kind
        else { return nil }
        self.directory = directory
        sources = members.map { ($0.key, $0.value.elements.compactMap(\.text)) }
        if case .object(let members)? = tree.root["parents"]?.kind {
            parents = members.map { ($0.key, $0.value.elements.map(\.minified)) }
        }
        if case .object(let members)? = tree.root["pages"]?.kind {
            pages = members.map { ($0.key, $0.value.elements.compactMap(\.text)) }
        }
        store = tree.root["store"]?.text
        partial = tree.root["partial"]?.elements.compactMap(\.text) ?? []
        shifting = tree.root["shifting"]?.elements.compactMap(\.text) ?? []
    }
}
