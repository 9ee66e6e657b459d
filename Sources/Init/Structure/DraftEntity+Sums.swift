import SluiceDefinition
import SluiceRecords

// Rows of tables that are no records: sums of the others.
extension DraftEntity {
    private static let words: Set = [
        "endsumme", "gesamt", "gesamtsumme", "grand total", "insgesamt", "sum", "summe", "total", "totals",
        "zwischensumme",
    ]
    private static let fewestRows = 5

    /// What is told of a row that seems to be the sum of the others; nil: there is none. It says so, as far as a sample
    /// tells, or lacks most of what all others have.
    var sum: String? {
        guard place.isOfTable, records > DraftEntity.fewestRows else { return nil }
        let all = columns.filter { $0.cut == nil && !$0.isKey }
        let lacking = all.count { $0.counts.nulls == 1 }
        guard lacking > 0 else { return nil }
        // A word that stands in many rows says what these are about.
        for column in all where column.facts.sketch.distinct >= 0.9 * Double(records) {
            let texts = column.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }
            guard texts.count > 1, let text = texts.first(where: { DraftEntity.words.contains($0.lowercased()) }) else {
                continue
            }
            let condition = JSONText.object([(column.ownName, "{ \"not\": \(DraftText.quoted(text)) }")])
            return "a row with \(quoted(text)) seems to be a sum: \"where\": \(condition) leaves it out"
        }
        guard all.count > 3, lacking * 2 > all.count else { return nil }
        return "one row lacks most of what the others have: perhaps a sum, or a note, which a \"where\" leaves out"
    }
}
