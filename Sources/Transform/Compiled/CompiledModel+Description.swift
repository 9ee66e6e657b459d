import SluiceRecords

/// What becomes of the slots of each entity: the rules that records are transformed by, for who wants to see it.
///
/// - Throws: what ``Transformer/init(model:)`` throws.
package func describePlan(_ model: Model) throws(Failure) -> String {
    let compiled = CompiledModel(try ModelCompiler(model))
    return zip(model.entities, compiled.entities).map { describe($0, $1, compiled) }.joined(separator: "\n")
}

private func describe(_ entity: Entity, _ compiled: CompiledEntity, _ all: CompiledModel) -> String {
    var lines = ["entity \(entity.name)"]
    for (index, slot) in entity.slots.enumerated() {
        lines.append("  slot \(index): \(slot.path)\(slot.many ? ", a list" : "")\(slot.json ? ", as JSON" : "")")
    }
    for (label, conditions) in [("where", compiled.conditions), ("deleteWhere", compiled.deletions)] {
        for index in conditions {
            let condition = all.conditions[index]
            lines.append("  \(label): \(describe(condition, all))")
        }
    }
    for (index, position) in compiled.columns.enumerated() {
        let column = all.columns[position]
        let need = column.need == .optional ? "" : ", \(column.need)"
        let value = column.slot >= 0 ? "slot \(column.slot)" : describe(all.rules[Int(column.rule)], all)
        lines.append("  cell \(index): \(compiled.members[index]), \(column.conversion.kind)\(need), from \(value)")
    }
    for (index, position) in compiled.relationships.enumerated() {
        let relationship = all.relationships[position]
        let name = compiled.members[compiled.columns.count + index]
        let key = (0..<relationship.ruleCount).map { describe(all.rules[relationship.key + $0], all) }
        let cells = "\(relationship.column) to \(relationship.column + relationship.cellCount - 1)"
        let selector = relationship.selector < 0 ? "" : "; entity: " + describe(all.rules[relationship.selector], all)
        lines.append(
            "  cells \(cells): \(name)\(relationship.isMany ? ", many" : ""), from \(key.joined(separator: ", "))"
                + selector)
    }
    return lines.joined(separator: "\n") + "\n"
}

private func describe(_ condition: CompiledCondition, _ compiled: CompiledModel) -> String {
    let value = condition.slot >= 0 ? "slot \(condition.slot) " : ""
    switch condition.kind {
    case .equals: return value + "is one of \(condition.count)"
    case .all, .any, .not:
        let parts = (0..<condition.count).map { describe(compiled.conditions[condition.first + $0], compiled) }
        return value + "\(condition.kind) (\(parts.joined(separator: ", ")))"
    default: return value + "\(condition.kind)"
    }
}

private func describe(_ rule: CompiledRule, _ compiled: CompiledModel) -> String {
    let parts = { (0..<Int(rule.sourceCount)).map { describe(compiled.rules[Int(rule.source) + $0], compiled) } }
    let origin =
        switch rule.origin {
        case .slot: "slot \(rule.source)"
        case .first: "the first of (\(parts().joined(separator: ", ")))"
        case .joined: "(\(parts().joined(separator: ", "))) joined"
        case .oneOrMembers, .oneOrWithin: "slot \(rule.source) or the members in slot \(rule.sourceCount)"
        case .oneOrMany: "slot \(rule.source) or the list in slot \(rule.sourceCount)"
        case .constant, .line, .fileName: "\(rule.origin)"
        case .element: "the first element's \(parts().joined())"
        case .elements: "each element's \(parts().joined())"
        }
    let steps = [
        (rule.trims, "trim"), (rule.nullIfCount > 0, "nullIf"), (rule.match >= 0, "match"), (rule.map >= 0, "map"),
        (rule.split >= 0, "split"), (rule.matches >= 0, "matches"), (rule.fallback >= 0, "default"),
    ]
    return ([origin] + steps.filter(\.0).map(\.1)).joined(separator: ", ")
}
