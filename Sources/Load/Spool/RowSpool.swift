import Glibc
import SluiceRecords

/// The result of the first pass for a row that waits for the second.
enum SpooledFate: UInt8 {
    /// Whole record, not yet looked for in the store.
    case unknown
    /// The object was created from this record.
    case created
    /// The object was there.
    case found
    /// A later copy of a record of this run.
    case duplicate
    /// The object was created from this record, with references to targets that were not there yet.
    case promised

    /// Whether a spool keeps the columns in which the row differs: those of a duplicate from its object, or those whose
    /// targets are promised.
    var keepsDifferences: Bool { self == .duplicate || self == .promised }
}

/// Rows of one entity that wait on disk for the second pass: whole records, or just the references of records whose
/// objects are there already.
@safe
final class RowSpool {
    /// In the first byte of a row, beside its fate: whether its parent follows.
    private static let parentFlag: UInt8 = 0x80

    private let entity: Entity
    private let file: SpoolFile
    private let width: Int
    /// The cells that are kept, in their order.
    private let kept: [Int]
    /// The slots whose raw cells are kept besides: a record that is rejected late needs the values around it.
    private let slots: [Int]
    private let slotCount: Int
    private let wordCount: Int
    private let digestCount: Int
    private var lastParent: [UInt8] = []
    private var parentCell = Cell.absent
    private(set) var count = 0

    /// With `whole` all cells are kept, else those of the identifier and the relationships.
    convenience init(_ entity: Entity, whole: Bool, in file: SpoolFile = SpoolFile()) {
        let cells = (0..<entity.layout.width).filter { cell in
            whole || cell >= entity.attributes.count || entity.identifier.contains(cell)
        }
        self.init(entity, cells: cells, slots: whole && entity.rejectsLate ? entity.enclosingSlots : [], in: file)
    }

    /// Keeps some cells of each row; with none, just the position of its record.
    init(_ entity: Entity, cells: [Int], slots: [Int] = [], in file: SpoolFile = SpoolFile()) {
        self.entity = entity
        self.file = file
        self.slots = slots
        slotCount = entity.slots.count
        width = entity.layout.width
        kept = cells
        wordCount = entity.columnWords
        digestCount = entity.digestedRelationships.count
    }

    /// One that keeps the same of other rows.
    func empty(in file: SpoolFile) -> RowSpool { RowSpool(entity, cells: kept, slots: slots, in: file) }

    // MARK: Writing

    /// Adds a row of which nothing is known.
    func append(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try unsafe append(row, section, batch, .unknown) { _ in }
    }

    /// Adds a row with its objectID; of a duplicate, with its differences as well.
    func append(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, fate: SpooledFate = .unknown, work: RowScratch
    ) throws(Failure) {
        try unsafe append(row, section, batch, fate) { writer in
            unsafe writer.write(UInt64(bitPattern: work.objectIDs[row]))
            if fate.keepsDifferences {
                for word in 0..<wordCount { unsafe writer.write(work.differences[row * wordCount + word]) }
            }
            if fate == .duplicate { unsafe appendStated(row, work, &writer) }
        }
    }

    @inline(__always)
    private func append(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ fate: SpooledFate,
        _ writeState: (inout ByteWriter) -> Void
    ) throws(Failure) {
        let cells = unsafe section.typed.base + row * width
        let position = section.positions[row]
        let raw = unsafe section.raw.base + row * slotCount
        let arena = batch.arena
        var most = unsafe longest(cells, position, batch)
        // By index, here and below: iterating over an array retains it, each time.
        for place in slots.indices { unsafe most += ByteWriter.longest(raw[slots[place]], batch) }
        var writer = unsafe ByteWriter(try file.beginRow(most))
        // Most records share their parent with the one before: then it is left out.
        let parentPath = position.parentPath.kind == .text ? position.parentPath : Cell(kind: .text)
        let parent = unsafe arena.bytes(of: parentPath)
        let hasParent = unsafe !isLastParent(parent)
        unsafe writer.write(byte: fate.rawValue | (hasParent ? RowSpool.parentFlag : 0))
        unsafe writeState(&writer)
        unsafe writer.write(placeOf: position)
        if hasParent {
            lastParent = unsafe Array(parent)
            unsafe writer.write(scalar: parentPath, arena)
        }
        unsafe writer.write(scalar: position.step, arena)
        for place in kept.indices { unsafe writer.write(cells[kept[place]], batch, arena) }
        for place in slots.indices { unsafe writer.write(raw[slots[place]], batch, arena) }
        try unsafe file.endRow(writer.next)
        count += 1
    }

    /// Adds what a duplicate states and gives, and the digests of its references.
    private func appendStated(_ row: Int, _ work: RowScratch, _ writer: inout ByteWriter) {
        for place in row * wordCount..<(row + 1) * wordCount {
            unsafe writer.write(work.stated[place])
            unsafe writer.write(work.given[place])
        }
        let count = work.digested.count
        for place in row * count..<(row + 1) * count { unsafe writer.write(word: work.digests[place]) }
    }

    /// The most bytes that a row can take.
    private func longest(_ cells: UnsafePointer<Cell>, _ position: RecordPosition, _ batch: RecordBatch) -> Int {
        // The fate, the objectID, the numbers of a position, its parent and step; of a duplicate, three words for
        // each of the columns' words, and the digests.
        var bytes = unsafe (3 + 3 * wordCount + digestCount) * ByteWriter.longestNumber + ByteWriter.longestPlace
        bytes += unsafe ByteWriter.longest(position.parentPath, batch)
        bytes += unsafe ByteWriter.longest(position.step, batch)
        for place in kept.indices { unsafe bytes += ByteWriter.longest(cells[kept[place]], batch) }
        return bytes
    }

    private func isLastParent(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == lastParent.count else { return false }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        return unsafe memcmp(start, lastParent, bytes.count) == 0
    }

    // MARK: Reading

    func rewind() throws(Failure) {
        try file.rewind()
        lastParent = []
        parentCell = .absent
    }

    /// Reads the next row into a new row of the section, which it returns with its fate; nil at the end.
    func read(
        into section: EntityRecords, _ batch: RecordBatch, work: RowScratch? = nil
    ) throws(Failure) -> ReadRow? {
        guard let start = try unsafe file.nextRow() else { return nil }
        return unsafe read(start, into: section, batch, work)
    }

    /// Reads the next row of one of some objects, and maybe some of others; nil at the end.
    func read(
        of objects: ObjectIDSet, into section: EntityRecords, _ batch: RecordBatch, work: RowScratch
    ) throws(Failure) -> ReadRow? {
        while let start = try unsafe file.nextRow() {
            var reader = unsafe ByteReader(start)
            let hasParent = unsafe reader.readByte() & RowSpool.parentFlag != 0
            // A row with a parent is read anyway: those behind it may share it.
            if hasParent || objects.contains(unsafe Int64(bitPattern: reader.readNumber())) {
                return unsafe read(start, into: section, batch, work)
            }
        }
        return nil
    }

    private func read(
        _ start: UnsafePointer<UInt8>, into section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch?
    ) -> ReadRow {
        var reader = unsafe ByteReader(start)
        let row = section.appendTypedRow()
        let first = unsafe reader.readByte()
        let fate = SpooledFate(rawValue: first & ~RowSpool.parentFlag) ?? .unknown
        if let work {
            work.ensure(row + 1)
            work.objectIDs[row] = unsafe Int64(bitPattern: reader.readNumber())
            work.clearDifferences(row)
            if fate.keepsDifferences {
                for word in 0..<wordCount { work.differences[row * wordCount + word] = unsafe reader.readNumber() }
            }
            if fate == .duplicate { unsafe readStated(row, work, &reader) }
        }
        section.positions[row] = unsafe readPosition(&reader, batch, hasParent: first & RowSpool.parentFlag != 0)
        let cells = unsafe section.typed.base + row * width
        if kept.count < width {
            for index in 0..<width { unsafe cells[index] = .absent }
        }
        for index in kept { unsafe cells[index] = unsafe reader.readCell(batch, &batch.arena) }
        for slot in slots { section.raw[row * slotCount + slot] = unsafe reader.readCell(batch, &batch.arena) }
        return ReadRow(row: row, fate: fate)
    }

    private func readStated(_ row: Int, _ work: RowScratch, _ reader: inout ByteReader) {
        for place in row * wordCount..<(row + 1) * wordCount {
            work.stated[place] = unsafe reader.readNumber()
            work.given[place] = unsafe reader.readNumber()
        }
        let count = work.digested.count
        for place in row * count..<(row + 1) * count { work.digests[place] = unsafe reader.readWord() }
    }

    private func readPosition(
        _ reader: inout ByteReader, _ batch: RecordBatch, hasParent: Bool
    ) -> RecordPosition {
        var position = unsafe reader.readPlace()
        if hasParent {
            parentCell = unsafe reader.readCell(batch, &batch.arena)
            lastParent = unsafe Array(batch.arena.bytes(of: parentCell))
        }
        position.parentPath = parentCell(in: batch)
        position.step = unsafe reader.readCell(batch, &batch.arena)
        return position
    }

    /// The parent's text, in the arena of the batch at hand: which may have been reset since it was last there.
    private func parentCell(in batch: RecordBatch) -> Cell {
        if lastParent.isEmpty { return .absent }
        let isThere = parentCell.offset + parentCell.count <= batch.arena.count
        if isThere, unsafe isLastParent(batch.arena.bytes(of: parentCell)) { return parentCell }
        parentCell = batch.arena.appendText(String(decoding: lastParent, as: UTF8.self))
        return parentCell
    }
}
