import Glibc
import SluiceDefinition
import SluicePostgreSQL
import SluiceRecords
import SluiceReport
import SluiceSchema
import SluiceStore
import SluiceStores

extension PipelineDefinition {
    /// Makes the store as it was when a run had ended, in a file of its own: all objects and links, with their
    /// objectIDs, in the tables that the store had then. The store must keep its history (``"history": true``).
    ///
    /// - Parameters:
    ///   - run: the number of the run in the ledger, whatever its outcome and its pipeline.
    ///   - store: another store than the definition's.
    ///   - output: the path of a file that does not exist yet.
    /// - Throws: `missing` where there is no store or no such run, or its past is not kept any more; `definition` where
    ///   no history is kept; `uncreatable` where the file is there, or cannot be made.
    public func makeStore(asOf run: Int, of store: String? = nil, at output: String) throws(Failure) {
        let file = try storeFile(instead: store, for: "an earlier store in a file")
        try StoreLocation.file(file).makeStore(asOf: run, named: output)
    }

    /// Makes the store as it was when a run had ended, of one on a server: in a schema of its own, in the same
    /// database.
    ///
    /// - Parameters:
    ///   - run: the number of the run in the ledger, whatever its outcome and its pipeline.
    ///   - store: another store than the definition's.
    ///   - schema: the name of a schema that does not exist yet.
    /// - Throws: `missing` where there is no such run, or its past is not kept any more; `definition` where the store
    ///   is a file, or no history is kept; `usage` where a schema cannot be called so; `uncreatable` where it is there.
    public func makeStore(asOf run: Int, of store: String? = nil, inSchema schema: String) throws(Failure) {
        try ServerLocation.refuse(schema: schema)
        guard try isOnServer(instead: store) else {
            throw Failure(
                .definition, "an earlier store in a schema needs a store on a server", at: tree.place(["store"]))
        }
        try location(instead: store).makeStore(asOf: run, named: schema)
    }

    /// The number of the run that left what a store held at a time.
    ///
    /// - Throws: `missing` where there is no store, or no run had ended by then; `definition` where no history is kept.
    package func run(at moment: StoreDifferences.Moment, of store: String? = nil) throws(Failure) -> Int {
        if case .run(let run) = moment { return run }
        return try moment.anyRun(try location(instead: store).past())
    }

    /// Whether the store is on a server.
    ///
    /// - Parameter store: another store than the definition's.
    package func isOnServer(instead store: String? = nil) throws(Failure) -> Bool {
        try location(instead: store).path == nil
    }
}

extension PipelineDefinition {
    /// Erases the past of an object from the history of a store, for good; the object as it is now stays.
    ///
    /// - Parameters:
    ///   - entity: the name of its entity.
    ///   - identifier: as the store has it; of several attributes, a JSON list.
    ///   - store: another store than the definition's.
    /// - Returns: how many versions were erased.
    /// - Throws: `missing` where there is no store; `definition` where no history is kept; `busy` where a run holds it.
    public func forgetPast(of entity: String, _ identifier: String, in store: String? = nil) throws(Failure) -> Int {
        try erasePast(of: entity, identifier, in: store).versions
    }

    /// As `forgetPast`; returns findings in the ledger that were erased, too.
    package func erasePast(
        of entity: String, _ identifier: String, in store: String? = nil
    ) throws(Failure) -> ErasedPast {
        let (location, now) = (try location(instead: store), Timestamp.now.text)
        let lock = try location.path.map { file throws(Failure) in
            try StoreLock(
                store: file, holder: .init(process: Int(getpid()), pipeline: name, started: now), patience: 0)
        }
        defer { lock?.release() }
        return try location.erasePast(of: entity, identifier, pipeline: name, time: now, version: version)
    }
}
