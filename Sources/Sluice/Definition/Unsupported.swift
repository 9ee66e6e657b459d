import Records

extension PipelineDefinition {
    /// What the definition asks for and this version cannot do yet: each a mistake with its place, so that nothing is
    /// ever quietly left out of a run.
    var unsupported: [Failure] {
        var failures: [Failure] = []
        func refuse(_ keys: [String], _ what: String) {
            failures.append(
                Failure(.definition, "\(what) is not supported by this version of sluice", at: tree.place(keys)))
        }
        if archive != nil { refuse(["archive"], "\"archive\"") }
        for entity in model.entities {
            let keys = ["entities", entity.name]
            if entity.absent != .keep { refuse(keys + ["absent"], "\"absent\": \"\(entity.absent.rawValue)\"") }
            if !entity.deletions.isEmpty { refuse(keys + ["deleteWhere"], "\"deleteWhere\"") }
            if !entity.was.isEmpty { refuse(keys + ["was"], "\"was\"") }
            for attribute in entity.attributes where entity.looksOutside(attribute.value) {
                refuse(keys + ["attributes", attribute.name], Entity.outside)
            }
            for relationship in entity.relationships where relationship.rules.contains(where: entity.looksOutside) {
                refuse(keys + ["relationships", relationship.name], Entity.outside)
            }
            if (entity.conditions + entity.deletions).contains(where: { entity.isOutside(entity.slots[$0.slot].path) })
            {
                refuse(keys, Entity.outside)
            }
            for attribute in entity.attributes where !attribute.was.isEmpty {
                refuse(keys + ["attributes", attribute.name, "was"], "\"was\"")
            }
            for relationship in entity.relationships {
                for (key, what) in relationship.unsupported {
                    refuse(keys + ["relationships", relationship.name, key], what)
                }
            }
        }
        return failures
    }
}

extension Entity {
    fileprivate static let outside = "a value outside the record"

    fileprivate func isOutside(_ path: Path) -> Bool { path.root == .feed || path.parents > 0 }

    /// Whether a rule takes a value that is not in the record.
    fileprivate func looksOutside(_ rule: ValueRule) -> Bool {
        switch rule.origin {
        case .slot(let slot): isOutside(slots[slot].path)
        case .first(let rules), .joined(let rules, _): rules.contains(where: looksOutside)
        }
    }
}

extension Relationship {
    /// The rules of its values.
    fileprivate var rules: [ValueRule] { key + (selector.map { [$0] } ?? []) }

    /// The keys that this version cannot do, with what to say of them.
    fileprivate var unsupported: [(String, String)] {
        var keys: [(String, String)] = []
        if missing == .reject { keys.append(("missing", "\"missing\": \"\(missing.rawValue)\"")) }
        if onDelete != .nullify { keys.append(("onDelete", "\"onDelete\": \"\(onDelete.rawValue)\"")) }
        if !was.isEmpty { keys.append(("was", "\"was\"")) }
        return keys
    }
}
