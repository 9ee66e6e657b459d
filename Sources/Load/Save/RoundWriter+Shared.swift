import SluiceRecords

// Objects that may have several known records, see `SharedKnown`.
extension RoundWriter {
    /// Notes how rows stand to what the store says of their objects, which have been compared with them.
    func noteShared(_ rows: [Int], areCopies: Bool, _ section: EntityRecords) {
        guard state.notesItems, state.entity.sharesKnown else { return }
        for row in rows {
            state.objects.noteShared(
                SharedKnown.Record(
                    objectID: work.objectIDs[row], isCopy: areCopies, differs: work.hasDifferences(row),
                    isWhole: state.stated.saysAll(row, section)))
        }
    }

    /// Whether a row is a later copy of a record that is known, and says the same as that: then it is counted.
    func isCopyOfKnown(_ row: Int) -> Bool {
        guard state.entity.sharesKnown, state.objects.isKnown(work.objectIDs[row]) else { return false }
        state.tally.add(to: \.identical)
        return true
    }
}
