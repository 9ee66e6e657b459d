import SluiceRecords

extension SQLiteStore {
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
}
