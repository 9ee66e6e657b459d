import SluiceRecords

#if canImport(Glibc)
    import Glibc
#endif

extension Converter {
    /// Numbers, and strings that hold one, as the nearest double.
    func real(_ raw: Cell) throws(Complaint) -> Cell {
        guard raw.kind == .number || raw.kind == .string else { throw .unexpected(.real, raw) }
        let text = view(raw)
        guard let number = NumberText(text) else { throw .unexpected(.real, raw) }
        // Minus zero equals zero, and SQLite does not tell them apart.
        if number.digits == 0 { return .real(0) }
        let magnitude = nearestMagnitude(number) ?? abs(nearestByLibrary(text))
        guard magnitude.isFinite else { throw .unfit(.real, raw, "is beyond the range of a double") }
        if magnitude == 0 { return .real(0) }
        return .real(number.isNegative ? -magnitude : magnitude)
    }

    /// The C library's conversion, which rounds correctly whatever the number of digits; several times slower.
    private func nearestByLibrary(_ text: ByteView) -> Double {
        // The decimal point of strtod follows the locale, which the program that uses this library may have set.
        let previous = unsafe uselocale(catalog.plainLocale)
        defer { unsafe _ = uselocale(previous) }
        // The text is known to be a number, so that neither `inf` nor hexadecimal reaches strtod, and NUL follows it.
        return unsafe text.pointer.withMemoryRebound(to: CChar.self, capacity: text.count + 1) { start in
            unsafe strtod(start, nil)
        }
    }
}

/// The double nearest to the magnitude of a number of up to 19 digits and a moderate exponent; nil for others.
///
/// Where mantissa and power of ten are doubles themselves, one rounded operation is right (W. D. Clinger, How to read
/// floating point numbers accurately, 1990). Else the exact product or quotient is taken to 62 bits or more, with the
/// lowest bit standing for all that is lost, so that the one rounding to 53 bits decides as the exact value would.
func nearestMagnitude(_ number: NumberText) -> Double? {
    guard number.digits <= 19, number.exponent >= -19, number.exponent <= 19 else { return nil }
    let power = tens[abs(number.exponent)]
    if number.mantissa <= 1 << 53 {
        // Signed numbers become doubles by one instruction; only ten to the 19th does not fit.
        let mantissa = Double(Int64(truncatingIfNeeded: number.mantissa))
        let scale = power > Int64.max ? 1e19 : Double(Int64(truncatingIfNeeded: power))
        return number.exponent < 0 ? mantissa / scale : mantissa * scale
    }
    return number.exponent < 0 ? quotient(number.mantissa, power) : product(number.mantissa, power)
}

private func product(_ mantissa: UInt64, _ power: UInt64) -> Double {
    let (high, low) = mantissa.multipliedFullWidth(by: power)
    if high == 0 { return Double(low) }
    let shift = high.leadingZeroBitCount
    let top = shift == 0 ? high : high << shift | low >> (64 - shift)
    let isInexact = low << shift != 0
    return scaled(top | (isInexact ? 1 : 0), by: 64 - shift)
}

private func quotient(_ mantissa: UInt64, _ power: UInt64) -> Double {
    let mantissaShift = mantissa.leadingZeroBitCount
    let powerShift = power.leadingZeroBitCount
    let dividend = mantissa << mantissaShift
    // Halving the dividend keeps the quotient within 64 bits.
    let (quotient, remainder) = (power << powerShift).dividingFullWidth((dividend >> 1, dividend << 63))
    return scaled(quotient | (remainder == 0 ? 0 : 1), by: powerShift - mantissaShift - 63)
}

/// A number times a power of two, rounded once: far from the ends of the range of doubles the scaling is exact.
private func scaled(_ number: UInt64, by exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: Double(number))
}

/// The powers of ten that 64 bits hold. Each is a double, too, up to 10 to the 22nd.
private let tens: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]
