import SluiceRecords

/// How deep JSON is nested.
enum JSONDepth {
    /// Whether a value, as JSON, has more levels than a limit. Each level takes at least two bytes: values that are too
    /// short for so many are not searched.
    @inline(__always)
    static func exceeds(_ limit: Int, _ cell: Cell, _ arena: UnsafePointer<UInt8>) -> Bool {
        guard cell.hasBytes, cell.count / 2 > limit else { return false }
        return unsafe exceeds(limit, arena + cell.offset, cell.count)
    }

    private static func exceeds(_ limit: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var (depth, isText, index) = (0, false, 0)
        while index < count {
            switch unsafe bytes[index] {
            case UInt8(ascii: "\\") where isText: index += 1
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isText { depth += 1 }
                if depth > limit { return true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
            default: break
            }
            index += 1
        }
        return false
    }
}
