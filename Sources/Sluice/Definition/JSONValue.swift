import SluiceExtract
import SluiceRecords

/// A JSON value that a program writes down: a definition in code, or the value of a `json` attribute.
///
/// ```swift
/// let value: JSONValue = ["records": "$.stops[*]", "identifier": "stop_id", "attributes": ["stop_id": "text"]]
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number. What is no number, or infinite, becomes `null`: JSON has no word for it.
    case real(Double)
    /// A string.
    case text(String)
    /// An array.
    case list([JSONValue])
    /// An object, whose members stay in their order.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// Its key.
        public var key: String
        /// Its value.
        public var value: JSONValue

        /// A key with its value.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    /// An object, whose members stay in their order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue {
    /// JSON, without white space.
    var json: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): value.isFinite ? "\(value)" : "null"
        case .text(let text): JSONText.quoted(text)
        case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// The value as a tree, in which everything is called by the keys that lead to it.
    func tree(named name: String) -> JSONTree {
        var names: [String] = []
        let root = node(called: "", &names)
        return JSONTree(file: name, root: root, names: names)
    }

    private func node(called name: String, _ names: inout [String]) -> JSONNode {
        let position = JSONPosition(line: 0, column: 0, offset: UInt64(names.count))
        names.append(name)
        let kind: JSONNode.Kind =
            switch self {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer, .real: json == "null" ? .null : .number(json)
            case .text(let text): .string(text)
            case .list(let elements):
                .array(elements.enumerated().map { $1.node(called: "\(name)[\($0)]", &names) })
            case .object(let members):
                .object(
                    members.map { member in
                        let path = name.isEmpty ? member.key : "\(name).\(member.key)"
                        let value = member.value.node(called: path, &names)
                        return JSONMember(key: member.key, at: value.position, value: value)
                    })
            }
        return JSONNode(kind, at: position)
    }
}
