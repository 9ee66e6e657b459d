import SluiceRecords

/// Finds the objects of records by reading the table in the order of objectIDs: a feed mostly lists its objects in the
/// order of the run that created them. A row that is read this way needs no sorting, and no search in an index; objects
/// that are not found this way are left to the sorted look-up.
final class SequenceScan {
    /// A batch is looked up from where it had this many misses more than an eighth of its hits.
    private static let patience = 16

    private let statement: Statement
    /// Whether the statement stands on a row.
    private var isOnRow = false

    /// The statement gives objectID and all columns of the objects behind one objectID and up to another, in their
    /// order.
    init(_ statement: Statement) { self.statement = statement }

    /// `isMet`: whether the statement's row is the object of a record, which `take` then notes. `missed`: the record's
    /// object is none of those that come next; `find` tells its objectID, or 0.
    @inline(__always)
    func run(
        _ rows: [Int], behind first: Int64, upTo last: Int64, isMet: (Statement, Int) -> Bool,
        take: (Statement, Int) throws(Failure) -> Void, missed: (Int) -> Void, find: (Int) throws(Failure) -> Int64
    ) throws(Failure) {
        try start(behind: first, upTo: last)
        var (hits, misses) = (0, 0)
        var index = 0
        while index < rows.count, isOnRow, misses <= SequenceScan.patience + hits >> 3 {
            let row = rows[index]
            index += 1
            if isMet(statement, row) {
                try take(statement, row)
                hits += 1
                isOnRow = try statement.step()
            } else {
                missed(row)
                misses += 1
                // The record is new, or the feed lacks some objects: then the scan goes on behind the object of the
                // record.
                let objectID = try find(row)
                if objectID > statement.integer(0) { try start(behind: objectID, upTo: last) }
            }
        }
        stop()
        for row in rows[index...] { missed(row) }
    }

    private func start(behind first: Int64, upTo last: Int64) throws(Failure) {
        stop()
        statement.bind(1, first)
        statement.bind(2, last)
        isOnRow = try statement.step()
    }

    private func stop() {
        if isOnRow { statement.reset() }
        isOnRow = false
    }
}
