import CSluiceSQLite
import SluiceRecords

/// The library that stores are written with.
package func loadLibraries() -> [LibraryVersion] {
    [LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))]
}
