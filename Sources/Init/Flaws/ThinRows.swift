import SluiceDefinition
import SluiceRecords

/// The few rows of a table that lack most of what all others have: sums, and notes below the records.
struct ThinRows {
    /// The columns that hardly a row lacks.
    let full: [DraftColumn]
    var count = 0
    /// The first text in the first of them.
    var text = ""
    var place: CellPlace?
    /// The line of the first of them.
    var line = "?"
    /// By column of `full`, how many of these rows lack it.
    var lacking: [Int]

    /// Nil: no such rows are to be expected.
    init?(_ entity: DraftEntity) {
        let columns = entity.columns.filter { $0.cut == nil && $0.isOwnMember && $0.content == .scalar }
        let most = ThinRows.most(of: entity)
        full = columns.filter { $0.counts.nulls <= most }
        lacking = full.map { _ in 0 }
        let lacked = full.count { $0.counts.nulls > 0 }
        guard entity.place.isOfTable, entity.records > ThinRows.fewestRows, columns.count > 2,
            2 * lacked > columns.count
        else { return nil }
    }

    private static let fewestRows = 5

    /// More rows than these are none by mistake.
    static func most(of entity: DraftEntity) -> Int { max(3, entity.records / 50) }

    /// Whether a row that lacks so many of the columns is one.
    func isThin(lacking count: Int) -> Bool { 2 * count > full.count }

    var remark: String {
        let condition = condition
        let which = "in \(line) (\(CellPlace.shown(text)))"
        let rows =
            count == 1
            ? "the row \(which) lacks most of what the others have: perhaps a sum, or a note"
            : "\(grouped(count)) rows, the first of them \(which), lack most of what the others have: perhaps sums, or"
                + " notes"
        return rows + (condition.map { ", which \"where\": \($0) leaves out" } ?? ", which a \"where\" leaves out")
    }

    /// What all other rows have, and these do not.
    private var condition: String? {
        let told = zip(full, lacking).first { column, lacking in lacking == count && column.counts.nulls == count }
        return told.map { JSONText.object([(DraftPaths.own($0.0), "{ \"not\": null }")]) }
    }
}
