import SluiceRecords
import SluiceSchema

/// Facts about one entity that are known before its first record comes.
final class EntityTraits {
    let model: Model
    let entity: Entity
    let index: Int
    let layout: RowLayout
    /// The attributes of the identifier. A copy, as the thread that reads the feed also uses the entity's own list: two
    /// threads that count references to one array wait for each other.
    let identifier: [Int]
    /// The number of these attributes, and the place of a sole one: reading the array instead would retain it for each
    /// record.
    let identifierCount: Int
    let soleIdentifier: Int
    /// Whether a relationship refers to this entity: only then are its objectIDs cached.
    let isTarget: Bool
    /// The highest objectID of an object of earlier runs.
    let highestAtStart: Int64
    /// Whether records may say that their object is gone.
    let hasDeletions: Bool
    /// Whether it must be known which objects of earlier runs the feed holds.
    let needsPresence: Bool
    /// By relationship: whether its targets may be deleted, which nullifies references.
    let mayNullify: [Bool]
    /// By relationship.
    let areToMany: [Bool]
    /// Attributes beside the identifier by which relationships look for objects of this entity.
    let searchedAttributes: [Int]
    /// Whether a relationship needs its target (`missing: reject`): then records wait until it is known which have
    /// theirs.
    let hasCandidates: Bool

    init(_ model: Model, _ index: Int, highestAtStart: Int64, _ deletability: Deletability) {
        self.model = model
        self.index = index
        entity = model.entities[index]
        layout = entity.layout
        identifier = entity.identifier.map { $0 }
        identifierCount = entity.identifier.count
        soleIdentifier = entity.identifier.first ?? 0
        isTarget = deletability.isTarget[index]
        self.highestAtStart = highestAtStart
        hasDeletions = !entity.deletions.isEmpty
        needsPresence = deletability.needsPresence[index]
        areToMany = entity.relationships.map(\.isMany)
        mayNullify = entity.relationships.map { $0.targets.contains { deletability.isDeletable[$0.entity] } }
        searchedAttributes = model.keyAttributes[index].filter { !model.entities[index].identifier.contains($0) }
        hasCandidates = entity.relationships.contains { $0.missing.rejectsRecords }
    }

    /// Whether its records say more of the stubs that they name than their identifiers.
    var describesStubs: Bool { entity.relationships.contains { !$0.stub.isEmpty } }

    /// Whether a relationship creates the targets that are missing.
    func isStub(_ relationship: Int) -> Bool { entity.relationships[relationship].missing.createsStubs }
    var createsStubs: Bool { entity.relationships.indices.contains(where: isStub) }

    /// Whether objects that the feeds lack are looked for: there were some before the run.
    var looksForAbsent: Bool { entity.looksForAbsent && !startsEmpty }

    /// Whether the table was empty when the run began: an identifier that the cache or the unique index lacks is new.
    var startsEmpty: Bool { highestAtStart == 0 }

    /// Whether every record is of a new object, or a copy: nothing is there, and nothing says that an object is gone.
    var isAllNew: Bool { startsEmpty && !hasDeletions }

    /// Whether any relationship's targets may be deleted.
    var mayNullifyAny: Bool { mayNullify.contains(true) }

    /// Whether objects may have their objectIDs before their records come: where every object is new, nothing deletes
    /// any, and nothing keeps a record from being loaded.
    var canPromise: Bool { isAllNew && isTarget && entity.mode.createsObjects && !hasCandidates }

    /// The identifier of a row as JSON.
    func identifier(of row: Int, _ section: EntityRecords, _ arena: Arena) -> String {
        arena.json(ofKey: entity.identifier.map { section.typed[row * layout.width + $0] })
    }

    /// The identifier's cells of a row, side by side.
    @inline(__always)
    func withIdentifier<Result>(
        of row: Int, _ section: EntityRecords, _ body: (UnsafePointer<Cell>) -> Result
    ) -> Result {
        let cells = unsafe section.typed.base + row * layout.width
        if identifierCount == 1 { return unsafe body(cells + soleIdentifier) }
        return unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: identifierCount) { key in
            for part in identifier.indices { unsafe key[part] = unsafe cells[identifier[part]] }
            // The allocation is not empty: an identifier has an attribute.
            return unsafe body(UnsafePointer(key.baseAddress.unsafelyUnwrapped))
        }
    }
}
