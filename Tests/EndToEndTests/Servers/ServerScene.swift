import Foundation
import SluicePostgreSQL
import TestSupport
import Testing

/// A folder with a small pipeline whose store is a schema of the tests' own server, and a feed.
final class ServerScene {
    let folder = TemporaryFolder()
    let cluster: Cluster
    let schema = "items \(UUID().uuidString.prefix(8))"
    var definition: String { folder.file("items.jsonc") }

    static let feed = """
        {"items": [{"id": 1, "name": "one"}, {"id": 2, "name": "two", "parent": 1}, {"id": 3, "parent": 9}]}
        """

    init(
        _ settings: String = "", entity: String = "", server: String = "", through proxy: ServerProxy? = nil,
        on cluster: Cluster? = nil
    ) throws {
        let cluster = try cluster ?? Cluster.shared.get()
        self.cluster = cluster
        _ = try folder.write("feed.json", ServerScene.feed)
        _ = try folder.write(
            "items.jsonc",
            """
            {
              \(settings)
              "source": { "file": "feed.json" },
              "store": { "postgresql": { "database": "\(cluster.uri(through: proxy))", "schema": "\(schema)"\(server) } },
              "entities": {
                "Item": {
                  "records": "$.items[*]",
                  "identifier": "id",
                  "attributes": { "id": "integer", "name": "text", "price": "real" },
                  "relationships": { "parent": { "to": "Item" } }\(entity)
                }
              }
            }
            """)
    }

    deinit { _ = try? cluster.sql("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE") }

    func run(_ command: String = "run", _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run([command, definition] + more)
    }

    /// A connection of another program's.
    func connect() throws -> ServerConnection {
        try ServerConnection(ServerAddress(cluster.uri), name: "test", application: "test")
    }

    /// What a statement gives, with `@` for the schema.
    func sql(_ sql: String) throws -> String {
        try cluster.sql(sql.replacing("@", with: "\"\(schema)\""))
    }

    /// The items as `id,name,parent's id`.
    func items() throws -> [String] {
        try sql(
            """
            SELECT concat_ws(',', t.id, coalesce(t.name, '∅'), coalesce(p.id::text, '∅'))
            FROM @."Item" t LEFT JOIN @."Item" p ON p."objectID" = t.parent ORDER BY t.id
            """
        ).split(separator: "\n").map(String.init)
    }

    var exists: Bool {
        get throws { try cluster.sql("SELECT 1 FROM pg_namespace WHERE nspname = '\(schema)'") == "1" }
    }
}
