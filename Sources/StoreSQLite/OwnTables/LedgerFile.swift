import SluiceLoad
import SluicePosix
import SluiceRecords

/// The ledger of a store, to be read.
package struct LedgerFile: StoreLedger {
    private let reader: StoreReader
    private let path: String

    /// Throws `missing` where there is no store.
    package init(path: String) throws(Failure) {
        guard try StoreFile.exists(path) else {
            throw Failure(.missing, "the store \(path) does not exist: the first run makes it")
        }
        self.path = path
        reader = try StoreReader(path, patience: SQLiteStore.lockPatience)
        try reader.read { connection throws(Failure) in try ToolTables.check(connection) }
    }

    /// Hands out runs, the newest first, until it is told to stop: those of a pipeline, or all.
    package func rows(of pipeline: String?, each: (LedgerRow) throws(Failure) -> Bool) throws(Failure) {
        try reader.read { connection throws(Failure) in
            try LedgerReader(connection: connection).rows(
                where: pipeline == nil ? "true" : "pipeline = ?", pipeline.map { [$0] } ?? [], each: each)
        }
    }

    /// The run of a number, of whatever pipeline.
    package func row(_ run: Int) throws(Failure) -> LedgerRow? {
        try reader.read { connection throws(Failure) in
            var found: LedgerRow?
            try LedgerReader(connection: connection).rows(where: "run = \(run)") { row in
                found = row
                return false
            }
            return found
        }
    }

    package func isHeld() -> Bool { FileLock.isHeld(StorePath.lock(of: path)) }

    package func unresolved(
        in model: Model, _ filter: UnresolvedFilter, most: Int?, each: (UnresolvedRow) throws(Failure) -> Void
    ) throws(Failure) {
        try reader.read { connection throws(Failure) in
            try UnresolvedReader(connection: connection, model: model, filter: filter).rows(most: most, each: each)
        }
    }

    package func unresolvedCount(in model: Model, _ filter: UnresolvedFilter) throws(Failure) -> Int {
        try reader.read { connection throws(Failure) in
            try UnresolvedReader(connection: connection, model: model, filter: filter).count()
        }
    }

    /// Hands out the targets that references wait for, those that most wait for first, until it is told to stop.
    package func missingTargets(
        in model: Model, _ filter: UnresolvedFilter, each: (UnresolvedTarget) throws(Failure) -> Bool
    ) throws(Failure) {
        try reader.read { connection throws(Failure) in
            try UnresolvedReader(connection: connection, model: model, filter: filter).targets(each: each)
        }
    }
}
