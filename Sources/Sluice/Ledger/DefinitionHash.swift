import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceTransform

extension PipelineDefinition {
    /// A digest of the parts of the definition that decide what a run makes of a feed, with variables filled in, and of
    /// the time zones that it names, as the machine knows them: with another database of zones, local times become
    /// other moments.
    ///
    /// Left out are where the feed and the objects are, how much is done at once, what is written beside the store, and
    /// credentials. Neither the order of keys nor comments matter, but where relationships describe stubs: the first of
    /// them counts.
    ///
    /// - Parameter formats: how each source is read; where the definition says nothing, the name of the file does.
    func hash(formats: [FeedOptions.Format]) throws(Failure) -> String {
        let words = formats.map { JSONText.quoted($0.rawValue) }
        let describesStubs = model.entities.contains { $0.relationships.contains { !$0.stub.isEmpty } }
        let text =
            canonical(tree.root, above: []) + JSONText.array(words) + (describesStubs ? try model.orderDigest : "")
        let zones = Set(zoneNames(in: tree.root).map { ExactText($0) }).map(\.string).sorted()
        return try SHA256.digest(of: zones.reduce(text) { $0 + (ZoneDatabase.content(ofZone: $1) ?? "") })
    }

    private func zoneNames(in node: JSONNode) -> [String] {
        switch node.kind {
        case .object(let members):
            members.flatMap { member in
                (member.key == "timeZone" ? [member.value.text].compactMap { $0 } : []) + zoneNames(in: member.value)
            }
        case .array(let elements): elements.flatMap(zoneNames)
        default: []
        }
    }

    private static let without = KeyTable.names(of: "pipeline", with: [.none])
    /// Of a source; the formats are told besides.
    private static let withoutInSource = KeyTable.names(of: "source", with: [.none]).union(["format"])

    private func isLeftOut(_ keys: [String]) -> Bool {
        switch (keys.first, keys.count) {
        case (_, 1): PipelineDefinition.without.contains(keys[0])
        case ("source", 2): PipelineDefinition.withoutInSource.contains(keys[1])
        case ("sources", 3): PipelineDefinition.withoutInSource.contains(keys[2])
        default: false
        }
    }

    /// JSON as ``JSONNode/canonical`` has it, but for the sources, whose order counts, and for what is left out, which
    /// is not deeper than in a source.
    private func canonical(_ node: JSONNode, above keys: [String]) -> String {
        guard case .object(let members) = node.kind, keys.count < 3 else { return node.canonical }
        // Of two sources, the first is read first.
        let ordered = keys == ["sources"] ? members : members.sortedByKey
        return JSONNode.canonical(ordered.filter { !isLeftOut(keys + [$0.key]) }) { member in
            canonical(member.value, above: keys + [member.key])
        }
    }
}
