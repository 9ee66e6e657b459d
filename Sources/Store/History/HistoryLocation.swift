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

/// The past of a store in a file.
struct FileHistoryLocation: HistoryLocation {
    let path: String

    func open() throws(Failure) -> any HistoryReader { try SQLiteHistoryReader(path) }

    func makeStore(asOf run: Int, at output: String) throws(StoreError) -> Store {
        try stored { () throws(Failure) in try SQLiteEarlierStoreWriter.write(path, run: run, to: output) }
        return try Store(output)
    }
}
