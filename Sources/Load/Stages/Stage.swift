/// A stage of the second pass: what it needs to be done before it, and what it leaves behind. The order of the stages
/// follows from that.
enum Stage: CaseIterable {
    case deleteObjects, loadCandidates, positionNullified, loadDeferred, createStubs, linkWaiting, linkLate
    case countOpen, settleEdits, addUpChanges, buildIndexes, deleteOrphans, noteChanges, reportDuplicates

    /// What a stage leaves behind, each of them one.
    enum Result {
        /// Objects that the feed lacks, or calls gone, are deleted, and with them those that cannot be without them.
        case objectsDeleted
        /// The records that need their targets are loaded, or rejected.
        case candidatesLoaded
        /// Nullified references on the waiting list have their positions in the feed.
        case nullifiedPositioned
        /// All records are loaded.
        case recordsLoaded
        /// All objects are there, stubs included.
        case objectsThere
        /// References that waited since the first pass are linked, or on the waiting list.
        case waitingLinked
        /// All references are as the run leaves them.
        case referencesFinal
        /// All references are counted.
        case referencesCounted
        /// Edits that say what the feed says are forgotten, conflicts reported.
        case editsSettled
        /// It is known which objects of earlier runs differ from what they were.
        case changesAddedUp
        /// The indexes of new tables, those of references among them, are there.
        case indexesBuilt
        /// All objects are as the run leaves them.
        case objectsFinal
        /// The store knows which objects the run has changed.
        case changesNoted
        /// All duplicates are counted and reported.
        case duplicatesReported
    }

    var needs: Set<Result> {
        switch self {
        case .deleteObjects: []
        // Deleted objects are no targets.
        case .loadCandidates: [.objectsDeleted]
        // A candidate may be the record of an object whose reference was nullified.
        case .positionNullified: [.candidatesLoaded]
        // Deferred records find the objects of candidates.
        case .loadDeferred: [.candidatesLoaded]
        // A stub is only what no record brings.
        case .createStubs: [.recordsLoaded]
        // A stub is a target for every relationship.
        case .linkWaiting: [.objectsThere]
        // References of this run's records come before those that wait since an earlier run.
        case .linkLate: [.waitingLinked]
        case .countOpen: [.referencesFinal, .nullifiedPositioned]
        // That an orphan stays, since a program has edited it, is a conflict.
        case .settleEdits: [.objectsFinal]
        case .addUpChanges: [.referencesFinal]
        case .buildIndexes: [.referencesFinal]
        // The indexes of references find objects without references to them.
        case .deleteOrphans: [.indexesBuilt, .referencesCounted]
        case .noteChanges: [.changesAddedUp, .editsSettled, .objectsFinal]
        case .reportDuplicates: [.waitingLinked, .changesNoted]
        }
    }

    var leaves: Result {
        switch self {
        case .deleteObjects: .objectsDeleted
        case .loadCandidates: .candidatesLoaded
        case .positionNullified: .nullifiedPositioned
        case .loadDeferred: .recordsLoaded
        case .createStubs: .objectsThere
        case .linkWaiting: .waitingLinked
        case .linkLate: .referencesFinal
        case .countOpen: .referencesCounted
        case .settleEdits: .editsSettled
        case .addUpChanges: .changesAddedUp
        case .buildIndexes: .indexesBuilt
        case .deleteOrphans: .objectsFinal
        case .noteChanges: .changesNoted
        case .reportDuplicates: .duplicatesReported
        }
    }

    /// All stages, each after those that leave what it needs; of several that could be next, the first that is declared.
    /// Stages that need each other are left out.
    static var ordered: [Stage] {
        var (order, left): ([Stage], [Stage]) = ([], allCases)
        var results: Set<Result> = []
        while let place = left.firstIndex(where: { $0.needs.isSubset(of: results) }) {
            let stage = left.remove(at: place)
            order.append(stage)
            results.insert(stage.leaves)
        }
        return order
    }
}
