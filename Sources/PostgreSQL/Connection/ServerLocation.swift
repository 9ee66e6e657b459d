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

    /// Connects as `sluice`, or as `sluice ROLE`: so the server's own lists call the connection.
    ///
    /// - Parameter role: what connects: a pipeline, a reader.
    package func connect(
        _ role: String?, patience: Double? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(Failure) -> ServerConnection {
        try ServerConnection(
            address, name: description, application: role.map { "sluice \($0)" } ?? "sluice", patience: patience,
            isCancelled: isCancelled)
    }
}
