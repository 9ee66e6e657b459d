/// What the run does with a row of a batch. Each row has one fate, which is decided in one place; all that happens to
/// the row follows from it.
///
/// Where the records of an entity are saved as they come, `decide` says the fate from what is known of the object (the
/// fates of the first block). Elsewhere the phase of the entity says it for all rows (`EntityPhase`, the second block).
///
/// | fate | the row | its objectID | what is written | what is counted |
/// | --- | --- | --- | --- | --- |
/// | `new` | no object has its identifier | the promised or the next one | the object, its links | created |
/// | `first` | first record of this run for an object of an earlier one | that of the object | what differs | updated or unchanged, when the run closes |
/// | `copy` | the object has a record of this run | the same | with `duplicates: last`, what differs | identical or conflicting, when the run closes; with `reject`, rejected |
/// | `gone` | first record for its object, and says that the object is gone | that of the object; where there is none, one that nobody gets | nothing; the object goes between the passes | deleted |
/// | `goneCopy` | as `copy`, and says that the object is gone | the same | nothing; with `last`, the object goes | as `copy` |
/// | `createdAfterDeletion` | first description of an object that a record before said is gone, and that was never there | the one of that record | as `new` | as `new`, and as `copy` |
/// | `describedAfterDeletion` | the same, of an object that is there | that of the object | as `first` | as `first`, and as `copy` |
/// | `skipped` | the mode of the entity leaves it alone | — | nothing | skipped |
/// | `spared` | says that an object is gone that a program has changed | that of the object | nothing; the object stays | skipped, a conflict in the end |
/// | `contradicting` | contradicts what a program has changed, with `edits: reject` | that of the object | what the feed says, beside the edit | rejected |
/// | `nextRound` | another row of this round has its identifier | — | comes in the next round, and is decided there | — |
/// | `kept` | its object is compared with it when all records are read | a number instead | comes again after that | — |
/// | `aside` | its identifier may have been there, and is not indexed | reserved | comes again when there is an index | — |
/// | `scattered` | new, but the objectIDs come in no order | the promised one | as `new`, in the order of objectIDs | as `new` |
///
/// Rows of an entity that waits as a whole (`EntityPhase.deferring`, `.candidates`) have no fate before they are
/// loaded: so the second copy of a record whose first one waits for its target waits as well, and is decided behind it.
/// Where only its reference waits, its object exists, and a second copy is `copy`: `LinkPass` links it behind the
/// first.
enum RowFate {
    case new, first, copy, gone, goneCopy, createdAfterDeletion, describedAfterDeletion, skipped, spared, contradicting
    case nextRound, kept, aside, scattered

    /// What is known of a row's object when the fate of the row is decided.
    struct Evidence {
        /// Whether the record says that its object is gone.
        var saysGone: Bool
        /// Whether the store has the object.
        var isThere: Bool
        /// Whether an earlier record said that the object is gone, and the store does not have it.
        var isUnborn = false
        /// Whether the object had a record in this run.
        var isMet = false
        /// Whether one of these records described the object.
        var isDescribed = false
        /// Whether the entity's mode leaves the record alone.
        var isSkipped = false
        /// Whether a program has changed the object, or created it.
        var isEdited = false
        var isCreatedByProgram = false
    }

    /// What the definition says of an entity's records, as far as fates depend on it.
    struct Rules {
        /// Whether records may say that their objects are gone.
        var hasDeletions: Bool
        /// Whether of several records of an object the last one counts.
        var lastCounts: Bool
        /// Whether records that contradict edits are rejected.
        var rejectsContradictions: Bool
    }

    /// The fate of a row that the store has been queried for.
    static func decide(_ row: Evidence, _ rules: Rules) -> RowFate {
        if row.saysGone {
            if row.isEdited { return rules.rejectsContradictions && !row.isCreatedByProgram ? .contradicting : .spared }
            if row.isSkipped { return .skipped }
            return row.isMet || row.isUnborn ? .goneCopy : .gone
        }
        if row.isSkipped { return .skipped }
        // If the last record counts, the first record that describes an object after others said that it is gone
        // revives it.
        let isRevival = rules.hasDeletions && rules.lastCounts && !row.isDescribed
        if row.isUnborn { return isRevival ? .createdAfterDeletion : .copy }
        if !row.isThere { return .new }
        if !row.isMet { return .first }
        return isRevival ? .describedAfterDeletion : .copy
    }
}

extension RowFate.Rules {
    init(_ facts: EntityFacts) {
        hasDeletions = facts.hasDeletions
        lastCounts = facts.entity.duplicates == .last
        rejectsContradictions = facts.entity.edits == .reject
    }
}
