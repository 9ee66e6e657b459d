import SluiceRecords

/// Which columns there are in records that lack what identifies all others: where these share none of them, they are no
/// records of the kind, such as what a program writes above and below the lines of an export.
final class StrangerLog {
    /// What the others have.
    let column: Int
    private let width: Int
    private var ofRecords: [Bool]
    private var ofOthers: [Bool]

    init(_ column: Int, of entity: DraftEntity) {
        (self.column, width) = (column, entity.columns.count)
        ofRecords = Array(repeating: false, count: width)
        ofOthers = ofRecords
    }

    /// The columns with which records may be told from others so: those that most of them have.
    static func all(of entity: DraftEntity, _ optional: [Int]) -> [StrangerLog] {
        guard entity.owner == nil, !entity.isEmbedded, !entity.isTree, !entity.place.isOfTable,
            entity.place.kind == nil
        else { return [] }
        return optional.filter { index in
            let lacking = entity.records - entity.columns[index].values
            return lacking > 0 && 2 * lacking < entity.records
        }.prefix(2).map { StrangerLog($0, of: entity) }
    }

    func add(_ row: UnsafePointer<UInt64>) {
        let isRecord = unsafe row[column + 1] != ValueFingerprint.none
        for index in 0..<width where unsafe row[index + 1] != ValueFingerprint.none {
            if isRecord { ofRecords[index] = true } else { ofOthers[index] = true }
        }
    }

    /// The columns that only others than the records have; nil: they share something with these.
    func columns(of entity: DraftEntity) -> [DraftColumn]? {
        let records = entity.columns[column].values
        var found: [DraftColumn] = []
        for column in entity.columns where column.cut == nil {
            // Lists, objects and booleans are in no row: all records have them, or so few have as are none.
            let isCounted = column.content == .scalar && column.counts.booleans == 0
            let isShared =
                isCounted
                ? ofRecords[column.index] && ofOthers[column.index]
                : column.present != records && column.present > entity.records - records
            if isShared { return nil }
            if isCounted ? ofOthers[column.index] : column.present != records { found.append(column) }
        }
        return found.isEmpty ? nil : found
    }
}
