import Foundation
import Testing

/// Whether the store is there before the run that is looked at.
enum StoreState: CaseIterable { case new, existing }

/// A folder with a small pipeline, a feed and perhaps a store: what is bad is tried on it, and nothing half-done may
/// remain.
final class Scene {
    let folder = TemporaryFolder()
    let state: StoreState
    var store: String { folder.file("store.sqlite") }
    var definition: String { folder.file("items.jsonc") }
    var feed: String { folder.file("feed.json") }

    static let goodFeed = """
        {"items": [{"id": 1, "name": "one"}, {"id": 2, "name": "two", "parent": 1}, {"id": 3, "parent": 9}]}
        """
    /// A feed begins with it; what follows, on the second line, may be bad. The first two records would change a store.
    static let beginning = "{\"items\": [{\"id\": 1, \"name\": \"changed\"}, {\"id\": 7, \"name\": \"new\"},\n"

    /// `settings` are members of the definition, with a comma behind each; `limits` of its source, with one before.
    init(_ state: StoreState, settings: String = "", source: String = "") throws {
        self.state = state
        _ = try folder.write("feed.json", Scene.goodFeed)
        _ = try folder.write("items.jsonc", Scene.definition(settings: settings, source: source))
        if state == .existing { #expect(try run().status == 0) }
    }

    static func definition(settings: String = "", source: String = "", name: String = "text") -> String {
        """
        {
          \(settings)
          "source": { "file": "feed.json"\(source) },
          "store": { "sqlite": "store.sqlite" },
          "entities": {
            "Item": {
              "records": "$.items[*]",
              "identifier": "id",
              "attributes": { "id": "integer", "name": "\(name)", "price": "real" },
              "relationships": { "parent": { "to": "Item" } }
            }
          }
        }
        """
    }

    /// Runs the pipeline, whatever the store holds, one record a batch: what stands before something bad has been
    /// loaded when it is met.
    func run(_ more: [String] = [], through wrapper: [String] = []) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--force", "--batch-size", "1"] + more, through: wrapper)
    }

    /// Runs the pipeline, and checks that it fails, says why, and leaves everything as it was.
    func fails(
        _ status: Int32, _ messages: [String], _ more: [String] = [], through wrapper: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let files = folder.names
        let before = try state == .existing ? Database(store).snapshot() : []
        let outcome = try run(more, through: wrapper)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        for message in messages {
            // The report is wrapped for terminals.
            let text = outcome.errors + outcome.output.replacing(/\n +/, with: " ")
            #expect(text.contains(message), "\(message) is missing in: \(text)", sourceLocation: location)
        }
        #expect(folder.names == files, sourceLocation: location)
        if state == .existing { #expect(try Database(store).snapshot() == before, sourceLocation: location) }
    }
}
