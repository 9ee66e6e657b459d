import SluiceRecords

// Column by column: the kind of a column is looked up once for a batch.
extension RecordColumns {
    /// Adds the records of a batch, which has been transformed, that are objects or say that theirs is gone.
    ///
    /// - Parameters:
    ///   - source: the name of the source.
    ///   - file: as who has started the extraction names it.
    ///   - part: the name of the part.
    package func add(
        _ section: EntityRecords, _ batch: RecordBatch, _ source: String, _ file: String, _ part: String,
        to output: ParquetFile
    ) {
        let rows = (0..<section.count).filter { [.complete, .gone].contains(section.status[$0]) }
        let buffers = output.buffers
        fillPlaces(rows, section, batch, [source, file, part], buffers)
        var next = Place.allCases.count
        for cell in cells {
            fill(buffers[next], cell, rows, section, batch)
            next += 1
        }
        if hasGone {
            for row in rows {
                buffers[next].value()
                buffers[next].put(section.status[row] == .gone)
            }
            next += 1
        }
        for first in stride(from: 0, to: max(firsts.count, 1), by: RecordColumns.marks) {
            numbers(rows, buffers[next]) { UInt64(bitPattern: absent(section, $0, first)) }
            next += 1
        }
        output.endRows(rows.count)
    }

    func fillPlaces(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, _ names: [String], _ buffers: [ColumnBuffer]
    ) {
        for (name, buffer) in zip(names, buffers) { buffer.put(Array(name.utf8), count: rows.count) }
        numbers(rows, buffers[3]) { section.positions[$0].offset }
        numbers(rows, buffers[4]) { section.positions[$0].record }
        numbers(rows, buffers[5]) { section.positions[$0].line }
        numbers(rows, buffers[6]) { section.positions[$0].column }
        paths(rows, section, batch, buffers[7])
    }

    private func numbers(_ rows: [Int], _ buffer: ColumnBuffer, _ number: (Int) -> UInt64) {
        buffer.values(rows.count)
        for row in rows { buffer.put(Int64(bitPattern: number(row))) }
    }

    private func paths(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, _ buffer: ColumnBuffer) {
        let arena = batch.arena
        var path = PathText()
        buffer.values(rows.count)
        for row in rows {
            path.set(section.positions[row], in: arena)
            buffer.put(path.bytes)
        }
    }

    /// The bits of the members from one on that have nothing in a row.
    private func absent(_ section: EntityRecords, _ row: Int, _ first: Int) -> Int64 {
        let (typed, start) = (section.typed, row * section.width)
        var mask: Int64 = 0
        for member in first..<min(first + RecordColumns.marks, firsts.count)
        where typed[start + firsts[member]].kind == .absent {
            mask |= 1 << (member - first)
        }
        return mask
    }

    // MARK: Values

    func fill(
        _ buffer: ColumnBuffer, _ cell: CellColumn, _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch
    ) {
        let (typed, width) = (section.typed, section.width)
        if cell.column.isList {
            for row in rows { fillList(buffer, cell, row * width, typed, batch) }
            return
        }
        switch cell.part {
        case .value: fillValues(buffer, cell, rows, typed, width, batch)
        case .impossible(let cells): fillImpossible(buffer, cells, rows, typed, width, batch)
        case .name:
            for row in rows {
                let value = typed[row * width + cell.cell]
                guard isThere(value, cell) else {
                    buffer.null()
                    continue
                }
                buffer.value()
                put(value, cell, to: buffer, batch)
            }
        }
    }

    private func fillValues(
        _ buffer: ColumnBuffer, _ cell: CellColumn, _ rows: [Int], _ typed: Table<Cell>, _ width: Int,
        _ batch: RecordBatch
    ) {
        let (number, kind, arena) = (cell.cell, cell.column.kind, batch.arena)
        for row in rows {
            let value = typed[row * width + number]
            guard !value.isNull && value.kind != .impossible else {
                buffer.null()
                continue
            }
            buffer.value()
            put(value, kind, to: buffer, arena)
        }
    }

    /// Of each row, the first cell that is impossible: mostly there is none.
    private func fillImpossible(
        _ buffer: ColumnBuffer, _ cells: [Int], _ rows: [Int], _ typed: Table<Cell>, _ width: Int,
        _ batch: RecordBatch
    ) {
        let arena = batch.arena
        for row in rows {
            var shown: Cell?
            for cell in cells where shown == nil && typed[row * width + cell].kind == .impossible {
                shown = typed[row * width + cell]
            }
            guard let shown else {
                buffer.null()
                continue
            }
            buffer.value()
            put(shown, .text, to: buffer, arena)
        }
    }

    private func fillList(
        _ buffer: ColumnBuffer, _ cell: CellColumn, _ start: Int, _ typed: Table<Cell>, _ batch: RecordBatch
    ) {
        let value = typed[start + cell.cell]
        guard value.kind == .list else { return buffer.null() }
        guard value.count > 0 else { return buffer.emptyList() }
        var indices = cellsShown(cell).map { typed[start + $0].head }
        for place in 0..<value.count {
            let elements = indices.map { batch.elements[$0] }
            let shown = elements.map(\.cell).first { isThere($0, cell) }
            buffer.element(isFirst: place == 0, isNull: shown == nil)
            if let shown { put(shown, cell, to: buffer, batch) }
            indices = elements.map { Int($0.next) }
        }
    }

    /// The cells that a column looks at: of what is impossible, those of all ways.
    private func cellsShown(_ cell: CellColumn) -> [Int] {
        if case .impossible(let cells) = cell.part { return cells }
        return [cell.cell]
    }

    private func isThere(_ value: Cell, _ cell: CellColumn) -> Bool {
        if case .impossible = cell.part { return value.kind == .impossible }
        return !value.isNull && value.kind != .impossible
    }

    private func put(_ value: Cell, _ cell: CellColumn, to buffer: ColumnBuffer, _ batch: RecordBatch) {
        switch cell.part {
        case .name(let names): buffer.put(Array(names[Int(value.integer)].utf8))
        case .impossible: put(value, .text, to: buffer, batch.arena)
        case .value: put(value, cell.column.kind, to: buffer, batch.arena)
        }
    }

    private func put(_ value: Cell, _ kind: ParquetColumn.Kind, to buffer: ColumnBuffer, _ arena: borrowing Arena) {
        switch value.kind {
        case .integer: kind == .boolean ? buffer.put(value.integer != 0) : buffer.put(value.integer)
        case .real: buffer.put(value.real)
        default:
            let bytes = unsafe arena.bytes(of: value)
            if kind == .date {
                buffer.put(days: CalendarDays.days(unsafe Array(bytes)))
            } else {
                unsafe buffer.put(bytes)
            }
        }
    }
}
