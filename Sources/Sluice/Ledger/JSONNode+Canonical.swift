import SluiceExtract
import SluiceRecords

extension JSONNode {
    /// JSON without white space and comments, with the members of objects in the order of their keys.
    var canonical: String {
        switch kind {
        case .array(let elements): "[" + elements.map(\.canonical).joined(separator: ",") + "]"
        case .object(let members): JSONNode.canonical(members.sortedByKey) { $0.value.canonical }
        case .null, .boolean, .number, .string: minified
        }
    }

    /// The same of an object whose members are in an order already.
    static func canonical(_ members: [JSONMember], _ text: (JSONMember) -> String) -> String {
        "{" + members.map { JSONText.quoted($0.key) + ":" + text($0) }.joined(separator: ",") + "}"
    }
}

extension [JSONMember] {
    /// By the bytes of their keys.
    var sortedByKey: [JSONMember] { sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
}
