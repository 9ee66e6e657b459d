import SluiceRecords

/// Hashes of what objects hold and of what records say, to compare two without keeping either. The
/// seed keeps a feed from being made for its values to collide.
package struct ValueHash {
    @usableFromInline let seed: UInt64

    package init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

    @inlinable func seed(of column: Int) -> UInt64 { foldProduct(seed ^ UInt64(column + 1), 0x9e37_79b9_7f4a_7c15) }

    @inlinable @inline(__always)
    package func null(_ column: Int) -> UInt64 { number(0, 0, column) }

    /// A number of a kind.
    @inlinable @inline(__always)
    func number(_ bits: UInt64, _ kind: UInt64, _ column: Int) -> UInt64 {
        let seed = seed(of: column)
        return foldProduct(bits ^ seed, (seed << 32 | seed >> 32) ^ kind)
    }

    @inlinable @inline(__always)
    package func integer(_ value: Int64, _ column: Int) -> UInt64 { number(UInt64(bitPattern: value), 1, column) }

    /// Zero is one value, whatever its sign.
    @inlinable @inline(__always)
    package func real(_ value: Double, _ column: Int) -> UInt64 {
        number((value == 0 ? 0.0 : value).bitPattern, 2, column)
    }

    /// Bytes, which are a text or not.
    @inlinable @inline(__always)
    package func bytes(_ start: UnsafePointer<UInt8>, _ count: Int, isText: Bool, _ column: Int) -> UInt64 {
        unsafe hashBytes(start, count, seed: seed(of: column) ^ (isText ? 3 : 4))
    }

    /// A typed cell that is no list.
    @inlinable @inline(__always)
    package func cell(_ cell: Cell, _ arena: UnsafePointer<UInt8>, _ column: Int) -> UInt64 {
        switch cell.kind {
        case .integer: integer(cell.integer, column)
        case .real: real(cell.real, column)
        case .text: unsafe bytes(arena + cell.offset, cell.count, isText: true, column)
        case .blob: unsafe bytes(arena + cell.offset, cell.count, isText: false, column)
        case .impossible: ~(unsafe bytes(arena + cell.offset, cell.count, isText: true, column))
        default: null(column)
        }
    }

    /// A reference at a place among those of a column; null counts for nothing.
    @inlinable @inline(__always)
    package func reference(_ reference: Reference, position: Int64 = 0, _ column: Int) -> UInt64 {
        if !reference.isKnown { return 0 }
        return foldProduct(integer(reference.number, column), UInt64(bitPattern: position) ^ seed)
    }

    /// Several hashes as one, in their order.
    @inlinable @inline(__always)
    package func joined(_ first: UInt64, _ second: UInt64) -> UInt64 {
        foldProduct(first ^ seed, second &+ 0x9e37_79b9_7f4a_7c15)
    }
}
