import Foundation
import TestSupport

/// A folder with a pipeline whose feed is a web service's, and perhaps a store.
final class WebScene {
    let folder = TemporaryFolder()
    var store: String { folder.file("store.sqlite") }
    var definition: String { folder.file("items.jsonc") }
    var environment = ["SLUICE_TEST_BACKOFF": "0.002"]

    /// `source` are the members of the source, `entity` more of the entity, with a comma before each.
    init(_ source: String, settings: String = "", entity: String = "", records: String = "$.items[*]") throws {
        try define(source, settings: settings, entity: entity, records: records)
    }

    func define(
        _ source: String, settings: String = "", entity: String = "", records: String = "$.items[*]"
    ) throws {
        _ = try folder.write(
            "items.jsonc",
            """
            {
              \(settings)
              "source": { \(source) },
              "store": { "sqlite": "store.sqlite" },
              "entities": {
                "Item": {
                  "records": "\(records)", "identifier": "id",
                  "attributes": { "id": "integer", "name": "text", "changed": "datetime" },
                  "relationships": { "parent": { "to": "Item" } }\(entity)
                }
              }
            }
            """)
    }

    func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--format", "json"] + more, environment: environment)
    }

    /// All that users see of the store.
    var contents: [String: [[String]]] { get throws { try Database(store).contents() } }

    /// What a store holds after a run on a file with so many items.
    static func clean(_ items: Int, first: Int = 0) throws -> [String: [[String]]] {
        let scene = try WebScene(#""file": "feed.json""#)
        let list = (first..<first + items).map { #"{"id": \#($0), "name": "item \#($0)", "parent": \#($0 / 2)}"# }
        _ = try scene.folder.write("feed.json", #"{"items": [\#(list.joined(separator: ","))]}"#)
        _ = try scene.run()
        return try scene.contents
    }

    /// The ledger: number and status of each run.
    var ledger: [[String]] {
        get throws { try Database(store).rows("SELECT run, status FROM sluice_run ORDER BY run") }
    }
}

extension FaultyService {
    /// The member of a source.
    var member: String { "\"url\": \"\(url)\"" }
}
