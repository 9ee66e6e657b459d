import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What the ledger says of the sources of a run.
package struct LedgerSources: Sendable, Hashable {
    package struct Source: Sendable, Hashable {
        package var name: String
        /// As the definition or the command line names it.
        package var location: String
        package var files: [String]
        /// Whether a web service gave it in several answers.
        package var isPaged = false
        /// Of the files as they are on the disk, compressed or not; nil: not all of them are regular files.
        package var sizes: [Int]?
        /// Of the uncompressed feed; nil, as what follows: it was not read to its end.
        package var bytes: UInt64?
        package var values: UInt64?
        package var sha256: String?
        /// The digest of what its first file begins with; nil: it is short.
        package var digestOfBeginning: String?

        /// From its parts.
        package init(
            name: String, location: String, files: [String], isPaged: Bool = false, sizes: [Int]? = nil,
            bytes: UInt64? = nil, values: UInt64? = nil, sha256: String? = nil
        ) {
            self.name = name
            self.location = location
            self.files = files
            self.isPaged = isPaged
            self.sizes = sizes
            self.bytes = bytes
            self.values = values
            self.sha256 = sha256
        }

        /// What names its files, and pages.
        package var feed: Feed { Feed(source: name, location: location, files: files, isPaged: isPaged) }
    }

    package var sources: [Source]

    /// Sources, in the order of the definition.
    package init(sources: [Source]) { self.sources = sources }

    /// Notes what was read.
    package mutating func add(_ facts: [RunReport.SourceFacts]) {
        for fact in facts {
            guard let index = sources.firstIndex(where: { $0.name.isIdentical(to: fact.name) }) else { continue }
            sources[index].bytes = fact.bytes
            sources[index].values = fact.values
            sources[index].sha256 = fact.sha256
            sources[index].digestOfBeginning = fact.digestOfBeginning
        }
    }

    /// What a report says of them.
    package var facts: [RunReport.SourceFacts] {
        sources.map { source in
            var facts = RunReport.SourceFacts(
                name: source.name, location: source.location, bytes: source.bytes ?? 0, values: source.values ?? 0,
                sha256: source.sha256 ?? "")
            facts.digestOfBeginning = source.digestOfBeginning
            return facts
        }
    }
}

extension LedgerSources {
    package var json: String {
        JSONText.object(
            sources.map { source in
                var members = [
                    ("location", JSONText.quoted(source.location)),
                    ("files", JSONText.array(source.files.map(JSONText.quoted))),
                    ("sizes", source.sizes.map { JSONText.array($0.map(String.init)) } ?? "null"),
                ]
                if source.isPaged { members.append(("paged", "true")) }
                if let bytes = source.bytes { members.append(("bytes", String(bytes))) }
                if let values = source.values { members.append(("values", String(values))) }
                if let sha256 = source.sha256 { members.append(("sha256", JSONText.quoted(sha256))) }
                if let digest = source.digestOfBeginning { members.append(("beginning", JSONText.quoted(digest))) }
                return (source.name, JSONText.object(members))
            })
    }

    /// Nil where the text is not what `json` gives.
    package init?(json: String) {
        guard let tree = try? JSONTree.read(Array(json.utf8), file: "the ledger"),
            case .object(let members) = tree.root.kind
        else { return nil }
        sources = []
        for member in members {
            let value = member.value
            guard let location = value["location"]?.text, let files = value["files"]?.elements.compactMap(\.text) else {
                return nil
            }
            var source = Source(name: member.key, location: location, files: files)
            if value.isTrue("paged") { source.isPaged = true }
            source.sizes = value["sizes"]?.integers
            source.bytes = value["bytes"]?.integer.map { UInt64($0) }
            source.values = value["values"]?.integer.map { UInt64($0) }
            source.sha256 = value["sha256"]?.text
            source.digestOfBeginning = value["beginning"]?.text
            sources.append(source)
        }
    }
}

extension JSONNode {
    /// The whole number, if it is one.
    var integer: Int? {
        guard case .number(let text) = kind else { return nil }
        return wholeNumber(text)
    }

    /// The whole numbers of an array, if all of its elements are such.
    var integers: [Int]? {
        guard case .array(let elements) = kind else { return nil }
        let numbers = elements.compactMap(\.integer)
        return numbers.count == elements.count ? numbers : nil
    }
}
