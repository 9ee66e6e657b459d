import SluiceRecords

/// How an entity takes in its records at the moment. An entity is in one phase at a time, and the phase owns what waits
/// because of it.
///
/// ```
///  first pass: the feeds are read      │  between the passes        │  second pass
///                                      │                            │
///             ┌─▶ indexingLate ────────┼──▶ loadingReserved ────────┼──▶ streaming
///             │        │               │                            │
///  watching ──┼─▶ streaming ───────────┼────────────────────────────┼──▶ streaming
///             │        │               │                            │
///             │        └─▶ deferring ──┼────────────────────────────┼──▶ streaming or indexingLate
///             │                        │                            │
///             └─▶ comparing ───────────┼──▶ streaming ▶ creating ───┼──▶ streaming
///                                      │                            │
///  candidates ─────────────────────────┼────────────────────────────┼──▶ watching or streaming
/// ```
///
/// | from | to | who moves it on | when |
/// | --- | --- | --- | --- |
/// | `watching` | `indexingLate` | `PhaseDecision.decideIndex` | the first rows of a new table come in no order |
/// | `watching` | `streaming` | `PhaseDecision.decideIndex` | they come in order: the index is made at once |
/// | `watching` | `comparing` | `PhaseDecision.decideComparison` | many objects of earlier runs were met in another order |
/// | `watching`, `streaming`, `indexingLate` | `deferring` | `EntityRounds.load` | most rows refer to targets that are not there |
/// | `indexingLate` | `loadingReserved`, `streaming` | `PhaseEnd.indexIdentifiers` | all records were read, or the cache is to be emptied; rows await the index, or none do |
/// | `loadingReserved` | `streaming` | `PhaseEnd.indexIdentifiers` | the rows that awaited the index are saved |
/// | `comparing` | `streaming` | `PhaseEnd.compare` | all records were read |
/// | `streaming` | `creating` | `PhaseEnd.compare` | those that have an object are saved |
/// | `creating` | `streaming` | `PhaseEnd.compare` | the others are saved |
/// | `deferring` | `indexingLate`, `streaming` | `SecondPass` | no more targets come; the late indexing goes on, or there is none |
/// | `candidates` | `watching`, `streaming` | `CandidatePass` | it is known which records have the targets that they need |
///
/// `EntityState.advance` refuses all other steps (`mayBecome`).
enum EntityPhase {
    /// Records are saved as they come; the next ones decide whether that is to stay so.
    case watching
    /// Records are saved as they come.
    case streaming
    /// The identifiers of a new table are indexed when all its objects are there: until then, only records that are
    /// certainly new are written.
    case indexingLate(LateIndexing)
    /// The records that awaited the index on identifiers are saved, with the objectIDs that were reserved for them.
    case loadingReserved
    /// Records wait as a whole until their targets are known: most refer to objects that are not there, and nothing
    /// refers to their own objects. The late indexing, if it has begun, goes on when the records are loaded.
    case deferring(RowSpool, LateIndexing?)
    /// Records are on disk, and compared with their objects when all records are read.
    case comparing(ComparedRecords)
    /// Of the records that were compared, those that are certainly new are saved.
    case creating
    /// A relationship needs its target (`missing: reject`): records wait as a whole until it is known which have
    /// theirs.
    case candidates(RowSpool)

    /// The phase that an entity begins in.
    init(_ traits: EntityTraits, mayCompare: Bool) {
        if traits.hasCandidates {
            self = .candidates(RowSpool(traits.entity, whole: true))
        } else if mayCompare, EntityPhase.canCompare(traits) {
            self = .watching
        } else {
            self = EntityPhase.saving(traits)
        }
    }

    /// The phase in which records are saved as they come: with the first ones of a new table it is decided when their
    /// identifiers are indexed.
    static func saving(_ traits: EntityTraits) -> EntityPhase {
        traits.isAllNew && traits.entity.mode.createsObjects ? .watching : .streaming
    }

    /// Whether records can be compared with their objects by digests.
    private static func canCompare(_ traits: EntityTraits) -> Bool {
        let entity = traits.entity
        return !traits.startsEmpty && !traits.hasDeletions && entity.mode.loadsAllRecords
            && !traits.areToMany.contains(true) && entity.relationships.count <= RowDigest.mostRelationships
            && entity.relationships.allSatisfy(\.ways.isEmpty)
    }

    /// Whether another phase may follow this one.
    func mayBecome(_ next: EntityPhase) -> Bool {
        switch (self, next) {
        case (.watching, .indexingLate), (.watching, .streaming), (.watching, .comparing): true
        case (.watching, .deferring), (.streaming, .deferring), (.indexingLate, .deferring): true
        case (.indexingLate, .loadingReserved), (.indexingLate, .streaming), (.loadingReserved, .streaming): true
        case (.comparing, .streaming), (.streaming, .creating), (.creating, .streaming): true
        case (.deferring, .indexingLate), (.deferring, .streaming): true
        case (.candidates, .watching), (.candidates, .streaming): true
        default: false
        }
    }

    /// The spool of records from feeds that wait as a whole.
    var wholeRecords: RowSpool? {
        switch self {
        case .deferring(let spool, _), .candidates(let spool): spool
        default: nil
        }
    }

    /// The late indexing, which recognises new identifiers while these are not indexed, also of deferred records.
    var lateIndexing: LateIndexing? {
        switch self {
        case .indexingLate(let late): late
        case .deferring(_, let late): late
        default: nil
        }
    }

    var compared: ComparedRecords? { if case .comparing(let compared) = self { compared } else { nil } }
    var candidates: RowSpool? { if case .candidates(let spool) = self { spool } else { nil } }
    /// Whether the rows at hand have the objectIDs that were reserved for them.
    var hasReserved: Bool { if case .loadingReserved = self { true } else { false } }
}
