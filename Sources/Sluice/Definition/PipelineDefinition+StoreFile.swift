import SluiceDefinition
import SluicePosix
import SluiceRecords
import SluiceStores

extension PipelineDefinition {
    /// The path of the store that a command needs as a file.
    ///
    /// - Throws: `definition` where it is on a server.
    func storeFile(instead given: String?, for what: String) throws(Failure) -> String {
        switch try location(instead: given) {
        case .file(let path): return path
        case .server(let server):
            throw Failure(
                .definition, "\(what) needs an SQLite database, and the store is \(server)", at: tree.place(["store"]))
        }
    }
}

extension StoreLocation {
    /// Where a store that is not there yet would be made.
    var creatable: StoreLocation {
        switch self {
        case .file(let path): .file(StorePath.creatable(path))
        case .server: self
        }
    }

    /// The same for the same store, however it is named.
    var identity: String {
        switch self {
        case .file(let path): StorePath.real(path)
        case .server: description
        }
    }
}
