import SluiceRecords

/// A stage of the second pass: what it leaves behind, and which stages it needs before it. The order of the stages
/// follows from that.
enum Stage: OrderedStages {
    /// Objects that the feed lacks, or calls gone, are deleted, and with them those that cannot be without them.
    case deleteObjects
    /// The records that need their targets are loaded, or rejected.
    case loadCandidates
    /// Nullified references on the waiting list have their positions in the feed.
    case positionNullified
    /// All records are loaded.
    case loadDeferred
    /// All objects are there, stubs included.
    case createStubs
    /// References that waited since the first pass are linked, or on the waiting list.
    case linkWaiting
    /// All references are as the run leaves them.
    case linkLate
    /// All references are counted.
    case countOpen
    /// Edits that say what the feed says are forgotten, conflicts reported.
    case finishEdits
    /// It is known which objects of earlier runs differ from what they were.
    case addUpChanges
    /// The indexes of new tables, those of references among them, are there.
    case buildIndexes
    /// All objects are as the run leaves them.
    case deleteOrphans
    /// The store knows which objects the run has changed.
    case recordChanges
    /// All duplicates are counted and reported.
    case reportDuplicates

    /// The stages whose results it needs.
    var needs: Set<Stage> {
        switch self {
        case .deleteObjects: []
        // Deleted objects are no targets.
        case .loadCandidates: [.deleteObjects]
        // A candidate may be the record of an object whose reference was nullified.
        case .positionNullified: [.loadCandidates]
        // Deferred records find the objects of candidates; nothing nullifies their references.
        case .loadDeferred: [.loadCandidates, .positionNullified]
        // A stub is only what no record brings.
        case .createStubs: [.loadDeferred]
        // A stub is a target for every relationship.
        case .linkWaiting: [.createStubs]
        // References of this run's records come before those that wait since an earlier run.
        case .linkLate: [.linkWaiting]
        case .countOpen: [.linkLate, .positionNullified]
        // That an orphan stays, since a program has edited it, is a conflict.
        case .finishEdits: [.deleteOrphans]
        case .addUpChanges: [.linkLate]
        case .buildIndexes: [.linkLate]
        // The indexes of references find objects without references to them.
        case .deleteOrphans: [.buildIndexes, .countOpen]
        case .recordChanges: [.addUpChanges, .finishEdits, .deleteOrphans]
        case .reportDuplicates: [.linkWaiting, .recordChanges]
        }
    }
}
