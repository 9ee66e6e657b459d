import Foundation
import Testing

/// `check` announces what the next run does to the store, and nothing else is done.
@Suite struct StorePlanTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    private static let first = #"""
        "Stop": { "records": "$.stops[*]", "identifier": "id",
          "attributes": { "id": "integer", "name": "text", "size": "text" },
          "relationships": { "up": { "to": "Stop" }, "lines": { "to": "Line", "many": true, "from": "lines[*]" } } },
        "Line": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "text" } }
        """#
    private static let second = #"""
        "Stop": { "records": "$.stops[*]", "identifier": "id", "table": "Halt",
          "attributes": { "id": "text", "fullName": "text", "big": { "type": "boolean", "index": true } },
          "relationships": { "above": { "to": "Stop", "from": "up" }, "lines": { "to": "Track", "many": true, "from": "lines[*]" } } },
        "Track": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "text" } }
        """#

    private func define(_ entities: String, _ settings: String = "") throws -> String {
        try folder.write(
            "one.jsonc",
            #"{ "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, \#(settings) "entities": {"#
                + "\n"
                + entities + "} }")
    }

    init() throws {
        _ = try folder.write(
            "feed.json",
            #"{"stops": [{"id": 1, "name": "a", "size": "1", "up": 1}, {"id": 2, "name": "b"}], "lines": []}"#)
        let definition = try define(Self.first)
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
    }

    @Test func theStepsAreNamed() throws {
        let before = try Database(store).snapshot()
        let definition = try define(
            Self.second.replacing("\"to\": \"Track\"", with: "\"to\": \"Stop\"").replacing(
                "\"lines\": {", with: "\"friends\": {"), #""views": true,"#)
        let outcome = try Sluice.run(["check", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            lines == [
                "The next run changes the store first:",
                "  renamed    the table Stop is renamed to Halt",
                "  renamed    the table Stop_lines is renamed to Halt_lines",
                "  added      the table Track is added, for the entity Track",
                "  added      the column Halt.fullName is added: null in objects that are there already",
                "  added      the column Halt.big is added: null in objects that are there already",
                "  added      the column Halt.above is added: null in objects that are there already",
                "  added      the table Halt_friends is added, for links of Halt",
                "  added      an index on Halt(big) is added", "  added      an index on Halt(above) is added",
                "  converted  Stop.id was integer and becomes text: the table is written anew, and 2 values are changed",
                "  unfilled   Line is filled no longer; Track is new: if it is the same, say \"was\": \"Line\"",
                "  unfilled   Stop.name is filled no longer, and stays as it is; fullName is new: if it is the same, say \"was\": \"name\"",
                "  unfilled   Stop.size is filled no longer, and stays as it is; fullName is new: if it is the same, say \"was\": \"size\"",
                "  unfilled   Stop.lines is filled no longer, and stays as it is",
                "  unfilled   Stop.up is filled no longer, and stays as it is; above is new: if it is the same, say \"was\": \"up\"",
                "  added      the view Halt_view is added", "  added      the view Track_view is added",
            ], "\(outcome.output)")
        #expect(try Sluice.run(["check", definition, "--quiet"]).output == "")
        #expect(try Database(store).snapshot() == before)
        // The run does it; then there is nothing to be announced.
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        let again = try Sluice.run(["check", definition])
        #expect(again.status == 0 && again.output.split(separator: "\n").count == 1, "\(again.output)")
        #expect(try Sluice.run(["check", definition, "--format", "json"]).output == "")
    }

    /// A definition that marks nothing any more leaves the marks that are there.
    @Test func marksStay() throws {
        let marking = Self.first.replacing(#""Stop": {"#, with: #""Stop": { "absent": "mark","#)
        #expect(try Sluice.run(["run", try define(marking), "--quiet"]).status == 0)
        let outcome = try Sluice.run(["check", try define(Self.first)])
        #expect(outcome.status == 0 && outcome.output.contains("Stop.deleted_at is filled no longer"), "\(outcome)")
        #expect(try !Sluice.run(["check", try define(marking)]).output.contains("filled no longer"))
    }

    @Test func contradictionsAreStepsOfJSON() throws {
        let definition = try define(
            Self.first.replacing("\"name\": \"text\"", with: "\"name\": \"integer\", \"more\": \"real\""))
        let outcome = try Sluice.run(["check", definition, "--format", "json"])
        #expect(outcome.status == 78)
        let lines = try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["kind"] as? String } == ["added", "converted", "refused"])
        let at = try #require(lines.last?["at"] as? [String: Any])
        #expect(at["line"] as? Int == 3 && (at["file"] as? String)?.hasSuffix("one.jsonc") == true)
        let message = try #require(lines.last?["message"] as? String)
        #expect(
            message.contains("the value \"a\", of the object with the objectID 1, does not fit; under another"))
        #expect(outcome.errors.contains(message))
    }

    @Test func aMissingStoreNeedsNothing() throws {
        let definition = try define(Self.second)
        let outcome = try Sluice.run(["check", definition, "--store", folder.file("none.sqlite")])
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 1)
    }
}
