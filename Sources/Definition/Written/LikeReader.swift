import SluiceExtract
import SluiceRecords

/// Writes out what entities have in common: `like`, `kind` and `is`, before anything else is read. What an entity takes
/// over keeps its place, so that a mistake in it is told where it stands.
package struct LikeReader {
    let context: DefinitionContext

    /// Reads in a context, to which mistakes are told.
    package init(context: DefinitionContext) {
        self.context = context
    }

    /// The definition without these keys; with what they stand for.
    package func expanded(_ root: JSONNode) -> JSONNode {
        guard case .object(var members) = root.kind else { return root }
        var families = Families(context: context, bases: self.members(of: root["bases"], "\"bases\""))
        families.entities = self.members(of: root["entities"], nil)
        let isUsed = families.entities.contains { member in
            ["like", "kind", "is"].contains { member.value[$0] != nil }
        }
        guard isUsed || root["bases"] != nil else { return root }
        families.checkBases()
        let entities = families.entities.map { member in
            JSONMember(key: member.key, at: member.position, value: families.expanded(member))
        }
        families.checkUse()
        for index in members.indices where members[index].key == "entities" {
            if case .object = members[index].value.kind { members[index].value.kind = .object(entities) }
        }
        return JSONNode(.object(members.filter { $0.key != "bases" }), at: root.position)
    }

    /// Of what is no object, another one tells.
    private func members(of node: JSONNode?, _ what: String?) -> [JSONMember] {
        guard let node else { return [] }
        if let what { return context.members(of: node, what) ?? [] }
        guard case .object(let members) = node.kind else { return [] }
        return members
    }
}

/// The entities of a definition, and what they are like.
private struct Families {
    let context: DefinitionContext
    let bases: [JSONMember]
    var entities: [JSONMember] = []
    /// The bases that some entity is like.
    private var used: Set<ExactText> = []

    init(context: DefinitionContext, bases: [JSONMember]) {
        self.context = context
        self.bases = bases
    }

    func checkBases() {
        for base in bases {
            if entities.contains(where: { ExactText($0.key) == ExactText(base.key) }) {
                context.mistake(
                    "\(quoted(base.key)) is an entity, too: a base needs a name of its own", at: base.position)
            }
            guard let members = context.members(of: base.value, "the base \(quoted(base.key))") else { continue }
            for member in members where DefinitionKeys.ofOneEntity.contains(member.key) {
                context.mistake("\(quoted(member.key)) is about one entity: a base has none", at: member.position)
            }
        }
    }

    func checkUse() {
        for base in bases where !used.contains(ExactText(base.key)) {
            context.mistake("no entity is like \(quoted(base.key))", at: base.position)
        }
    }

    /// An entity with all that it takes over.
    mutating func expanded(_ entity: JSONMember) -> JSONNode {
        guard case .object = entity.value.kind else { return entity.value }
        var members = members(of: entity, path: [])
        addKind(entity, to: &members)
        members.removeAll { ["like", "kind", "is"].contains($0.key) }
        for index in members.indices where members[index].key == "relationships" {
            members[index].value = expandedTargets(members[index].value)
        }
        return JSONNode(.object(members), at: entity.value.position)
    }

    // MARK: like

    /// What an entity or a base says, with what it takes over.
    ///
    /// - Parameter path: those that take it over.
    private mutating func members(of member: JSONMember, path: [JSONMember]) -> [JSONMember] {
        guard case .object(let own) = member.value.kind else { return [] }
        guard let node = member.value["like"], let name = context.text(node, "like") else { return own }
        guard let base = (bases + entities).first(where: { ExactText($0.key) == ExactText(name) }) else {
            context.unknown("base or entity", name, among: (bases + entities).map(\.key), at: node.position)
            return own
        }
        used.insert(ExactText(name))
        let path = path + [member]
        if let start = path.firstIndex(where: { ExactText($0.key) == ExactText(name) }) {
            let names = path[start...].map { quoted($0.key) } + [quoted(name)]
            context.mistake("this goes round: \(names.joined(separator: " is like "))", at: node.position)
            return own
        }
        let left = DefinitionKeys.ofOneEntity + ["like"]
        let taken = members(of: base, path: path).filter { !left.contains($0.key) }
        return merge(own, over: taken)
    }

    /// What an entity says goes before what it takes over; attributes and relationships one by one.
    private func merge(_ own: [JSONMember], over taken: [JSONMember]) -> [JSONMember] {
        var members = own
        for base in taken {
            guard let index = members.lastIndex(where: { $0.key.isIdentical(to: base.key) }) else {
                members.append(base)
                continue
            }
            if ["attributes", "relationships"].contains(base.key) {
                members[index].value = merge(members[index].value, over: base.value)
            }
        }
        return members
    }

    /// The parts of both, those that are taken over first. What is null here is left out.
    private func merge(_ own: JSONNode, over taken: JSONNode) -> JSONNode {
        let (own, taken) = (spelledOut(own), spelledOut(taken))
        guard case .object(let mine) = own.kind, case .object(let taken) = taken.kind else { return own }
        var names = Set(mine.map { ExactText($0.key) })
        let before = taken.compactMap { member -> JSONMember? in
            let name = ExactText(member.key)
            guard names.contains(name) else { return member }
            names.remove(name)
            return mine.last { ExactText($0.key) == name }
        }
        let behind = mine.filter { names.contains(ExactText($0.key)) }
        let kept = before.filter { member in
            if case .null = member.value.kind { return false }
            return true
        }
        return JSONNode(.object(kept + behind), at: own.position)
    }

    /// `"*"`, which is all members, as one part of several.
    private func spelledOut(_ node: JSONNode) -> JSONNode {
        guard node.text == "*" else { return node }
        return JSONNode(.object([JSONMember(key: "*", at: node.position, value: node)]), at: node.position)
    }

    // MARK: kind

    /// Adds the condition that a record is of the entity.
    private func addKind(_ entity: JSONMember, to members: inout [JSONMember]) {
        let value = entity.value["is"]
        guard let kind = members.last(where: { $0.key == "kind" }) else {
            if let value {
                context.mistake(
                    "\"is\" is the value of \"kind\", which is missing: the path of what tells of which entity a"
                        + " record is", at: members.last { $0.key == "is" }?.position ?? value.position)
            }
            return
        }
        guard let path = context.text(kind.value, "kind", expected: "a path") else { return }
        let wanted = value ?? JSONNode(.string(entity.key), at: entity.position)
        let condition = JSONMember(key: path, at: kind.value.position, value: wanted)
        guard let index = members.lastIndex(where: { $0.key == "where" }) else {
            members.append(
                JSONMember(
                    key: "where", at: kind.position, value: JSONNode(.object([condition]), at: kind.value.position)))
            return
        }
        guard case .object(let conditions) = members[index].value.kind else { return }
        if let same = conditions.first(where: { ExactText($0.key) == ExactText(path) }) {
            context.mistake(
                "\(quoted(path)) tells by \"kind\" of which entity a record is: there is no other condition on it",
                at: same.position)
            return
        }
        members[index].value.kind = .object(conditions + [condition])
    }

    // MARK: Targets

    /// The relationships of an entity, with all entities that are like a base in its place in `to`.
    private func expandedTargets(_ relationships: JSONNode) -> JSONNode {
        guard case .object(var members) = relationships.kind else { return relationships }
        for index in members.indices {
            guard case .object(var keys) = members[index].value.kind else { continue }
            for key in keys.indices where keys[key].key == "to" { keys[key].value = all(keys[key].value) }
            members[index].value.kind = .object(keys)
        }
        return JSONNode(.object(members), at: relationships.position)
    }

    private func all(_ to: JSONNode) -> JSONNode {
        let families = to.elements.map { element -> [JSONNode]? in
            guard let name = element.text, bases.contains(where: { ExactText($0.key) == ExactText(name) }) else {
                return nil
            }
            return entities.filter { isLike($0, ExactText(name), steps: bases.count + entities.count) }
                .map { JSONNode(.string($0.key), at: element.position) }
        }
        guard families.contains(where: { $0 != nil }) else { return to }
        let names = zip(to.elements, families).flatMap { $1 ?? [$0] }
        return JSONNode(.array(names), at: to.position)
    }

    private func isLike(_ member: JSONMember, _ name: ExactText, steps: Int) -> Bool {
        guard steps > 0, let like = member.value["like"]?.text else { return false }
        if ExactText(like) == name { return true }
        let base = (bases + entities).first { ExactText($0.key) == ExactText(like) }
        return base.map { isLike($0, name, steps: steps - 1) } ?? false
    }
}
