import SluiceRecords

/// In how many records that count a number stands among the reader's notes, of one entity and source.
final class NoteCounts {
    private var counts: [Int] = []
    /// By number: the last row that had it. A record may have it twice.
    private var rows: [Int] = []
    private var firsts: [Int: FeedPosition] = [:]

    /// The records that have a number, and the first of them; nil: there is none.
    subscript(number: Int) -> (records: Int, first: FeedPosition)? {
        firsts[number].map { (counts[number], $0) }
    }

    /// Counts the notes of a row.
    ///
    /// - Parameter stamp: the row's number among all that are counted, from 1.
    func add(_ row: Int, stamp: Int, of section: EntityRecords, _ batch: RecordBatch) {
        let notes = section.notes[row]
        var index = notes.head
        for _ in 0..<notes.count {
            let element = batch.elements[index]
            index = Int(element.next)
            let number = Int(element.cell.integer)
            while counts.count <= number {
                counts.append(0)
                rows.append(0)
            }
            guard rows[number] != stamp else { continue }
            rows[number] = stamp
            counts[number] += 1
            if counts[number] == 1 { firsts[number] = section.location(of: row, in: batch) }
        }
    }
}

extension EntityRecords {
    func location(of row: Int, in batch: RecordBatch) -> FeedPosition {
        FeedPosition(positions[row], path: positions[row].path(in: batch.arena))
    }
}
