import SluiceRecords

/// What a definition can say so that a refused value is taken, where the value itself shows it.
enum ValueHint {
    /// Longer texts are prose, and no value in another notation.
    private static let mostBytes = 40

    /// The end of a reason; empty: nothing is known.
    static func text(for complaint: Complaint, in arena: borrowing Arena, _ catalog: Catalog) -> String {
        switch complaint {
        case .unexpected(let type, let cell): hint(type, cell, in: arena).map { ": \($0)" } ?? ""
        case .misshaped(_, let cell): noValue(cell, in: arena).map { ": \($0)" } ?? ""
        case .notInFormat(let conversion, let cell), .noUnixTime(let conversion, let cell):
            inFormat(cell, conversion, in: arena, catalog).map { ": \($0)" } ?? ""
        case .fractional: #": "type": "real" or "decimal" takes it"#
        default: ""
        }
    }

    private static func hint(_ type: AttributeType, _ cell: Cell, in arena: borrowing Arena) -> String? {
        switch cell.kind {
        case .object where type == .text: return #""type": "json" takes it whole, a longer path a member of it"#
        case .array where type == .text: return #""many": true takes its elements, "type": "json" all of it"#
        // Services that have no numbers for something have `false` there.
        case .no where type != .boolean: return #""nullIf": [false] makes it null"#
        case .number where type == .datetime: return unixTime(arena.text(of: cell))
        case .number where type == .date: return FormatHint.text(for: arena.text(of: cell), type)
        case .string where cell.count <= mostBytes: break
        default: return nil
        }
        let text = arena.text(of: cell)
        if type == .text { return nil }
        if let null = null(text) { return null }
        switch type {
        case .date, .datetime: return FormatHint.text(for: text, type) ?? (type == .datetime ? unixTime(text) : nil)
        case .boolean: return truth(text)
        case .integer, .real, .decimal: return NumberHint.text(for: text, type)
        default: return nil
        }
    }

    private static func noValue(_ cell: Cell, in arena: borrowing Arena) -> String? {
        cell.kind == .string && cell.count <= mostBytes ? null(arena.text(of: cell)) : nil
    }

    /// A further format beside those of the conversion: what other records have is still read.
    private static func inFormat(
        _ cell: Cell, _ conversion: CompiledConversion, in arena: borrowing Arena, _ catalog: Catalog
    ) -> String? {
        guard cell.kind == .string || cell.kind == .number, cell.count <= mostBytes else { return nil }
        let text = arena.text(of: cell)
        if let null = null(text) { return null }
        let others = FormatHint.others(text, isDate: conversion.kind == .formattedDate)
        guard let other = others.first else { return nil }
        if others.count > 1 { return #""format": "\#(others.joined(separator: #"" or ""#))" reads it"# }
        let all = catalog.formatNames(of: conversion) + [other]
        let needsZone = conversion.zone < 0 && other.contains("%H") && !other.contains("%z")
        return #""format": \#(JSONText.array(all.map { JSONText.quoted($0) })) reads it, too"#
            + (needsZone ? #", with a "timeZone" such as "Europe/Berlin""# : "")
    }

    /// What people write where there is no value.
    private static func null(_ text: String) -> String? {
        let words: Set = ["", "-", "–", "n/a", "na", "null", "none", "nil", "unknown", "?", "k.a.", "k. a."]
        guard words.contains(text.lowercased()) else { return nil }
        return #""nullIf": [\#(JSONText.quoted(text))] makes it null"#
    }

    /// Seconds since 1970 have ten digits since 2001, milliseconds thirteen.
    private static func unixTime(_ text: String) -> String? {
        FormatHint.unix(text).map {
            #""format": "\#($0.rawValue)" takes it for \#($0 == .unix ? "seconds" : "milliseconds") since 1970"#
        }
    }

    private static func truth(_ text: String) -> String? {
        let words = [
            ("yes", "no"), ("y", "n"), ("ja", "nein"), ("j", "n"), ("oui", "non"), ("on", "off"), ("t", "f"),
            ("true", "false"),
        ]
        let plain = text.lowercased()
        guard let pair = words.first(where: { $0.0 == plain || $0.1 == plain }) else { return nil }
        let (yes, no) = (written(pair.0, as: text), written(pair.1, as: text))
        return #""map": { "\#(yes)": true, "\#(no)": false } reads it"#
    }

    /// A word in the case of another one: `No` is the other of `Yes`.
    private static func written(_ word: String, as other: String) -> String {
        if other == other.lowercased() { return word }
        return other.count > 1 && other == other.uppercased() || other.count == 1
            ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
    }
}
