import CSluicePostgreSQL
import SluiceRecords

/// The library that speaks to servers.
package func serverLibraries() -> [LibraryVersion] {
    let version = Int(PQlibVersion())
    return [LibraryVersion("libpq", "\(version / 10_000).\(version % 10_000)")]
}
