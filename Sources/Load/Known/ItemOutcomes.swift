import SluiceRecords

/// What became of the rows of a feed, for the fingerprints of the run: recorded in their section. The next run knows
/// the rows by it.
struct ItemOutcomes {
    let relations: EntityRelations
    private var work: RowScratch { relations.work }

    /// Records the objects of rows that were saved, and how many references each holds. A pending reference counts as
    /// if its target came: the next run reads every record of an object that still waits in the end.
    func recordSaved(_ rows: [Int], areNew: Bool, _ section: EntityRecords) {
        let (outcomes, held, count) = (section.outcomes, section.held, section.relationshipCount)
        for row in rows where work.objectIDs[row] <= BatchItems.highestObjectID {
            outcomes[row] = work.objectIDs[row]
            for (relationship, _) in relations.toOne {
                held[row * count + relationship] = holdsReference(row, relationship, isNew: areNew) ? 1 : 0
            }
            for (relationship, links) in relations.toMany {
                guard let links = heldLinks(row, links, isNew: areNew) else {
                    outcomes[row] = 0
                    break
                }
                held[row * count + relationship] = links
            }
        }
    }

    /// Records the objects of rows that become objects when their identifiers are indexed, with the objectIDs that are
    /// reserved for them: they hold all references that they state. Where a record turns out to be a copy, no object
    /// has its objectID, see `RoundWriter`.
    func recordReserved(_ rows: [Int], _ section: EntityRecords) {
        for row in rows { recordStated(by: row, work.objectIDs[row], section) }
    }

    /// Records the object of an earlier run whose record waits until it is known whether its targets are there: it
    /// holds all references that it states. Of references that the record does not state, it is not known yet how many
    /// there are.
    func recordCandidate(_ row: Int, _ objectID: Int64, _ section: EntityRecords) {
        guard relations.toOne.allSatisfy({ !$0.references.isSilent(row, section) }) else { return }
        recordStated(by: row, objectID, section)
    }

    /// Records the object of a row, and that it holds all references that the row states. How many links it has is not
    /// known.
    private func recordStated(by row: Int, _ objectID: Int64, _ section: EntityRecords) {
        guard relations.toMany.isEmpty, objectID <= BatchItems.highestObjectID else { return }
        section.outcomes[row] = objectID
        let (held, count) = (section.held, section.relationshipCount)
        for (relationship, references) in relations.toOne {
            held[row * count + relationship] = references.states(row, section) ? 1 : 0
        }
    }

    private func holdsReference(_ row: Int, _ relationship: Int, isNew: Bool) -> Bool {
        let reference = relations.reference(row, relationship)
        guard reference == .unstated else { return reference.isKnown || reference == .pending }
        return !isNew && relations.stored(row, relationship).isKnown
    }

    /// How many links an object has; nil: that is not known yet, or there are too many.
    private func heldLinks(_ row: Int, _ links: ToManyReferences, isNew: Bool) -> UInt8? {
        switch links.state(row) {
        case .pending: return nil
        case .unstated: return isNew ? 0 : nil
        case .settled: return UInt8(exactly: links.linkCount(row))
        }
    }
}
