import SluiceRecords
import Testing

@testable import SluiceDefinition

/// A definition, and what is wrong with it. The places of the mistakes are marked with `»`, which is not part of it.
struct DefinitionCase: Sendable, CustomTestStringConvertible {
    enum Kind: Sendable {
        case valid
        /// Wrong in its form: a JSON Schema can say so.
        case malformed
        /// Wrong in its meaning: of this no JSON Schema knows.
        case meaningless
    }

    let kind: Kind
    /// With the marks.
    let marked: String
    let messages: [String]

    static func valid(_ definition: String) -> DefinitionCase {
        DefinitionCase(kind: .valid, marked: definition, messages: [])
    }

    static func malformed(_ definition: String, _ messages: String...) -> DefinitionCase {
        DefinitionCase(kind: .malformed, marked: definition, messages: messages)
    }

    static func meaningless(_ definition: String, _ messages: String...) -> DefinitionCase {
        DefinitionCase(kind: .meaningless, marked: definition, messages: messages)
    }

    var testDescription: String { marked }

    var text: String { marked.replacing("»", with: "") }

    /// The mistakes, each with its place.
    var expected: [String] {
        var places: [String] = []
        var line = 1
        var column = 1
        for character in marked {
            if character == "»" {
                places.append("x.json:\(line):\(column)")
            } else if character == "\n" {
                (line, column) = (line + 1, 1)
            } else {
                column += character.utf8.count
            }
        }
        guard places.count == messages.count else { return ["\(places.count) marks, \(messages.count) messages"] }
        return zip(places, messages).map { "\($0): \($1)" }
    }
}

/// The definitions of the cases: a whole small one, in which each case changes one thing.
enum Definition {
    /// A definition whose beginning is another source.
    static func source(_ source: String) -> String { whole(source: source) }
    /// With more keys of the pipeline.
    static func pipeline(_ keys: String) -> String { whole(pipeline: keys) }
    /// With more entities; `#` stands for what is right for one.
    static func entities(_ entities: String) -> String {
        let entity = #"{ "records": "$", "identifier": "id", "attributes": { "id": "text" } }"#
        return whole(entities: entities.replacing("#", with: entity))
    }
    /// With more keys of the entity `Stop`.
    static func entity(_ keys: String) -> String { whole(entity: keys) }
    /// With other `records` of the entity `Stop`.
    static func records(_ records: String) -> String { whole(records: records) }
    /// With more attributes of the entity `Stop`.
    static func attributes(_ attributes: String) -> String { whole(attributes: attributes) }
    /// With an attribute `x`.
    static func attribute(_ value: String) -> String { whole(attributes: #""x": "# + value) }
    /// With more relationships of the entity `Stop`.
    static func relationships(_ relationships: String) -> String { whole(relationships: relationships) }
    /// With a relationship `x`.
    static func relationship(_ value: String) -> String { whole(relationships: #""x": "# + value) }

    private static func whole(
        source: String = #""source": { "file": "feed.json" }"#, pipeline: String = "", entities: String = "",
        entity: String = "", records: String = #""$.stops[*]""#, attributes: String = "", relationships: String = ""
    ) -> String {
        """
        {
          \(source),
          "store": { "sqlite": "store.sqlite" },
          "entities": {
            "Stop": {
              "records": \(records),
              "identifier": "id",
              "attributes": {
                "id": "text"\(more(attributes))
              },
              "relationships": {
                "parent": { "to": "Stop" },
                "place": { "to": ["Stop", "Place"] },
                "lines": { "to": "Line", "many": true, "identifier": ["lines[*].id", "lines[*].direction"] }\
        \(more(relationships))
              }\(more(entity))
            },
            "Place": {
              "records": "$.places[*]",
              "identifier": "id",
              "attributes": { "id": "integer" }
            },
            "Line": {
              "records": "$.lines[*]",
              "identifier": ["id", "direction"],
              "attributes": { "id": "text", "direction": "integer" }
            }\(more(entities))
          }\(more(pipeline))
        }
        """
    }

    private static func more(_ members: String) -> String { members.isEmpty ? "" : ", " + members }
}
