import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Where a store keeps what its objects have been.
package protocol HistoryLocation: Sendable {
    /// Opens it, to be read.
    func open() throws(Failure) -> any HistoryReader

    /// Makes the store as it was when a run had ended, under a name that nothing has, and opens it.
    func makeStore(asOf run: Int, at output: String) throws(StoreError) -> Store
}

extension HistoryLocation {
    /// The last run that had ended by a time.
    ///
    /// - Throws: `statement` where the text is none, `missing` where there is no such run.
    func lastRun(endedBy time: String) throws(StoreError) -> Int {
        guard PastTime.isWritten(so: time) else {
            throw StoreError(.statement, "a time is written as 2026-11-20 or 2026-11-20T02:00:00Z, not \(time)")
        }
        let run = try stored { () throws(Failure) in try open().lastRun(endedBy: time) }
        guard run > 0 else { throw StoreError(.missing, "no run had ended by \(time)") }
        return run
    }
}

/// The past of a store in a file.
struct FileHistoryLocation: HistoryLocation {
    let path: String

    func open() throws(Failure) -> any HistoryReader { try SQLiteHistoryReader(path) }

    func makeStore(asOf run: Int, at output: String) throws(StoreError) -> Store {
        try stored { () throws(Failure) in try SQLiteEarlierStoreWriter.write(path, run: run, to: output) }
        return try Store(output)
    }
}
