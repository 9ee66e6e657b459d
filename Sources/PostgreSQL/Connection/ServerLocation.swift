import SluicePostgreSQL
import SluiceRecords

/// Where a store on a server is: a schema of a database.
package struct ServerLocation: Sendable, Hashable, CustomStringConvertible {
    package var address: ServerAddress
    package var schema: String
    /// Whether references are declared as foreign keys.
    package var declaresForeignKeys = true

    package init(address: ServerAddress, schema: String) {
        self.address = address
        self.schema = schema
    }

    /// The host, the database and the schema: neither who connects nor how.
    package var description: String { address.description + "/" + schema }

    func connect(
        _ pipeline: String?, patience: Double? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(Failure) -> ServerConnection {
        try ServerConnection(
            address, name: description, application: pipeline.map { "sluice \($0)" } ?? "sluice", patience: patience,
            isCancelled: isCancelled)
    }
}
