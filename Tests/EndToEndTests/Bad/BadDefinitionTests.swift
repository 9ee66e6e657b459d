import Foundation
import Testing

/// Definitions with mistakes; what they may be is tested with their reader.
@Suite struct BadDefinitionTests {
    @Test(arguments: ["run", "check"], StoreState.allCases)
    func allMistakesAreSaidAtOnce(command: String, state: StoreState) throws {
        let scene = try Scene(state)
        let text = """
            {
              "source": { "file": "feed.json" },
              "store": { "sqlit": "store.sqlite" },
              "entities": {
                "Item": { "records": "$.items[*]", "identifier": "idd", "attributes": { "id": "integr" } }
              }
            }
            """
        _ = try scene.folder.write("items.jsonc", text)
        let before = try state == .existing ? Database(scene.store).snapshot() : []
        let outcome = try Sluice.run([command, scene.definition])
        #expect(outcome.status == 78)
        let places = outcome.errors.split(separator: "\n").map { $0.dropFirst("sluice: \(scene.definition)".count) }
        #expect(places.contains { $0.hasPrefix(":3:14: ") && $0.contains("did you mean \"sqlite\"?") }, "\(places)")
        #expect(places.contains { $0.hasPrefix(":5:54: ") && $0.contains("did you mean \"id\"?") }, "\(places)")
        #expect(places.contains { $0.hasPrefix(":5:83: ") && $0.contains("did you mean \"integer\"?") }, "\(places)")
        #expect(outcome.output.isEmpty)
        if state == .existing { #expect(try Database(scene.store).snapshot() == before) }
    }

    @Test func aDefinitionThatIsNoJSONHasItsPlace() throws {
        let scene = try Scene(.new)
        _ = try scene.folder.write("items.jsonc", "{\n  \"source\": { file: 1 }\n}")
        let outcome = try Sluice.run(["check", scene.definition])
        #expect(outcome.status == 78)
        #expect(outcome.errors.hasPrefix("sluice: \(scene.definition):2:15: "), "\(outcome.errors)")
    }

    /// Only what a command uses must be set.
    @Test func aVariableThatIsNotSet() throws {
        let scene = try Scene(.new)
        let text = Scene.definition().replacingOccurrences(of: "feed.json", with: "${SLUICE_NO_SUCH}/feed.json")
        _ = try scene.folder.write("items.jsonc", text)
        let outcome = try scene.run()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("items.jsonc:3:23: the environment variable SLUICE_NO_SUCH is not set"))
        #expect(!scene.folder.names.contains("store.sqlite"))
        #expect(try Sluice.run(["check", scene.definition]).status == 0)
        #expect(try scene.run(["--feed", scene.feed]).status == 0)
        let set = try Sluice.run(["run", scene.definition], environment: ["SLUICE_NO_SUCH": scene.folder.path])
        #expect(set.status == 0, "\(set.errors)")
    }
}
