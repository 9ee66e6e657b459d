/// What `where` and `deleteWhere` ask of a record.
public indirect enum RecordCondition: Hashable, Sendable {
    /// The value of the slot meets the test; of a slot with several values, one of them does.
    case value(slot: Int, ValueTest)
    case all([RecordCondition])
    case any([RecordCondition])
    case not(RecordCondition)

    /// The value of the slot equals one of the literals (JSON equality).
    public init(slot: Int, values: [Literal]) { self = .value(slot: slot, .isOne(of: values)) }

    /// The slots that it looks at.
    public var slots: [Int] {
        switch self {
        case .value(let slot, _): [slot]
        case .all(let parts), .any(let parts): parts.flatMap(\.slots)
        case .not(let part): part.slots
        }
    }

    /// The slot and the literals, if it is nothing but that the one equals one of the others.
    public var equality: (slot: Int, values: [Literal])? {
        guard case .value(let slot, .isOne(of: let values)) = self else { return nil }
        return (slot, values)
    }
}

/// What a condition asks of one value, which may be absent.
public indirect enum ValueTest: Hashable, Sendable {
    /// JSON equality; absent equals nothing.
    case isOne(of: [Literal])
    /// Numbers are compared with a number, texts with a text: by their characters, or as times if both are.
    case compares(Comparison, Literal)
    /// A regular expression (PCRE2) matches the text, or the number or boolean as it is written.
    case matches(String)
    case hasType([JSONType])
    /// Whether it is not absent; null is there.
    case isPresent
    case all([ValueTest])
    case any([ValueTest])
    case not(ValueTest)
}

/// How two values are compared.
public enum Comparison: String, CaseIterable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// The types of JSON values.
public enum JSONType: String, CaseIterable, Sendable { case null, boolean, number, string, array, object }
