import SluiceRecords

/// The format in which a day, or a day and a time, seems to be written.
enum FormatHint {
    private static let days = [
        "%Y-%m-%d", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%d %b %Y",
        "%b %d, %Y", "%b %d %Y", "%d-%b-%Y", "%d.%m.%y", "%d-%b-%y",
    ]
    private static let times = ["%H:%M:%S", "%H:%M", "%H:%M:%S%z", "%H:%M%z", "%I:%M %p", "%I:%M:%S %p"]

    /// What makes a text a date, or a datetime; nil: nothing that is known.
    static func text(for text: String, _ type: AttributeType) -> String? {
        if type == .date, isInternet(text) { return #""type": "datetime" reads it"# }
        let formats = formats(text)
        if formats.isEmpty { return nil }
        let format = formats.joined(separator: #"" or ""#)
        let hasTime = format.contains("%M")
        let other = hasTime == (type == .datetime) ? "" : #""type": "\#(hasTime ? "datetime" : "date")", "#
        let zone = hasTime && !format.contains("%z") ? #", with a "timeZone" such as "Europe/Berlin""# : ""
        // What has both digits of day and month, the type reads by itself.
        if !hasTime, format == days[0], text.utf8.count == 10 { return #""type": "date" reads it"# }
        return #"\#(other)"format": "\#(format)" reads it\#(zone)"#
    }

    /// The format that reads a text; where day and month can be in either order, both formats; else none.
    private static func formats(_ text: String) -> [String] {
        // Each time has a colon, and no day has one: a feed may have a million refused values.
        let formats = text.utf8.contains(UInt8(ascii: ":")) ? withTimes : alone
        let found = read(text) { view in
            formats.filter { $0.read(view)?.time.isDay == true }.map(\.text)
        }
        let orders = found.filter { $0.hasPrefix("%d/%m/%Y") || $0.hasPrefix("%m/%d/%Y") }
        return orders.count > 1 ? orders : Array(found.prefix(1))
    }

    /// The format, be it one with a word of its own, that reads a value which other formats do not; two where it is not
    /// known which is meant.
    static func others(_ text: String, isDate: Bool) -> [String] {
        if !isDate, isInternet(text) { return [MomentFormat.rfc3339.rawValue] }
        let formats = formats(text)
        return formats.isEmpty && !isDate ? [unix(text)?.rawValue].compactMap { $0 } : formats
    }

    /// Seconds since 1970 have ten digits since 2001, milliseconds thirteen.
    static func unix(_ text: String) -> MomentFormat? {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        switch text.utf8.count {
        case 9, 10: return .unix
        case 12, 13: return .unixMilliseconds
        default: return nil
        }
    }

    private static func isInternet(_ text: String) -> Bool { read(text) { WrittenTime(internet: $0) != nil } }

    private static func read<Result>(_ text: String, _ body: (ByteView) -> Result) -> Result {
        var arena = Arena(capacity: 1 << 6)
        defer { arena.deallocate() }
        return body(ByteView(arena.appendText(text), in: arena))
    }

    private static let alone = days.compactMap { try? DateFormat($0, type: .datetime) }

    private static let withTimes = days.flatMap { day in
        times.flatMap { ["\(day) \($0)", "\(day)T\($0)"] }.compactMap { try? DateFormat($0, type: .datetime) }
    }
}
