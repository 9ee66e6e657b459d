import DefinitionSupport
import SluiceExtract
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceDefinition

/// What entities have in common is written out before anything else is read.
@Suite struct LikeTests {
    private static func written(_ definition: String) throws -> PipelineDefinition {
        try PipelineDefinition.understood(definition)
    }

    private static let short = """
        { "source": { "file": "x.json" }, "store": { "sqlite": "s.sqlite" },
          "bases": {
            "Object": {
              "records": "$.objects[*]", "kind": "type", "identifier": "id", "absent": "delete", "where": { "old": false },
              "attributes": { "id": "text", "name": "text", "note": { "type": "text", "onAbsent": "null" } },
              "relationships": { "maker": { "to": "Object", "from": "made_by" } } } },
          "entities": {
            "campaign": { "like": "Object" },
            "Group": { "like": "Object", "is": ["group", "set"], "attributes": { "note": null, "size": "integer" } },
            "Tool": {
              "like": "Group", "is": "tool", "table": "tools", "absent": "keep",
              "attributes": { "name": { "type": "text", "required": true } },
              "relationships": { "maker": null, "users": { "to": ["Group", "campaign"], "many": true } } } } }
        """

    private static let long = """
        { "source": { "file": "x.json" }, "store": { "sqlite": "s.sqlite" },
          "entities": {
            "campaign": {
              "records": "$.objects[*]", "identifier": "id", "absent": "delete",
              "where": { "old": false, "type": "campaign" },
              "attributes": { "id": "text", "name": "text", "note": { "type": "text", "onAbsent": "null" } },
              "relationships": { "maker": { "to": ["campaign", "Group", "Tool"], "from": "made_by" } } },
            "Group": {
              "attributes": { "id": "text", "name": "text", "size": "integer" },
              "records": "$.objects[*]", "identifier": "id", "absent": "delete",
              "where": { "old": false, "type": ["group", "set"] },
              "relationships": { "maker": { "to": ["campaign", "Group", "Tool"], "from": "made_by" } } },
            "Tool": {
              "table": "tools", "absent": "keep",
              "attributes": { "id": "text", "name": { "type": "text", "required": true }, "size": "integer" },
              "relationships": { "users": { "to": ["Group", "campaign"], "many": true } },
              "records": "$.objects[*]", "identifier": "id", "where": { "old": false, "type": "tool" } } } }
        """

    @Test func itIsAsIfAllWereWritten() throws {
        let (short, long) = (try Self.written(Self.short), try Self.written(Self.long))
        #expect(short.tree.root.minified == long.tree.root.minified)
        // A run knows the feed and the definition again.
        #expect(try short.hash(formats: [.json]) == long.hash(formats: [.json]))
    }

    /// `"*"` is one of the attributes that both have.
    @Test(arguments: [
        (#""*""#, #"{ "n": "integer" }"#, #"{ "*": "*", "n": "integer" }"#),
        (#"{ "n": "integer" }"#, #""*""#, #"{ "n": "integer", "*": "*" }"#),
        (#""*""#, #"{ "*": null, "n": "integer" }"#, #"{ "n": "integer" }"#), (#""*""#, #""*""#, #"{ "*": "*" }"#),
    ])
    func allMembersAreAmongThem(_ base: String, _ own: String, _ both: String) throws {
        func text(_ bases: String, _ keys: String) -> String {
            """
            { "source": { "file": "x.json" }, "store": { "sqlite": "s.sqlite" }, \(bases)
              "entities": { "A": { \(keys), "records": "$[*]", "identifier": "n" } } }
            """
        }
        let short = text(#""bases": { "B": { "attributes": \#(base) } },"#, #""like": "B", "attributes": \#(own)"#)
        let written = try Self.written(short).tree.root["entities"]?["A"]?["attributes"]?.minified
        #expect(
            try written
                == Self.written(text("", "\"attributes\": \(both)")).tree.root["entities"]?["A"]?["attributes"]?
                .minified)
    }

    /// A message about the store points to the base, too.
    @Test func placesAreThoseOfTheBase() throws {
        let definition = try Self.written(Self.short)
        #expect(definition.place("entities", "campaign", "attributes", "note").line == 5)
        #expect(definition.place("entities", "Tool", "attributes", "name").line == 12)
    }
}
