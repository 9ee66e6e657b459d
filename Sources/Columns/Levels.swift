import SluiceRecords

/// Levels of a column: how far each value is defined, or of lists, whether it goes on one. As long as all are the same,
/// they are counted only.
@safe
struct Levels {
    private var first: UInt8 = 0
    /// All of them, as soon as two differ.
    private var spelled = ColumnBytes(capacity: 64)
    private(set) var count = 0

    @inline(__always)
    mutating func append(_ level: UInt8) {
        if spelled.count == 0 {
            if count == 0 { first = level }
            if level == first {
                count += 1
                return
            }
            spell()
        }
        spelled.append(level)
        count += 1
    }

    /// So many of the same.
    mutating func append(_ level: UInt8, count more: Int) {
        guard more > 0 else { return }
        append(level)
        if spelled.count == 0 {
            count += more - 1
        } else {
            for _ in 1..<more { append(level) }
        }
    }

    private mutating func spell() {
        for _ in 0..<count { spelled.append(first) }
    }

    mutating func reset() {
        count = 0
        spelled.reset()
    }

    mutating func deallocate() { spelled.deallocate() }

    /// Appends them as a page has them, behind their length: a run, or packed bits.
    func write(to page: inout ColumnBytes, most: UInt8) {
        page.appendBehindLength { page in
            if count == 0 { return }
            if spelled.count == 0 { return Levels.writeRun(of: first, count, to: &page) }
            pack(to: &page, width: most == 1 ? 1 : 2)
        }
    }

    /// So many of the same level, or of the same index into a dictionary of up to 256 entries.
    static func writeRun(of level: UInt8, _ count: Int, to page: inout ColumnBytes) {
        page.append(varint: UInt64(count) << 1)
        page.append(level)
    }

    /// Groups of eight levels, the first one in the lowest bits.
    private func pack(to page: inout ColumnBytes, width: Int) {
        let groups = (count + 7) / 8
        page.append(varint: UInt64(groups) << 1 | 1)
        for group in 0..<groups {
            var word: UInt64 = 0
            for place in 0..<min(8, count - group * 8) {
                word |= UInt64(spelled[group * 8 + place]) &<< UInt64(place * width)
            }
            page.append(word, bytes: width)
        }
    }
}
