import Records

/// What the first pass knew of a row that waits for the second.
enum RowOutcome: UInt8 {
    /// Whole record, not yet looked for in the store.
    case unknown
    /// The object was created from this record.
    case created
    /// The object was there, and this record's attributes changed it.
    case updated
    /// The object was there, and this record's attributes left it alone.
    case unchanged
    /// A later copy of a record of this run.
    case duplicate
}

/// Rows of one entity that wait on disk for the second pass: whole records, or just the references of records whose
/// objects are there already.
final class RowSpool {
    private let file: SpoolFile
    /// The cells that are kept, in their order.
    private let kept: [Int]
    private let width: Int
    private let wordCount: Int
    private var lastParent: [UInt8] = []
    private var parentCell: Cell?
    private(set) var count = 0

    /// With `whole` all cells are kept, else those of the identifier and the relationships.
    init(_ entity: Entity, whole: Bool) throws(Failure) {
        file = try SpoolFile()
        width = entity.layout.width
        kept = (0..<width).filter { cell in
            whole || cell >= entity.attributes.count || entity.identifier.contains(cell)
        }
        wordCount = RowWork(entity).wordCount
    }

    // MARK: Writing

    /// Adds a row; `differences` are kept for duplicates.
    func append(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, outcome: RowOutcome = .unknown,
        work: RowWork? = nil
    ) throws(Failure) {
        try file.write(byte: outcome.rawValue)
        if let work {
            try file.write(UInt64(bitPattern: work.objectIDs[row]))
            if outcome == .duplicate {
                for word in 0..<wordCount { try file.write(work.differences[row * wordCount + word]) }
            }
        }
        try append(section.positions[row], batch.arena)
        let cells = unsafe section.typed.base + row * width
        for index in kept { try append(unsafe cells[index], batch) }
        count += 1
    }

    private func append(_ position: RecordPosition, _ arena: Arena) throws(Failure) {
        try file.write(UInt64(position.source))
        try file.write(UInt64(position.file))
        try file.write(position.record)
        try file.write(position.line)
        try file.write(position.column)
        try file.write(position.offset)
        try appendParent(position.parentPath, arena)
        try append(scalar: position.step, arena)
    }

    /// Most records share their parent with the one before: then one byte says so.
    private func appendParent(_ parent: Cell, _ arena: Arena) throws(Failure) {
        let bytes = unsafe arena.bytes(of: parent.kind == .text ? parent : Cell(kind: .text))
        if unsafe bytes.elementsEqual(lastParent) {
            try file.write(byte: 0)
            return
        }
        lastParent = unsafe Array(bytes)
        try file.write(byte: 1)
        try append(scalar: parent, arena)
    }

    private func append(_ cell: Cell, _ batch: RecordBatch) throws(Failure) {
        guard cell.kind == .list else {
            try append(scalar: cell, batch.arena)
            return
        }
        try file.write(byte: cell.kind.rawValue)
        try file.write(UInt64(cell.length))
        var index = cell.head
        for _ in 0..<cell.count {
            let element = batch.elements[index]
            try append(scalar: element.cell, batch.arena)
            index = Int(element.next)
        }
    }

    @inline(__always)
    private func append(scalar cell: Cell, _ arena: Arena) throws(Failure) {
        try file.write(byte: cell.kind.rawValue)
        switch cell.kind {
        // Zigzag: small numbers of either sign are short.
        case .integer: try file.write(UInt64(bitPattern: (cell.integer << 1) ^ (cell.integer >> 63)))
        case .real: try file.write(cell.payload)
        case .text, .blob, .impossible:
            try file.write(UInt64(cell.length))
            try unsafe file.write(arena.base + cell.offset, cell.count)
        default: break
        }
    }

    // MARK: Reading

    func rewind() throws(Failure) {
        try file.rewind()
        lastParent = []
    }

    /// Reads the next row into a new row of the section, which it returns with its outcome; nil at the end.
    func read(
        into section: EntityRecords, _ batch: RecordBatch, work: RowWork? = nil
    ) throws(Failure) -> (row: Int, outcome: RowOutcome)? {
        guard let first = try file.readByte() else { return nil }
        let row = section.appendTypedRow()
        let outcome = RowOutcome(rawValue: first) ?? .unknown
        if let work {
            work.ensure(row + 1)
            work.objectIDs[row] = Int64(bitPattern: try file.readNumber())
            work.clearDifferences(row)
            if outcome == .duplicate {
                for word in 0..<wordCount { work.differences[row * wordCount + word] = try file.readNumber() }
            }
        }
        section.positions[row] = try readPosition(batch)
        if kept.count < width {
            for index in 0..<width { section.typed[row * width + index] = .absent }
        }
        for index in kept { section.typed[row * width + index] = try readCell(batch) }
        return (row, outcome)
    }

    private func readPosition(_ batch: RecordBatch) throws(Failure) -> RecordPosition {
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: try file.readNumber())
        position.file = UInt32(truncatingIfNeeded: try file.readNumber())
        position.record = try file.readNumber()
        position.line = try file.readNumber()
        position.column = try file.readNumber()
        position.offset = try file.readNumber()
        if try file.requireByte() == 1 {
            let parent = try readCell(batch)
            lastParent = unsafe Array(batch.arena.bytes(of: parent))
        }
        position.parentPath = lastParentCell(batch)
        position.step = try readCell(batch)
        return position
    }

    /// The parent's text, in the arena of the batch at hand.
    private func lastParentCell(_ batch: RecordBatch) -> Cell {
        if lastParent.isEmpty { return .absent }
        // The batch may have been reset since: the bytes themselves tell.
        if let parentCell, parentCell.offset + parentCell.count <= batch.arena.count,
            unsafe batch.arena.bytes(of: parentCell).elementsEqual(lastParent)
        {
            return parentCell
        }
        let cell = batch.arena.appendText(String(decoding: lastParent, as: UTF8.self))
        parentCell = cell
        return cell
    }

    private func readCell(_ batch: RecordBatch) throws(Failure) -> Cell {
        guard let kind = CellKind(rawValue: try file.requireByte()) else {
            throw Failure(.defect, "a temporary file holds what was not written")
        }
        guard kind == .list else { return try readScalar(kind, batch) }
        let count = try file.readNumber()
        var list = Cell(kind: .list)
        for _ in 0..<count { batch.append(try readCell(batch), to: &list) }
        return list
    }

    @inline(__always)
    private func readScalar(_ kind: CellKind, _ batch: RecordBatch) throws(Failure) -> Cell {
        switch kind {
        case .integer:
            let number = try file.readNumber()
            return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
        case .real: return Cell(kind: .real, payload: try file.readNumber())
        case .text, .blob, .impossible:
            let length = Int(try file.readNumber())
            let offset = batch.arena.reserve(length)
            try unsafe file.read(into: batch.arena.base + offset, length)
            return Cell(kind: kind, payload: UInt64(offset), length: UInt32(length))
        default: return Cell(kind: kind)
        }
    }
}
