import SluiceRecords
import SluiceStoreSQLite

/// Makes the next version of a copy of an earlier one.
struct DeltaApplication {
    let delta: SeedManifest.Delta
    /// Whose hash was compared.
    let file: ReadFile
    /// Where in the file the delta begins.
    let start: UInt64
    /// The copy.
    let path: String
    let stop: Stop

    /// Applies it, without a journal: what goes wrong leaves a copy that is of no use.
    ///
    /// - Parameter copyAgain: makes the copy anew.
    /// - Returns: the open copy; nil where the delta does not fit it.
    func perform(_ copyAgain: () throws(Failure) -> Void) throws(Failure) -> Connection? {
        let connection = try SeedDatabase.openPrivate(path, stop)
        switch try DeltaApplier(connection: connection, stop: stop).apply(expander()) {
        case .applied: return connection
        case .conflict: return nil
        case .swapped: break
        }
        // Two objects may have swapped what must be unique. Then the indexes that demand it come last.
        connection.close()
        try copyAgain()
        let second = try SeedDatabase.openPrivate(path, stop)
        let applier = DeltaApplier(connection: second, stop: stop)
        let indexes = try applier.dropUniqueIndexes()
        guard try applier.apply(expander()) == .applied else { return nil }
        do throws(Failure) {
            for index in indexes { try second.execute(index) }
        } catch {
            // What is not unique now was not made from this.
            if error.kind == .definition { return nil }
            throw error
        }
        return second
    }

    private func expander() throws(Failure) -> Expander {
        try Expander(file, from: start, expanded: delta.expandedBytes)
    }
}
