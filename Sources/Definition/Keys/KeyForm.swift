import SluiceRecords

/// What the value of a key may be, as `pipeline.schema.json` shows it to editors.
package indirect enum KeyForm: Sendable {
    case any
    case flag
    /// A text, also the empty one.
    case string
    /// One of these words, or a text with a variable of the environment.
    case words([String])
    /// A whole number in this range; without an end, it may be any from the first on.
    case whole(Int, to: Int? = nil)
    case null
    /// What has this name among the `$defs` of the schema: a row of the table has no JSON of its own.
    case named(String)
    /// A list of at least one.
    case list(KeyForm)
    /// An object of at least one member, under names of the user's.
    case byName(KeyForm)
    case either([KeyForm])

    /// A text of at least one character.
    static let text = KeyForm.named("text")

    /// The words that a choice has.
    static func words<Choice: CaseIterable & RawRepresentable<String>>(of choice: Choice.Type) -> KeyForm {
        .words(choice.allCases.map(\.rawValue))
    }

    /// A value of this form in JSON Schema: the members of an object, in the order in which they are written.
    package var schema: [(String, String)] {
        switch self {
        case .any: []
        case .flag: [("type", "\"boolean\"")]
        case .string: [("type", "\"string\"")]
        case .null: [("type", "\"null\"")]
        case .named(let name): [("$ref", JSONText.quoted("#/$defs/\(name)"))]
        case .words(let words):
            [("anyOf", "[{\"enum\": \(JSONText.array(words.map(JSONText.quoted)))}, {\"$ref\": \"#/$defs/variable\"}]")]
        case .whole(let first, let last):
            [("type", "\"integer\""), ("minimum", "\(first)")] + (last.map { [("maximum", "\($0)")] } ?? [])
        case .list(let element):
            [("type", "\"array\""), ("minItems", "1"), ("items", JSONText.object(element.schema))]
        case .byName(let value):
            [("type", "\"object\""), ("minProperties", "1"), ("additionalProperties", JSONText.object(value.schema))]
        case .either(let forms):
            [("anyOf", JSONText.array(forms.map { JSONText.object($0.schema) }))]
        }
    }
}

/// What a key that is not given means.
package enum KeyDefault: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    case text(String)
    case whole(Int)
    case flag(Bool)
    case wholes([Int])
    case null

    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .whole(number) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }

    package var json: String {
        switch self {
        case .text(let text): JSONText.quoted(text)
        case .whole(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .wholes(let numbers): JSONText.array(numbers.map(String.init))
        case .null: "null"
        }
    }
}
