import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceStores
import SluiceTransform

/// The version of Sluice, as `sluice --version` shows it (semantic versioning).
public let version = "0.1.0"

/// The libraries of this machine that Sluice works with.
package var libraries: [LibraryVersion] {
    loadLibraries() + extractLibraries() + transformLibraries() + fetchLibraries()
}
