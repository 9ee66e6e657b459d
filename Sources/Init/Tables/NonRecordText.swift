/// The first text of a row that is no record: what sums, and the notes above and below a table, begin with.
enum NonRecordText {
    /// What rows begin with that hold sums of others.
    static let sums: Set = [
        "endsumme", "gesamt", "gesamtsumme", "grand total", "insgesamt", "sum", "summe", "total", "totals",
        "zwischensumme",
    ]
    /// What rows begin with that are computed of others, too, if they lack what all others have.
    private static let figures: Set = [
        "average", "brutto", "durchschnitt", "ensemble", "gross", "maximum", "mean", "minimum", "mittel", "mittelwert",
        "moyenne", "mwst", "net", "netto", "somme", "subtotal", "tax", "totaux", "tva", "ust", "vat", "übertrag",
    ]
    private static let notes: Set = [
        "anmerkung", "anmerkungen", "bemerkung", "bemerkungen", "copyright", "data", "daten", "datenquelle", "erstellt",
        "erläuterung", "erläuterungen", "exported", "fußnote", "generated", "hinweis", "hinweise", "last", "legende",
        "legend", "lizenz", "license", "nota", "note", "notes", "quelle", "quellen", "remark", "remarks", "remarque",
        "remarques", "source", "sources", "stand", "stichtag", "updated",
    ]
    /// With these begin footnotes.
    private static let marks = "*#†‡¹²³©("

    /// Whether a text says that its row has sums, or other figures of all others: `Summe`, `Total:`, `Summe 2026`.
    static func isSum(_ text: String) -> Bool {
        let lower = text.lowercased()
        if sums.contains(lower) { return true }
        let words = Names.words(lower)
        guard let first = words.first, sums.contains(first) || figures.contains(first) else { return false }
        // A company may be called `Total Energies`.
        return lower.contains(":") || lower.contains("(") || words.dropFirst().allSatisfy { Int($0) != nil }
    }

    /// What a text says that its row is the sum of: `Nord` of `Summe Nord`, or of `Nord gesamt`; nil: it says no sum.
    static func partOfSum(_ text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count > 1, let first = words.first?.lowercased(), let last = words.last?.lowercased() else {
            return nil
        }
        if sums.contains(first) || figures.contains(first) { return words.dropFirst().joined(separator: " ") }
        return sums.contains(last) || last == "zusammen" ? words.dropLast().joined(separator: " ") : nil
    }

    /// Whether a text says that a record that lacks nothing is a sum: `Total`, `Hessen insgesamt`.
    static func saysSum(_ text: String) -> Bool {
        let words = Names.words(text.lowercased())
        return sums.contains(text.lowercased())
            || words.count > 1 && words.last.map { ["insgesamt", "gesamt", "zusammen"].contains($0) } == true
    }

    /// Whether a text that is alone in its row is a note.
    ///
    /// - Parameter columns: how many the table has. Where there are two, nothing but a word for a note tells.
    static func isNote(_ text: String, of columns: Int) -> Bool {
        let words = Names.words(text)
        if let first = text.first, marks.contains(first) { return true }
        if let first = words.first, notes.contains(first.lowercased()) { return true }
        guard columns > 2 else { return false }
        return text.contains(": ") || words.count >= 5 || words.count >= 3 && text.hasSuffix(".")
    }
}
