import CSluiceSQLite
import SluicePostgreSQL
import SluiceRecords

/// The libraries that stores are written with.
package func loadLibraries() -> [LibraryVersion] {
    [LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))] + serverLibraries()
}
