import CSluiceSQLite
import Glibc
import SluicePosix
import SluiceRecords
import SluiceStoreSQLite

/// The store whose name a new one is about to get.
///
/// What SQLite keeps beside it would be taken for the new one's: it is SQLite itself that removes it, since nobody else
/// knows whether a living program needs it.
struct OldStore {
    let path: String
    let stop: Stop

    /// Sees to it that nothing is left beside the store. Throws `busy` where a program has it open in WAL mode.
    func retire() throws(Failure) {
        guard try mayLeaveTraces() else { return }
        if try close() { return }
        // What cannot be opened is lost. First the store goes: its log beside none does no harm.
        if unsafe unlink(path) != 0, errno != ENOENT {
            throw Failure(.uncreatable, "the store \(path) cannot be replaced", errno: errno)
        }
        let folder = FilePath.folder(path)
        guard FilePath.syncFolder(folder) else {
            throw Failure(.io, "the folder \(folder) cannot be written", errno: errno)
        }
        StoreTraces.remove(path)
    }

    private func mayLeaveTraces() throws(Failure) -> Bool {
        if StoreTraces.areThere(path) { return true }
        guard try ReadFile.isRegular(path) == true else { return false }
        do throws(Failure) {
            return try StoreHeader(ReadFile(path)).isWAL
        } catch {
            if error.kind == .missing { return false }
            throw error
        }
    }

    /// Lets SQLite take its files away; false: it cannot open the store.
    private func close() throws(Failure) -> Bool {
        guard try ReadFile.isRegular(path) == true else { return false }
        let connection: Connection
        do throws(Failure) {
            connection = try Connection(path: path, access: .write)
        } catch {
            if error.kind == .uncreatable { return false }
            throw error
        }
        defer { connection.close() }
        connection.isForeign = true
        connection.listen(patience: 1000, isCancelled: stop.isWanted)
        do throws(Failure) {
            // Recovers what a program that died has left.
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            // It takes an exclusive lock, moves the log into the store, and removes both files.
            guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else { throw busy }
            connection.close()
            return !StoreTraces.areThere(path)
        } catch {
            switch unsafe sqlite3_errcode(connection.handle) & 0xff {
            case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: return false
            case SQLITE_BUSY, SQLITE_LOCKED: throw busy
            default: throw error
            }
        }
    }

    private var busy: Failure {
        Failure(.busy, "a program has the store \(path) open in WAL mode: it can be replaced when that has closed it")
    }
}
