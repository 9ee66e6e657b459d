import SluiceRecords
import SluiceTransform

/// Values and types of a definition, as Swift writes them.
enum SwiftLiteral {
    /// A text, in quotes.
    static func text(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": out += "\\\(scalar)"
            case _ where scalar.isHidden || scalar.value < 0x20: out += "\\u{\(String(scalar.value, radix: 16))}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    static func list(_ texts: [String]) -> String { "[" + texts.map(text).joined(separator: ", ") + "]" }

    /// The type that has the values of an attribute.
    static func type(_ form: StoredForm) -> String {
        switch form.type {
        case .text: "String"
        case .integer: "Int"
        case .real: "Double"
        case .decimal: "ExactDecimal"
        case .boolean: "Bool"
        case .date: "CalendarDate"
        case .datetime: "Instant"
        case .duration: "Duration"
        case .json: "JSONValue"
        case .bytes: "[UInt8]"
        }
    }

    /// What reads a column of a row.
    static func reading(_ form: StoredForm, _ column: Int) -> String {
        if form.isInteger { return "decimal(\(column), scale: \(form.scale ?? 0))" }
        if form.type == .duration { return "duration(\(column), fraction: \(form.fraction ?? 0))" }
        return "value(\(column))"
    }

    /// A form; nil where it is the usual one of the type.
    static func form(_ form: StoredForm) -> String? {
        let parts = parts(form)
        return parts.count == 1 ? nil : "StoredForm(\(parts.joined(separator: ", ")))"
    }

    /// A form, also where it is the usual one.
    static func exact(_ form: StoredForm) -> String { "StoredForm(\(parts(form).joined(separator: ", ")))" }

    private static func parts(_ form: StoredForm) -> [String] {
        var parts = [".\(form.type.rawValue)"]
        if let fraction = form.fraction, fraction != (form.type == .duration ? 0 : StoredForm.defaultFraction) {
            parts.append("fraction: \(fraction)")
        }
        if let scale = form.scale { parts.append("scale: \(scale)") }
        if form.isInteger { parts.append("isInteger: true") }
        return parts
    }

    /// Which values an attribute may have; nil: any.
    static func bounds(_ attribute: Attribute) throws(Failure) -> String? {
        let bounds = attribute.bounds
        if bounds.isEmpty { return nil }
        var parts: [String] = []
        if let min = bounds.min { parts.append("min: \(try value(min, attribute.conversion))") }
        if let max = bounds.max { parts.append("max: \(try value(max, attribute.conversion))") }
        if let choices = bounds.oneOf {
            var values: [String] = []
            for choice in choices { values.append(try value(choice, attribute.conversion)) }
            parts.append("oneOf: [\(values.joined(separator: ", "))]")
        }
        return "ValueBounds(\(parts.joined(separator: ", ")))"
    }

    private static func value(_ literal: Literal, _ conversion: Conversion) throws(Failure) -> String {
        switch (try StoredLiteral(literal, conversion), conversion.type) {
        case (.integer(let number), .boolean): "\(number != 0)"
        case (.integer(let number), .decimal): "ExactDecimal(units: \(number), scale: \(conversion.scale ?? 0))"
        case (.integer(let number), .duration): "Duration(units: \(number), fraction: \(conversion.fraction))"
        case (.integer(let number), _): "\(number)"
        case (.real(let number), _): "\(number)"
        case (.text(let text), .decimal): "ExactDecimal(\(self.text(text)))"
        case (.text(let text), .date): "CalendarDate(\(self.text(text)))"
        case (.text(let text), .datetime): "Instant(\(self.text(text)))"
        case (.text(let text), _): self.text(text)
        case (.null, _): "nil"
        }
    }
}
