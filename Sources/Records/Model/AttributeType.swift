/// The types that an attribute can have. What each takes, and how it is stored, is in the documentation of the format.
public enum AttributeType: String, CaseIterable, Sendable {
    case text, integer, real, decimal, boolean, date, datetime, duration, json, bytes

    /// The type of the column in a STRICT table.
    public var column: ColumnType {
        switch self {
        case .text, .decimal, .date, .datetime, .json: .text
        case .integer, .boolean, .duration: .integer
        case .real: .real
        case .bytes: .blob
        }
    }
}

/// How a column stores its values.
public enum ColumnType: String, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
    case blob = "BLOB"
}

/// How numbers are written in texts: `1.234,50`.
public struct NumberMarks: Hashable, Sendable {
    /// What stands before the fraction: a comma or a point.
    public var decimal: UInt8
    /// What stands between groups of three digits, an ASCII character; nil: nothing. A space stands for those that do
    /// not break a line, too, and `'` for `’`.
    public var thousands: UInt8?

    /// Marks of numbers.
    public init(decimal: UInt8, thousands: UInt8? = nil) {
        self.decimal = decimal
        self.thousands = thousands
    }
}

/// What a local time without an offset means where clocks showed it twice: in the hour that a clock change repeats.
public enum RepeatedHour: String, CaseIterable, Sendable, BitwiseCopyable {
    /// Nobody knows: the value is rejected.
    case reject
    case earlier
    case later
}

/// An attribute's type with all that its conversion needs.
public struct Conversion: Hashable, Sendable {
    /// What the value becomes.
    public var type: AttributeType
    /// For `date` and `datetime`: a strptime format; for `datetime` also `rfc3339`, `unix` or `unix-ms`. For
    /// `duration`: what a number counts (`ms`, `m`, `h`, `d`), or what two parts are (`m:s`, `h:m`). Nil: the type's
    /// own.
    public var format: String?
    /// For `date` and `datetime`: further formats, of which the first that fits counts.
    public var otherFormats: [String] = []
    /// For numbers in texts: how they are written, where that is not as in JSON.
    public var marks: NumberMarks?
    /// For `datetime`: the zone (IANA name) of times without an offset.
    public var timeZone: String?
    /// For `datetime`: what a local time means that a clock change repeats.
    public var repeatedHour = RepeatedHour.reject
    /// For `datetime`: how many digits of a second the column has, always all of them, so that texts sort as times do.
    /// For `duration`: the digit of a second in whose units the column counts; 0: in seconds.
    public var fraction: Int
    /// For `decimal`: how many digits behind the point the column has, always; nil: as many as a value needs.
    public var scale: Int?
    /// For `decimal` with a scale: the column has integers, in units of the last digit.
    public var isInteger = false

    /// Whether there may be several values: a JSON array of them.
    public var isMany = false

    /// A conversion to a type, with its own format where none is given.
    public init(_ type: AttributeType, format: String? = nil, timeZone: String? = nil) {
        self.type = type
        self.format = format
        self.timeZone = timeZone
        fraction = type == .duration ? 0 : StoredForm.defaultFraction
    }

    /// How the column has the values.
    public var stored: StoredForm {
        isMany ? StoredForm(.json) : element
    }

    /// How a value is stored: of a list, each element.
    public var element: StoredForm {
        StoredForm(
            type, fraction: type == .datetime || type == .duration ? fraction : nil,
            scale: type == .decimal ? scale : nil,
            isInteger: type == .decimal && isInteger)
    }

    /// The type of the column.
    public var column: ColumnType { stored.column }
}
