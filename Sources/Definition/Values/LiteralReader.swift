import SluiceExtract
import SluiceRecords

extension DefinitionContext {
    /// A value that the definition gives.
    ///
    /// - Parameter containers: objects and lists are taken, too.
    func literal(_ node: JSONNode, _ key: String, containers: Bool = false) -> Literal? {
        guard !isUnset(node) else { return nil }
        switch node.kind {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let number): return .number(number)
        case .string(let text): return .text(text)
        case .array, .object:
            guard containers else {
                wrong(key, node, expected: "a text, a number, true, false or null")
                return nil
            }
            checkKeys(node, key)
            return .json(node.minified)
        }
    }

    private func checkKeys(_ node: JSONNode, _ key: String) {
        switch node.kind {
        case .array(let elements):
            for element in elements { checkKeys(element, key) }
        case .object:
            for member in members(of: node, quoted(key)) ?? [] { checkKeys(member.value, key) }
        default: break
        }
    }
}
