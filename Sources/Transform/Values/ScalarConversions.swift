import SluiceRecords

extension Converter {
    /// Strings; numbers and booleans as written.
    mutating func text(_ raw: Cell) throws(Complaint) -> Cell {
        switch raw.kind {
        case .string, .number: Cell(kind: .text, payload: raw.payload, length: raw.length)
        case .yes: append("true")
        case .no: append("false")
        default: throw .unexpected(.text, raw)
        }
    }

    /// Integral numbers within 64 bits, however they are written, and strings that hold one.
    func integer(_ raw: Cell) throws(Complaint) -> Cell {
        guard raw.kind == .number || raw.kind == .string else { throw .unexpected(.integer, raw) }
        let text = view(raw)
        if let short = shortInteger(text) { return .integer(short) }
        guard let number = NumberText(text) else { throw .unexpected(.integer, raw) }
        guard number.exponent >= 0 else { throw .fractional(raw) }
        guard let value = number.integer else { throw .unfit(.integer, raw, "is beyond 64 bits") }
        return .integer(value)
    }

    /// The common case: up to 18 digits and nothing else but a minus.
    private func shortInteger(_ text: ByteView) -> Int64? {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard text.count > start, text.count - start <= 18 else { return nil }
        var value: Int64 = 0
        for index in start..<text.count {
            let digit = text.digit(index)
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return isNegative ? -value : value
    }

    /// true, false, the numbers 0 and 1, and the strings `true`, `false`, `0` and `1`.
    func boolean(_ raw: Cell) throws(Complaint) -> Cell {
        switch raw.kind {
        case .yes: return .integer(1)
        case .no: return .integer(0)
        case .number:
            guard let number = NumberText(view(raw)) else { throw .unexpected(.boolean, raw) }
            if number.digits == 0 { return .integer(0) }
            if number.mantissa == 1, number.digits == 1, number.exponent == 0, !number.isNegative { return .integer(1) }
        case .string:
            let text = view(raw)
            if text.equals("true") || text.equals("1") { return .integer(1) }
            if text.equals("false") || text.equals("0") { return .integer(0) }
        default: break
        }
        throw .unexpected(.boolean, raw)
    }

    /// Numbers and numeric strings, exactly, as canonical text: no exponent, no `+`, no `-0`; with a scale, that many
    /// digits behind the point, else no zeros that say nothing. Equal numbers have equal texts.
    mutating func decimal(_ raw: Cell, scale: Int) throws(Complaint) -> Cell {
        let number = try decimalNumber(raw, scale: scale)
        let whole = max(number.digits + number.exponent, 1)
        let fraction = scale >= 0 ? scale : max(-number.exponent, 0)
        // An exponent of a few bytes must not become a text of gigabytes.
        guard whole + fraction <= 1000 else { throw .unfit(.decimal, raw, "would need more than 1000 digits") }
        let length = (number.isNegative ? 1 : 0) + whole + (fraction > 0 ? fraction + 1 : 0)
        let target = arena.reserve(length)
        // The arena may have moved.
        write(number, of: view(raw), whole: whole, fraction: fraction, at: target)
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }

    /// A decimal as an integer, in units of its last digit: of `19.9`, with a scale of 2, 1990.
    func minorUnits(_ raw: Cell, scale: Int) throws(Complaint) -> Cell {
        var number = try decimalNumber(raw, scale: scale)
        number.shift(by: scale)
        guard let value = number.integer else {
            throw .unfit(.decimal, raw, "is beyond 64 bits, in units of its last digit")
        }
        return .integer(value)
    }

    /// A number with no more digits behind the point than the scale has, if it is not negative; zero has no sign.
    private func decimalNumber(_ raw: Cell, scale: Int) throws(Complaint) -> NumberText {
        guard raw.kind == .number || raw.kind == .string, var number = NumberText(view(raw)) else {
            throw .unexpected(.decimal, raw)
        }
        number.dropSignOfZero()
        guard scale < 0 || number.exponent >= -scale else { throw .tooPrecise(.decimal, raw, Int32(scale)) }
        return number
    }

    @inline(__always)
    private static func put(_ byte: UInt8, _ output: inout UnsafeMutablePointer<UInt8>) {
        unsafe output.pointee = byte
        unsafe output += 1
    }

    private func write(_ number: NumberText, of text: ByteView, whole: Int, fraction: Int, at target: Int) {
        var output = unsafe arena.base + target
        if number.isNegative { unsafe Converter.put(UInt8(ascii: "-"), &output) }
        var index = number.first
        // Which significant digit comes first; negative: so many zeros come before the first of them.
        var position = number.digits + number.exponent - whole
        for place in 0..<(whole + fraction) {
            if place == whole { unsafe Converter.put(UInt8(ascii: "."), &output) }
            if position >= 0 && position < number.digits {
                if text[index] == UInt8(ascii: ".") { index += 1 }
                unsafe Converter.put(text[index], &output)
                index += 1
            } else {
                unsafe Converter.put(UInt8(ascii: "0"), &output)
            }
            position += 1
        }
    }
}

/// 10 to the power of 0…19.
func powerOfTen(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
}
