/// A scalar written in a definition; two are the same if their bytes are.
public enum Literal: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// As written.
    case number(String)
    case text(String)
    /// An object or an array, minified.
    case json(String)

    /// As a definition has it.
    package var json: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let text), .json(let text): text
        case .text(let text): JSONText.quoted(text)
        }
    }

    /// By bytes.
    public static func == (left: Literal, right: Literal) -> Bool { left.key == right.key }

    /// By bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: [ExactText] {
        switch self {
        case .null: ["null"]
        case .boolean(let value): ["boolean", value ? "1" : "0"]
        case .number(let text): ["number", ExactText(text)]
        case .text(let text): ["text", ExactText(text)]
        case .json(let text): ["json", ExactText(text)]
        }
    }
}

/// Where the list is that may be one value, in a path with `oneOrMany`.
public enum OneOrMany: Hashable, Sendable {
    /// The path leads to it, as `refs`: the value is a list.
    case list
    /// The path ends with its elements, as `refs[*]`: the value is a list, or an object with members.
    case members
    /// The path leads on from its elements, as `authors[*].id`. What it leads to in one author is the value: a list
    /// there is no list of authors, and an object only where its siblings are authors by their keys.
    case within
}

/// How a value is made from what the reader found: the section *Values* of the format. The keys apply in the order of
/// the properties.
public struct ValueRule: Hashable, Sendable {
    /// Where a value comes from.
    public indirect enum Origin: Hashable, Sendable {
        /// A slot of the entity, by index.
        case slot(Int)
        /// `from` with a list: the first that is not null.
        case first([ValueRule])
        /// The value in each element of a list; only that of the first element that has one, if `many` is false.
        case elements(Elements, ValueRule, many: Bool)
        /// `oneOrMany`: the value of the first slot; where it is absent, or what may have elements, that of the second.
        case oneOrMany(one: Int, many: Int, OneOrMany)
        /// `value`: what the definition says.
        case constant(Literal)
        /// `$line`: where the record begins.
        case line
        /// `$file`: the name of the file, without its folder.
        case fileName
        /// `join`: all of them as one text; null if any is null.
        case joined([ValueRule], separator: String)
    }

    /// Where the value comes from.
    public var origin: Origin
    /// Whether white space at both ends of a text goes.
    public var trim = false
    /// What means null.
    public var nullIf: [Literal] = []
    /// A regular expression (PCRE2): its first group if it has one, else the whole match; null where it does not match.
    public var match: String?
    /// By the text of the value; a value that is not in it is rejected, unless there is `otherwise`.
    public var map: [ExactText: Literal]?
    /// What the key `*` of `map` holds.
    public var otherwise: Literal?
    /// The separator at which one text becomes several values, trimmed, empty ones dropped.
    public var split: String?
    /// A regular expression (PCRE2), of which each match becomes a value: its first group if it has one, else the whole
    /// match; empty ones dropped.
    public var matches: String?
    /// What null or absent becomes.
    public var fallback: Literal?

    /// A rule that takes its value as it is.
    public init(_ origin: Origin) { self.origin = origin }

    /// Whether it takes something of where the record stands: `line` or `fileName`.
    package func takes(_ place: Origin) -> Bool {
        switch origin {
        case .first(let values), .joined(let values, _): values.contains { $0.takes(place) }
        case .elements(_, let value, _): value.takes(place)
        case .slot, .oneOrMany, .constant, .line, .fileName: origin == place
        }
    }

    /// Replaces such a part wherever the rule takes it.
    package func exchanging(_ place: Origin, for other: Origin) -> ValueRule {
        var rule = self
        switch origin {
        case .first(let values): rule.origin = .first(values.map { $0.exchanging(place, for: other) })
        case .joined(let values, let separator):
            rule.origin = .joined(values.map { $0.exchanging(place, for: other) }, separator: separator)
        case .elements(let elements, let value, let many):
            rule.origin = .elements(elements, value.exchanging(place, for: other), many: many)
        case .slot, .oneOrMany, .constant, .line, .fileName: if origin == place { rule.origin = other }
        }
        return rule
    }

    /// The slot, if the rule takes it as it is.
    public var plainSlot: Int? {
        guard case .slot(let slot) = origin, self == ValueRule(origin) else { return nil }
        return slot
    }
}
