import SluiceRecords
import SluiceSchema

/// Whether values are what the definition allows, as far as the type that `sluice swift` wrote knows it.
struct BoundsCheck<Object: StoredObject> {
    let column: ColumnList<Object>.Entry

    var name: String { "\(Object.entity).\(column.name)" }

    private var isIdentifying: Bool {
        Object.columnList.identifier.contains { $0.name.isIdentical(to: column.name) }
    }

    /// How it has a value: of lists, an element.
    private var form: StoredForm { column.elements ?? column.form }

    /// A value as it is stored: lists are written as runs write them, all others are as they were.
    ///
    /// - Throws: `invalid` where it must not be stored. Null may be, except in an identifier.
    func checked(_ value: SQLValue) throws(StoreError) -> SQLValue {
        if value == .null {
            if isIdentifying { throw StoreError(.invalid, "\(name) identifies the object, and is never null") }
            return value
        }
        if let elements = column.elements, case .text(let json) = value {
            return try ListElements(check: self, form: elements).stored(json)
        }
        if let sentence = try violation(value) { throw StoreError(.invalid, "\(name): \(sentence)") }
        return value
    }

    /// What is wrong with a value, or with an element of a list; nil: nothing.
    func violation(_ value: SQLValue) throws(StoreError) -> String? {
        let bounds = column.bounds
        if let min = try bounds.min.map(stored), BoundsCheck.isLess(value, min, form) {
            return "\(shown(value)) is less than \(shown(min)), the least that it may be"
        }
        if let max = try bounds.max.map(stored), BoundsCheck.isLess(max, value, form) {
            return "\(shown(value)) is greater than \(shown(max)), the greatest that it may be"
        }
        var values: [SQLValue] = []
        for allowed in bounds.oneOf { values.append(try stored(allowed)) }
        if !values.isEmpty, !values.contains(value) {
            return "\(shown(value)) is none of \(values.map(shown).joined(separator: ", "))"
        }
        return nil
    }

    /// SQL that is true of a value that must not be stored, or of a list, which is looked at when it is read.
    func violation(of value: Fragment) throws(StoreError) -> Fragment? {
        if column.elements != nil { return value + " IS NOT NULL" }
        var parts: [Fragment] = []
        let isDecimal = column.form.type == .decimal && !column.form.isInteger
        let ordered = isDecimal ? value + " COLLATE \(DecimalOrder.name)" : value
        if let min = column.bounds.min { parts.append(ordered + " < " + Fragment(value: try stored(min))) }
        if let max = column.bounds.max { parts.append(ordered + " > " + Fragment(value: try stored(max))) }
        if !column.bounds.oneOf.isEmpty {
            var values: [SQLValue] = []
            for allowed in column.bounds.oneOf { values.append(try stored(allowed)) }
            parts.append(value + " NOT IN " + Fragment(list: values))
        }
        if isIdentifying { parts.append(value + " IS NULL") }
        return parts.isEmpty ? nil : "(" + Fragment(joining: parts.map { "(" + $0 + ")" }, " OR ") + ")"
    }

    private func stored(_ value: any StoreValue) throws(StoreError) -> SQLValue { try value.stored(as: form) }

    private static func isLess(_ left: SQLValue, _ right: SQLValue, _ form: StoredForm) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right
        case (.real(let left), .real(let right)): return left < right
        case (.text(let left), .text(let right)):
            if form.type == .decimal, let left = ExactNumber(left), let right = ExactNumber(right) {
                return left < right
            }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        default: return false
        }
    }

    func shown(_ value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): form.type == .text ? "\"\(text.prefix(80))\"" : "\(text.prefix(80))"
        case .blob: "these bytes"
        }
    }
}
