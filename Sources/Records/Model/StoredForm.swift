/// How a column has the values of an attribute: whatever two attributes must have in common for equal values to be
/// equal in the store.
public struct StoredForm: Hashable, Sendable {
    /// Microseconds: what Python, JavaScript and PostgreSQL write, and what another store can hold as it is.
    public static let defaultFraction = 6
    /// Nanoseconds.
    public static let mostFraction = 9

    /// What the definition calls the type.
    public var type: AttributeType
    /// Of a `datetime`: the digits of a second; nil: as many as a value needs, as earlier versions had it. Of a
    /// `duration`: the digit of a second in whose units it counts.
    public var fraction: Int?
    /// Of a `decimal`: the digits behind the point; nil: as many as a value needs.
    public var scale: Int?
    /// Of a `decimal` with a scale: integers, in units of the last digit.
    public var isInteger: Bool

    /// A form; what is nil does not belong to the type, or is not said.
    public init(_ type: AttributeType, fraction: Int? = nil, scale: Int? = nil, isInteger: Bool = false) {
        self.type = type
        self.fraction = fraction
        self.scale = scale
        self.isInteger = isInteger
    }

    /// The type of the column.
    public var column: ColumnType { isInteger ? .integer : type.column }

    /// The digit behind the point in whose units integers count; 0: ones.
    package var unitDigits: Int { type == .duration ? fraction ?? 0 : isInteger ? scale ?? 0 : 0 }

    /// Short, and another one for each form: `text`, `datetime(6)`, `decimal(2) as integer`.
    public var name: String {
        let digits = (fraction ?? scale).map { "(\($0))" } ?? ""
        return type.rawValue + digits + (isInteger ? " as integer" : "")
    }
}
