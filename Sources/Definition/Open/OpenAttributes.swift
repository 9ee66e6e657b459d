import SluiceExtract
import SluiceRecords
import SluiceStores

/// Names the attributes of entities whose definition says `*`: those that the store has, and where it has none, those
/// of the feed.
struct OpenAttributes {
    /// The key, and the value, that stand for all other attributes.
    static let all = "*"

    let context: DefinitionContext
    /// Where they are looked for, instead of the store of the definition.
    let store: String?

    /// A definition in which all attributes are named.
    func namingAll(_ root: JSONNode) -> JSONNode {
        guard case .object(var members) = root.kind, let index = members.lastIndex(where: { $0.key == "entities" }),
            case .object(var entities) = members[index].value.kind
        else { return root }
        for index in entities.indices {
            if let star = OpenAttributes.star(of: entities[index].value) {
                if root["names"]?.text == StoreNames.Naming.snakeCase.rawValue {
                    context.mistake(
                        "\"*\" takes members as the feed calls them: not with \"names\": \"snake_case\"", at: star)
                }
                entities[index].value = namingAll(entities[index], star, root)
            } else {
                refuseKeys(of: entities[index].value)
            }
        }
        members[index].value.kind = .object(entities)
        return JSONNode(.object(members), at: root.position)
    }

    /// Where an entity says that all members are attributes.
    private static func star(of entity: JSONNode) -> JSONPosition? {
        guard let attributes = entity["attributes"] else { return nil }
        if attributes.text == all { return attributes.position }
        guard case .object(let members) = attributes.kind else { return nil }
        return members.last { $0.key == all && $0.value.text == all }?.position
    }

    private func refuseKeys(of entity: JSONNode) {
        guard case .object(let members) = entity.kind else { return }
        for member in members where member.key == "except" || member.key == "drift" {
            context.mistake("\(quoted(member.key)) is for an entity with \"attributes\": \"*\"", at: member.position)
        }
    }

    private func namingAll(_ entity: JSONMember, _ star: JSONPosition, _ root: JSONNode) -> JSONNode {
        guard case .object(var members) = entity.value.kind,
            let index = members.lastIndex(where: { $0.key == "attributes" })
        else { return entity.value }
        var attributes: [JSONMember] = []
        if case .object(let own) = members[index].value.kind {
            attributes = own.filter { $0.key != OpenAttributes.all || $0.value.text != OpenAttributes.all }
        }
        let named = (attributes + entity.value.members("relationships")).map(\.key)
        let taken = Set((named + referring(entity.value, root)).map { ExactText($0) })
        let except = Set(entity.value["except"]?.elements.compactMap { $0.text.map { ExactText($0) } } ?? [])
        func isOpen(_ name: String) -> Bool { !taken.contains(ExactText(name)) && !except.contains(ExactText(name)) }
        let found = starMembers(of: entity, star, root)
        let known = found.known.filter { isOpen($0.name) }
        var columns = FreeColumns(found.location, keys: entity.value["identifier"]?.elements.compactMap(\.text) ?? [])
        for name in named + referring(entity.value, root) + known.map(\.name) { columns.reserve(name) }
        for (name, target) in targets(of: entity.value, root) { columns.reserve(reference: name, to: target) }
        let new = found.new.filter { isOpen($0.name) && columns.take($0.name) }
        for (name, form) in known + new {
            attributes.append(
                JSONMember(key: name, at: star, value: OpenAttributes.node(of: form, at: star)))
        }
        members[index].value.kind = .object(attributes)
        return JSONNode(.object(members), at: entity.value.position)
    }

    /// The columns of relationships that are in an entity's identifier.
    private func referring(_ entity: JSONNode, _ root: JSONNode, depth: Int = 0) -> [String] {
        let relationships = entity.members("relationships")
        // An identifier that needs itself is refused later.
        guard depth < 16 else { return [] }
        return (entity["identifier"]?.elements ?? []).compactMap(\.text).flatMap { name -> [String] in
            guard let relationship = relationships.last(where: { $0.key.isIdentical(to: name) }),
                let to = relationship.value["to"]?.elements.first?.text,
                let target = root.members("entities").last(where: { $0.key.isIdentical(to: to) })?.value
            else { return [] }
            let deeper = referring(target, root, depth: depth + 1)
            let own = (target["identifier"]?.elements ?? []).compactMap(\.text)
            return (own + deeper).map { "\(name)_\($0)" }
        }
    }

    /// The relationships of an entity to one entity, with the attributes that identify that, and to several, with none.
    private func targets(of entity: JSONNode, _ root: JSONNode) -> [(name: String, identifier: [String])] {
        entity.members("relationships").map { relationship in
            let to = relationship.value["to"]?.elements ?? []
            guard to.count == 1, let name = to[0].text,
                let target = root.members("entities").last(where: { $0.key.isIdentical(to: name) })?.value
            else { return (relationship.key, []) }
            return (relationship.key, (target["identifier"]?.elements ?? []).compactMap(\.text))
        }
    }

    /// What an entity has beside what its definition names.
    private struct Found {
        /// What the store has.
        var known: [(name: String, form: StoredForm)]
        /// What only the feed has.
        var new: [(name: String, form: StoredForm)] = []
        var location: StoreLocation?
    }

    private func starMembers(of entity: JSONMember, _ star: JSONPosition, _ root: JSONNode) -> Found {
        guard entity.value["records"] != nil else {
            context.mistake("\"*\" stands for members of records: it needs \"records\"", at: star)
            return Found(known: provisional(entity))
        }
        guard let reduced = reduced(entity, root) else { return Found(known: provisional(entity)) }
        let names = [entity.key] + (entity.value["was"]?.elements.compactMap(\.text) ?? [])
        do throws(Failure) {
            let location = try reduced.location(instead: store)
            let stored = try location.storedAttributes(pipeline: reduced.name)
            let known = names.lazy.compactMap { stored[ExactText($0)] }.first ?? []
            let adds = entity.value["drift"]?.text == Drift.add.rawValue
            guard known.isEmpty || adds else { return Found(known: known) }
            do throws(Failure) {
                let members = try context.checks.members(reduced)
                let new = members.filter { member in !known.contains { $0.name.isIdentical(to: member.name) } }
                return Found(known: known, new: new, location: location)
            } catch {
                // What is known is enough for who does not read the feed.
                if !known.isEmpty { return Found(known: known) }
                throw error
            }
        } catch {
            context.pend(
                "the attributes of \(quoted(entity.key)) are those of its first feed, which cannot be looked at:"
                    + " \(error.description)", for: .entities, at: star)
            return Found(known: provisional(entity))
        }
    }

    /// What `drift` takes.
    enum Drift: String, CaseIterable { case tell, add }

    /// What identifies an object, so that nothing else is wrong.
    private func provisional(_ entity: JSONMember) -> [(name: String, form: StoredForm)] {
        (entity.value["identifier"]?.elements ?? []).compactMap { $0.text.map { ($0, StoredForm(.text)) } }
    }

    /// The pipeline with this entity alone, and nothing of its records; nil: it has mistakes, or lacks a variable.
    private func reduced(_ entity: JSONMember, _ root: JSONNode) -> PipelineDefinition? {
        guard case .object(let members) = root.kind else { return nil }
        let at = entity.position
        func node(_ text: String) -> JSONNode { JSONNode(.string(text), at: at) }
        var body = entity.value.members.filter { ["source", "records", "where", "kind", "is"].contains($0.key) }
        let line = JSONNode(
            .object([
                JSONMember(key: "type", at: at, value: node("integer")),
                JSONMember(key: "from", at: at, value: node("$line")),
            ]), at: at)
        body.append(JSONMember(key: "identifier", at: at, value: node("line")))
        body.append(
            JSONMember(
                key: "attributes", at: at,
                value: JSONNode(.object([JSONMember(key: "line", at: at, value: line)]), at: at)))
        var kept = members.filter { ["name", "source", "sources", "store"].contains($0.key) }
        let only = JSONMember(key: entity.key, at: at, value: JSONNode(.object(body), at: at))
        kept.append(JSONMember(key: "entities", at: at, value: JSONNode(.object([only]), at: at)))
        var tree = context.tree
        tree.root = JSONNode(.object(kept), at: root.position)
        guard let definition = try? PipelineDefinition.expanded(tree, checks: context.checks),
            !context.isPending([.store, .settings, .entities])
        else { return nil }
        return definition
    }

    /// A form as a definition has it.
    private static func node(of form: StoredForm, at position: JSONPosition) -> JSONNode {
        func member(_ key: String, _ kind: JSONNode.Kind) -> JSONMember {
            JSONMember(key: key, at: position, value: JSONNode(kind, at: position))
        }
        var members = [member("type", .string(form.type.rawValue))]
        if let fraction = form.fraction { members.append(member("fraction", .number("\(fraction)"))) }
        if let scale = form.scale { members.append(member("scale", .number("\(scale)"))) }
        if form.isInteger { members.append(member("as", .string("integer"))) }
        return JSONNode(.object(members), at: position)
    }
}

extension JSONNode {
    fileprivate func members(_ key: String) -> [JSONMember] { self[key]?.members ?? [] }
}
