import SluiceRecords
import SluiceSchema

/// A decimal number with any number of digits, exactly: what `decimal` attributes hold.
public struct ExactDecimal: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Without zeros at the end: equal numbers are equal.
    let number: ExactNumber

    init(_ number: ExactNumber) { self.number = number }

    /// A whole number.
    public init(_ value: Int) { number = ExactNumber(Int64(value)) }

    /// Reads `-12.50`: digits, perhaps with a point and digits behind it, without an exponent, a `+`, or zeros in
    /// front; nil where the text is anything else.
    public init?(_ text: String) {
        guard let number = ExactNumber(text) else { return nil }
        self.number = number
    }

    /// A number in units of a digit behind the point: 1250 with a scale of 2 is 12.50.
    public init(units: Int, scale: Int) { number = ExactNumber(Int64(units), scale: scale) }

    /// Without zeros that say nothing: `-12.5`.
    public var description: String { number.text }

    /// The nearest double.
    public var real: Double { Double(number.text) ?? .nan }

    /// The greatest number that is not above this one, in units of a digit behind the point, and whether it is this
    /// one; nil beyond 64 bits.
    func floor(scale: Int) -> (Int64, isExact: Bool)? {
        if let exact = number.integer(scale: scale) { return (exact, true) }
        guard number.scale > scale else { return nil }
        let text = number.text
        let cut = String(text.dropLast(number.scale - scale))
        guard let part = ExactNumber(cut.hasSuffix(".") ? String(cut.dropLast()) : cut == "-0" ? "0" : cut),
            let towardsZero = part.integer(scale: scale)
        else { return number.scale > scale && text.hasPrefix("-0") ? (-1, false) : nil }
        let (below, overflows) = towardsZero.subtractingReportingOverflow(text.hasPrefix("-") ? 1 : 0)
        return overflows ? nil : (below, false)
    }

    /// Whether one comes before the other.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool { left.number < right.number }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension ExactDecimal: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.decimal) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard let scale = form.scale else { return .text(number.text) }
        if form.isInteger {
            if let value = number.integer(scale: scale) { return .integer(value) }
        } else if let text = number.text(scale: scale) {
            return .text(text)
        }
        throw StoreError(.invalid, "\(self) does not fit the attribute, which has \(scale) digits behind the point")
    }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> ExactDecimal {
        guard let number = ExactNumber(try row.value(column) as String) else {
            throw row.mismatch(column, "a decimal number")
        }
        return ExactDecimal(number)
    }
}

extension ExactDecimal: Codable {
    /// Reads it.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let decimal = ExactDecimal(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no decimal number"))
        }
        self = decimal
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
