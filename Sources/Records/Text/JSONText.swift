/// JSON as text, written without a tree: reports, findings and the waiting list.
public enum JSONText {
    /// A JSON string, quotes included.
    public static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return "\"\(text)\"" }
        var out = "\""
        append(text, to: &out)
        out += "\""
        return out
    }

    /// Whether a byte stands for itself in a JSON string, whatever follows it.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// A JSON array of values that are JSON already.
    public static func array(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }

    /// The only one of values that are JSON already, as it is; of none or several, a JSON array of them. Identifiers of
    /// one attribute and of several are written so.
    public static func oneOrArray(_ values: [String]) -> String { values.count == 1 ? values[0] : array(values) }

    /// A JSON object of values that are JSON already, in the order given.
    public static func object(_ members: [(String, String)]) -> String {
        guard !members.isEmpty else { return "{}" }
        return "{ " + members.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", ") + " }"
    }

    /// JSON as it is, but for what is hidden in its strings, see `Unicode.Scalar.isHidden`.
    public static func shown(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: { !$0.isASCII && $0.isHidden }) else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            // Beyond ASCII, nothing stands outside of strings.
            if !scalar.isASCII, scalar.isHidden { text += scalar.escaped } else { text.unicodeScalars.append(scalar) }
        }
    }

    private static func append(_ text: String, to out: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.isHidden: out += scalar.escaped
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}
