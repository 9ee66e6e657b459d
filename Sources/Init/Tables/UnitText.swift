/// Texts that are units, as people write them below the header of a table.
enum UnitText {
    private static let words: Set = [
        "mm", "cm", "dm", "m", "km", "ft", "in", "mi", "nm", "kn", "ha", "a", "qm", "cbm", "ml", "cl", "l", "hl", "mg",
        "g", "kg", "t", "lb", "lbs", "oz", "s", "sec", "min", "h", "d", "ms", "hz", "khz", "mhz", "ghz", "w", "kw",
        "mw",
        "gw", "wh", "kwh", "mwh", "gwh", "j", "kj", "mj", "kcal", "v", "kv", "mv", "ma", "pa", "hpa", "kpa", "bar",
        "mbar", "psi", "ppm", "ppb", "ntu", "ph", "db", "dba", "k", "c", "f", "cfs", "mph", "kmh", "mps", "usd", "eur",
        "chf", "gbp", "teur", "stk", "stück", "anzahl", "count", "number", "units", "percent", "prozent", "deg", "nn",
        "psu", "msv", "bq", "iso8601", "unixtime",
    ]

    /// Whether a text is a unit for sure: a known word, or a sign that units have.
    static func isKnown(_ text: String) -> Bool {
        let signs = "°%‰²³µμΩ€$£/()[]"
        return text.contains { signs.contains($0) } || words.contains(text.lowercased())
    }
}
