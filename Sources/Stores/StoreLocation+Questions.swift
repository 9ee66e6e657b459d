import SluiceLoad
import SluiceRecords
import SluiceStorePostgreSQL
import SluiceStoreSQLite

extension StoreLocation {
    /// Throws why the next run cannot ask its questions: they are tried as a dry run would try them.
    package func rehearse(_ use: StoreUse) throws(Failure) {
        if use.questions.isEmpty { return }
        switch self {
        case .file(let path): try SQLiteStore.rehearse(path, use)
        case .server(let server): try PostgreSQLStore.rehearse(server, use)
        }
    }

    /// Asks the store as it is, one question after another, of one moment; what was before is what is there.
    ///
    /// - Throws: `missing` where there is no store.
    package func ask(
        _ questions: [Question], _ model: Model, pipeline: String, place: @escaping ([String]) -> Failure.Place?,
        isCancelled: @escaping @Sendable () -> Bool, each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        guard isThere else { throw Failure(.missing, "the store \(self) does not exist: the first run makes it") }
        switch self {
        case .file(let path):
            try SQLiteStore.ask(questions, path: path, model, place: place, isCancelled: isCancelled, each: each)
        case .server(let server):
            try PostgreSQLStore.ask(
                questions, server, model, pipeline: pipeline, place: place, isCancelled: isCancelled, each: each)
        }
    }
}
