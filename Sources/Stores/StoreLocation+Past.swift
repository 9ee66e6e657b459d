import SluiceRecords
import SluiceSchema
import SluiceStorePostgreSQL
import SluiceStoreSQLite

extension StoreLocation {
    /// The past of the store, to be read.
    ///
    /// - Throws: `missing` where there is no store; `definition` where it keeps no history.
    package func past() throws(Failure) -> any HistoryReader {
        switch self {
        case .file(let path): try SQLiteHistoryReader(path)
        case .server(let server): try ServerHistoryReader(server)
        }
    }

    /// Makes the store as it was when a run had ended: that of a file as a file of another path, that of a server as
    /// another schema of the same database.
    ///
    /// - Throws: `missing` where there is no store or no such run, or its past is not kept any more; `definition` where
    /// no
    ///   history is kept; `uncreatable` where there is something of that name, or it cannot be made.
    package func makeStore(asOf run: Int, named output: String) throws(Failure) {
        switch self {
        case .file(let path): try SQLiteEarlierStoreWriter.write(path, run: run, to: output)
        case .server(let server): try ServerEarlierStoreWriter.write(server, run: run, to: output)
        }
    }

    /// Erases the past of an object for good, and gives what that was. A file must be held by who calls.
    package func erasePast(
        of entity: String, _ identifier: String, pipeline: String, time: String, version: String
    ) throws(Failure) -> ErasedPast {
        switch self {
        case .file(let path):
            try SQLiteHistoryErasure.perform(
                path, of: entity, identifier, pipeline: pipeline, time: time, version: version)
        case .server(let server):
            try ServerHistoryErasure.perform(
                server, of: entity, identifier, pipeline: pipeline, time: time, version: version)
        }
    }
}
