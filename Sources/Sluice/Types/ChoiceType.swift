import SluiceRecords

/// The enumeration of an attribute that has few values, which are texts.
struct ChoiceType {
    let name: String
    let lines: [String]

    /// Nil: the attribute may have any, or others than texts.
    ///
    /// - Parameter names: those of the types in the type of the entity.
    init?(_ attribute: Attribute, _ names: inout SwiftNames) {
        guard let choices = attribute.bounds.oneOf, !choices.isEmpty, attribute.conversion.stored.type == .text else {
            return nil
        }
        var values: [String] = []
        for choice in choices {
            guard case .text(let text) = choice else { return nil }
            if !values.containsExactly(text) { values.append(text) }
        }
        name = names.type(attribute.writtenName)
        var cases = SwiftNames()
        lines =
            [
                "", "    /// What the attribute `\(attribute.writtenName.printable)` may be.",
                "    public enum \(name): String, StoredChoice {",
            ] + values.map { "        case \(cases.choice($0)) = \(SwiftLiteral.text($0))" } + ["    }"]
    }
}
