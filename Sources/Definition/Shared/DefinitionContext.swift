import SluiceExtract
import SluiceRecords

/// What reading a definition needs all along: where relative paths start, and the mistakes found so far.
package final class DefinitionContext {
    let tree: JSONTree
    let checks: DefinitionChecks
    private(set) var mistakes: [Failure] = []
    private(set) var pending: [PipelineDefinition.Pending] = []
    /// The values that records take of those for which services are asked.
    private(set) var requestValues: [RequestValue] = []
    private var seen: Set<Failure> = []
    /// The texts, by offset, that lack a variable.
    private var unset: Set<UInt64> = []
    /// The texts, by offset, that hold a variable, set or not.
    private var variable: Set<UInt64> = []

    /// - Parameter tree: the definition as it was written.
    package init(_ tree: JSONTree, checks: DefinitionChecks) {
        self.tree = tree
        self.checks = checks
    }

    /// As the user named it.
    var file: String { tree.file }

    /// Then there is no folder that paths start in, and nothing has a line.
    var isMadeInCode: Bool { tree.isMadeInCode }

    /// Notes a mistake; the same one counts once.
    func mistake(_ message: String, at position: JSONPosition) {
        let failure = failure(message, at: position)
        if seen.insert(failure).inserted { mistakes.append(failure) }
    }

    /// Notes what is wrong only for those who use a part.
    func pend(_ message: String, for part: PipelineDefinition.Part, at position: JSONPosition) {
        pending.append(PipelineDefinition.Pending(part: part, failure: failure(message, at: position)))
    }

    /// A value that the records of an entity take of the record for which a service is asked.
    struct RequestValue {
        var entity: String
        var name: String
        var position: JSONPosition
    }

    func note(_ value: RequestValue) { requestValues.append(value) }

    /// Whether something is wrong for those who use one of some parts.
    func isPending(_ parts: Set<PipelineDefinition.Part>) -> Bool { pending.contains { parts.contains($0.part) } }

    func noteVariable(at position: JSONPosition, isSet: Bool) {
        variable.insert(position.offset)
        if !isSet { unset.insert(position.offset) }
    }

    /// Whether the text lacks a variable: the reader of the key reports nothing more.
    func isUnset(_ node: JSONNode) -> Bool { unset.contains(node.position.offset) }

    func hasVariable(_ node: JSONNode) -> Bool { variable.contains(node.position.offset) }

    private func failure(_ message: String, at position: JSONPosition) -> Failure {
        Failure(.definition, message, at: tree.place(position))
    }
}

extension DefinitionContext {
    /// Notes that a word is not one of those that are known.
    func unknown(_ kind: String, _ word: String, among known: [String], at position: JSONPosition) {
        var message = "there is no \(kind) \(quoted(word))"
        if let near = nearest(to: word, among: known) { message += ": did you mean \(quoted(near))?" }
        if !known.isEmpty {
            message += (message.hasSuffix("?") ? " There " : "; there ") + present(known)
        }
        mistake(message, at: position)
    }

    /// What there is, in the words of a message.
    func present(_ names: [String]) -> String {
        names.count == 1 ? "is only \(quoted(names[0]))" : "are \(listed(names.map(quoted), last: " and "))"
    }

    /// Notes that a value has the wrong type.
    package func wrong(_ key: String, _ node: JSONNode, expected: String) {
        guard !isUnset(node) else { return }
        mistake("\(quoted(key)) must be \(expected), not \(node.described)", at: node.position)
    }
}

extension JSONNode {
    /// What the value is, in a message.
    var described: String {
        switch kind {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): "the number \(number.prefix(60))"
        case .string(let text): text.isEmpty ? "an empty text" : "the text \(quoted(text))"
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object: "an object"
        }
    }

    /// The elements of an array, or the value itself as the only one.
    package var elements: [JSONNode] {
        guard case .array(let elements) = kind else { return [self] }
        return elements
    }
}
