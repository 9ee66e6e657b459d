import SluiceRecords
import SluiceSchema
import SluiceSeed

/// The lists of an attribute with `many`, as programs write them: JSON arrays whose elements are what the type of the
/// attribute makes of them, as runs write them.
struct ListElements<Object: StoredObject> {
    let check: BoundsCheck<Object>
    /// How the lists have their elements.
    let form: StoredForm

    /// A list as the column has it.
    ///
    /// - Throws: `invalid` where it is no list, or has an element that is not of the type, or outside the bounds. Null
    ///   is an element as it is a value: feeds may have it, too.
    func stored(_ json: String) throws(StoreError) -> SQLValue {
        guard case .list(let elements) = try JSONValue(json: json) else {
            throw StoreError(.invalid, "\(check.name): \(json.prefix(80)) is no list")
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            do throws(StoreError) {
                texts.append(try text(element))
            } catch {
                throw StoreError(.invalid, "\(check.name)[\(index)]: \(error.message)")
            }
        }
        return .text(CanonicalJSON.list(texts))
    }

    /// An element as JSON.
    private func text(_ element: JSONValue) throws(StoreError) -> String {
        if element == .null { return "null" }
        guard let value = value(element) else {
            throw StoreError(.invalid, "\(element.json.prefix(80)) is no \(form.type.rawValue)")
        }
        let stored = try value.stored(as: form)
        if let sentence = try check.violation(stored) { throw StoreError(.invalid, sentence) }
        switch stored {
        case .null: return "null"
        case .integer(let number): return form.type == .boolean ? "\(number != 0)" : "\(number)"
        case .real(let number): return RealText.shortest(number)
        case .text(let text): return CanonicalJSON.text(text)
        case .blob: throw StoreError(.defect, "\(check.name) has bytes in a list")
        }
    }

    /// Nil: the element is not of the type.
    private func value(_ element: JSONValue) -> (any StoreValue)? {
        switch (form.type, element) {
        case (.text, .text(let text)): text
        case (.integer, .integer(let number)): number
        case (.real, .integer(let number)): Double(number)
        case (.real, .real(let number)): number
        case (.real, .number(let text)): Double(text)
        case (.boolean, .boolean(let value)): value
        case (.date, .text(let text)): CalendarDate(text)
        case (.datetime, .text(let text)): Instant(text)
        case (.decimal, .text(let text)): ExactDecimal(text)
        case (.decimal, .integer(let units)) where form.isInteger: ExactDecimal(units: units, scale: form.scale ?? 0)
        case (.duration, .integer(let units)): Duration(units: units, fraction: form.fraction ?? 0)
        default: nil
        }
    }
}
