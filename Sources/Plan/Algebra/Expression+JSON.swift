import SluiceRecords

// Values as JSON, as findings show them.
extension PlanExpression {
    /// A text as JSON.
    var quoted: PlanExpression { .call(.quoted, [self], .text) }

    /// A value as JSON, as the store's identifiers are shown; null is `null`.
    var json: PlanExpression {
        guard case .value(let kind) = type else { preconditionFailure("\(type) has no JSON") }
        let shown =
            switch kind {
            case .boolean: PlanExpression.when(self, .text("1"), else: .text("0"))
            case .integer, .real: cast(.text)
            case .date: PlanExpression.concat([.text("\""), cast(.text), .text("\"")])
            case .text: quoted
            case .bytes:
                PlanExpression.concat([.text("\""), .call(.lower, [.call(.hex, [self], .text)], .text), .text("\"")])
            }
        return .when(isNull, .text("null"), else: shown)
    }

    /// A list of JSON values, or the only one.
    static func jsonList(_ parts: [PlanExpression]) -> PlanExpression {
        guard parts.count > 1 else { return parts[0] }
        let separated = parts.flatMap { [.text(", "), $0] }.dropFirst()
        return .concat([.text("[")] + separated + [.text("]")])
    }

    /// An object of JSON values.
    ///
    /// - Parameter text: members that are there already.
    static func jsonObject(after text: PlanExpression? = nil, _ members: [(String, PlanExpression)]) -> PlanExpression {
        let head = text.map { [$0] } ?? []
        let all = members.enumerated().flatMap { index, member in
            let separator = index == 0 && head.isEmpty ? "" : ", "
            return [PlanExpression.text("\(separator)\(JSONText.quoted(member.0)): "), member.1]
        }
        return .concat([.text("{ ")] + head + all + [.text(" }")])
    }
}
