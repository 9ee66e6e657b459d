import SluiceRecords

#if canImport(Glibc)
    import Glibc
#endif

extension Cell {
    /// The same bytes as a text.
    fileprivate var asText: Cell { Cell(kind: .text, payload: payload, length: length) }
}

/// A `Conversion` ready for use: trivial, what it needs beyond its type is in the catalog.
struct CompiledConversion: BitwiseCopyable {
    enum Kind: UInt8 {
        case text, integer, real, decimal, boolean, date, datetime, json, bytes
        /// In a strptime format.
        case formattedDate, formattedDatetime
        /// Seconds, or milliseconds, since 1970.
        case unix, unixMilliseconds
        /// In one of several formats, some of which are no strptime formats.
        case eitherDatetime
        /// A decimal as an integer, in units of its last digit.
        case minorUnits
        /// As an integer, in units of a digit of a second.
        case duration
        /// A list of values of another conversion.
        case list
    }

    var kind: Kind
    /// The index of the format in the catalog; of a duration, among the cases of `DurationFormat`; of a list, of
    /// the conversion of its values in the compiled model; of `eitherDatetime`, among the lists of formats.
    var format: Int32 = -1
    /// The index of the time zone in the catalog; negative: none.
    var zone: Int32 = -1
    /// What a local time means that clocks showed twice.
    var repeatedHour = RepeatedHour.reject
    /// Of a datetime: the digits of a second; of a decimal: those behind the point, negative: as many as a value needs.
    var digits: Int32 = -1
    /// Of dates: how many formats follow the one that is named.
    var otherFormats: Int32 = 0
    /// How numbers are written in texts; 0: as in JSON.
    var decimalMark: UInt8 = 0
    /// 0: none.
    var thousandsMark: UInt8 = 0
}

/// The date formats and time zones that conversions refer to, each once, and the words for what references are to.
@safe
final class Catalog {
    private(set) var formats: [DateFormat] = []
    /// Lists of conversions of datetimes, of which the first that reads a value counts.
    private(set) var eitherFormats: [[CompiledConversion]] = []
    private(set) var zones: [Zone] = []
    private(set) var targets: [String] = []
    private(set) var bounds: [String] = []
    private var zoneNames: [String] = []
    /// The locale `C`.
    let plainLocale: locale_t?

    init() {
        // All categories: the C macro of that name does not reach Swift. Without memory there is no locale, and
        // whatever the thread has stays in force.
        unsafe plainLocale = newlocale(0x1fbf, "C", nil)
    }

    deinit {
        if let locale = unsafe plainLocale { unsafe freelocale(locale) }
    }

    /// Makes a conversion ready for use, or throws the message why that cannot be done.
    func compile(_ conversion: Conversion) throws(InvalidConversion) -> CompiledConversion {
        var compiled = try compileType(conversion)
        compiled.decimalMark = conversion.marks?.decimal ?? 0
        compiled.thousandsMark = conversion.marks?.thousands ?? 0
        return compiled
    }

    private func compileType(_ conversion: Conversion) throws(InvalidConversion) -> CompiledConversion {
        switch conversion.type {
        case .text: CompiledConversion(kind: .text)
        case .integer: CompiledConversion(kind: .integer)
        case .real: CompiledConversion(kind: .real)
        case .decimal:
            CompiledConversion(
                kind: conversion.isInteger ? .minorUnits : .decimal, digits: Int32(conversion.scale ?? -1))
        case .boolean: CompiledConversion(kind: .boolean)
        case .json: CompiledConversion(kind: .json)
        case .bytes: CompiledConversion(kind: .bytes)
        case .date: try planDate(conversion)
        case .datetime: try planDatetime(conversion)
        case .duration: try planDuration(conversion)
        }
    }

    private func planDuration(_ conversion: Conversion) throws(InvalidConversion) -> CompiledConversion {
        var compiled = CompiledConversion(kind: .duration, digits: Int32(conversion.fraction))
        guard let text = conversion.format else { return compiled }
        guard let format = DurationFormat.allCases.firstIndex(where: { $0.rawValue == text }) else {
            let known = DurationFormat.allCases.map { "\"\($0.rawValue)\"" }
            throw InvalidConversion(
                message:
                    "the format of a duration is \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")")
        }
        compiled.format = Int32(format)
        return compiled
    }

    private func planDate(_ conversion: Conversion) throws(InvalidConversion) -> CompiledConversion {
        guard let text = conversion.format else { return CompiledConversion(kind: .date) }
        for text in [text] + conversion.otherFormats where MomentFormat(rawValue: text) != nil {
            throw InvalidConversion(message: "the format \(text) is for the type datetime, not for date")
        }
        var compiled = CompiledConversion(kind: .formattedDate)
        compiled.format = add(try DateFormat(text, type: .date))
        for other in conversion.otherFormats {
            _ = add(try DateFormat(other, type: .date))
            compiled.otherFormats += 1
        }
        return compiled
    }

    private func planDatetime(_ conversion: Conversion) throws(InvalidConversion) -> CompiledConversion {
        var compiled = CompiledConversion(kind: .datetime, digits: Int32(conversion.fraction))
        if let name = conversion.timeZone { compiled.zone = try zone(named: name) }
        compiled.repeatedHour = conversion.repeatedHour
        guard let first = conversion.format else { return compiled }
        let texts = [first] + conversion.otherFormats
        let moments = texts.compactMap(MomentFormat.init(rawValue:))
        let formats = try formats(
            texts.filter { MomentFormat(rawValue: $0) == nil }, hasZone: compiled.zone >= 0, beside: moments)
        if moments.isEmpty {
            compiled.kind = .formattedDatetime
            compiled.format = add(formats[0])
            for other in formats.dropFirst() { _ = add(other) }
            compiled.otherFormats = Int32(formats.count - 1)
        } else if texts.count == 1 {
            compiled.kind = moments[0].kind
        } else {
            compiled = firstOf(texts, formats, compiled)
        }
        return compiled
    }

    /// A conversion from several formats, in the order of the definition.
    ///
    /// - Parameter formats: those of the texts that are strptime formats.
    private func firstOf(
        _ texts: [String], _ formats: [DateFormat], _ shared: CompiledConversion
    ) -> CompiledConversion {
        var rest = formats[...]
        let conversions = texts.map { text in
            var compiled = shared
            if let moment = MomentFormat(rawValue: text) {
                compiled.kind = moment.kind
            } else {
                compiled.kind = .formattedDatetime
                compiled.format = add(rest.removeFirst())
            }
            return compiled
        }
        eitherFormats.append(conversions)
        var compiled = shared
        compiled.kind = .eitherDatetime
        compiled.format = Int32(eitherFormats.count - 1)
        return compiled
    }

    /// Formats of times: a zone is for those without an offset.
    ///
    /// - Parameter moments: what else the value may be.
    private func formats(
        _ texts: [String], hasZone: Bool, beside moments: [MomentFormat]
    ) throws(InvalidConversion) -> [DateFormat] {
        var formats: [DateFormat] = []
        for text in texts {
            let format = try DateFormat(text, type: .datetime)
            if !format.hasOffset && !hasZone {
                throw InvalidConversion(message: "the format \(text) has no offset (%z): timeZone is needed beside it")
            }
            formats.append(format)
        }
        guard hasZone, formats.allSatisfy(\.hasOffset), !moments.contains(where: \.mayLackOffset) else {
            return formats
        }
        let reason = texts.first.map { "\($0) has an offset (%z)" } ?? "\(moments[0].rawValue) counts in UTC"
        throw InvalidConversion(message: "the format \(reason): timeZone has no effect beside it")
    }

    /// Adds the names of the entities to which a reference may be, as they stand in a sentence.
    /// What bounds expect, in words, side by side; returns the index of the first.
    func add(bounds texts: [String]) -> Int32 {
        bounds += texts
        return Int32(bounds.count - texts.count)
    }

    func add(targets names: [String]) -> Int32 {
        let others = names.dropLast().joined(separator: ", ")
        targets.append((others.isEmpty ? "" : others + " or ") + (names.last ?? ""))
        return Int32(targets.count - 1)
    }

    private func add(_ format: DateFormat) -> Int32 {
        formats.append(format)
        return Int32(formats.count - 1)
    }

    private func zone(named name: String) throws(InvalidConversion) -> Int32 {
        if let index = zoneNames.firstIndex(of: name) { return Int32(index) }
        zones.append(try Zone(named: name))
        zoneNames.append(name)
        return Int32(zones.count - 1)
    }
}

/// Why a conversion of a definition can never work.
struct InvalidConversion: Error {
    /// A sentence without a full stop.
    var message: String
}

/// Turns raw cells into typed ones: the table *Attributes* of the format.
struct Converter {
    /// Of the batch: it is taken out of it for the time of a transformation, and put back.
    var arena: Arena
    let catalog: Catalog
    /// The members of JSON objects that are being sorted.
    var members = Table<JSONMemberRange>(capacity: 0)
    var memberCount = 0

    init(arena: Arena, catalog: Catalog) {
        self.arena = arena
        self.catalog = catalog
    }

    /// The typed cell of a raw one that is neither null nor absent.
    mutating func convert(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        switch (conversion.kind, raw.kind) {
        case (.text, .string): Cell(kind: .text, payload: raw.payload, length: raw.length)
        case (.json, .json): inOrder(raw).asText
        case (_, .text), (_, .integer): try convert(plain(raw), conversion)
        case (.json, _): try json(raw)
        case (_, .json): try convert(unwrapped(raw), conversion)
        default: try convertScalar(raw, conversion)
        }
    }

    private mutating func convertScalar(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        switch conversion.kind {
        case .text, .json: try text(raw)
        case .integer: try integer(number(raw, conversion, .integer))
        case .real: try real(number(raw, conversion, .real))
        case .decimal: try decimal(number(raw, conversion, .decimal), scale: Int(conversion.digits))
        case .minorUnits: try minorUnits(number(raw, conversion, .decimal), scale: Int(conversion.digits))
        case .boolean: try boolean(raw)
        case .date: try date(raw)
        case .datetime: try datetime(raw, conversion)
        case .formattedDate: try formattedDate(raw, conversion)
        case .formattedDatetime: try formattedDatetime(raw, conversion)
        case .unix: try unixTime(raw, conversion, decimals: 0)
        case .unixMilliseconds: try unixTime(raw, conversion, decimals: 3)
        case .eitherDatetime: try eitherDatetime(raw, conversion)
        case .duration: try duration(raw, conversion)
        case .list: throw .misshaped("list", raw)
        case .bytes: raw.kind == .blob ? raw : try base64(raw)
        }
    }

    /// The string or number that a path's `~` found: the reader has the text of a key, and the integer of an index.
    mutating func plain(_ raw: Cell) -> Cell {
        switch raw.kind {
        case .text: Cell(kind: .string, payload: raw.payload, length: raw.length)
        case .integer: arena.appendText(String(raw.integer), kind: .number)
        default: raw
        }
    }

    /// Appends an ASCII text.
    mutating func append(_ text: StaticString, kind: CellKind = .text) -> Cell {
        let offset = unsafe arena.append(text.utf8Start, text.utf8CodeUnitCount)
        return Cell(kind: kind, payload: UInt64(offset), length: UInt32(text.utf8CodeUnitCount))
    }

    /// Part of a text, followed by NUL as every text of the arena is: copied, unless it ends where the text does.
    mutating func part(of text: Cell, from start: Int, to end: Int) -> Cell {
        if end == text.count {
            return Cell(kind: .string, payload: text.payload + UInt64(start), length: UInt32(end - start))
        }
        return copy(offset: text.offset + start, count: end - start)
    }

    /// Appends a copy of bytes that are in the arena already.
    mutating func copy(offset: Int, count: Int) -> Cell {
        let target = arena.reserve(count)
        unsafe (arena.base + target).update(from: arena.base + offset, count: count)
        return Cell(kind: .string, payload: UInt64(target), length: UInt32(count))
    }

    func view(_ cell: Cell) -> ByteView { ByteView(cell, in: arena) }
}
