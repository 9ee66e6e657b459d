import SluiceRecords
import SluiceSchema
import SluiceStorePostgreSQL
import SluiceStoreSQLite

extension StoreLocation {
    /// The past of the store, to be read.
    ///
    /// - Throws: `missing` where there is no store; `definition` where it keeps no history.
    package func past() throws(Failure) -> any StorePast {
        switch self {
        case .file(let path): try PastFile(path)
        case .server(let server): try ServerPast(server)
        }
    }
}
