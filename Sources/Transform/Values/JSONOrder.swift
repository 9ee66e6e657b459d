import SluiceRecords

/// A member of an object in a JSON text: where its key begins, and its value begins and ends.
struct JSONMemberRange: BitwiseCopyable {
    var key: Int
    var value: Int
    var end: Int
}

/// JSON texts with the members of each object in the order of their keys that RFC 8785 has: by the UTF-16 of what the
/// keys say, whatever is written with escapes. So two texts whose keys stand in different orders are one. Nothing else
/// is changed.
extension Converter {
    /// Objects nested deeper than this keep their order: what is in them is looked at once for each level.
    private static let deepest = 64

    /// - Parameter raw: a JSON text without white space.
    mutating func inOrder(_ raw: Cell) -> Cell {
        var index = 0
        if isInOrder(view(raw), &index, 0) { return raw }
        let target = arena.reserve(raw.count)
        var end = target
        index = 0
        write(view(raw), &index, 0, to: &end)
        return Cell(kind: raw.kind, payload: UInt64(target), length: raw.length)
    }

    /// Moves over a value; false if there is an object in it whose keys do not ascend.
    private func isInOrder(_ text: ByteView, _ index: inout Int, _ depth: Int) -> Bool {
        let first = text[index]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), depth < Converter.deepest else {
            skip(text, &index)
            return true
        }
        index += 1
        var last = -1
        while !isEnd(text[index]) {
            if first == UInt8(ascii: "{") {
                let key = index
                skipString(text, &index)
                if last >= 0, order(text, key, last) < 0 { return false }
                last = key
                index += 1
            }
            guard isInOrder(text, &index, depth + 1) else { return false }
            if text[index] == UInt8(ascii: ",") { index += 1 }
        }
        index += 1
        return true
    }

    /// Writes a value with its objects in order.
    private mutating func write(_ text: ByteView, _ index: inout Int, _ depth: Int, to end: inout Int) {
        let start = index
        guard depth < Converter.deepest else {
            skip(text, &index)
            return copy(text, start, index, to: &end)
        }
        switch text[index] {
        case UInt8(ascii: "["):
            put(UInt8(ascii: "["), &end)
            index += 1
            while !isEnd(text[index]) {
                if index > start + 1 { put(UInt8(ascii: ","), &end) }
                write(text, &index, depth + 1, to: &end)
                if text[index] == UInt8(ascii: ",") { index += 1 }
            }
            index += 1
            put(UInt8(ascii: "]"), &end)
        case UInt8(ascii: "{"): writeObject(text, &index, depth, to: &end)
        default:
            skip(text, &index)
            copy(text, start, index, to: &end)
        }
    }

    private mutating func writeObject(_ text: ByteView, _ index: inout Int, _ depth: Int, to end: inout Int) {
        let base = memberCount
        defer { memberCount = base }
        index += 1
        while !isEnd(text[index]) {
            let key = index
            skipString(text, &index)
            index += 1
            let value = index
            skip(text, &index)
            members.ensure(memberCount + 1)
            members[memberCount] = JSONMemberRange(key: key, value: value, end: index)
            memberCount += 1
            if text[index] == UInt8(ascii: ",") { index += 1 }
        }
        index += 1
        sortMembers(base..<memberCount, text)
        put(UInt8(ascii: "{"), &end)
        for place in base..<memberCount {
            if place > base { put(UInt8(ascii: ","), &end) }
            let member = members[place]
            copy(text, member.key, member.value, to: &end)
            var inner = member.value
            write(text, &inner, depth + 1, to: &end)
        }
        put(UInt8(ascii: "}"), &end)
    }

    /// In their own memory; of equal keys, which come first stay first.
    private func sortMembers(_ range: Range<Int>, _ text: ByteView) {
        let count = range.count
        func isBefore(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (members[range.lowerBound + one], members[range.lowerBound + other])
            let order = order(text, left.key, right.key)
            return order < 0 || order == 0 && left.key < right.key
        }
        func exchange(_ one: Int, _ other: Int) {
            let kept = members[range.lowerBound + one]
            members[range.lowerBound + one] = members[range.lowerBound + other]
            members[range.lowerBound + other] = kept
        }
        func sink(_ root: Int, below end: Int) {
            var root = root
            while 2 * root + 1 < end {
                var child = 2 * root + 1
                if child + 1 < end, isBefore(child, child + 1) { child += 1 }
                guard isBefore(root, child) else { return }
                exchange(root, child)
                root = child
            }
        }
        for root in (0..<count / 2).reversed() { sink(root, below: count) }
        for end in (1..<max(count, 1)).reversed() {
            exchange(0, end)
            sink(0, below: end)
        }
    }

    /// How two keys compare, each given by its opening quote: below 0, 0, or above.
    private func order(_ text: ByteView, _ first: Int, _ second: Int) -> Int {
        var (one, other) = (first + 1, second + 1)
        while true {
            let (left, right) = (text[one], text[other])
            if left == UInt8(ascii: "\\") || right == UInt8(ascii: "\\") {
                return KeyUnits.order(KeyUnits(text, first), KeyUnits(text, second))
            }
            if left != right {
                if left == UInt8(ascii: "\"") { return -1 }
                if right == UInt8(ascii: "\"") { return 1 }
                // In UTF-16, characters of four bytes come before those from U+E000 on.
                if left >= 0xee, right >= 0xee, (left >= 0xf0) != (right >= 0xf0) { return left >= 0xf0 ? -1 : 1 }
                return left < right ? -1 : 1
            }
            if left == UInt8(ascii: "\"") { return 0 }
            (one, other) = (one + 1, other + 1)
        }
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }

    private func skipString(_ text: ByteView, _ index: inout Int) {
        index += 1
        while text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
    }

    /// Moves over a value.
    private func skip(_ text: ByteView, _ index: inout Int) {
        var depth = 0
        repeat {
            switch text[index] {
            case UInt8(ascii: "\""): skipString(text, &index)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): index += 1
            default:
                while index < text.count, text[index] != UInt8(ascii: ","), !isEnd(text[index]) { index += 1 }
            }
        } while depth > 0
    }

    private func copy(_ text: ByteView, _ start: Int, _ stop: Int, to end: inout Int) {
        unsafe (arena.base + end).update(from: text.pointer + start, count: stop - start)
        end += stop - start
    }
}
