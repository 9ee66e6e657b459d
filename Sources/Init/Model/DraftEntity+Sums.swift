import SluiceDefinition
import SluiceRecords

// Records that are none: sums of the others.
extension DraftEntity {
    private static let fewestRecords = 3

    /// What is told of records that seem to be sums of the others, and of rows that lack most of what all others of a
    /// table have.
    var sums: [String] {
        if omissions.nonRecords?.areLeftOut == false { return [] }
        guard records > DraftEntity.fewestRecords else { return [] }
        let told = [sumOfTable, place.isOfTable ? thinRows?.remark : nil].compactMap { $0 }
        return told.isEmpty ? [sumAmongNumbers].compactMap { $0 } : told
    }

    private var sumOfTable: String? {
        guard place.isOfTable else { return nil }
        let all = columns.filter { $0.cut == nil && !$0.isKey }
        let lacking = all.count { $0.counts.nulls == 1 }
        guard lacking > 0 || thinRows != nil else { return nil }
        // A word that stands in many rows says what these are about.
        for column in all where column.facts.sketch.distinct >= 0.9 * Double(records) {
            guard let text = DraftEntity.sumWord(column) else { continue }
            return "a row with \(quoted(text)) seems to be a sum: \"where\": \(condition(column, text)) leaves it out"
        }
        return nil
    }

    /// What says of records what they are of, beside numbers: one of several values of a part of the identifier, or a
    /// name. Where a product is called `Total`, nothing is counted.
    private var sumAmongNumbers: String? {
        let all = columns.filter { $0.cut == nil && !$0.isKey && $0.isOwnMember }
        let keys = columns.first { $0.cut == nil && $0.isKey && $0.names.first == "key" }
        let hasFigures = columns.contains { $0.cut == nil && !$0.isIdentifying && DraftEntity.isFigure($0) }
        guard hasFigures, role == .records else { return nil }
        if owner == nil, let keys, let text = DraftEntity.sumWord(keys) {
            let condition = "{ \"not\": { \"~\": \(DraftText.quoted(text)) } }"
            return "the record with the key \(quoted(text)) seems to be a sum: \"where\": \(condition) leaves it out"
        }
        for column in all where column.isAlwaysThere && column.facts.sketch.distinct > 3.5 {
            let isName = column.facts.sketch.distinct >= 0.9 * Double(records)
            guard column.isIdentifying || isName, let text = DraftEntity.sumWord(column) else { continue }
            let rows = isName ? "a record with \(quoted(text)) seems" : "records with \(quoted(text)) seem"
            let sums = isName ? "to be a sum" : "to be sums"
            let them = isName ? "it" : "them"
            return "\(rows) \(sums): \"where\": \(condition(column, text)) leaves \(them) out"
        }
        return nil
    }

    /// The word for a sum among the texts of a column, as far as a sample tells; nil: there is none.
    private static func sumWord(_ column: DraftColumn) -> String? {
        let texts = column.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }
        return texts.count > 1 ? texts.first { NonRecordText.saysSum($0) } : nil
    }

    private static func isFigure(_ column: DraftColumn) -> Bool {
        column.content == .scalar && !column.isKey
            && (column.facts.numbers > 0 || column.isAmount || column.areNumerals)
    }

    private func condition(_ column: DraftColumn, _ text: String) -> String {
        JSONText.object([(column.ownName, "{ \"not\": \(DraftText.quoted(text)) }")])
    }
}
