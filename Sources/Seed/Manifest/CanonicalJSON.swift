import SluiceExtract
import SluiceRecords

/// JSON of which there is one text only for one value (RFC 8785): no white space, members sorted by their keys, nothing
/// escaped that need not be. What has a hash is written so.
package enum CanonicalJSON {
    package static func object(_ members: [(String, String)]) -> String {
        let sorted = members.sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
        return "{" + sorted.map { "\(text($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    package static func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

    package static func text(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\u{8}": out += "\\b"
            case "\u{c}": out += "\\f"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                out += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// A value that was read, written so; nil where it has numbers that this tool does not write.
    static func value(_ node: JSONNode) -> String? {
        switch node.kind {
        case .null: return "null"
        case .boolean(let value): return "\(value)"
        case .number(let number): return Int(number).map(String.init)
        case .string(let text): return self.text(text)
        case .array(let elements):
            let values = elements.compactMap(value)
            return values.count == elements.count ? list(values) : nil
        case .object(let members):
            let values = members.compactMap { member in value(member.value).map { (member.key, $0) } }
            return values.count == members.count ? object(values) : nil
        }
    }
}
