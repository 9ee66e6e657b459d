import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension PipelineDefinition {
    /// A digest of the parts of the definition that decide what a run makes of a feed, with variables filled in.
    ///
    /// Left out are where the feed and the objects are, how much is done at once, what is written beside the store, and
    /// credentials. Neither the order of keys nor comments matter.
    ///
    /// - Parameter formats: how each source is read; where the definition says nothing, the name of the file does.
    func hash(formats: [FeedOptions.Format]) throws(Failure) -> String {
        let words = formats.map { JSONText.quoted($0.rawValue) }
        return try SHA256.digest(of: canonical(tree.root, above: []) + JSONText.array(words))
    }

    private static let without: Set<String> = [
        "$schema", "name", "store", "batchSize", "commit", "archive", "findings", "ledger", "changes", "fingerprints",
        "after", "seed",
    ]
    /// Of a source: where its files are, how much is done at once, and credentials.
    static let withoutInSource: Set<String> = [
        "file", "format", "auth", "headers", "timeout", "retries", "rate", "maxBytes", "parallel", "requests",
        "resume", "cache",
    ]

    private func isLeftOut(_ keys: [String]) -> Bool {
        switch (keys.first, keys.count) {
        case (_, 1): PipelineDefinition.without.contains(keys[0])
        case ("source", 2): PipelineDefinition.withoutInSource.contains(keys[1])
        case ("sources", 3): PipelineDefinition.withoutInSource.contains(keys[2])
        default: false
        }
    }

    /// JSON without white space, with the members of objects by their keys, but for the sources, whose order counts.
    private func canonical(_ node: JSONNode, above keys: [String]) -> String {
        switch node.kind {
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .number(let number): return number
        case .string(let text): return JSONText.quoted(text)
        case .array(let elements):
            return "[" + elements.map { canonical($0, above: keys + [""]) }.joined(separator: ",") + "]"
        case .object(let members):
            // Of two sources, the first is read first.
            let ordered =
                keys == ["sources"]
                ? members : members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let kept = ordered.filter { !isLeftOut(keys + [$0.key]) }
            let texts = kept.map { JSONText.quoted($0.key) + ":" + canonical($0.value, above: keys + [$0.key]) }
            return "{" + texts.joined(separator: ",") + "}"
        }
    }
}
