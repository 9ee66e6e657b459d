import SluiceExtract
import SluiceRecords
import SluiceSchema
import SluiceSeed

/// A JSON value: the value of a `json` attribute, or a definition in code.
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
    /// A number that neither of these holds exactly, as it is written in JSON; any other text becomes `null`.
    case number(String)
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
    /// JSON, without white space, the members of objects in their order.
    public var json: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): value.isFinite ? "\(value)" : "null"
        case .number(let number): JSONValue.isNumber(number) ? number : "null"
        case .text(let text): JSONText.quoted(text)
        case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// JSON as a store has it: the members of objects in the order of RFC 8785.
    var canonical: String {
        switch self {
        case .list(let elements): CanonicalJSON.list(elements.map(\.canonical))
        case .object(let members): CanonicalJSON.object(members.map { ($0.key, $0.value.canonical) })
        case .text(let text): CanonicalJSON.text(text)
        default: json
        }
    }

    /// Reads JSON.
    ///
    /// - Throws: `invalid` where the text is none.
    public init(json: String) throws(StoreError) {
        let tree: JSONTree
        do throws(Failure) {
            tree = try JSONTree.read(Array(json.utf8), file: "")
        } catch {
            throw StoreError(.invalid, error.message)
        }
        self.init(tree.root)
    }

    private init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .number(let number): self = JSONValue.number(written: number)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map { JSONValue($0) })
        case .object(let members): self = .object(members.map { Member($0.key, JSONValue($0.value)) })
        }
    }

    /// Whether a text is a number of JSON.
    private static func isNumber(_ text: String) -> Bool {
        guard let tree = try? JSONTree.read(Array(text.utf8), file: ""), case .number(let number) = tree.root.kind
        else {
            return false
        }
        return number == text
    }

    private static func number(written number: String) -> JSONValue {
        if let value = Int(number), String(value) == number { return .integer(value) }
        if let value = Double(number), "\(value)" == number { return .real(value) }
        return .number(number)
    }
}

extension JSONValue: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.json) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .text(canonical) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> JSONValue {
        do throws(StoreError) {
            return try JSONValue(json: try row.value(column))
        } catch {
            throw row.mismatch(column, "JSON")
        }
    }
}
