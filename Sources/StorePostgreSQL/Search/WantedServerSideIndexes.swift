import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The side indexes that the pipelines of a store on a server want, in the course of a run.
struct WantedServerSideIndexes {
    private let store: PostgreSQLStore

    init(_ store: PostgreSQLStore) { self.store = store }

    /// Whether any pipeline finds objects by words or places, or has done so: otherwise the server is not asked for
    /// side indexes.
    private var areAny: Bool {
        let rows = store.check.modelRows
        return (rows.before + rows.descriptions).contains { $0.search != nil || $0.place != nil }
    }

    /// What the definition wants comes before what other pipelines want of the same tables.
    private func sides(in schema: String? = nil) throws(Failure) -> ServerSideIndexes {
        try ServerSideIndexes(
            store.connection, schema: schema ?? store.location.schema, namespace: store.namespace,
            store.check.modelRows.descriptions.reversed())
    }

    /// Makes their functions, so that queries may name them.
    ///
    /// - Parameter schema: where they are made; nil: in the store.
    func makeFunctions(in schema: String? = nil) throws(Failure) {
        if areAny { try sides(in: schema).makeFunctions() }
    }

    /// Removes those that do not stay as they are, before anything is renamed or takes another form.
    func removeStale() throws(Failure) {
        if areAny { try sides().removeStale() }
    }

    /// Makes the side indexes that are missing, and removes those that no pipeline wants any more.
    func make() throws(Failure) {
        guard areAny else { return }
        let sides = try sides()
        if sides.areInStep { return }
        try store.connection.withoutPendingChecks { () throws(Failure) in
            try sides.removeStale()
            try sides.make()
        }
    }
}
