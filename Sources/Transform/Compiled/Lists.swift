import SluiceRecords

/// Attributes that are lists: JSON arrays, as RFC 8785 writes them.
extension Evaluator {
    /// The typed cell of a list of values, each converted, or of a single one.
    mutating func list(_ value: Cell, _ column: CompiledColumn) throws(Complaint) -> Cell {
        let base = stackCount
        defer { stackCount = base }
        if value.kind == .list {
            try checkListed(value, canBeOne: false)
            var rest = value
            while rest.length > 0 { push(try item(converter.plain(pop(&rest)), column)) }
        } else {
            push(try item(value, column))
        }
        var length = 1 + max(stackCount - base, 1)
        for index in base..<stackCount { length += stack[index].count }
        guard length <= Int(UInt32.max) else { throw .tooLong }
        let target = converter.arena.reserve(length)
        var end = target
        converter.put(UInt8(ascii: "["), &end)
        for index in base..<stackCount {
            if index > base { converter.put(UInt8(ascii: ","), &end) }
            let text = converter.view(stack[index])
            for place in 0..<text.count { converter.put(text[place], &end) }
        }
        converter.put(UInt8(ascii: "]"), &end)
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }

    /// A value of a list as JSON.
    private mutating func item(_ value: Cell, _ column: CompiledColumn) throws(Complaint) -> Cell {
        if value.isNull { return converter.append("null") }
        let conversion = compiled.conversions[Int(column.conversion.format)]
        let typed = try converter.convert(value, conversion)
        if column.bounds >= 0, !typed.isNull { try check(typed, value, Int(column.bounds)) }
        switch typed.kind {
        case .integer where conversion.kind == .boolean: return converter.append(typed.integer == 0 ? "false" : "true")
        case .integer: return converter.digits(of: typed.integer)
        case .real: return converter.arena.appendText(CanonicalValue.number(typed.real))
        default: return try converter.canonical(typed)
        }
    }
}

extension Converter {
    /// An integer as it is written.
    fileprivate mutating func digits(of value: Int64) -> Cell {
        let count = DecimalDigits.count(value.magnitude)
        let length = value < 0 ? count + 1 : count
        let target = arena.reserve(length)
        if value < 0 { unsafe arena.base[target] = UInt8(ascii: "-") }
        let first = unsafe arena.base + (target + length - count)
        DecimalDigits.write(value.magnitude, count: count) { unsafe first[$0] = $1 }
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }

    /// A text as JSON, with the escapes that RFC 8785 has.
    fileprivate mutating func canonical(_ text: Cell) throws(Complaint) -> Cell {
        var length = 2
        for index in 0..<text.count { length += CanonicalValue.length(of: view(text)[index]) }
        guard length <= Int(UInt32.max) else { throw .tooLong }
        let target = arena.reserve(length)
        let bytes = view(text)
        var end = target
        put(UInt8(ascii: "\""), &end)
        for index in 0..<text.count { CanonicalValue.write(bytes[index]) { put($0, &end) } }
        put(UInt8(ascii: "\""), &end)
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }
}

/// How RFC 8785 writes values.
enum CanonicalValue {
    private static let short: [(byte: UInt8, letter: UInt8)] = [
        (0x08, UInt8(ascii: "b")), (0x09, UInt8(ascii: "t")), (0x0a, UInt8(ascii: "n")), (0x0c, UInt8(ascii: "f")),
        (0x0d, UInt8(ascii: "r")), (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "\\"), UInt8(ascii: "\\")),
    ]

    private static func letter(_ byte: UInt8) -> UInt8? {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return nil }
        return short.first { $0.byte == byte }?.letter
    }

    static func length(of byte: UInt8) -> Int {
        if letter(byte) != nil { return 2 }
        return byte < 0x20 ? 6 : 1
    }

    static func write(_ byte: UInt8, put: (UInt8) -> Void) {
        if let letter = letter(byte) {
            put(UInt8(ascii: "\\"))
            put(letter)
        } else if byte < 0x20 {
            for letter in "\\u00".utf8 { put(letter) }
            for digit in [byte >> 4, byte & 15] {
                put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        } else {
            put(byte)
        }
    }

    /// A finite number as ECMAScript has it: the shortest digits that come back as it.
    static func number(_ value: Double) -> String { RealText.shortest(value) }
}
