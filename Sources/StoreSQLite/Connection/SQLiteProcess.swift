import CSluiceSQLite

/// Settings that hold for all of SQLite in a process: only the program may make them, not the library.
package enum SQLiteProcess {
    /// Has SQLite keep no statistics of memory: they cost a lock at each allocation, and the command reads none. To be
    /// called before the first connection; it changes nothing afterwards.
    package static func keepsNoStatistics() { _ = sluice_sqlite_config(SQLITE_CONFIG_MEMSTATUS, 0) }
}
