import Foundation
import StoreMirror
import TestSupport
import Testing

@testable import Sluice

/// What waits in a way by an attribute is found though the attribute takes another name or another type meanwhile, on
/// both stores.
@Suite struct WaitingWayTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    init() throws { server = try TestServer(name: "ways") }

    private struct Form {
        var attributes: String
        var by: String
        var entity = #""Airport": {"#
    }

    private static let first = Form(attributes: #""gate": "integer", "iata": "text""#, by: #"["gate", "iata"]"#)
    /// Other names, and one of the other in it.
    private static let renamed = Form(
        attributes:
            #""place x": { "type": "integer", "from": "gate", "was": "gate" }, "IATA": { "type": "text", "from": "iata" }"#,
        by: #"["place x", "IATA"]"#)
    private static let other = Form(
        attributes: #""gate": { "type": "text", "was": "place x" }, "iata": "text""#, by: #"["gate", "iata"]"#)
    private static let atOnce = Form(
        attributes: #""place x": { "type": "text", "from": "gate", "was": "gate" }, "iata": "text""#,
        by: #"["place x", "iata"]"#, entity: #""Field": { "was": "Airport", "#)

    private static let routes = #"""
        { "airports": [], "routes": [
            { "no": 1, "gate": 7, "iata": "BER" }, { "no": 2, "gate": 8, "iata": "\"by 1 gate iata integer text\": 1" }] }
        """#

    private func run(_ store: String, _ form: Form, _ feed: String) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", feed)
        let target = form.entity.contains("Field") ? "Field" : "Airport"
        let definition = try folder.write(
            "routes.jsonc",
            """
            { "name": "routes", "source": { "file": "feed.json" }, "store": \(store), "limits": { "records": null },
              "entities": {
                \(form.entity) "records": "$.airports[*]", "identifier": "id",
                  "attributes": { "id": "integer", \(form.attributes) } },
                "Route": { "records": "$.routes[*]", "identifier": "no", "attributes": { "no": "integer" },
                  "relationships": { "airport": { "to": [
                    { "\(target)": \(form.by), "identifier": ["gate", "iata"] }] } } } } }
            """)
        return try Sluice.run(["run", definition, "--format", "json"])
    }

    @Test(arguments: [[renamed], [renamed, other], [atOnce]])
    private func whatWaitsIsFoundByTheNewName(_ forms: [Form]) throws {
        defer { try? server.drop() }
        for store in [#"{ "sqlite": "store.sqlite" }"#, server.definition] {
            let first = try run(store, Self.first, Self.routes)
            #expect(first.status == 0, "\(first.errors)")
            for form in forms.dropLast() {
                #expect(try run(store, form, #"{"airports": [], "routes": []}"#).status == 0)
            }
            let last = try run(
                store, try #require(forms.last), #"{"airports": [{"id": 1, "gate": 7, "iata": "BER"}], "routes": []}"#)
            #expect(last.status == 0, "\(last.errors)")
            let entities = last.report["entities"] as? [String: Any]
            let route = entities?["Route"] as? [String: Any]
            let airport = (route?["relationships"] as? [String: Any])?["airport"] as? [String: Any]
            #expect(airport?["late"] as? Int == 1, "\(store) \(last.output)")
        }
    }

    /// Definitions of signs, which find roads and towns by a code of the same name.
    private enum Signs: String, CaseIterable {
        case same, reordered, renamed, forgotten

        var entities: String {
            let (road, town) =
                switch self {
                case .same, .reordered: (#""Road": {"#, #""Town": {"#)
                case .renamed: (#""Street": { "was": "Road","#, #""Town": {"#)
                case .forgotten: (#""Street": {"#, #""Town": {"#)
                }
            let rest = #""identifier": "id", "attributes": { "id": "integer", "code": "text" } }"#
            return #"\#(road) "records": "$.roads[*]", \#(rest), \#(town) "records": "$.towns[*]", \#(rest)"#
        }

        var ways: String {
            let (road, town) =
                switch self {
                case .same, .reordered: ("Road", "Town")
                case .renamed, .forgotten: ("Street", "Town")
                }
            let both = [
                #"{ "\#(road)": "code", "identifier": ["road"] }"#, #"{ "\#(town)": "code", "identifier": ["town"] }"#,
            ]
            return (self == .same ? both : both.reversed()).joined(separator: ", ")
        }
    }

    private func run(_ store: String, _ signs: Signs, _ feed: String) throws -> Sluice.Outcome {
        _ = try folder.write("signs.json", feed)
        let definition = try folder.write(
            "signs.jsonc",
            """
            { "name": "signs", "source": { "file": "signs.json" }, "store": \(store), "limits": { "records": null },
              "entities": {
                \(signs.entities),
                "Sign": { "records": "$.signs[*]", "identifier": "no", "attributes": { "no": "integer" },
                  "relationships": { "place": { "to": [\(signs.ways)] } } } } }
            """)
        return try Sluice.run(["run", definition, "--format", "json"])
    }

    /// What waits in several ways is found in that entity for which it had the value, though the other's attributes are
    /// called alike, in whatever order the ways are later, and whatever the entities are called.
    @Test(arguments: Signs.allCases) private func whatWaitsIsFoundInTheSameEntity(_ signs: Signs) throws {
        defer { try? server.drop() }
        for store in [#"{ "sqlite": "signs.sqlite" }"#, server.definition] {
            #expect(try run(store, .same, #"{ "signs": [{ "no": 1, "road": "r", "town": "t" }] }"#).status == 0)
            // Once a run has renamed, what was is no matter.
            if signs == .forgotten { #expect(try run(store, .renamed, #"{ "signs": [] }"#).status == 0) }
            for (feed, late) in [("roads", 0), ("towns", 1)] {
                let outcome = try run(store, signs, #"{ "\#(feed)": [{ "id": 1, "code": "t" }] }"#)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try self.late(outcome) == late, "\(store) \(outcome.output)")
            }
        }
    }

    /// How many references of signs were found that had waited.
    private func late(_ outcome: Sluice.Outcome) throws -> Int? {
        let sign = try #require((outcome.report["entities"] as? [String: Any])?["Sign"] as? [String: Any])
        return ((sign["relationships"] as? [String: Any])?["place"] as? [String: Any])?["late"] as? Int
    }

    /// What a link has of its own waits with it.
    @Test func valuesOfALinkWait() throws {
        defer { try? server.drop() }
        for store in [#"{ "sqlite": "store.sqlite" }"#, server.definition] {
            let definition = try folder.write(
                "clubs.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": \(store), "limits": { "records": null }, "entities": {
                    "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer" } },
                    "Club": { "records": "$.clubs[*]", "identifier": "id", "attributes": { "id": "integer" },
                      "relationships": { "members": { "to": "Person", "from": "members[*].id", "many": true,
                        "with": { "role": "role" } } } } } }
                """)
            let feeds = [
                #"{"people": [], "clubs": [{"id": 1, "members": [{"id": 7, "role": "chair"}, {"id": 8}]}]}"#,
                #"{"people": [{"id": 7}, {"id": 8}], "clubs": []}"#,
            ]
            for feed in feeds {
                _ = try folder.write("feed.json", feed)
                #expect(try Sluice.run(["run", definition]).status == 0)
            }
            let roles =
                store == server.definition
                ? try server.rows(#"SELECT coalesce(role, '∅') FROM @"Club_members" ORDER BY position"#)
                : try Database(folder.file("store.sqlite")).rows("SELECT role FROM Club_members ORDER BY position")
                    .flatMap { $0 }
            #expect(roles == ["chair", "∅"], "\(store)")
        }
    }
}
