import SluiceDefinition
import SluiceRecords

// Relationships that the definition has, and which lead to new entities, too.
extension DefinitionGaps {
    /// The paths of an entity's relationships to which a draft gives entities that the definition does not have yet.
    ///
    /// - Parameter pairs: what is drafted, with what the definition has of it.
    func narrow(_ draft: DraftEntity, _ entity: Entity, _ pairs: [(DraftEntity, Entity?)]) -> Set<Path> {
        let known = entity.relationships.compactMap { path(of: $0, entity) }
        let wider = draft.relationships.filter { relationship in
            relationship.targets.count > 1
                && relationship.targets.contains { target in pairs.contains { $0.0 === target && $0.1 == nil } }
        }
        let paths = wider.compactMap { $0.column.flatMap { try? Path.parse(DraftPaths.own($0)) } }
        return Set(paths).intersection(known)
    }

    /// The only path at which a relationship looks; nil: there are several, or none.
    private func path(of relationship: Relationship, _ entity: Entity) -> Path? {
        guard relationship.key.count == 1, relationship.ways.isEmpty, case .slot(let slot) = relationship.key[0].origin
        else { return nil }
        return entity.slots[slot].path
    }

    /// Whether a relationship looks at one of some paths.
    func isOf(_ relationship: Relationship, _ entity: Entity, _ paths: Set<Path>) -> Bool {
        path(of: relationship, entity).map(paths.contains) ?? false
    }
}
