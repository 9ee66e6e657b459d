import Foundation
import SluiceStore

extension Date {
    /// A moment; a date has some seven digits of a second.
    public init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.seconds) + Double(instant.nanoseconds) / 1e9)
    }
}

extension Instant {
    /// A date, to so many digits of a second, at most six: further ones say nothing in a date. Nil outside the years 1
    /// to 9999.
    public init?(_ date: Date, digits: Int = 6) {
        let most = min(max(digits, 0), 6)
        let scale = (0..<most).reduce(1.0) { scale, _ in scale * 10 }
        var seconds = date.timeIntervalSince1970.rounded(.down)
        var parts = ((date.timeIntervalSince1970 - seconds) * scale).rounded()
        if parts >= scale { (seconds, parts) = (seconds + 1, 0) }
        guard seconds.magnitude < 1e12 else { return nil }
        self.init(seconds: Int64(seconds), nanoseconds: Int32(parts * (1e9 / scale)))
    }
}

/// What `datetime` attributes hold, to as many digits of a second as they have, at most six.
extension Date: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { Instant.usualForm }

    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard let instant = Instant(self, digits: form.fraction ?? 6) else {
            throw StoreError(.invalid, "a date outside the years 1 to 9999 cannot be stored")
        }
        return try instant.stored(as: form)
    }

    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Date {
        Date(try Instant.read(row, column))
    }
}
