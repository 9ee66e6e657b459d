import SluiceRecords

/// The targets that rows name and that are not there. The rows are resolved among all objects.
struct MissingTargetReader {
    let relations: EntityRelations
    private var state: EntityState { relations.state }

    /// Of the relationships that create missing targets and of which a row says something: the identifiers of those
    /// that are missing.
    func keys(
        _ row: Int, _ section: EntityRecords
    ) -> [(relationship: Int, keys: [(target: EntityState, cells: [Cell])])] {
        var missing: [(relationship: Int, keys: [(target: EntityState, cells: [Cell])])] = []
        for (relationship, references) in relations.toOne where state.facts.isStub(relationship) {
            let reference = relations.reference(row, relationship)
            if reference == .keep { continue }
            let cells = references.finder.isMissing(reference) ? references.missingKey(of: row, section) : nil
            missing.append((relationship, cells.map { [$0] } ?? []))
        }
        for (relationship, links) in relations.toMany where state.facts.isStub(relationship) {
            if links.state(row) != .keep { missing.append((relationship, links.missingKeys(row))) }
        }
        return missing
    }

    /// The missing targets of a row by a relationship.
    func targets(
        _ row: Int, _ relationship: Int, _ section: EntityRecords, _ arena: Arena
    ) -> [MissingTarget] {
        for (index, references) in relations.toOne where index == relationship {
            guard relations.reference(row, relationship) == .pending else { return [] }
            return [references.missingTarget(of: row, section, arena)]
        }
        for (index, links) in relations.toMany where index == relationship { return links.missingTargets(row, arena) }
        return []
    }
}
