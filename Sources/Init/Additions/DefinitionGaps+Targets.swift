import SluiceDefinition
import SluiceRecords

// Relationships that the definition has, and which lead to new entities, too.
extension DefinitionGaps {
    /// The paths of an entity's relationships to which a draft gives entities that the definition does not have yet.
    ///
    /// - Parameter pairs: what is drafted, with what the definition has of it.
    func narrow(_ draft: DraftEntity, _ entity: Entity, _ pairs: [(DraftEntity, Entity?)]) -> Set<Path> {
        let known = entity.relationships.filter { $0.key.count == 1 && $0.ways.isEmpty }.flatMap { relationship in
            relationship.key.compactMap { rule in
                if case .slot(let slot) = rule.origin { entity.slots[slot].path } else { nil }
            }
        }
        let wider = draft.relationships.filter { relationship in
            relationship.targets.count > 1
                && relationship.targets.contains { target in pairs.contains { $0.0 === target && $0.1 == nil } }
        }
        let paths = wider.compactMap { $0.column.flatMap { try? Path.parse(DraftPaths.own($0)) } }
        return Set(paths).intersection(known)
    }
}
