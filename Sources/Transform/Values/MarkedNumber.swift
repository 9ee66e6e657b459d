import SluiceRecords

extension Converter {
    /// A number as JSON writes it, of a text that has other marks; anything else as it is.
    ///
    /// - Parameter type: what is expected, for complaints.
    @inline(__always)
    mutating func number(
        _ raw: Cell, _ conversion: CompiledConversion, _ type: AttributeType
    ) throws(Complaint) -> Cell {
        if conversion.decimalMark == 0 || raw.kind != .string { return raw }
        return try unmarked(raw, conversion, type)
    }

    /// The text without marks between its thousands, and with a point before its fraction. Groups have three digits
    /// each: `1.5` is no number where the point stands between thousands.
    @inline(never)
    private mutating func unmarked(
        _ raw: Cell, _ conversion: CompiledConversion, _ type: AttributeType
    ) throws(Complaint) -> Cell {
        let target = arena.reserve(raw.count)
        let text = view(raw)
        var (count, index, group, groups) = (0, 0, 0, 0)
        func put(_ byte: UInt8) {
            unsafe (arena.base + target + count).pointee = byte
            count += 1
        }
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            put(text[index])
            index += 1
        }
        while index < text.count, text[index] != conversion.decimalMark {
            if text.digit(index) <= 9 {
                put(text[index])
                group += 1
                index += 1
                continue
            }
            let length = thousands(text, index, conversion.thousandsMark)
            // The first group has one to three digits, all others have three.
            guard length > 0, groups == 0 ? (1...3).contains(group) : group == 3 else { throw .unexpected(type, raw) }
            (group, groups) = (0, groups + 1)
            index += length
        }
        guard groups == 0 || group == 3 else { throw .unexpected(type, raw) }
        if index < text.count {
            put(UInt8(ascii: "."))
            index += 1
            while index < text.count {
                guard text.digit(index) <= 9 else { throw .unexpected(type, raw) }
                put(text[index])
                index += 1
            }
        }
        return Cell(kind: .string, payload: UInt64(target), length: UInt32(count))
    }

    /// The bytes of a mark between thousands that begins at an index; 0: there is none.
    private func thousands(_ text: ByteView, _ index: Int, _ mark: UInt8) -> Int {
        guard mark != 0 else { return 0 }
        if text[index] == mark { return 1 }
        func has(_ bytes: UInt8...) -> Bool {
            index + bytes.count <= text.count && bytes.indices.allSatisfy { text[index + $0] == bytes[$0] }
        }
        // Spaces that do not break a line, wide and narrow, and the apostrophe of printers.
        if mark == UInt8(ascii: " ") { return has(0xc2, 0xa0) ? 2 : has(0xe2, 0x80, 0xaf) ? 3 : 0 }
        return mark == UInt8(ascii: "'") && has(0xe2, 0x80, 0x99) ? 3 : 0
    }
}
