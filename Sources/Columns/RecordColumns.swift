import SluiceRecords

/// The records of one entity as columns: what each is, and how a row of a batch fills them.
///
/// First where the record stands, then the attributes, then the keys of references, then what of all that is absent.
package struct RecordColumns {
    /// In the order of ``ParquetFile/buffers``.
    package let columns: [ParquetColumn]
    private let entity: Entity
    private let cells: [CellColumn]
    /// The first cells of the attributes and relationships: absent ones are marked.
    private let firsts: [Int]
    private let hasGone: Bool

    /// A column with the cell that it shows.
    private struct CellColumn {
        /// What of the cell.
        enum Part {
            case value
            /// The name of the target that a selector chose, by its number.
            case name([String])
            /// What no identifier can be, as the feed has it.
            case impossible(cells: Range<Int>)
        }

        var column: ParquetColumn
        var cell: Int
        var part = Part.value
    }

    /// Marks in one column.
    private static let marks = 63

    /// - Parameter names: of the entities of the model.
    package init(_ entity: Entity, model: Model) {
        self.entity = entity
        hasGone = !entity.deletions.isEmpty
        var cells = entity.attributes.enumerated().map { index, attribute in
            CellColumn(column: ParquetColumn(attribute.name, .init(attribute.conversion)), cell: index)
        }
        let layout = entity.layout
        for (index, relationship) in entity.relationships.enumerated() {
            cells += RecordColumns.keys(of: relationship, at: layout.relationshipStart[index], model)
        }
        self.cells = cells
        firsts = Array(entity.attributes.indices) + layout.relationshipStart
        let places: [ParquetColumn] = [
            .init("_source", .text), .init("_file", .text), .init("_offset", .integer), .init("_record", .integer),
            .init("_line", .integer), .init("_column", .integer), .init("_path", .text),
        ]
        let masks = stride(from: 0, to: max(firsts.count, 1), by: RecordColumns.marks).map { start in
            ParquetColumn(start == 0 ? "_absent" : "_absent.\(start / RecordColumns.marks)", .integer)
        }
        columns = places + cells.map(\.column) + (hasGone ? [ParquetColumn("_gone", .boolean)] : []) + masks
    }

    private static func keys(of relationship: Relationship, at start: Int, _ model: Model) -> [CellColumn] {
        let (name, isMany, count) = (relationship.name, relationship.isMany, relationship.key.count)
        let targets = relationship.targets.map { model.entities[$0.entity].name }
        var columns: [CellColumn] = []
        var next = start
        if relationship.selector != nil {
            columns.append(
                CellColumn(
                    column: ParquetColumn("\(name).entity", .text, isList: isMany), cell: next, part: .name(targets)))
            next += 1
        }
        let keys = next..<next + targets.count * count
        for (index, target) in relationship.targets.enumerated() {
            for part in 0..<count {
                let path =
                    [name] + (relationship.isPolymorphic ? [targets[index]] : []) + (count > 1 ? ["\(part + 1)"] : [])
                columns.append(
                    CellColumn(
                        column: ParquetColumn(
                            path.joined(separator: "."), .init(target.conversions[part]), isList: isMany),
                        cell: next))
                next += 1
            }
        }
        return columns + [
            CellColumn(
                column: ParquetColumn("\(name).impossible", .text, isList: isMany), cell: keys.lowerBound,
                part: .impossible(cells: keys))
        ]
    }

    // MARK: Rows

    /// Adds a row of a batch, which has been transformed.
    ///
    /// - Parameters:
    ///   - source: the name of the source.
    ///   - file: as who has started the extraction names it.
    package func add(
        _ row: Int, of section: EntityRecords, _ batch: RecordBatch, _ source: String, _ file: String,
        to output: ParquetFile
    ) {
        let buffers = output.buffers
        let position = section.positions[row]
        RecordColumns.put(source, to: buffers[0])
        RecordColumns.put(file, to: buffers[1])
        for (buffer, number) in [position.offset, position.record, position.line, position.column].enumerated() {
            RecordColumns.put(Int64(bitPattern: number), to: buffers[2 + buffer])
        }
        RecordColumns.put(position.path(in: batch.arena), to: buffers[6])
        let start = row * section.width
        var next = 7
        for cell in cells {
            fill(buffers[next], cell, start, section.typed, batch)
            next += 1
        }
        if hasGone {
            buffers[next].value()
            buffers[next].put(section.status[row] == .gone)
            next += 1
        }
        for first in stride(from: 0, to: max(firsts.count, 1), by: RecordColumns.marks) {
            var mask: Int64 = 0
            for member in first..<min(first + RecordColumns.marks, firsts.count)
            where section.typed[start + firsts[member]].kind == .absent {
                mask |= 1 << (member - first)
            }
            RecordColumns.put(mask, to: buffers[next])
            next += 1
        }
        output.endRow()
    }

    private func fill(
        _ buffer: ColumnBuffer, _ cell: CellColumn, _ start: Int, _ typed: Table<Cell>, _ batch: RecordBatch
    ) {
        let value = chosen(cell, start, typed)
        guard cell.column.isList else {
            guard isThere(value, cell) else { return buffer.null() }
            buffer.value()
            put(value, cell, to: buffer, batch)
            return
        }
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

    /// The cells that a column looks at: of what is impossible, all parts of all keys.
    private func cellsShown(_ cell: CellColumn) -> [Int] {
        if case .impossible(let cells) = cell.part { return Array(cells) }
        return [cell.cell]
    }

    /// The cell that a column shows: of what is impossible, the first part that is.
    private func chosen(_ cell: CellColumn, _ start: Int, _ typed: Table<Cell>) -> Cell {
        guard case .impossible(let cells) = cell.part, !cell.column.isList else { return typed[start + cell.cell] }
        return cells.map { typed[start + $0] }.first { $0.kind == .impossible } ?? .null
    }

    private func isThere(_ value: Cell, _ cell: CellColumn) -> Bool {
        if case .impossible = cell.part { return value.kind == .impossible }
        return !value.isNull && value.kind != .impossible
    }

    private func put(_ value: Cell, _ cell: CellColumn, to buffer: ColumnBuffer, _ batch: RecordBatch) {
        if case .name(let names) = cell.part { return buffer.put(names[Int(value.integer)].utf8) }
        switch value.kind {
        case .integer:
            cell.column.kind == .boolean ? buffer.put(value.integer != 0) : buffer.put(value.integer)
        case .real: buffer.put(value.real)
        default:
            let bytes = unsafe batch.arena.bytes(of: value)
            if cell.column.kind == .date, case .value = cell.part {
                buffer.put(days: CalendarDays.days(unsafe Array(bytes)))
            } else {
                unsafe buffer.put(bytes)
            }
        }
    }

    private static func put(_ text: String, to buffer: ColumnBuffer) {
        buffer.value()
        buffer.put(text.utf8)
    }

    private static func put(_ number: Int64, to buffer: ColumnBuffer) {
        buffer.value()
        buffer.put(number)
    }
}

extension ParquetColumn.Kind {
    /// What an attribute of such values is: what must stay exact, and has no exact type everywhere, is text.
    init(_ conversion: Conversion) {
        self =
            switch conversion.type {
            case .text, .datetime, .json: .text
            case .decimal: conversion.isInteger ? .integer : .text
            case .integer: .integer
            case .real: .real
            case .boolean: .boolean
            case .date: .date
            case .bytes: .bytes
            }
    }
}

/// Days since 1970 in the Gregorian calendar.
enum CalendarDays {
    /// Of a date as Transform writes it, `2026-11-22`.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    static func days(_ text: [UInt8]) -> Int32 {
        let numbers = text.split(separator: UInt8(ascii: "-")).map { digits in
            digits.reduce(0) { $0 * 10 + Int32($1 &- UInt8(ascii: "0")) }
        }
        guard numbers.count == 3 else { return 0 }
        let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (numbers[1] + (numbers[1] > 2 ? -3 : 9)) + 2) / 5 + numbers[2] - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
