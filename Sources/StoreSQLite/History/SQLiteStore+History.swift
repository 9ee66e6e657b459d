import SluiceLoad
import SluiceRecords
import SluiceSchema

// The past of a store's objects, over the life of a run.
extension SQLiteStore: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    /// Whether the past of all the model's objects is kept: of others, what the store has begun.
    var keepsHistory: Bool { if case .kept = history { true } else { false } }

    /// Lets triggers keep what goes of the model's objects: where that is wanted, or has been begun.
    func followHistory() throws(Failure) {
        guard let history = try StoreHistory(connection, isWanted: keepsHistory) else { return }
        var followed: [(name: String, links: [String])] = []
        for entity in model.entities {
            if !keepsHistory, try !history.follows(entity.table) { continue }
            followed.append((entity.table, schema.linkTables(of: entity).map(\.name)))
        }
        let made = check.missing.tables.map { model.entities[$0] }
        let links = made.flatMap { schema.linkTables(of: $0) } + check.missing.linkTables
        let new = Set((made.map(\.table) + links.map(\.name)).map { FoldedName($0) })
        try history.follow(followed, run: ledger.run, check.renaming) { new.contains(FoldedName($0)) }
    }

    /// Ends a run whose data are saved.
    func settleHistory() throws(Failure) {
        if file.isBuilt { try followHistory() }
        guard let past = try StoreHistory(connection, isWanted: false) else { return }
        try past.settle(run: ledger.run)
        if case .kept(let keep?) = history { try past.trim(keep, run: ledger.run, now: started) }
    }

    /// Ends a run that has failed: what belongs to it are the batches that it has saved.
    func settleFailedHistory() throws(Failure) {
        guard let history = try StoreHistory(connection, isWanted: false) else { return }
        try connection.execute("BEGIN IMMEDIATE")
        try history.settle(run: ledger.run)
        try connection.execute("COMMIT")
    }
}
