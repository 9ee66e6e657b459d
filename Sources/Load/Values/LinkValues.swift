import SluiceRecords

/// What the links of one relationship have of their own, for as long as some rows are at hand: each combination of
/// values has a number, so that links can be compared by these. Where links have nothing, theirs is 0.
@safe
package final class LinkValues {
    package let columns: [Attribute]
    package private(set) var arena = Arena(capacity: 256)
    private var cells = Table<Cell>(capacity: 0)
    private var numbers: [[UInt8]: Int32] = [:]
    /// A combination on its way.
    private var made: [Cell] = []
    private var key: [UInt8] = []

    init(_ relationship: Relationship) { columns = relationship.values }

    deinit {
        arena.deallocate()
        cells.deallocate()
    }

    package var isEmpty: Bool { columns.isEmpty }

    /// Forgets all of them: no number is used any more.
    package func reset() {
        if numbers.isEmpty { return }
        arena.reset()
        numbers.removeAll(keepingCapacity: true)
    }

    /// The first of the cells, those of one combination after those of another, by number from 1; null where it is 0.
    package var base: UnsafePointer<Cell> { unsafe UnsafePointer(cells.base) }

    package func cell(_ number: Int32, _ column: Int) -> Cell {
        number == 0 ? .null : cells[(Int(number) - 1) * columns.count + column]
    }

    // MARK: Numbers

    /// The number of the values that some cells have.
    package func number(of cells: [Cell], _ arena: Arena) -> Int32 {
        let start = self.arena.count
        made.removeAll(keepingCapacity: true)
        for cell in cells {
            guard cell.hasBytes else {
                made.append(cell)
                continue
            }
            let offset = unsafe self.arena.append(arena.base + cell.offset, cell.count)
            made.append(Cell(kind: cell.kind, payload: UInt64(offset), length: cell.length))
        }
        return numberMade(from: start)
    }

    /// The number of the values that a store reads, each as a cell whose bytes are in the arena.
    package func number(reading cell: (_ column: Int, _ arena: inout Arena) -> Cell) -> Int32 {
        if columns.isEmpty { return 0 }
        let start = arena.count
        made.removeAll(keepingCapacity: true)
        for index in columns.indices { made.append(cell(index, &arena)) }
        return numberMade(from: start)
    }

    /// The number of the values that wait as a text; 0 where there is none.
    package func number(of text: String?) -> Int32 {
        guard let text, !columns.isEmpty else { return 0 }
        let start = arena.count
        let members = LinkText.members(of: text)
        made = columns.map { LinkText.cell(members[ExactText($0.name)], $0.conversion.column, &arena) }
        return numberMade(from: start)
    }

    private func numberMade(from start: Int) -> Int32 {
        key.removeAll(keepingCapacity: true)
        for index in made.indices {
            if made[index].kind == .real, made[index].real == 0 { made[index] = .real(0) }
            append(made[index])
        }
        if let number = numbers[key] {
            arena.truncate(to: start)
            return number
        }
        let number = numbers.count + 1
        cells.ensure(number * columns.count)
        for (index, cell) in made.enumerated() { cells[(number - 1) * columns.count + index] = cell }
        numbers[key] = Int32(number)
        return Int32(number)
    }

    /// Adds what distinguishes a value from others.
    private func append(_ cell: Cell) {
        key.append(cell.isNull ? 0 : cell.kind.rawValue)
        switch cell.kind {
        case .integer, .real: append(cell.payload)
        case .text, .blob, .impossible:
            // The length first, so that ("a", "bc") is not ("ab", "c").
            append(UInt64(cell.length))
            unsafe key.append(contentsOf: arena.bytes(of: cell))
        default: break
        }
    }

    private func append(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { key.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    // MARK: Otherwise

    /// What distinguishes values from others, whatever their number is; 0 where there are none.
    package func hash(_ number: Int32, _ hash: ValueHash) -> UInt64 {
        if number == 0 { return 0 }
        return columns.indices.reduce(1) { joined, column in
            unsafe hash.joined(joined, hash.cell(cell(number, column), arena.base, column))
        }
    }

    /// Whether a text of the waiting list says these values.
    package func isSame(_ text: String?, _ number: Int32) -> Bool {
        columns.isEmpty || self.number(of: text) == number
    }

    /// The values as the waiting list keeps them; nil: there are none.
    package func text(_ number: Int32) -> String? {
        if number == 0 { return nil }
        return JSONText.object(columns.enumerated().map { ($1.name, arena.json(of: cell(number, $0))) })
    }
}
