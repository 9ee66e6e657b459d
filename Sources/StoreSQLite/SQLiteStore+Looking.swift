import SluiceLoad
import SluiceRecords
import SluiceSchema

// What commands want to know of a store without a run.
extension SQLiteStore {
    /// Whether a file of that name is there.
    package static func isThere(_ path: String) -> Bool { StoreFile.isThere(path) }

    /// Compares the model of a pipeline with a store: what a run would do to it first. Changes nothing. A store that
    /// does not exist needs nothing.
    package static func plan(path: String, model: Model, pipeline: String) throws(Failure) -> SchemaPreview {
        guard try StoreFile.exists(path) else { return SchemaPreview() }
        return try StoreReader(path, patience: lockPatience).read { connection throws(Failure) in
            try SchemaPreview(SchemaCheck(connection, model, pipeline: pipeline), model)
        }
    }

    /// What a pipeline's entities have in a store: by the name of the entity, the attributes and how their columns have
    /// the values. A store that does not exist has none.
    package static func storedAttributes(
        path: String, pipeline: String
    ) throws(Failure) -> [ExactText: [(name: String, form: StoredForm)]] {
        guard try StoreFile.exists(path) else { return [:] }
        return try StoreReader(path, patience: lockPatience).read { connection throws(Failure) in
            try SQLiteCatalog(connection).storedAttributes(of: pipeline)
        }
    }

    /// Throws why questions cannot be asked by the next run: they are tried as a dry run would try them.
    package static func rehearse(_ path: String, _ use: StoreUse) throws(Failure) {
        var use = use
        (use.isDry, use.isRehearsal) = (true, true)
        let store = try SQLiteStore(path, use)
        try store.rehearse()
    }

    private func rehearse() throws(Failure) {
        defer { abandon() }
        _ = try begin(RunStart(started: ""))
    }

    /// Asks a store that no run has open: the present rows also stand for those of before the run.
    package static func ask(
        _ questions: [Question], path: String, _ model: Model, place: @escaping ([String]) -> Failure.Place?,
        isCancelled: @escaping @Sendable () -> Bool, each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        let reader = try StoreReader(path, patience: lockPatience)
        try reader.read { connection throws(Failure) in
            // As a run does; nothing is written.
            connection.trustSchema()
            connection.listen(patience: lockPatience, isCancelled: isCancelled)
            try reader.attachToItself(as: Question.previous)
            try connection.execute("BEGIN")
            let asked = StoreQuestions(connection: connection, model: model, place: place)
            for question in questions {
                try each(question) { answer throws(Failure) in try asked.ask(question, each: answer) }
            }
            try connection.execute("COMMIT")
        }
    }
}
