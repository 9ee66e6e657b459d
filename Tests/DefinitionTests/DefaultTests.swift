import DefinitionSupport
import Testing

@testable import SluiceDefinition

/// What the table of keys calls a default is what their readers take for a key that is not there.
struct DefaultTests {
    /// Objects of definitions, in which `§` is a member more.
    private static let places: [String: [String]] = [
        "pipeline": [Definition.pipeline(#"§"findings": "x""#)],
        "limits": [Definition.pipeline(#""limits": { §"missing": 3 }"#)],
        "check": [Definition.pipeline(#""checks": { "one": { §"sql": "select 1" } }"#)],
        "ledger": [Definition.pipeline(#""ledger": { § }"#)],
        "hook": [Definition.pipeline(#""after": { "failed": { §"run": ["true"] } }"#)],
        "postgresql": [
            Definition.pipeline("").replacing(
                #"{ "sqlite": "store.sqlite" }"#, with: #"{ "postgresql": { §"database": "dbname=feeds" } }"#)
        ],
        "source": sources,
        "pages": [service(#""pages": { §"number": "page" }"#)],
        "oauth2": [
            service(
                #""auth": { "oauth2": { §"tokenUrl": "https://example.org/token", "clientId": "me", "#
                    + #""privateKey": "key" } }"#)
        ],
        "since": [
            service(#""since": { §"parameter": "after", "attribute": "Stop.x" }"#).replacing(
                #""id": "text""#, with: #""id": "text", "x": "datetime""#),
            service(#""since": { §"parameter": "after", "attribute": "Stop.x", "format": "%F" }"#).replacing(
                #""id": "text""#, with: #""id": "text", "x": "datetime""#),
        ],
        "entity": [
            Definition.entity(#"§"table": "stops""#).replacing(
                #""parent": { "to": "Stop" }"#, with: #""parent": { "to": "Stop", "missing": "stub" }"#),
            Definition.entities(
                #""Open": { §"records": "$.open[*]", "identifier": "id", "attributes": { "id": "text", "*": "*" } }"#),
        ],
        "search": [Definition.entity(#""search": { §"fields": "id" }"#)],
        "value": [
            Definition.attribute(#"{ §"type": "text", "join": ["a", "b"] }"#),
            Definition.attribute(#"{ §"type": "text", "many": true }"#),
            Definition.relationship(#"{ §"to": "Stop", "many": true }"#),
        ],
        "attribute": [
            Definition.attribute(#"{ §"type": "text" }"#),
            Definition.attribute(#"{ §"type": "text", "many": true }"#),
            Definition.attribute(#"{ §"type": "text", "join": ["a", "b"] }"#),
            Definition.attribute(#"{ §"type": "datetime", "timeZone": "UTC" }"#),
        ],
        "relationship": [
            Definition.relationship(#"{ §"to": "Stop" }"#),
            Definition.relationship(#"{ §"to": "Stop", "join": ["a", "b"] }"#),
            Definition.relationship(#"{ §"to": "Stop", "many": true }"#),
        ],
    ]

    private static let sources = [
        Definition.source(#""source": { §"file": "feed.json" }"#),
        service("\"timeout\": \"1m\"", before: "§"),
        // A table, whose rows are all that there is.
        #"{ "source": { §"file": "feed.csv" }, "store": { "sqlite": "x" }, "#
            + #""entities": { "Row": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
        #"{ "sources": { "all": { "file": "a" }, "each": { §"url": "https://example.org/{id}", "for": "Stop" } }, "#
            + #""store": { "sqlite": "x" }, "entities": { "#
            + #""Stop": { "source": "all", "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } }, "#
            + #""Detail": { "source": "each", "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }"#,
    ]

    private static func service(_ keys: String, before: String = "") -> String {
        Definition.source(#""source": { \#(before)"url": "https://example.org/", \#(keys) }"#)
    }

    @Test(arguments: KeyTable.all.map(\.object))
    func isWhatReadersTake(_ object: String) throws {
        let keys = try #require(KeyTable.all.first { $0.object == object }?.keys)
        for key in keys {
            // How seeds are made, their builder knows.
            guard let initial = key.initial, object != "seed" else { continue }
            let found = (DefaultTests.places[object] ?? []).compactMap {
                DefaultTests.differs(at: $0, key.name, initial)
            }
            #expect(!found.isEmpty, "no example of \(object) takes \(key.name)")
            #expect(!found.contains(true), "\(object).\(key.name) is not \(initial.json) where it is not given")
        }
    }

    /// Whether a definition becomes another one by a key with its default; nil: the key does not belong there.
    private static func differs(at place: String, _ key: String, _ initial: KeyDefault) -> Bool? {
        let member = "\"\(key)\": \(initial.json)" + (place.contains("{ § }") ? "" : ", ")
        guard var given = try? PipelineDefinition.understood(place.replacing("§", with: member)) else { return nil }
        // All else keeps its column.
        let blank = String(repeating: " ", count: member.utf8.count)
        guard let absent = try? PipelineDefinition.understood(place.replacing("§", with: blank)) else { return true }
        given.tree = absent.tree
        return String(reflecting: given) != String(reflecting: absent)
    }
}
