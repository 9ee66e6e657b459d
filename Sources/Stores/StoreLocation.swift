import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema
import SluiceStorePostgreSQL
import SluiceStoreSQLite

/// Where a store is.
package enum StoreLocation: Sendable, Hashable, CustomStringConvertible {
    /// An SQLite database, by its path.
    case file(String)
    /// A schema of a database on a server.
    case server(ServerLocation)

    /// As messages and reports name it.
    package var description: String {
        switch self {
        case .file(let path): path
        case .server(let server): server.description
        }
    }

    /// The path of the database, which who writes to it must hold, and beside which sluice has other files; nil: a
    /// server has it.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .server: nil
        }
    }

    /// What keeps the identifiers of objects that records call gone, where these are too many for the memory.
    package static func makeGoneIdentifiers() throws(Failure) -> any GoneIdentifiers { try IdentifierDatabase() }

    /// Opens the store without changing anything yet, or starts a new one.
    package func open(_ use: StoreUse) throws(Failure) -> any OpenStore {
        switch self {
        case .file(let path):
            try SQLiteStore(path, use)
        case .server(let server): try PostgreSQLStore(server, use)
        }
    }

    /// Whether there is something of that name.
    package var isThere: Bool {
        switch self {
        case .file(let path): SQLiteStore.isThere(path)
        case .server: true
        }
    }

    /// Compares the model of a pipeline with the store: what a run would do to it first. Changes nothing. A store that
    /// does not exist needs nothing.
    package func plan(_ model: Model, pipeline: String) throws(Failure) -> SchemaPreview {
        switch self {
        case .file(let path): try SQLiteStore.plan(path: path, model: model, pipeline: pipeline)
        case .server(let server): try PostgreSQLStore.plan(server, model, pipeline: pipeline)
        }
    }

    /// Whether a column can be called so there, as far as that is a matter of the store.
    package func takes(column name: String) -> Bool {
        switch self {
        case .file: true
        case .server: ServerLimits.takes(column: name)
        }
    }

    /// What a pipeline's entities have in the store: by the name of the entity, the attributes and how their columns
    /// have the values. A store that does not exist has none.
    package func storedAttributes(pipeline: String) throws(Failure) -> [ExactText: [(name: String, form: StoredForm)]] {
        switch self {
        case .file(let path): try SQLiteStore.storedAttributes(path: path, pipeline: pipeline)
        case .server(let server): try PostgreSQLStore.storedAttributes(server, pipeline: pipeline)
        }
    }

    /// The ledger and the waiting list, to be read. Throws `missing` where there is no store.
    package func ledger() throws(Failure) -> any StoreLedger {
        switch self {
        case .file(let path): try LedgerFile(path: path)
        case .server(let server): try ServerLedger(server)
        }
    }
}
