extension JSONNode {
    /// The value as JSON text without white space; numbers as they are written, members in their order.
    public var minified: String {
        switch kind {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let number): number
        case .string(let text): JSONNode.quoted(text)
        case .array(let elements): "[" + elements.map(\.minified).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONNode.quoted($0.key) + ":" + $0.value.minified }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..."\u{1f}":
                result += (scalar.value < 0x10 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
