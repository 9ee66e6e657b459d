import SluiceRecords

extension Converter {
    /// `YYYY-MM-DD`, a day of the calendar.
    func date(_ raw: Cell) throws(Complaint) -> Cell {
        let text = view(raw)
        guard raw.kind == .string, text.count == 10, let date = CivilTime(date: text) else {
            throw .unexpected(.date, raw)
        }
        guard date.isDay else { throw .unfit(.date, raw, "is no day of the calendar") }
        return Cell(kind: .text, payload: raw.payload, length: raw.length)
    }

    /// A text in a strptime format; of a number, its text.
    mutating func formattedDate(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        guard raw.kind == .string || raw.kind == .number,
            let found = catalog.read(view(raw), conversion)
        else { throw .notInFormat(conversion, raw) }
        guard found.time.isDay else { throw .unfit(.date, raw, "is no day of the calendar") }
        let target = arena.reserve(10)
        writeDate(found.time, at: target)
        return Cell(kind: .text, payload: UInt64(target), length: 10)
    }

    /// A date and a time of RFC 3339: `T` in either case or a space between them; `Z` in either case, an offset, or
    /// neither with a time zone.
    mutating func datetime(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        guard raw.kind == .string, let found = WrittenTime(internet: view(raw)) else {
            throw .unexpected(.datetime, raw)
        }
        guard found.time.isTime else { throw .unfit(.datetime, raw, "is no time of day") }
        if found.isUniversal && found.fractionCount == Int(conversion.digits) && found.time.isDay {
            return Cell(kind: .text, payload: raw.payload, length: raw.length)
        }
        return try moment(found, of: raw, conversion)
    }

    /// A text in a strptime format, with an offset or in a time zone; of a number, its text.
    mutating func formattedDatetime(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        guard raw.kind == .string || raw.kind == .number,
            let found = catalog.read(view(raw), conversion)
        else { throw .notInFormat(conversion, raw) }
        return try moment(found, of: raw, conversion)
    }

    private mutating func moment(
        _ found: WrittenTime, of raw: Cell, _ conversion: CompiledConversion
    ) throws(Complaint) -> Cell {
        guard found.time.isDay else { throw .unfit(.datetime, raw, "is no day of the calendar") }
        let seconds: Int64
        if let offset = found.offset {
            seconds = found.time.seconds - Int64(offset)
        } else {
            seconds = try universal(found.time, of: raw, conversion)
        }
        let fraction = Fraction(offset: raw.offset + found.fractionStart, count: found.fractionCount)
        return try moment(
            seconds, isLeapSecond: found.time.second == 60, fraction, of: raw, digits: Int(conversion.digits))
    }

    /// Seconds (or smaller units, by the number of decimals) since 1970, exactly, as a number or a numeric string.
    mutating func unixTime(_ raw: Cell, _ conversion: CompiledConversion, decimals: Int) throws(Complaint) -> Cell {
        guard raw.kind == .number || raw.kind == .string, var number = NumberText(view(raw)) else {
            throw .noUnixTime(conversion, raw)
        }
        number.shift(by: -decimals)
        // The year 9999 ends before 10 to the 12th; and some limit the fraction needs.
        guard number.digits + number.exponent <= 12, number.exponent >= -100 else {
            // Milliseconds since 2001 have so many digits.
            if decimals == 0, !number.isNegative, number.exponent >= 0, number.digits + number.exponent == 13 {
                throw .unfit(
                    .datetime, raw,
                    #"is outside of the years 1 to 9999: "format": "unix-ms" takes it for milliseconds since 1970"#)
            }
            throw .unfit(.datetime, raw, "is outside of the years 1 to 9999, or too precise")
        }
        let start = arena.reserve(max(-number.exponent, 0))
        let split = splitUnix(number, view(raw), fractionAt: start)
        let fraction = Fraction(offset: start, count: max(-number.exponent, 0))
        return try moment(split, isLeapSecond: false, fraction, of: raw, digits: Int(conversion.digits))
    }

    /// The whole seconds of a number, rounded down, and the digits of the fraction that is left, written to the arena.
    private func splitUnix(_ number: NumberText, _ text: ByteView, fractionAt start: Int) -> Int64 {
        var seconds: Int64 = 0
        let fraction = max(-number.exponent, 0)
        // Digits before the point, the zeros that the exponent adds included.
        let whole = number.digits + number.exponent
        var index = number.first
        for place in min(whole, 0)..<max(whole, whole + fraction) {
            var digit: UInt8 = 0
            if place >= 0 && place < number.digits {
                if text[index] == UInt8(ascii: ".") { index += 1 }
                digit = text.digit(index)
                index += 1
            }
            if place < whole {
                seconds = seconds * 10 + Int64(digit)
            } else {
                unsafe arena.base[start + place - whole] = digit
            }
        }
        if number.isNegative {
            seconds = complement(start, fraction) ? -seconds - 1 : -seconds
        }
        for place in 0..<fraction { unsafe arena.base[start + place] += UInt8(ascii: "0") }
        return seconds
    }

    /// Replaces the digits of a fraction by those of 1 minus the fraction; false if there is no fraction.
    private func complement(_ start: Int, _ count: Int) -> Bool {
        guard count > 0 else { return false }
        // The last digit of a fraction is not zero.
        for place in 0..<count {
            let digit = unsafe arena.base[start + place]
            unsafe arena.base[start + place] = (place == count - 1 ? 10 : 9) - digit
        }
        return true
    }

    /// UTC of a local time.
    private func universal(
        _ time: CivilTime, of raw: Cell, _ conversion: CompiledConversion
    ) throws(Complaint) -> Int64 {
        guard conversion.zone >= 0 else {
            throw .unfit(
                .datetime, raw,
                #"has no offset from UTC, and there is no timeZone: "timeZone": "UTC", or such as "Europe/Berlin""#)
        }
        switch catalog.zones[Int(conversion.zone)].universal(time.seconds, conversion.repeatedHour) {
        case .once(let seconds): return seconds
        case .skipped: throw .unfit(.datetime, raw, "is a local time that a clock change skips")
        case .repeated:
            throw .unfit(
                .datetime, raw, #"is a local time that a clock change repeats: "repeatedHour": "earlier", or "later""#)
        }
    }
}

extension Catalog {
    /// A text in the first of the formats of a conversion that it is in.
    fileprivate func read(_ text: ByteView, _ conversion: CompiledConversion) -> WrittenTime? {
        if let found = formats[Int(conversion.format)].read(text) { return found }
        for other in 0..<Int(conversion.otherFormats) {
            if let found = formats[Int(conversion.format) + 1 + other].read(text) { return found }
        }
        return nil
    }
}
