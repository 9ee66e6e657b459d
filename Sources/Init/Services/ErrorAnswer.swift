import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// An answer of a service that is an error rather than what was asked for: `{ "status": "error", "message": "rate limit
/// exceeded" }`.
struct ErrorAnswer {
    /// What it says, and where: `"rate limit exceeded" (message)`.
    let text: String

    private static let words = ["message", "detail", "error_description", "description", "title", "reason", "msg"]
    private static let states = ["status", "result", "type", "state"]
    private static let failures = ["error", "fail", "failed", "failure"]
    /// So many members does an error have, and so many errors an answer.
    private static let most = (members: 12, errors: 5)
    /// So many records of any kind are in one.
    static let mostRecords = most.errors
    /// What is longer holds more than an error.
    static let mostBytes = 1 << 16

    /// Nil: it is none, or holds something else besides.
    init?(_ root: JSONNode) {
        guard case .object(let members) = root.kind, members.count <= ErrorAnswer.most.members else { return nil }
        let errors = members.filter { ["error", "errors"].contains($0.key) }
        let others = members.filter { !["error", "errors"].contains($0.key) }
        // Lists and objects beside it are what was asked for, unless they are empty.
        guard others.allSatisfy({ ErrorAnswer.isPlain($0.value) }) else { return nil }
        if let found = errors.lazy.compactMap({ ErrorAnswer.words(of: $0.value, at: $0.key) }).first {
            text = found
            return
        }
        // A record of something that has failed has an identifier.
        guard !others.contains(where: { $0.key == "id" }),
            others.contains(where: { ErrorAnswer.saysFailure($0.key, $0.value) }),
            let found = ErrorAnswer.word(in: root, at: "")
        else { return nil }
        text = found
    }

    private static func isPlain(_ node: JSONNode) -> Bool {
        switch node.kind {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: true
        }
    }

    private static func saysFailure(_ key: String, _ node: JSONNode) -> Bool {
        switch node.kind {
        case .boolean(false): ["success", "ok"].contains(key.lowercased())
        case .string(let text): states.contains(key.lowercased()) && failures.contains(text.lowercased())
        default: false
        }
    }

    /// What stands where services put errors; nil: nothing is wrong, or these are records.
    private static func words(of node: JSONNode, at path: String) -> String? {
        switch node.kind {
        case .string(let text): return text.isEmpty ? nil : shown(text, path)
        case .array(let elements):
            guard (1...most.errors).contains(elements.count) else { return nil }
            let all = elements.enumerated().map { words(of: $0.element, at: "\(path)[\($0.offset)]") }
            return all.contains { $0 == nil } ? nil : all[0]
        case .object: return word(in: node, at: path + ".")
        default: return nil
        }
    }

    private static func word(in node: JSONNode, at path: String) -> String? {
        for key in words {
            if case .string(let text)? = node[key]?.kind, !text.isEmpty { return shown(text, path + key) }
        }
        return nil
    }

    private static func shown(_ text: String, _ path: String) -> String {
        "\(quoted(String(text.prefix(200)).printable)) (`\(path)`)"
    }
}
