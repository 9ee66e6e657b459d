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

    /// Connects to read the store, and not to change it.
    package func connectForReading(
        _ role: String?, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(Failure) -> ServerConnection {
        let connection = try connect(role, isCancelled: isCancelled)
        connection.isReading = true
        return connection
    }

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

    /// Throws `usage` where a schema cannot be called so.
    package static func refuse(schema: String) throws(Failure) {
        if let problem = problem(schema: schema) { throw Failure(.usage, problem) }
    }

    /// Why a schema cannot be called so; nil: it can.
    package static func problem(schema: String) -> String? {
        if schema.isEmpty { return "a schema cannot be called nothing" }
        if schema.utf8.contains(0) { return "a schema's name cannot hold a NUL" }
        if schema.utf8.count > 63 {
            return "the schema \(schema) has a name of \(schema.utf8.count) bytes, and PostgreSQL takes 63"
        }
        if schema.hasPrefix("pg_") || schema == "information_schema" {
            return "the schema \(schema) has a name that PostgreSQL keeps for itself"
        }
        return nil
    }
}
