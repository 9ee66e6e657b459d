import SluiceRecords

/// What the records of an entity say of its columns: a later copy is compared with what the copies before it in the
/// feed said, never with what only the store knows.
///
/// A record *states* a column if it says something of it, be it that it is null, and *gives* it if it says more than
/// that.
@safe
struct StatedColumns {
    private let entity: Entity
    private let layout: RowLayout
    private let wordCount: Int
    /// The columns of which a record may say nothing, each with the first of its cells.
    private let keeping: [(cell: Int, column: Int)]
    /// The relationships whose references are compared by their digests.
    let digested: [Int]

    init(_ entity: Entity) {
        self.entity = entity
        layout = entity.layout
        wordCount = entity.columnWords
        keeping =
            entity.keptAttributes.map { ($0, $0) }
            + entity.layout.relationshipStart.enumerated().map { ($1, entity.attributes.count + $0) }
        digested = entity.digestedRelationships
    }

    /// Sets the columns that rows state, those of objects of up to an objectID: all but those of which they say
    /// nothing.
    func setStated(_ rows: [Int], _ section: EntityRecords, _ work: RowScratch, upTo highest: Int64 = .max) {
        let (stated, objectIDs, wordCount, width) = (work.stated, work.objectIDs, wordCount, layout.width)
        let typed = unsafe UnsafePointer(section.typed.base)
        for row in rows where objectIDs[row] <= highest {
            for word in 0..<wordCount { stated[row * wordCount + word] = .max }
            let cells = unsafe typed + row * width
            for (cell, column) in keeping where unsafe cells[cell].kind == .absent {
                stated[row * wordCount + column >> 6] &= ~(1 << UInt64(column & 63))
            }
        }
    }

    /// Sets the columns that a row states and gives, and its digests.
    func setStatedAndGiven(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch) {
        setStated([row], section, work)
        setDigests(row, section, batch, work)
        let given = work.given
        for word in 0..<wordCount { given[row * wordCount + word] = 0 }
        let cells = unsafe UnsafePointer(section.typed.base) + row * layout.width
        for column in 0..<work.attributeCount where unsafe !cells[column].isNull {
            given[row * wordCount + column >> 6] |= 1 << UInt64(column & 63)
        }
        for relationship in entity.relationships.indices where unsafe gives(relationship, cells) {
            let column = work.attributeCount + relationship
            given[row * wordCount + column >> 6] |= 1 << UInt64(column & 63)
        }
    }

    /// Sets that a row says nothing but that its object is gone.
    func setGone(_ row: Int, _ work: RowScratch) {
        for word in 0..<wordCount {
            work.stated[row * wordCount + word] = 0
            work.given[row * wordCount + word] = 0
        }
        work.stated[row * wordCount + work.presenceColumn >> 6] = 1 << UInt64(work.presenceColumn & 63)
        for index in digested.indices { work.digests[row * digested.count + index] = 0 }
    }

    private func gives(_ relationship: Int, _ cells: UnsafePointer<Cell>) -> Bool {
        let start = layout.relationshipStart[relationship]
        guard entity.relationships[relationship].isMany else {
            return unsafe !cells[start].isNull
        }
        return unsafe listLength(relationship, cells) > 0
    }

    private func cellCount(_ relationship: Int) -> Int {
        entity.relationships[relationship].cellCount
    }

    /// A selector may hold for all values of a row: the key says how many there are.
    private func listLength(_ relationship: Int, _ cells: UnsafePointer<Cell>) -> Int {
        let start = layout.relationshipStart[relationship]
        for cell in start..<start + cellCount(relationship) where unsafe cells[cell].kind == .list {
            return unsafe cells[cell].count
        }
        return 0
    }

    // MARK: Digests

    /// Sets the digests of what a row refers to, for each of the digested relationships.
    func setDigests(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch) {
        let cells = unsafe UnsafePointer(section.typed.base) + row * layout.width
        for (index, relationship) in digested.enumerated() {
            work.digests[row * digested.count + index] = unsafe digest(relationship, cells, batch, work.hash)
        }
    }

    /// 0 where there are no references.
    private func digest(
        _ relationship: Int, _ cells: UnsafePointer<Cell>, _ batch: RecordBatch, _ hash: ValueHash
    ) -> UInt64 {
        guard unsafe gives(relationship, cells) else { return 0 }
        let start = layout.relationshipStart[relationship]
        let block = (0..<cellCount(relationship)).map { unsafe cells[start + $0] }
        let definition = entity.relationships[relationship]
        guard definition.isMany else { return digest(block, relationship, batch.arena, hash) }
        var lists = ListsBeside(block)
        var (digest, met): (UInt64, Set<UInt64>) = (0, [])
        for position in 0..<(unsafe listLength(relationship, cells)) {
            lists.advance(batch)
            var value = self.digest(lists.cells, relationship, batch.arena, hash)
            // A set holds each once, at its first position.
            guard !definition.isSet || met.insert(value).inserted else { continue }
            for (part, cell) in lists.cells[definition.keyCellCount...].prefix(definition.values.count).enumerated() {
                value = hash.joined(value, unsafe hash.cell(cell, batch.arena.base, part))
            }
            digest = hash.joined(digest, hash.joined(value, UInt64(position)))
        }
        return digest
    }

    /// Of one reference: with a selector, only the cells of the selected target count.
    private func digest(_ block: [Cell], _ relationship: Int, _ arena: Arena, _ hash: ValueHash) -> UInt64 {
        let definition = entity.relationships[relationship]
        var counting = block.prefix(definition.keyCellCount)
        var digest: UInt64 = 1
        if definition.selector != nil {
            digest = hash.integer(block[0].integer, 0)
            counting = block[(1 + Int(block[0].integer) * definition.keyWidth)...].prefix(definition.keyWidth)
        }
        for (part, cell) in counting.enumerated() {
            digest = hash.joined(digest, unsafe hash.cell(cell, arena.base, part))
        }
        return digest
    }
}
