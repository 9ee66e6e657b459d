import SluiceDefinition
import SluiceRecords

// What is done with values before they refer to something.
extension EntityMembers {
    /// What is done with a value before it refers to something.
    static func rules(_ column: DraftColumn, _ relationship: DraftRelationship) -> [(String, String)] {
        let keys = relationship.targets.compactMap { relationship.by ?? $0.identifier?.columns.first }
        // A text that is compared with texts is taken as it is.
        let isNumber = keys.contains { DraftType($0, isName: true).type != "text" }
        let trim = column.facts.padded > 0 && isNumber ? [("trim", "true")] : []
        let match = column.cut.map { [("match", DraftText.quoted($0.pattern))] } ?? []
        return trim + nullIf(column, relationship) + match
    }

    /// What stands for none: an empty text, or zero where all identifiers are larger.
    static func nullIf(_ column: DraftColumn, _ relationship: DraftRelationship) -> [(String, String)] {
        let texts = (column.facts.empties > 0 ? [""] : []) + relationship.missing
        if !texts.isEmpty { return [("nullIf", DraftText.list(texts))] }
        let keys = relationship.targets.compactMap { relationship.by ?? $0.identifier?.columns.first }
        let isZero = column.isWhole && column.facts.texts == 0 && column.facts.integers.least == 0
        return isZero && keys.allSatisfy { $0.isWhole && $0.facts.integers.least > 0 } ? [("nullIf", "0")] : []
    }

    /// A part of an identifier.
    static func value(_ column: DraftColumn) -> String {
        let path = DraftText.quoted(DraftPaths.own(column))
        guard let cut = column.cut else { return path }
        return JSONText.object([("from", path), ("match", DraftText.quoted(cut.pattern))])
    }
}
