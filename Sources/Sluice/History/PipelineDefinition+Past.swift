import SluiceDefinition
import SluiceRecords
import SluiceStoreSQLite

extension PipelineDefinition {
    /// Makes the store as it was when a run had ended, in a file of its own: all objects and links, with their objectIDs, in
    /// the tables that the store had then. The store must keep its history (``"history": true``).
    ///
    /// - Parameters:
    ///   - run: the number of the run in the ledger, whatever its outcome and its pipeline.
    ///   - store: another store than the definition's.
    ///   - output: the path of a file that does not exist yet.
    /// - Throws: `missing` where there is no store or no such run, or its past is not kept any more; `definition` where no
    ///   history is kept; `uncreatable` where the file is there, or cannot be made.
    public func makeStore(asOf run: Int, of store: String? = nil, at output: String) throws(Failure) {
        try PastStore.write(storeFile(instead: store, for: "an earlier store"), run: run, to: output)
    }
}
