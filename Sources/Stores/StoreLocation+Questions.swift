import SluiceLoad
import SluiceRecords
import SluiceStorePostgreSQL
import SluiceStoreSQLite

extension StoreLocation {
    /// Throws why questions cannot be asked of any store of a model. Nothing of the store is looked at.
    package func rehearse(
        _ questions: [Question], _ model: Model, pipeline: String, place: @escaping ([String]) -> Failure.Place?
    ) throws(Failure) {
        switch self {
        case .file: try SQLiteStore.rehearse(questions, model, place: place)
        case .server(let server):
            try PostgreSQLStore.rehearse(questions, server, model, pipeline: pipeline, place: place)
        }
    }

    /// Asks the store as it is, one question after another, of one moment; what was before is what is there.
    ///
    /// - Throws: `missing` where there is no store.
    package func ask(
        _ questions: [Question], _ model: Model, pipeline: String, place: @escaping ([String]) -> Failure.Place?,
        isCancelled: @escaping @Sendable () -> Bool, each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        guard isThere else { throw Failure(.missing, "the store \(self) does not exist") }
        switch self {
        case .file(let path):
            try SQLiteStore.ask(questions, path: path, model, place: place, isCancelled: isCancelled, each: each)
        case .server(let server):
            try PostgreSQLStore.ask(
                questions, server, model, pipeline: pipeline, place: place, isCancelled: isCancelled, each: each)
        }
    }
}
