import Foundation
import SluicePostgreSQL
import TestSupport

@testable import SluiceSchema
@testable import SluiceStorePostgreSQL

/// A schema of the tests' own server, which nobody else has.
package struct TestServer: Sendable {
    package let location: ServerLocation

    package init(name: String = "store") throws {
        let address = try ServerAddress(Cluster.shared.get().uri)
        location = ServerLocation(address: address, schema: "\(name) \(UUID().uuidString.prefix(8))")
    }

    /// As a definition says it.
    package var definition: String {
        let uri = (try? Cluster.shared.get().uri) ?? ""
        return "{ \"postgresql\": { \"database\": \"\(uri)\", \"schema\": \"\(location.schema)\" } }"
    }

    package func connect() throws -> ServerConnection { try location.connect("tests") }

    /// The rows of a query, with `@` for the schema and a dot, and tabs between values.
    package func rows(_ sql: String) throws -> [String] {
        let sql = sql.replacing("@", with: quoted(location.schema) + ".")
        return try Cluster.shared.get().sql(sql).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// How many rows a function gives that is called so, of these arguments.
    package func call(_ function: String, _ arguments: String) throws -> Int {
        let sql = "SELECT count(*) FROM \(quoted(location.schema)).\(quoted(function))(\(arguments))"
        return Int(try Cluster.shared.get().sql(sql)) ?? -1
    }

    /// Forgets the schema and all that is in it.
    package func drop() throws { try connect().execute("DROP SCHEMA IF EXISTS \(quoted(location.schema)) CASCADE") }
}
