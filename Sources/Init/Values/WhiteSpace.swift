import SluiceRecords

/// White space around texts, which `trim` cuts, and within numbers.
enum WhiteSpace {
    /// What is left of a text without white space at both ends.
    static func trimmed(_ text: UnsafePointer<UInt8>, _ length: Int) -> Range<Int> {
        // Nearly no text has any: one look at each end is enough.
        guard length > 0 else { return 0..<0 }
        let (first, last) = unsafe (text[0], text[length - 1])
        guard mayBegin(first) || mayEnd(last) else { return 0..<length }
        var (start, end) = (0, length)
        while start < end {
            let count = unsafe width(text, start, end)
            if count == 0 { break }
            start += count
        }
        while end > start {
            let count = (1...min(3, end - start)).first { count in
                unsafe width(text, end - count, end) == count
            }
            guard let count else { break }
            end -= count
        }
        return start..<end
    }

    private static func mayBegin(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0xc2 || byte == 0xe2 }
    private static func mayEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte & 0xc0 == 0x80 }

    /// The bytes of white space at an index; 0: there is none. Spaces in use are known, those that do not break a line
    /// among them.
    private static func width(_ text: UnsafePointer<UInt8>, _ index: Int, _ end: Int) -> Int {
        let first = unsafe text[index]
        if first == 0x20 || (0x09...0x0d).contains(first) { return 1 }
        if first == 0xc2, index + 1 < end, unsafe text[index + 1] == 0xa0 { return 2 }
        guard first == 0xe2, index + 2 < end, unsafe text[index + 1] == 0x80 else { return 0 }
        let last = unsafe text[index + 2]
        return (0x80...0x8a).contains(last) || last == 0xaf ? 3 : 0
    }

    /// The bytes of a space that types take between the groups of a number; 0: there is none.
    static func narrow(_ text: TextView, at index: Int) -> Int {
        if text[index] == 0x20 { return 1 }
        if text[index] == 0xc2, index + 1 < text.count, text[index + 1] == 0xa0 { return 2 }
        let isNarrow =
            text[index] == 0xe2 && index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] == 0xaf
        return isNarrow ? 3 : 0
    }
}
