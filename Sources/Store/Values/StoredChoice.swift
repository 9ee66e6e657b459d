/// A value of an attribute that has few of them, each with a name: the enumerations that `sluice swift` writes for
/// attributes with `oneOf`, such as `enum State: String, StoredChoice { case open, closed }`.
///
/// A value that is none of them, as a store may have it from before, or from later, is an error (`invalid`) that names
/// it.
public protocol StoredChoice: StoreValue, RawRepresentable, CaseIterable, Codable where RawValue == String {}

extension StoredChoice {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.text) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .text(rawValue) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Self {
        guard let choice = Self(rawValue: try row.value(column)) else {
            throw row.mismatch(column, "one of " + allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}
