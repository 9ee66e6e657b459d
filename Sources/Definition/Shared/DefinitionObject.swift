import SluiceExtract
import SluiceRecords

/// An object of a definition, whose keys are known.
struct DefinitionObject {
    let context: DefinitionContext
    /// What it is, in a message: `the entity "Stop"`.
    let what: String
    var position: JSONPosition { node.position }
    let node: JSONNode
    private let members: [JSONMember]
    /// So many are read at a glance.
    private static let fewKeys = 8
    /// The keys that misspelt ones seem to mean.
    private var meant: Set<String> = []

    /// Checks that a value is an object, and its keys.
    ///
    /// - Parameters:
    ///   - refused: keys that deserve a word of their own, with it.
    ///   - meant: the object that a value of another kind stands for, if there is one.
    init?(
        _ node: JSONNode, _ what: String, keys: [String], refused: [String: String] = [:],
        meant: (JSONNode) -> String? = { _ in nil }, in context: DefinitionContext
    ) {
        guard let members = context.members(of: node, what, meant: meant) else { return nil }
        self.context = context
        self.what = what
        self.node = node
        self.members = members
        for member in members where !keys.contains(member.key) {
            if let reason = refused[member.key] {
                context.mistake(reason, at: member.position)
            } else {
                refuse(member, keys)
            }
        }
    }

    private mutating func refuse(_ member: JSONMember, _ keys: [String]) {
        let message = "unknown key \(quoted(member.key)) in \(what)"
        guard let near = nearest(to: member.key, among: keys) else {
            return context.mistake("\(message); allowed here: \(listed(keys))", at: member.position)
        }
        // Many keys bury the one that is meant.
        let others = keys.count > DefinitionObject.fewKeys ? "" : " Allowed here: \(listed(keys))"
        context.mistake("\(message): did you mean \(quoted(near))?\(others)", at: member.position)
        meant.insert(near)
    }

    /// The value of a key, if it is there.
    subscript(key: String) -> JSONNode? { members.last { $0.key.isIdentical(to: key) }?.value }

    /// Where a key stands.
    func position(of key: String) -> JSONPosition? { members.last { $0.key.isIdentical(to: key) }?.position }

    /// Whether a key is not there, but one that was meant for it: a key that is misspelt is said once.
    func isMisspelt(_ key: String) -> Bool { meant.contains(key) }

    /// The value of a key that must be there.
    func required(_ key: String) -> JSONNode? {
        if let node = self[key] { return node }
        if !isMisspelt(key) { context.mistake("\(what) needs \(quoted(key))", at: position) }
        return nil
    }
}

extension JSONNode {
    /// The object with which a text says the same: `{ "file": "x.json" }`. An address may hold a secret, and is not
    /// said once more.
    func asMember(_ key: (String) -> String?) -> String? {
        guard let text, !text.isEmpty, let key = key(text) else { return nil }
        return "{ \(quoted(key)): \(text.contains("://") ? "…" : quoted(text)) }"
    }
}

extension DefinitionContext {
    /// The members of an object, of which none has the key of another.
    func members(
        of node: JSONNode, _ what: String, meant: (JSONNode) -> String? = { _ in nil }
    ) -> [JSONMember]? {
        guard case .object(let members) = node.kind else {
            if isUnset(node) { return nil }
            let object = meant(node).map { ", as in \($0)" } ?? ""
            mistake("\(what) must be an object, not \(node.described)\(object)", at: node.position)
            return nil
        }
        // By bytes: two spellings of one letter are two names, in a feed and in SQLite.
        var seen: Set<[UInt8]> = []
        return members.filter { member in
            if seen.insert(Array(member.key.utf8)).inserted { return true }
            mistake("the key \(quoted(member.key)) is repeated in \(what)", at: member.position)
            return false
        }
    }
}
