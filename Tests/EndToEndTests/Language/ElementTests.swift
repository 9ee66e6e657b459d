import Foundation
import Testing

/// Values that belong to one element of a list: chosen by a sibling, or several of each element.
@Suite struct ElementTests {
    /// As services with translations have it.
    private static let species = """
        [ {"id": 1, "names": [{"language": {"name": "ja"}, "name": "フシギダネ"},
              {"language": {"name": "en"}, "name": "Bulbasaur"}, {"language": {"name": "en"}, "name": "Bulba"}],
            "texts": [{"text": "old", "version": 1, "language": "en"}, {"language": "en", "text": "new", "version": 2},
              {"text": "neu", "version": 3, "language": "de"}], "generations": ["i", "ii", "iii"]},
          {"id": 2, "names": [{"language": {"name": "de"}, "name": "Bisaknosp"}], "texts": [], "generations": []},
          {"id": 3, "names": {"first": {"name": "Venusaur", "language": {"name": "en"}}}, "generations": {"a": "x"}} ]
        """

    @Test func anElementIsChosenByASibling() throws {
        let scene = try LanguageScene(
            #"""
            { "Species": { "records": "$[*]", "identifier": "id", "attributes": {
                "id": "integer",
                "name": { "type": "text", "from": ["names[?language.name == \"en\"].name", "names[0].name"] },
                "text": { "type": "text", "from": "texts[?@.language == 'en' && @.version >= 2].text" },
                "other": { "type": "text", "from": "texts[?!(language == 'en' || version < 3)].text" },
                "since": { "type": "text", "from": "generations[0]" },
                "until": { "type": "text", "from": "generations[-1]" },
                "before": { "type": "json", "from": "texts[-2]" } } } }
            """#)
        #expect(try scene.run(ElementTests.species).status == 0)
        let rows = try scene.lines("SELECT id, name, text, other, since, until, before FROM Species ORDER BY id")
        #expect(
            rows == [
                #"1 Bulbasaur new neu i iii {"language":"en","text":"new","version":2}"#, "2 Bisaknosp ∅ ∅ ∅ ∅ ∅",
                "3 Venusaur ∅ ∅ ∅ ∅ ∅",
            ])
    }

    /// A search of plugins: chains and their numbers, of which one lacks a part.
    @Test func partsOfOneElementStayTogether() throws {
        let scene = try LanguageScene(
            """
            { "Plugin": { "records": "$.plugins[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": {
                  "links": { "to": "Block", "many": true, "identifier": ["blocks[*].chain", "blocks[*].name"] },
                  "owners": { "to": ["User", "Team"], "many": true, "from": "owners[*].id",
                    "entity": { "from": "owners[*].kind", "map": { "t": "Team" }, "default": "User" } },
                  "codes": { "to": "Code", "many": true, "join": ["blocks[*].chain", "blocks[*].name"], "with": "-" },
                  "either": { "to": "Code", "many": true, "from": ["blocks[*].code", "blocks[*].name"] } } },
              "Block": { "records": "$.blocks[*]", "identifier": ["chain", "name"],
                "attributes": { "chain": "text", "name": "text" } },
              "User": { "records": "$.users[*]", "identifier": "id", "attributes": { "id": "text" } },
              "Team": { "records": "$.teams[*]", "identifier": "id", "attributes": { "id": "text" } },
              "Code": { "records": "$.codes[*]", "identifier": "id", "attributes": { "id": "text" } } }
            """)
        let outcome = try scene.run(
            """
            { "plugins": [
                {"id": 1, "blocks": [{"name": "3"}, {"chain": "y"}, {"chain": "x", "name": "3", "code": "c"}, {}],
                  "owners": [{"id": "a"}, {"kind": "t", "id": "b"}, {"kind": "t"}]},
                {"id": 2, "blocks": [{"chain": "x"}], "owners": []} ],
              "blocks": [{"chain": "x", "name": "3"}, {"chain": "y", "name": "3"}],
              "users": [{"id": "a"}], "teams": [{"id": "b"}], "codes": [{"id": "c"}, {"id": "3"}, {"id": "x-3"}] }
            """)
        #expect(outcome.count("Plugin", "created") == 2 && outcome.count("Plugin", "rejected") == 0)
        #expect(
            try scene.lines(
                "SELECT source, chain, name, position FROM Plugin_links JOIN Block ON objectID = target") == ["1 x 3 0"]
        )
        #expect(
            try scene.lines("SELECT source, target_entity, position FROM Plugin_owners ORDER BY 3") == [
                "1 User 0", "1 Team 1",
            ])
        #expect(try scene.lines("SELECT id FROM Plugin_codes JOIN Code ON objectID = target") == ["x-3"])
        #expect(
            try scene.lines("SELECT id, position FROM Plugin_either JOIN Code ON objectID = target ORDER BY 2") == [
                "3 0", "c 1",
            ])
    }

    /// What is around an element in an outer list belongs to it, too.
    @Test func anElementKnowsTheOneAroundIt() throws {
        let scene = try LanguageScene(
            """
            { "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "items": { "to": "Item", "many": true, "missing": "stub",
                  "identifier": ["parcels[?sent == true].carrier", "parcels[?sent == true].items[*].sku",
                    { "from": "parcels[?sent == true].items[*].size", "default": "M" }] } } },
              "Item": { "records": "$.items[*]", "identifier": ["carrier", "sku", "size"],
                "attributes": { "carrier": "text", "sku": "integer", "size": "text" } } }
            """, #""limits": { "records": null }"#)
        try scene.run(
            """
            {"orders": [{"id": 1, "parcels": [
              {"items": [{"sku": 1}, {"sku": 2, "size": "L"}], "sent": true, "carrier": "ups"},
              {"items": [{"sku": 3}], "sent": false, "carrier": "dhl"},
              {"sent": true, "items": [{"sku": 4}, {"sku": 1}]}, {"carrier": "dhl", "sent": true, "items": [{"sku": 1}]}]}],
              "items": [{"carrier": "x", "sku": 0, "size": "S"}]}
            """)
        #expect(
            try scene.lines(
                "SELECT carrier, sku, size FROM Order_items JOIN Item ON objectID = target ORDER BY position") == [
                    "ups 1 M", "ups 2 L", "dhl 1 M",
                ])
    }

    @Test(.enabled(if: Feeds.isThere(Feeds.shared + "/attack-nights"), "the shared feeds are missing"))
    func techniquesHaveTheirNumbers() throws {
        let scene = try LanguageScene(
            #"""
            { "Technique": { "records": "$.objects[*]", "where": { "type": "attack-pattern" }, "identifier": "id",
                "attributes": { "id": "text", "number": { "type": "text", "required": true,
                  "from": "external_references[?source_name == 'mitre-attack' || source_name == 'mitre-ics-attack'].external_id"
                } } } }
            """#, source: #"{ "file": "\#(Feeds.shared)/attack-nights/2020-*.json.zst" }"#)
        #expect(try scene.run(nil).status == 0)
        #expect(
            try scene.lines("SELECT count(*) FROM Technique WHERE number NOT GLOB 'T[0-9][0-9][0-9][0-9]*'") == ["0"])
        #expect(try scene.lines("SELECT count(*) > 80 FROM Technique") == ["1"])
    }
}
