import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluiceRecords

/// What a definition takes of a source that gives only what is new, as a digest. Where it is another than that of the
/// run before, what the source gave earlier lacks something.
///
/// It is made of the requests, of the entities that the records make, and of the same of all sources that are asked for
/// each of these records. Left out is what the store makes of records, and not what it takes of them: names of tables,
/// indexes, limits, what becomes of objects that are absent.
struct TakenParts {
    private let definition: PipelineDefinition
    private let hash: String?
    private let lastRun: LastRun

    /// - Parameters:
    ///   - hash: the digest of the whole definition; nil: it is not known.
    ///   - lastRun: says which definition the last run had, where versions before this one noted no digest of a source.
    init(_ definition: PipelineDefinition, _ hash: String?, _ lastRun: LastRun) {
        self.definition = definition
        self.hash = hash
        self.lastRun = lastRun
    }

    /// The digest of a source, and whether what is taken differs from what was, but for new names of what the store has
    /// already (`was`).
    ///
    /// - Parameter before: the digest of an earlier run; nil: a version before this one noted none, and what is taken
    ///   differs if the definition is another.
    func compared(_ source: Int, with before: String?) throws(Failure) -> (digest: String, differs: Bool) {
        let now = try digest(of: source, .now)
        guard let before else { return (now, try isAnother) }
        if before == now { return (now, false) }
        for names in [TakenNames.newest, .oldest] where try digest(of: source, names) == before { return (now, false) }
        return (now, true)
    }

    /// The sources that must be asked for everything where some are, since they give values of the same objects, and
    /// what came last counts.
    func beside(_ sources: Set<Int>) -> Set<Int> {
        var all = sources
        var before = 0
        while all.count > before {
            before = all.count
            for entity in definition.model.entities where !all.isDisjoint(with: entity.sources) {
                all.formUnion(entity.sources)
            }
        }
        return all
    }

    /// Whether the definition as a whole is known to be another than that of the last run.
    private var isAnother: Bool {
        get throws(Failure) {
            guard let hash, let last = try lastRun.row()?.definition else { return false }
            return last != hash
        }
    }

    private func digest(of source: Int, _ names: TakenNames) throws(Failure) -> String {
        let taken = sources(from: source)
        let entities = definition.model.entities.filter { !taken.isDisjoint(with: $0.sources) }
        let requests = taken.sorted().compactMap { request($0, names) }
        let parents = taken.sorted().flatMap { values(ofParents: $0, names) }
        let parts = requests + parents + entities.compactMap { entity($0.name, names) }.sorted()
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

    // MARK: Sources

    private static let withoutInSource = KeyTable.names(of: "source", with: [.none, .onStore])

    private func request(_ index: Int, _ names: TakenNames) -> String? {
        let name = definition.sources[index].name
        guard let source = definition.node("sources", name) ?? definition.node("source") else { return nil }
        return TakenParts.object(source.members, without: TakenParts.withoutInSource) { member in
            switch member.key {
            // Where the value is sent makes no difference to what is asked for; the text around the value may.
            case "since": member.value["text"]?.canonical ?? "null"
            case "for": names.texts(of: member.value, among: entities)
            default: member.value.canonical
            }
        }
    }

    /// The values of the records for which a source is asked that are in its address, in what it is posted, or in its
    /// records.
    private func values(ofParents index: Int, _ names: TakenNames) -> [String] {
        guard case .web(let service) = definition.sources[index].location, let parents = service.parents else {
            return []
        }
        let entity = definition.model.entities[parents.entity]
        let requested = definition.model.requestNames(of: index)
        let pieces = parents.pieces + parents.fields.flatMap(\.pieces)
        let used = entity.attributes.indices.filter { attribute in
            pieces.contains(.attribute(attribute))
                || requested.contains { $0.isIdentical(to: entity.attributes[attribute].writtenName) }
        }
        let members = definition.node("entities", entity.name, "attributes")?.members ?? []
        return members.filter { member in
            used.contains { entity.attributes[$0].writtenName.isIdentical(to: member.key) }
        }.map { value($0, names) }
    }

    // MARK: Entities

    private static let withoutInEntity = KeyTable.names(of: "entity", with: [.onStore])
    private static let withoutInValue = KeyTable.names(of: "attribute", with: [.onStore])
        .union(KeyTable.names(of: "relationship", with: [.onStore]))

    /// As they are written.
    private var entities: [JSONMember] { definition.node("entities")?.members ?? [] }

    private func entity(_ name: String, _ names: TakenNames) -> String? {
        guard let entity = definition.node("entities", name) else { return nil }
        let values = ["attributes", "relationships"].flatMap { entity[$0]?.members ?? [] }
        let text = TakenParts.object(entity.members, without: TakenParts.withoutInEntity) { member in
            switch member.key {
            case "attributes", "relationships":
                JSONText.array(member.value.members.map { value($0, names) }.sorted())
            case "identifier": names.texts(of: member.value, among: values)
            case "records": JSONText.array(member.value.elements.map(\.canonical))
            default: member.value.canonical
            }
        }
        let key = names.texts(of: JSONNode(.string(name), at: entity.position), among: entities)
        return JSONText.array([key, text])
    }

    /// An attribute or a relationship under one of its names, with the path of its value where none is given.
    private func value(_ member: JSONMember, _ names: TakenNames) -> String {
        var members = member.value.members
        if case .string = member.value.kind {
            members = [JSONMember(key: "type", at: member.position, value: member.value)]
        }
        if !members.contains(where: { ["from", "value", "join", "identifier"].contains($0.key) }) {
            // A name is no path where it has characters that paths give a meaning.
            let isPath = member.key.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
            let name = JSONNode(.string(member.key), at: member.position)
            members.append(JSONMember(key: isPath ? "from" : "name", at: member.position, value: name))
        }
        let text = TakenParts.object(members, without: TakenParts.withoutInValue) { member in
            member.key == "to" ? names.texts(of: member.value, among: entities) : member.value.canonical
        }
        return JSONText.array([JSONText.quoted(names.name(of: member)), text])
    }

    private static func object(
        _ members: [JSONMember], without names: Set<String>, _ text: (JSONMember) -> String
    ) -> String {
        JSONNode.canonical(members.filter { !names.contains($0.key) }.sortedByKey, text)
    }
}

/// Under which of its names something is meant: it may have had another one in the run before.
private enum TakenNames {
    case now
    /// The first name of `was`, where there is one.
    case newest
    /// The last one.
    case oldest

    func name(of member: JSONMember) -> String {
        let earlier = member.value["was"]?.elements.compactMap(\.text) ?? []
        switch self {
        case .now: return member.key
        case .newest: return earlier.first ?? member.key
        case .oldest: return earlier.last ?? member.key
        }
    }

    /// A name, or what has names in it, with those replaced that are the keys of some members.
    func texts(of node: JSONNode, among members: [JSONMember]) -> String {
        guard case .object(let parts) = node.kind else {
            return JSONText.array(
                node.elements.map { element in
                    if case .object = element.kind { return texts(of: element, among: members) }
                    let found = members.first { $0.key.isIdentical(to: element.text ?? "") }
                    return found.map { JSONText.quoted(name(of: $0)) } ?? element.canonical
                })
        }
        return JSONNode.canonical(parts.sortedByKey) { part in
            part.key == "entity" ? texts(of: part.value, among: members) : part.value.canonical
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension JSONNode {
    /// Those of a list; of what is none, the value itself.
    fileprivate var elements: [JSONNode] {
        if case .array(let elements) = kind { return elements }
        return [self]
    }
}
