import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What a definition takes of a source that gives only what is new, as a digest. Where it is another than that of the
/// run before, what the source gave earlier lacks something: it is needed once more.
struct TakenParts {
    private let definition: PipelineDefinition

    init(_ definition: PipelineDefinition) { self.definition = definition }

    /// The digest of what is asked of a source, of the entities that its records make, and of the same of all sources
    /// that are asked for each of these records.
    ///
    /// Left out is what the store makes of records, and not what it takes of them: names of tables, indexes, limits, what
    /// becomes of objects that are absent. A new name leaves the digest as it is where the path is given.
    func digest(of source: Int) throws(Failure) -> String {
        let taken = sources(from: source)
        let entities = definition.model.entities.filter { !taken.isDisjoint(with: $0.sources) }
        let parts = taken.sorted().compactMap { request($0) } + entities.compactMap { self.entity($0.name) }
        return try SHA256.digest(of: JSONText.array(parts))
    }

    /// A source, and those that are asked for each of its records.
    private func sources(from first: Int) -> Set<Int> {
        var taken: Set<Int> = [first]
        // Such a source stands behind the one whose records it is asked for.
        for (index, source) in definition.sources.enumerated() {
            guard case .web(let service) = source.location, let parents = service.parents else { continue }
            if !taken.isDisjoint(with: definition.model.entities[parents.entity].sources) { taken.insert(index) }
        }
        return taken
    }

    // MARK: Parts of the definition

    private static let withoutInSource = PipelineDefinition.withoutInSource.union([
        "new", "fails", "maxText", "maxRecord", "maxDepth",
    ])
    private static let withoutInEntity: Set<String> = [
        "source", "table", "was", "duplicates", "repeats", "absent", "within", "ignore", "limits", "drift", "orphans",
        "edits",
        "history", "search",
    ]
    private static let withoutInValue: Set<String> = ["was", "index", "onDelete", "onAbsent"]

    private func request(_ index: Int) -> String? {
        let name = definition.sources[index].name
        guard let source = definition.node("sources", name) ?? definition.node("source") else { return nil }
        return TakenParts.object(source.members, without: TakenParts.withoutInSource) { key, value in
            // Where the value is sent makes no difference to what is asked for; the text around the value may.
            key == "since" ? value["text"]?.canonical ?? "null" : value.canonical
        }
    }

    private func entity(_ name: String) -> String? {
        guard let entity = definition.node("entities", name) else { return nil }
        return TakenParts.object(entity.members, without: TakenParts.withoutInEntity) { key, value in
            guard ["attributes", "relationships"].contains(key) else { return value.canonical }
            return JSONText.array(value.members.map { TakenParts.value($0) }.sorted())
        }
    }

    /// An attribute or a relationship without its name, which is the path of its value where no other is given.
    private static func value(_ member: JSONMember) -> String {
        var members = member.value.members
        if case .string = member.value.kind {
            members = [JSONMember(key: "type", at: member.position, value: member.value)]
        }
        if !members.contains(where: { ["from", "value", "join"].contains($0.key) }) {
            let path = JSONNode(.string(member.key), at: member.position)
            members.append(JSONMember(key: "from", at: member.position, value: path))
        }
        return object(members, without: withoutInValue) { $1.canonical }
    }

    private static func object(
        _ members: [JSONMember], without names: Set<String>, _ text: (String, JSONNode) -> String
    ) -> String {
        let taken = members.filter { !names.contains($0.key) }
        return JSONText.object(taken.map { ($0.key, text($0.key, $0.value)) }.sorted { $0.0 < $1.0 })
    }
}

extension JSONNode {
    /// JSON without comments, with the members of objects in the order of their keys.
    fileprivate var canonical: String {
        switch kind {
        case .array(let elements): JSONText.array(elements.map(\.canonical))
        case .object(let members):
            JSONText.object(members.map { ($0.key, $0.value.canonical) }.sorted { $0.0 < $1.0 })
        case .null, .boolean, .number, .string: minified
        }
    }
}
