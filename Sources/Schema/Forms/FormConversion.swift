import SluiceRecords

/// A value of a column that is not null.
package enum StoredValue: Equatable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob
}

/// Takes stored values from one form to another, without loss: the table *Another type* of the documentation.
package struct FormConversion {
    private let forms: FormPair

    package var from: StoredForm { forms.from }
    package var to: StoredForm { forms.to }

    /// Nil where there is no way between the two forms for any value.
    package init?(from: StoredForm, to: StoredForm) {
        switch (from.type, to.type) {
        case (.integer, .text), (.integer, .real), (.integer, .decimal), (.integer, .boolean), (.real, .integer),
            (.real, .decimal), (.decimal, .decimal), (.decimal, .integer), (.decimal, .real), (.decimal, .text),
            (.boolean, .integer), (.text, .integer), (.text, .real), (.text, .decimal), (.text, .boolean),
            (.text, .date), (.text, .datetime), (.date, .text), (.datetime, .text), (.datetime, .datetime),
            (.integer, .duration), (.duration, .integer), (.duration, .duration):
            forms = FormPair(from: from, to: to)
        default: return nil
        }
    }

    /// Whether every value stays as it is.
    package var changesNothing: Bool {
        switch (from.type, to.type) {
        case (.date, .text), (.datetime, .text), (.boolean, .integer): true
        case (.decimal, .text): !from.isInteger
        case (.decimal, .integer): from.isInteger && from.scale == 0
        case (.integer, .duration): to.fraction == 0
        case (.duration, .integer): from.fraction == 0
        default: false
        }
    }

    /// Whether two values that differ may be one in the other form: `1` and `1.0` are one number. Times and decimals
    /// that are texts may have been written by others.
    package var mayJoin: Bool {
        switch (from.type, to.type) {
        case (.text, .integer), (.text, .real), (.text, .decimal), (.text, .datetime), (.datetime, .datetime): true
        case (.decimal, .decimal), (.decimal, .integer), (.decimal, .real): !from.isInteger
        default: false
        }
    }

    /// Nil where the value has no equal in the other form.
    package func convert(_ value: StoredValue) -> StoredValue? {
        switch to.type {
        case .text: text(value).map { .text($0) }
        case .integer: number(value)?.integer().map { .integer($0) }
        case .real: number(value)?.real.map { .real($0) }
        case .decimal where to.isInteger: number(value)?.integer(scale: to.scale ?? 0).map { .integer($0) }
        case .decimal: number(value).flatMap { $0.text(scale: to.scale ?? $0.scale) }.map { .text($0) }
        case .boolean: boolean(value).map { .integer($0) }
        case .date: day(value)
        case .datetime: time(value)?.text(digits: to.fraction ?? StoredForm.defaultFraction).map { .text($0) }
        case .duration: number(value)?.integer(scale: to.fraction ?? 0).map { .integer($0) }
        case .json, .bytes: nil
        }
    }

    /// The change to the definition with which a value would fit, if one change is enough.
    func remedy(_ value: StoredValue) -> String? {
        switch to.type {
        case .datetime:
            guard let digits = time(value)?.digits, digits <= StoredForm.mostFraction else { return nil }
            return "with \"fraction\": \(digits) it would"
        case .decimal:
            guard let scale = number(value)?.scale, let given = to.scale, scale > given else { return nil }
            return "with \"scale\": \(scale) it would"
        default: return nil
        }
    }

    private func number(_ value: StoredValue) -> ExactNumber? {
        switch value {
        case .integer(let value): ExactNumber(value, scale: from.unitDigits)
        case .real(let value): ExactNumber(value)
        case .text(let text): ExactNumber(text)
        case .blob: nil
        }
    }

    private func text(_ value: StoredValue) -> String? {
        if case .text(let text) = value { return text }
        return number(value).flatMap { $0.text(scale: from.isInteger ? from.scale ?? 0 : $0.scale) }
    }

    private func boolean(_ value: StoredValue) -> Int64? {
        switch value {
        case .integer(let value): value == 0 || value == 1 ? value : nil
        case .text("true"): 1
        case .text("false"): 0
        default: nil
        }
    }

    private func day(_ value: StoredValue) -> StoredValue? {
        guard case .text(let text) = value, StoredTime.isDay(text) else { return nil }
        return value
    }

    private func time(_ value: StoredValue) -> StoredTime? {
        guard case .text(let text) = value else { return nil }
        return StoredTime(text)
    }
}

extension StoredForm {
    /// Whether a number with so many digits behind the point is written in this form with all of them, as a text.
    package func keepsZeros(behind digits: Int) -> Bool { type == .text || scale == digits }
}
