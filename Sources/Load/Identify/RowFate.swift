/// What the run does with a row of a batch. Each row has one fate, which `decide` says; all that happens to the row
/// follows from it.
///
/// | fate | the row | its objectID | what is written | what is counted |
/// | --- | --- | --- | --- | --- |
/// | `new` | no object has its identifier | the promised or the next one | the object, its links | created |
/// | `first` | first record of this run for an object of an earlier one | that of the object | what differs | updated or unchanged, when the run closes |
/// | `copy` | the object has a record of this run | the same | with `duplicates: last`, what differs | identical or conflicting, when the run closes |
/// | `gone` | first record for its object, and says that the object is gone | that of the object; where there is none, one that nobody gets | nothing; the object goes between the passes | deleted |
/// | `goneCopy` | as `copy`, and says that the object is gone | the same | nothing; with `last`, the object goes | as `copy` |
/// | `repeated` | as `copy` or `goneCopy`, with `duplicates: reject` | the same | nothing | rejected |
/// | `createdAfterDeletion` | first description of an object that a record before said is gone, and that was never there | the one of that record | as `new` | as `new`, and as `copy` |
/// | `describedAfterDeletion` | the same, of an object that is there | that of the object | as `first` | as `first`, and as `copy` |
/// | `skipped` | the mode of the entity leaves it alone | — | nothing | skipped |
/// | `spared` | says that an object is gone that a program has changed, and which would be deleted | that of the object | nothing; the object stays | skipped, a conflict in the end |
/// | `contradicting` | contradicts what a program has changed, with `edits: reject` | that of the object | what the feed says, beside the edit | rejected |
/// | `nextRound` | another row of this round has its identifier | — | comes in the next round, and is decided there | — |
/// | `awaitingTargets` | waits as a whole until it is known whether its targets are there | — | comes again after that, and is decided then | — |
/// | `awaitingComparison` | its object is compared with it when all records are read | a number instead | comes again after that | — |
/// | `awaitingIndex` | its identifier may have been there, and is not indexed | reserved | comes again when there is an index | — |
/// | `scattered` | new, but the objectIDs come in no order | the promised one | as `new`, in the order of objectIDs | as `new` |
///
/// Records that Transform has rejected, or dropped, are no rows of a round (`Loader.collect`). Of the others, what is
/// known decides, in this order:
/// 1. the phase of its entity (`EntityPhase`), by `decide(in:)`: whether the row waits, or whether it is
///    enough to know if its identifier was met before (`ByIdentifier`);
/// 2. where it is not enough, what the store has (`Evidence`), by `decide(_:_:)`.
///
/// A round changes two of these fates before it writes: a new row is `nextRound` where the unique index refuses it
/// (`Round.deferRefused`), and `scattered` where its objectID is out of order (`LateIndexing.scatters`). When most rows
/// of an entity refer to targets that are not there, all are `awaitingTargets`, and its phase says so from then on
/// (`EntityRounds`).
///
/// So the second copy of a record whose first one is `awaitingTargets` waits as well, and is decided behind it. Where
/// only its reference waits, its object exists, and a second copy is `copy`: `LinkPass` links it behind the first.
enum RowFate: Int, CaseIterable {
    case new, first, copy, gone, goneCopy, repeated, createdAfterDeletion, describedAfterDeletion, skipped, spared
    case contradicting, nextRound, awaitingTargets, awaitingComparison, awaitingIndex, scattered

    /// The fates of an entity's rows where the phase of the entity says enough.
    enum ByPhase {
        /// All rows have the same fate.
        case all(RowFate)
        /// The identifier of a row decides, which the objectID cache or the filter of the entity recognises.
        case byIdentifier(ByIdentifier)
        /// The store is queried for the object of each row.
        case byObject
    }

    /// The fates of rows whose identifiers are recognised.
    struct ByIdentifier {
        /// Of a row whose identifier is new for certain.
        var unmet = RowFate.new
        /// Of a row whose identifier an object has, or may have.
        var met: RowFate
    }

    /// What the definition and the run say of an entity, as far as the fates of its rows depend on it.
    struct Rules {
        /// Whether records may say that their objects are gone.
        var hasDeletions: Bool
        /// Whether of several records of an object the last one counts.
        var lastCounts: Bool
        /// Whether records that contradict edits are rejected.
        var rejectsContradictions: Bool
        /// Whether objects that are gone are marked.
        var marksGone = false
        /// Whether of several records of an object only the first is accepted.
        var rejectsCopies = false
        /// Whether objects are only updated, where there are none.
        var hasNothingToUpdate = false
        /// Whether every record is of a new object, or a copy.
        var isAllNew = false
        /// Whether other objects refer to those of the entity.
        var isTarget = false
    }

    /// What is known of a row's object when the store has been queried for it.
    struct Evidence {
        /// Whether the record says that its object is gone.
        var saysGone: Bool
        /// Whether the store has the object.
        var isThere: Bool
        /// Whether an earlier record said that the object is gone, and the store does not have it.
        var wasNeverCreated = false
        /// Whether the object had a record in this run.
        var isMet = false
        /// Whether one of these records described the object.
        var isDescribed = false
        /// Whether the entity's mode leaves the record alone.
        var isSkipped = false
        /// Whether a program has changed the object, or created it.
        var isEdited = false
        var isCreatedByProgram = false
        /// Whether the record describes the object otherwise than a program has changed it, and is rejected for that.
        var contradictsEdit = false
    }

    /// What the phase of an entity says of the fates of its rows.
    ///
    /// - Parameter cacheIsWhole: whether the objectID cache has all objects of the entity.
    static func decide(in phase: EntityPhase, _ rules: Rules, cacheIsWhole: Bool) -> ByPhase {
        switch phase {
        case .deferring, .candidates: return .all(.awaitingTargets)
        case .creating: return .all(.new)
        case .comparing:
            return rules.isTarget && cacheIsWhole
                ? .byIdentifier(.init(met: .awaitingComparison)) : .all(.awaitingComparison)
        case .indexingLate: return .byIdentifier(.init(met: .awaitingIndex))
        case .watching, .streaming, .loadingReserved:
            if !rules.isAllNew { return .byObject }
            if rules.hasNothingToUpdate { return .all(.skipped) }
            // The unique index refuses those that are not new.
            if !rules.isTarget { return .all(.new) }
            return cacheIsWhole ? .byIdentifier(.init(met: .nextRound)) : .byObject
        }
    }

    /// The fate of a row that the store has been queried for.
    @inline(__always)
    static func decide(_ row: Evidence, _ rules: Rules) -> RowFate {
        if row.contradictsEdit { return .contradicting }
        if row.saysGone {
            // A mark takes nothing away.
            if row.isEdited, !rules.marksGone {
                return rules.rejectsContradictions && !row.isCreatedByProgram ? .contradicting : .spared
            }
            if row.isSkipped { return .skipped }
            if row.isMet || row.wasNeverCreated { return rules.rejectsCopies ? .repeated : .goneCopy }
            return .gone
        }
        if row.isSkipped { return .skipped }
        if !row.isMet, !row.wasNeverCreated { return row.isThere ? .first : .new }
        // If the last record counts, the first record that describes an object after others said that it is gone
        // revives it.
        if rules.hasDeletions, rules.lastCounts, !row.isDescribed {
            return row.wasNeverCreated ? .createdAfterDeletion : .describedAfterDeletion
        }
        return rules.rejectsCopies ? .repeated : .copy
    }
}

extension RowFate.Rules {
    init(_ traits: EntityTraits) {
        hasDeletions = traits.hasDeletions
        lastCounts = traits.entity.duplicates.lastCounts
        rejectsContradictions = traits.entity.edits.rejectContradictions
        marksGone = traits.entity.marksAbsent
        rejectsCopies = traits.entity.duplicates.areRejected
        hasNothingToUpdate = traits.startsEmpty && !traits.entity.mode.createsObjects
        isAllNew = traits.isAllNew
        isTarget = traits.isTarget
    }
}
