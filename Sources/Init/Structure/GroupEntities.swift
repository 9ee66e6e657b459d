/// What the keys of a map of lists name: `"releases": { "1.0": [ … ] }`.
struct GroupEntities {
    private let entities: [DraftEntity]

    /// - Parameter entities: all of them, with their identifiers and relationships.
    init(_ entities: [DraftEntity]) { self.entities = entities }

    /// Drops those to whose keys nothing elsewhere refers: these are no more than a part of what names the objects in
    /// the lists.
    func settle() {
        for groups in entities where groups.isOfGroups {
            if !isNamed(groups) { groups.drop() }
            for entity in entities {
                if groups.isDropped { entity.forget(groups) } else { relate(entity, to: groups) }
            }
        }
    }

    /// Whether records refer to the keys. What is known by one itself is what the lists are about, and keys that refer
    /// to something are references.
    private func isNamed(_ groups: DraftEntity) -> Bool {
        groups.relationships.isEmpty
            && entities.contains { entity in
                !entity.isDropped
                    && entity.relationships.contains { $0.leads(to: groups) && $0.column?.isIdentifying != true }
            }
    }

    /// Lets what is in the lists refer to their keys.
    private func relate(_ entity: DraftEntity, to groups: DraftEntity) {
        guard entity !== groups, entity.place.feed == groups.place.feed,
            let key = entity.columns.first(where: { $0.isKey && $0.cut == nil && groups.place.nodes == [$0.node] }),
            !entity.relationships.contains(where: { $0.column === key })
        else { return }
        entity.relationships.append(DraftRelationship(key, to: [groups]))
    }
}
