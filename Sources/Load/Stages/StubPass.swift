import SluiceRecords

/// Creates the targets that are missing where a relationship says `stub`: objects with just their identifier. All of
/// them, before anything is linked, since a stub is a target for every relationship.
final class StubPass {
    private let relations: EntityRelations
    private let waiting: WaitingReferences
    /// For what is read; all passes of a run share it, as it has room for every entity.
    private let rows: RecordBatch
    private let stubs: StubMaker
    private let context: LoadContext

    init(_ relations: EntityRelations, _ rows: RecordBatch, _ stubs: StubMaker, _ context: LoadContext) {
        self.relations = relations
        waiting = WaitingReferences(relations: relations)
        self.context = context
        self.rows = rows
        self.stubs = stubs
    }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    /// Creates the missing targets of the rows that wait, and of references that were nullified. Of objects with later
    /// copies, only the last record that states a relationship counts.
    func run() throws(Failure) {
        let promised = relations.promises.areOpen ? state.spools.promised : nil
        let spools = [promised, state.spools.references].compactMap { $0 }
        let duplicated = state.objects.duplicated
        let isAlone = { (objectID: Int64) in !duplicated.contains(objectID) }
        let createNow = { (missing: [Missing]) throws(Failure) in try self.stubs.create(missing.flatMap(\.keys)) }
        for spool in spools { try readMissing(spool, of: isAlone, createNow) }
        try readWaiting(of: isAlone, createNow)
        let parts = ObjectParts(duplicated, of: state.heldObjects)
        var divided: [[RowSpool]] = []
        for spool in duplicated.isEmpty ? [] : spools {
            divided.append(
                try spool.divided(
                    by: parts, rows.sections[state.index], rows, work: work, limit: context.batchSize))
        }
        try parts.forEachPart { part, objectIDs throws(Failure) in try createLast(objectIDs, divided.map { $0[part] }) }
    }

    /// Which reference of the entity's objects.
    private struct Owner: Hashable {
        var objectID: Int64
        var relationship: Int
    }

    /// The missing targets of a row by one relationship.
    private struct Missing {
        var owner: Owner
        var keys: [StubKey]
    }

    /// Creates the targets that some objects with later copies miss in the end.
    private func createLast(_ sorted: [Int64], _ spools: [RowSpool]) throws(Failure) {
        var keys: [Owner: [StubKey]] = [:]
        let objectIDs = Set(sorted)
        try readWaiting(of: objectIDs.contains, from: sorted[0], upTo: sorted[sorted.count - 1]) { missing in
            for entry in missing { keys[entry.owner, default: []] += entry.keys }
        }
        for spool in spools {
            try readMissing(spool, of: objectIDs.contains) { missing in
                for entry in missing { keys[entry.owner] = entry.keys }
            }
        }
        try create(keys)
    }

    /// Creates targets in an order, so that the same feed makes the same store.
    private func create(_ keys: [Owner: [StubKey]]) throws(Failure) {
        let owners = keys.keys.filter { state.objects.isDescribed($0.objectID) }.sorted {
            ($0.objectID, $0.relationship) < ($1.objectID, $1.relationship)
        }
        for start in stride(from: 0, to: owners.count, by: LoadContext.chunk) {
            let chunk = owners[start..<min(start + LoadContext.chunk, owners.count)]
            try stubs.create(chunk.flatMap { keys[$0] ?? [] })
            context.cacheLimit.evictIfOverLimit()
        }
    }

    /// Reads the rows of objects, batch by batch, and hands out their missing targets.
    private func readMissing(
        _ spool: RowSpool, of isWanted: (Int64) -> Bool, _ body: ([Missing]) throws(Failure) -> Void
    ) throws(Failure) {
        try context.forEachBatch(spool, of: relations, rows) { read, section throws(Failure) in
            let waiting = read.filter { entry in
                let objectID = work.objectIDs[entry.row]
                if !isWanted(objectID) || state.objects.deletions.deleted.contains(objectID) { return false }
                return entry.fate != .duplicate || state.entity.duplicates.lastCounts
            }.map(\.row)
            try relations.resolveAmongAll(waiting, section, rows)
            try body(waiting.flatMap { missing($0, section) })
        }
    }

    /// Reads the waiting references of objects that their records do not state: those that were nullified in this run,
    /// and, by to-one relationships, also those that wait since an earlier run.
    private func readWaiting(
        of isWanted: (Int64) -> Bool, from first: Int64 = 1, upTo last: Int64 = .max,
        _ body: ([Missing]) throws(Failure) -> Void
    ) throws(Failure) {
        for references in relations.all {
            let (relationship, finder) = (references.relationship, references.finder)
            if !state.traits.isStub(relationship) || state.tally.open[relationship].isEmpty { continue }
            try waiting.forEachBatch(
                relationship, ofThisRun: state.traits.areToMany[relationship], from: first, upTo: last, rows,
                limit: context.batchSize
            ) { section, _ throws(Failure) in
                let open = (0..<section.count).filter { row in
                    let objectID = work.objectIDs[row]
                    return isWanted(objectID) && state.tally.isOpen(objectID, relationship)
                }
                try body(missing(open, relationship, finder, section))
                context.cacheLimit.evictIfOverLimit()
            }
        }
    }

    /// The missing targets of rows of the waiting list.
    private func missing(
        _ open: [Int], _ relationship: Int, _ finder: TargetFinder, _ section: EntityRecords
    ) throws(Failure) -> [Missing] {
        let cells = unsafe UnsafePointer(section.typed.base) + state.traits.layout.relationshipStart[relationship]
        let references = try waiting.resolve(
            open, relationship, finder, section, rows.arena, among: .all)
        return zip(open, references).compactMap { row, reference in
            guard finder.isMissing(reference), let key = unsafe finder.missingKey(cells + row * section.width) else {
                return nil
            }
            return Missing(
                owner: owner(row, relationship),
                keys: [StubKey(target: key.target, key.cells, rows.arena)])
        }
    }

    private func missing(_ row: Int, _ section: EntityRecords) -> [Missing] {
        relations.missingKeys(row, section).map { relationship, keys in
            Missing(
                owner: owner(row, relationship),
                keys: keys.map { target, cells in StubKey(target: target, cells, rows.arena) })
        }
    }

    private func owner(_ row: Int, _ relationship: Int) -> Owner {
        Owner(objectID: work.objectIDs[row], relationship: relationship)
    }
}
