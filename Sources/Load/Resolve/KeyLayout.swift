import Glibc
import SluiceRecords

/// Where the keys of one relationship are in a block of cells, as `RowLayout` has them: the selector, if the
/// relationship has one, then the converted values for each possible target, or for each way to find it.
@safe
struct KeyLayout {
    /// Whether the first cell says which target is meant.
    let hasSelector: Bool
    /// Values in a key.
    let keyWidth: Int
    /// Cells in a block.
    let blockWidth: Int

    init(_ relationship: Relationship) {
        hasSelector = relationship.selector != nil
        keyWidth = relationship.keyWidth
        blockWidth = relationship.keyCellCount
    }

    /// The target that a block selects; the first where none is selected.
    func selected(_ cells: UnsafePointer<Cell>) -> Int { hasSelector ? Int(unsafe cells[0].integer) : 0 }

    /// The key of a block for a search.
    @inline(__always)
    func key(_ cells: UnsafePointer<Cell>, _ search: Int) -> UnsafePointer<Cell> {
        unsafe cells + ((hasSelector ? 1 : 0) + search * keyWidth)
    }

    /// Whether no object can have a key as its identifier.
    func isImpossible(_ key: UnsafePointer<Cell>) -> Bool {
        for part in 0..<keyWidth {
            let kind = unsafe key[part].kind
            if kind == .impossible || kind == .null { return true }
        }
        return false
    }

    /// Whether two blocks say the same.
    @inline(__always)
    func isSame(_ a: UnsafePointer<Cell>, _ b: UnsafePointer<Cell>, _ arena: UnsafePointer<UInt8>) -> Bool {
        for part in 0..<blockWidth {
            let (x, y) = unsafe (a[part], b[part])
            guard x.kind == y.kind, x.length == y.length else { return false }
            if x.hasBytes {
                guard unsafe memcmp(arena + x.offset, arena + y.offset, x.count) == 0 else { return false }
            } else if x.payload != y.payload {
                return false
            }
        }
        return true
    }
}
