import SluiceStore

/// A record that a program makes: what an object of an entity is to hold, by the names that the definition gives.
///
/// ```swift
/// let record = FeedRecord("Stop", ["stop_id": "de:11000:900100003", "name": "Alexanderplatz", "latitude": 52.52])
/// ```
///
/// The parts of the definition that say *where* in a feed a value is found, and how it is converted (`from`, `match`,
/// `map`, `join`, `where`…), are not used: the values are the object's own. All else holds as for a feed: types,
/// `required`, `default`, duplicates, relationships, what is absent.
public struct FeedRecord: Sendable {
    /// The name of the entity.
    public var entity: String
    /// By the name of the attribute or relationship. One that is not there is absent, which is not the same as null.
    public var values: [String: FeedValue]

    /// A record with these values.
    public init(_ entity: String, _ values: [String: FeedValue]) {
        self.entity = entity
        self.values = values
    }
}

/// A value of a record that a program makes.
public enum FeedValue: Sendable, Hashable {
    /// Null.
    case null
    /// For a `boolean`.
    case boolean(Bool)
    /// For an `integer`, a `decimal`, a `real`, a `text`, or seconds since 1970 where the definition says `unix`.
    case integer(Int64)
    /// For a `real`, finite; else the record is rejected.
    case real(Double)
    /// For a `text`; for dates and times as RFC 3339 or the definition's `format` has them; for an exact `decimal`.
    case text(String)
    /// For `bytes`.
    case bytes([UInt8])
    /// For `json`.
    case json(JSONValue)
    /// The values of an attribute with `many`, the targets of a to-many relationship, or the values of an identifier
    /// that has several attributes, in its order.
    case list([FeedValue])
    /// The target of a relationship whose definition names several entities and says which one it is (`entity`): the
    /// name of the entity, and its identifier.
    indirect case target(String, FeedValue)
}

extension FeedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Targets, or the values of an identifier.
    public init(arrayLiteral elements: FeedValue...) { self = .list(elements) }
}
