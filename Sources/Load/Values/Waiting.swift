import SluiceRecords

/// A reference that waits for its target: of which object, and by which relationship.
public struct ReferenceOwner: Hashable, Sendable {
    public var entity: Int
    public var relationship: Int
    public var objectID: Int64
}

/// An entry of the waiting list.
public struct Waiting: Sendable {
    /// Of a to-many relationship: the place among the values of the record.
    public var position: Int64
    public var value: WaitingValue
    /// Where the record stood that holds the reference; nil where the entry is of an earlier run, or none held it.
    public var at: FeedPosition?
}

/// What is to be on the waiting list.
public struct NewWaiting: Sendable {
    public var objectID: Int64
    /// Of a to-many relationship: the place among the values of the record.
    public var position: Int64
    public var value: WaitingValue
    /// Where the record stood that holds the reference; nil where no record of this run does.
    public var at: FeedPosition?
    /// Whether `at` counts even where the object waits for the same value already.
    public var isMoved: Bool
}

/// What is no longer to be on the waiting list.
public struct SettledWaiting: Sendable {
    public var objectID: Int64
    /// The place among the values of the record; nil: all of the object.
    public var position: Int64?
}

/// What a reference on the waiting list refers to.
public struct WaitingValue: Hashable, Sendable {
    /// The identifier as JSON.
    public var json: String
    /// The target's entity, where the record names it.
    public var target: String?
    /// Where `json` is not the identifier of each possible target: a JSON object of what it is by the types of their
    /// identifiers, null where no object can have it.
    public var keys: String?

    /// Whether two values mean the same, as far as is known: what an object was that is deleted is known for one target.
    func isSame(as other: WaitingValue) -> Bool {
        exact.prefix(2) == other.exact.prefix(2) && (keys == nil || other.keys == nil || self == other)
    }

    // By bytes: two spellings of one letter are two identifiers.
    public static func == (left: WaitingValue, right: WaitingValue) -> Bool { left.exact == right.exact }

    public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    private var exact: [ExactText?] { [json, target, keys].map { text in text.map { ExactText($0) } } }
}

extension [WaitingValue] {
    func areSame(as other: [WaitingValue]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
    }
}
