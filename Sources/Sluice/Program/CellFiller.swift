import SluiceRecords
import SluiceStore

/// Writes the values of one record that a program makes into raw cells, as if the reader had found them.
struct CellFiller {
    let batch: RecordBatch
    let cells: Table<Cell>
    /// The record's first cell.
    let start: Int

    /// Fills the slots of an attribute or a relationship.
    func fill(_ value: FeedValue, _ place: MemberSlots.Place) {
        if place.isMany {
            fillMany(value, place)
        } else {
            put(value, place) { batch, cell, slot in cells[start + slot] = cell }
        }
    }

    /// The values of an attribute, or the targets of a to-many relationship: lists side by side.
    private func fillMany(_ value: FeedValue, _ place: MemberSlots.Place) {
        let slots = Array(place.key) + (place.selector.map { [$0] } ?? [])
        guard case .list(let targets) = value else {
            // Null, or what is no list: that is said when it is transformed.
            for slot in slots { cells[start + slot] = cell(value) }
            return
        }
        for slot in slots { cells[start + slot] = Cell(kind: .list) }
        for target in targets {
            put(target, place) { batch, cell, slot in
                var list = cells[start + slot]
                batch.append(cell, to: &list)
                cells[start + slot] = list
            }
        }
    }

    /// One value, or the parts of one reference.
    private func put(
        _ value: FeedValue, _ place: MemberSlots.Place, _ write: (RecordBatch, Cell, Int) -> Void
    ) {
        var value = value
        if let selector = place.selector {
            var name = Cell.null
            if case .target(let entity, let identifier) = value {
                name = text(entity, .string)
                value = identifier
            }
            write(batch, name, selector)
        }
        guard place.key.count > 1 else { return write(batch, cell(value), place.key.lowerBound) }
        guard case .list(let parts) = value, parts.count == place.key.count else {
            // Neither too few nor too many are an identifier.
            let wrong = value == .null ? Cell.null : Cell(kind: .array)
            for slot in place.key { write(batch, wrong, slot) }
            return
        }
        for (slot, part) in zip(place.key, parts) { write(batch, cell(part), slot) }
    }

    /// A value as the reader would have found it.
    private func cell(_ value: FeedValue) -> Cell {
        switch value {
        case .null: .null
        case .boolean(let value): Cell(kind: value ? .yes : .no)
        case .integer(let number): text(String(number), .number)
        // JSON has no word for what is no number: a text is refused with what it says.
        case .real(let number): text("\(number)", number.isFinite ? .number : .string)
        case .text(let string): text(string, .string)
        case .bytes(let bytes): blob(bytes)
        case .json(let value): json(value)
        case .list: Cell(kind: .array)
        case .target: Cell(kind: .object)
        }
    }

    private func json(_ value: JSONValue) -> Cell {
        switch value {
        case .null: .null
        case .boolean(let value): Cell(kind: value ? .yes : .no)
        case .text(let string): text(string, .string)
        case .integer, .real, .number: value.json == "null" ? .null : text(value.json, .number)
        case .list, .object: text(value.json, .json)
        }
    }

    private func text(_ string: String, _ kind: CellKind) -> Cell { batch.arena.appendText(string, kind: kind) }

    private func blob(_ bytes: [UInt8]) -> Cell {
        let offset = unsafe bytes.withUnsafeBufferPointer { bytes in
            // The arena wants an address even where there is nothing.
            unsafe bytes.baseAddress.map { unsafe batch.arena.append($0, bytes.count) } ?? batch.arena.reserve(0)
        }
        return Cell(kind: .blob, payload: UInt64(offset), length: UInt32(bytes.count))
    }
}
