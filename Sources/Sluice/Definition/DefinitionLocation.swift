import SluiceLoad
import SluiceStore

extension PipelineDefinition {
    /// Where its store is.
    var location: StoreLocation { .file(store) }

    /// Where the store is that a command uses: the one that it was given, or else the definition's.
    package func location(instead given: String?) -> StoreLocation { given.map { .file($0) } ?? location }
}

extension StoreLocation {
    /// Where a store that is not there yet would be made.
    var creatable: StoreLocation {
        switch self {
        case .file(let path): .file(StorePath.creatable(path))
        }
    }

    /// The same for the same store, however it is named.
    var identity: String {
        switch self {
        case .file(let path): StorePath.real(path)
        }
    }
}
