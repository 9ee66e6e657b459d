import Glibc
import SluicePosix
import SluiceRecords
import SluiceStorePostgreSQL
import SluiceStoreSQLite

extension StoreLocation {
    /// Throws what a run would not be permitted, as the run does. Changes nothing.
    ///
    /// - Parameter history: what becomes of the past of entities that do not say it themselves.
    package func checkRights(_ model: Model, _ history: HistoryUse?) throws(Failure) {
        switch self {
        case .file(let path): try StoreLocation.checkFile(path)
        case .server(let server): try ServerRights(server).check(model, history)
        }
    }

    private static func checkFile(_ path: String) throws(Failure) {
        let isThere = SQLiteStore.isThere(path)
        if isThere, unsafe access(path, R_OK | W_OK) != 0 {
            throw Failure.unwritableStore(path, "written to", errno: errno)
        }
        // SQLite puts its log beside it, also beside one that is there.
        guard unsafe access(FilePath.folder(path), W_OK | X_OK) == 0 else {
            let code = errno
            throw Failure.unwritableStore(
                path, (isThere ? "written to" : "created") + (code == ENOENT ? "" : ": its folder"), errno: code)
        }
    }
}
