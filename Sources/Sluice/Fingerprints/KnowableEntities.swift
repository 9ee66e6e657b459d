import SluiceLoad
import SluiceRecords

extension Model {
    /// Whether a record of an entity may be known by the bytes of its item alone: whether its outcome depends only on
    /// the record and on the objects that it refers to.
    ///
    /// - Parameter inMember: whether the item is a member of an object, with its key: elements of a list have no key,
    ///   and their index is not theirs.
    func isKnowable(_ index: Int, inMember: Bool = false) -> Bool {
        let entity = entities[index]
        return entity.mode.loadsAllRecords && entity.deletions.isEmpty && !entity.edits.areKept && !entity.isOfPrograms
            && !entity.takes(.line) && !entity.takes(.fileName)
            && hasValuesInItems(index, inMember: inMember)
            && entity.relationships.allSatisfy { isKnowable($0) }
    }

    /// Whether the values that records of an entity are looked at for are all in their items, and around these: so that
    /// a condition which a record does not meet is one that it does not meet the next time.
    ///
    /// - Parameter inMember: as above.
    func hasValuesInItems(_ index: Int, inMember: Bool = false) -> Bool {
        !entities[index].slots.contains { $0.path.isKey && !inMember || $0.path.root == .request }
    }

    /// Whether the relationship names its target by the identifier, and only needs the target to be there; or looks for
    /// it in entities where the run notices that objects can be found by other values than before. Where the target
    /// that a record needs is deleted, the run notices that by the object, and reads all.
    private func isKnowable(_ relationship: Relationship) -> Bool {
        guard relationship.stub.isEmpty else { return false }
        if !relationship.isSearched { return true }
        return !relationship.missing.createsStubs && !relationship.missing.rejectsRecords
            && relationship.targets.allSatisfy { showsValues($0.entity) }
    }

    /// Whether the values of an entity's objects are those of their records, and none of them is hidden.
    private func showsValues(_ index: Int) -> Bool {
        let entity = entities[index]
        let describesIt = entities.flatMap(\.relationships).contains { relationship in
            !relationship.stub.isEmpty && relationship.targets.contains { $0.entity == index }
        }
        return entity.deletions.isEmpty && !entity.marksAbsent && !entity.edits.areKept && !entity.isOfPrograms
            && !describesIt
    }

    // MARK: Targets that are looked for

    /// The searches for values that no object which a run creates may have, so that references of records which were
    /// not read find the same targets as before.
    func twinSearches(highest: (_ entity: Int) -> Int64) -> [TwinSearch] {
        var searches: Set<TwinSearch> = []
        for (index, entity) in entities.enumerated() where isKnowable(index, inMember: true) {
            for relationship in entity.relationships where relationship.isSearched {
                searches.formUnion(twinSearches(relationship, highest))
            }
        }
        return Array(searches)
    }

    private func twinSearches(_ relationship: Relationship, _ highest: (_ entity: Int) -> Int64) -> [TwinSearch] {
        let ways = relationship.searches(in: self).map { way in
            (
                values: TwinSearch.Values(
                    entity: relationship.targets[way.target].entity, attributes: way.attributes),
                isByIdentifier: way.isByIdentifier
            )
        }
        return ways.enumerated().flatMap { index, new in
            ways.enumerated().compactMap { place, other in
                // Identifiers are of one object.
                if index == place && new.isByIdentifier { return nil }
                var (values, others) = (new.values, other.values)
                // Where values cannot be compared, any object may be a twin.
                if forms(of: values) != forms(of: others) { (values.attributes, others.attributes) = ([], []) }
                return TwinSearch(new: values, highest: highest(values.entity), other: others)
            }
        }
    }

    private func forms(of values: TwinSearch.Values) -> [StoredForm] {
        values.attributes.map { entities[values.entity].attributes[$0].conversion.stored }
    }
}
