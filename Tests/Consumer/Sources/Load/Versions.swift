import CSQLite
import CZlib
import Records

/// The libraries that this package uses itself.
public var versions: [Record] {
    [Record(name: String(cString: sqlite3_libversion())), Record(name: String(cString: zlibVersion()))]
}
