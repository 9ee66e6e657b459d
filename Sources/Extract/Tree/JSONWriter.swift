import SluiceRecords

extension JSONNode {
    /// The value as JSON text without white space; numbers as they are written, members in their order.
    package var minified: String {
        switch kind {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let number): number
        case .string(let text): JSONText.quoted(text)
        case .array(let elements): "[" + elements.map(\.minified).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.key) + ":" + $0.value.minified }.joined(separator: ",") + "}"
        }
    }
}
