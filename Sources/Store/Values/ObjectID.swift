import SluiceRecords

/// The store's own key of an object: it means something within one store only, and stays the object's as long as that
/// is there.
@frozen
public struct ObjectID<Object: StoredObject>: Hashable, Sendable, Codable, Comparable {
    /// From 1.
    public var number: Int64

    /// The key with a number.
    @inlinable
    public init(_ number: Int64) { self.number = number }

    /// Reads it.
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    /// Whether one comes before the other.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension ObjectID: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.integer) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .integer(number) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Self {
        try row.objectID(column)
    }
}

/// The key of an object of one of several entities: what a relationship with several targets refers to.
public struct AnyObjectID: Hashable, Sendable, Codable {
    /// The name of the entity.
    public var entity: String
    /// The objectID.
    public var number: Int64

    /// The key of an object of an entity.
    public init(entity: String, number: Int64) {
        self.entity = entity
        self.number = number
    }

    /// The key of an object.
    public init<Object>(_ objectID: ObjectID<Object>) { self.init(entity: Object.entity, number: objectID.number) }

    /// The key as that of an object of a type; nil where it is another's.
    public func objectID<Object>(of type: Object.Type) -> ObjectID<Object>? {
        Object.entity.isIdentical(to: entity) ? ObjectID(number) : nil
    }
}

/// A reference to an object in another store, by its identifier: it holds when that store is replaced.
public struct AcrossID<Object: StoredObject>: Hashable, Sendable {
    /// What identifies the object.
    public var identifier: Object.Identifier

    /// A reference to the object with that identifier.
    public init(_ identifier: Object.Identifier) { self.identifier = identifier }
}

extension AcrossID: StoreValue where Object.Identifier: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { Object.Identifier.usualForm }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue { try identifier.stored(as: form) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Self {
        AcrossID(try Object.Identifier.read(row, column))
    }
}

extension AcrossID: Codable where Object.Identifier: Codable {
    /// Reads it.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Object.Identifier.self))
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
