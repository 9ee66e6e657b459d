import SluiceExtract
import SluiceFetch
import SluiceRecords
import SluiceStores
import SluiceTransform

/// The libraries of this machine that Sluice works with.
package var libraries: [LibraryVersion] {
    loadLibraries() + extractLibraries() + transformLibraries() + fetchLibraries()
}
