import SluiceRecords

/// A value of a member of some elements, with the place of the element that it is in: bytes in the arena.
struct ElementEntry: BitwiseCopyable {
    var place: Int
    var length: Int
    /// Which of the members.
    var member: Int
    var value: Cell
}

extension ElementEntry {
    /// By places, which is how elements follow one another: an element before those in it.
    func isBefore(_ other: ElementEntry, _ bytes: UnsafePointer<UInt8>) -> Bool {
        for index in 0..<min(length, other.length) {
            let (one, two) = unsafe (bytes[place + index], bytes[other.place + index])
            if one != two { return one < two }
        }
        return length < other.length
    }

    /// Whether both are of one element.
    func isBeside(_ other: ElementEntry, _ bytes: UnsafePointer<UInt8>) -> Bool {
        guard length == other.length else { return false }
        return unsafe isAround(other, bytes)
    }

    /// Whether the other's element is this one's, or in it.
    func isAround(_ other: ElementEntry, _ bytes: UnsafePointer<UInt8>) -> Bool {
        guard length <= other.length else { return false }
        for index in 0..<length where unsafe bytes[place + index] != bytes[other.place + index] { return false }
        return true
    }
}

extension Table where Element == ElementEntry {
    /// Sorts so many entries by their places, in their own memory. Most come in this order.
    func sort(_ count: Int, _ bytes: UnsafePointer<UInt8>) {
        guard (1..<max(count, 1)).contains(where: { unsafe self[$0].isBefore(self[$0 - 1], bytes) }) else { return }
        var start = count / 2
        while start > 0 {
            start -= 1
            unsafe sink(start, below: count, bytes)
        }
        var end = count
        while end > 1 {
            end -= 1
            (self[0], self[end]) = (self[end], self[0])
            unsafe sink(0, below: end, bytes)
        }
    }

    /// Restores the order of a heap, of which only the root may be out of place.
    private func sink(_ root: Int, below end: Int, _ bytes: UnsafePointer<UInt8>) {
        var root = root
        while true {
            var child = 2 * root + 1
            guard child < end else { return }
            if child + 1 < end, unsafe self[child].isBefore(self[child + 1], bytes) { child += 1 }
            guard unsafe self[root].isBefore(self[child], bytes) else { return }
            (self[root], self[child]) = (self[child], self[root])
            root = child
        }
    }
}
