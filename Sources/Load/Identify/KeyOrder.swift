import Glibc
import SluiceRecords

/// Compares two byte strings as SQLite's BINARY collation does: byte by byte, the shorter first.
@inlinable @inline(__always)
package func compare(_ a: UnsafePointer<UInt8>, _ aCount: Int, _ b: UnsafePointer<UInt8>, _ bCount: Int) -> Int {
    let order = unsafe memcmp(a, b, min(aCount, bCount))
    return order != 0 ? Int(order) : aCount - bCount
}

/// Compares two cells of one column in SQLite's order. Neither is null.
@inlinable @inline(__always)
package func compare(_ a: Cell, _ b: Cell, _ arena: UnsafePointer<UInt8>) -> Int {
    switch a.kind {
    case .integer: a.integer < b.integer ? -1 : a.integer == b.integer ? 0 : 1
    case .real: a.real < b.real ? -1 : a.real == b.real ? 0 : 1
    default: unsafe compare(arena + a.offset, a.count, arena + b.offset, b.count)
    }
}

/// Identifiers to look up, each with a number of the caller's (a row): sorted as SQLite sorts them, and without
/// repetition once `sort` has run. Its memory is used again for each batch.
@safe
package struct SortedKeys {
    /// Cells in a key.
    package let width: Int
    package private(set) var count = 0
    @usableFromInline private(set) var cells = Table<Cell>()
    @usableFromInline private(set) var order = Table<Entry>()

    /// A key's place: eight bytes that sort as the key's first cell does, as far as eight bytes can, the key, and the
    /// caller's number.
    @usableFromInline struct Entry: BitwiseCopyable {
        @usableFromInline var prefix: UInt64
        @usableFromInline var key: Int32
        @usableFromInline var number: Int32
    }

    package init(width: Int) { self.width = width }

    /// The identifiers of rows, sorted; of equal ones the first.
    init(
        identifiersOf rows: some Sequence<Int>, _ traits: EntityTraits, _ section: EntityRecords, _ arena: Arena
    ) {
        self.init(width: traits.identifierCount)
        for row in rows { append(identifierOf: row, traits, section, arena) }
        unsafe sort(arena.base) { _ in }
    }

    package mutating func removeAll() { count = 0 }

    package mutating func deallocate() {
        cells.deallocate()
        order.deallocate()
    }

    /// Adds the identifier of a row, which is its number.
    @inline(__always)
    mutating func append(identifierOf row: Int, _ traits: EntityTraits, _ section: EntityRecords, _ arena: Arena) {
        unsafe traits.withIdentifier(of: row, section) { cells in unsafe append(cells, number: row, arena.base) }
    }

    /// Adds a key: the cells at `start` of a row.
    @inline(__always)
    package mutating func append(_ start: UnsafePointer<Cell>, number: Int, _ arena: UnsafePointer<UInt8>) {
        cells.ensure((count + 1) * width)
        order.ensure(count + 1)
        for part in 0..<width { unsafe cells.base[count * width + part] = start[part] }
        order[count] = Entry(prefix: unsafe prefix(of: start[0], arena), key: Int32(count), number: Int32(number))
        count += 1
    }

    /// The cell `part` of the key at a place in the order.
    @inlinable @inline(__always)
    package func cell(_ place: Int, _ part: Int) -> Cell {
        unsafe cells.base[Int(order.base[place].key) * width + part]
    }

    /// The caller's number of the key at a place in the order.
    @inlinable @inline(__always)
    package func number(_ place: Int) -> Int { unsafe Int(order.base[place].number) }

    /// Sorts the keys; of equal ones the first added stays, and the numbers of the others go to `repeated`, ascending.
    package mutating func sort(_ arena: UnsafePointer<UInt8>, repeated: (Int) -> Void) {
        if !(unsafe isStrictlyAscending(arena)) {
            var entries = unsafe UnsafeMutableBufferPointer(start: order.base, count: count)
            let view = self
            unsafe entries.sort { a, b in
                if a.prefix != b.prefix { return a.prefix < b.prefix }
                let difference = unsafe view.compareKeys(Int(a.key), Int(b.key), arena)
                return difference != 0 ? difference < 0 : a.key < b.key
            }
            unsafe dropRepeated(arena, repeated)
        }
    }

    /// The order of two keys; 0: they are equal.
    private func compareKeys(_ a: Int, _ b: Int, _ arena: UnsafePointer<UInt8>) -> Int {
        for part in 0..<width {
            let difference = unsafe compare(cells.base[a * width + part], cells.base[b * width + part], arena)
            if difference != 0 { return difference }
        }
        return 0
    }

    private func isStrictlyAscending(_ arena: UnsafePointer<UInt8>) -> Bool {
        guard count > 1 else { return true }
        for place in 1..<count {
            let a = order[place - 1]
            let b = order[place]
            if a.prefix > b.prefix { return false }
            if a.prefix == b.prefix, unsafe compareKeys(Int(a.key), Int(b.key), arena) >= 0 { return false }
        }
        return true
    }

    private mutating func dropRepeated(_ arena: UnsafePointer<UInt8>, _ repeated: (Int) -> Void) {
        var dropped: [Int] = []
        var kept = 1
        for place in 1..<count {
            let entry = order[place]
            let last = order[kept - 1]
            if entry.prefix == last.prefix, unsafe compareKeys(Int(entry.key), Int(last.key), arena) == 0 {
                dropped.append(Int(entry.number))
            } else {
                order[kept] = entry
                kept += 1
            }
        }
        count = kept
        dropped.sort()
        dropped.forEach(repeated)
    }

    @inline(__always)
    private func prefix(of cell: Cell, _ arena: UnsafePointer<UInt8>) -> UInt64 {
        switch cell.kind {
        case .integer: return UInt64(bitPattern: cell.integer) ^ (1 << 63)
        case .real:
            // The order of doubles as unsigned integers: flip all bits of the negative ones, the sign of the others.
            let bits = (cell.real == 0 ? 0.0 : cell.real).bitPattern
            return bits >> 63 == 1 ? ~bits : bits | 1 << 63
        default:
            var bytes: UInt64 = 0
            unsafe withUnsafeMutableBytes(of: &bytes) { target in
                unsafe target.copyMemory(
                    from: UnsafeRawBufferPointer(start: arena + cell.offset, count: min(8, cell.count)))
            }
            return UInt64(bigEndian: bytes)
        }
    }
}
