import SluiceDefinition
import SluiceRecords

/// Finds a column that is unique in each file of a sequence or a table, and not in all of them: the files are exports
/// of the same records.
final class FileUniques: RowListener {
    private let columns: [DraftColumn]
    private var seen: [HashSet]
    private var repeats: [Int]
    /// How many records of a file are in one before, by column.
    private var known: [Int]
    private var all: [HashSet]
    private var file = 0

    /// So many columns are looked at, and so many records.
    private static let mostColumns = 6
    private static let mostRecords = 1 << 21

    init(_ entity: DraftEntity) {
        let eligible = entity.columns.filter { column in
            RecordMeasure.isEligible(column) && !column.isFile && column.facts.sketch.distinct > 2
        }
        columns = Array(
            eligible.sorted { one, other in
                (one.meaning.rank, -one.facts.sketch.distinct, one.index)
                    < (other.meaning.rank, -other.facts.sketch.distinct, other.index)
            }.prefix(FileUniques.mostColumns))
        seen = columns.map { _ in HashSet() }
        all = columns.map { _ in HashSet() }
        (repeats, known) = (columns.map { _ in 0 }, columns.map { _ in 0 })
    }

    deinit {
        for index in columns.indices {
            seen[index].deallocate()
            all[index].deallocate()
        }
    }

    /// The best of them; nil: none is unique in each file, or there are too many records.
    static func find(in entity: DraftEntity, of feed: SurveyedFeed, _ measures: [RecordMeasure]) throws(Failure)
        -> (column: DraftColumn, known: Int)?
    {
        guard entity.records <= mostRecords else { return nil }
        let uniques = FileUniques(entity)
        guard !uniques.columns.isEmpty else { return nil }
        let rows = measures.map { RowForwarder($0.entity) }
        rows[entity.index].add(uniques)
        try feed.measure(rows, uniques.columns) { uniques.file = $0 }
        let place = uniques.columns.indices.first { uniques.repeats[$0] == 0 && uniques.known[$0] > 0 }
        return place.map { (uniques.columns[$0], uniques.known[$0]) }
    }

    func take(_ row: UnsafePointer<UInt64>) {
        for (index, column) in columns.enumerated() where repeats[index] == 0 {
            let value = unsafe row[column.index + 1]
            if value == ValueFingerprint.none || !seen[index].insert(ValueFingerprint.joined(UInt64(file + 1), value)) {
                repeats[index] += 1
            } else if !all[index].insert(value) {
                known[index] += 1
            }
        }
    }
}
