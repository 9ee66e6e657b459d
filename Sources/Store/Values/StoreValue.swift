import SluiceRecords

/// A type that a column can have: `String`, `Int`, `Int64`, `Double`, `Bool`, `[UInt8]`, ``CalendarDate``, ``Instant``,
/// ``ExactDecimal``, `Duration`, ``JSONValue``, ``ObjectID``, ``AcrossID``, and optionals of these.
public protocol StoreValue: Sendable, Hashable {
    /// The type without null: `Int` for `Int?`, itself for all others.
    associatedtype Present: StoreValue = Self

    /// The value as a column of a form has it.
    ///
    /// - Throws: `invalid` where it cannot have it without loss.
    func stored(as form: StoredForm) throws(StoreError) -> SQLValue

    /// The value in a column of a row.
    ///
    /// - Throws: `invalid` where it is another one's.
    static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Self

    /// The form that a value has where nothing says another: `text` for texts.
    static var usualForm: StoredForm { get }
}

extension String: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.text) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .text(self) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> String {
        try row.value(column)
    }
}

extension Int: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.integer) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .integer(Int64(self)) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Int {
        try row.value(column)
    }
}

extension Int64: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.integer) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .integer(self) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Int64 {
        Int64(try row.value(column) as Int)
    }
}

extension Double: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.real) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard isFinite else { throw StoreError(.invalid, "\(self) is no number that a store can have") }
        return .real(self)
    }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Double {
        try row.value(column)
    }
}

extension Bool: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.boolean) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .integer(self ? 1 : 0) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Bool {
        try row.value(column)
    }
}

extension [UInt8]: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.bytes) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .blob(self) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> [UInt8] {
        try row.value(column)
    }
}

extension Optional: StoreValue where Wrapped: StoreValue {
    /// The type without null.
    public typealias Present = Wrapped.Present
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { Wrapped.usualForm }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard let value = self else { return .null }
        return try value.stored(as: form)
    }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Wrapped? {
        row.isNull(column) ? nil : try Wrapped.read(row, column)
    }
}
