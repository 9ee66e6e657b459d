import Testing

/// Records in records whose list is not there are absent, as those of an empty one.
struct MissingListTests {
    @Test(arguments: [#", "items": null"#, #", "items": []"#, #", "items": {}"#, ""], ["", #", "within": "order""#])
    func whatAMissingListHeldIsAbsent(_ list: String, _ within: String) throws {
        let scene = try LanguageScene(
            """
            { "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" } },
              "Item": { "records": "$.orders[*].items[*]", "identifier": ["order", "sku"], "absent": "delete"\(within),
                "attributes": { "sku": "text" }, "relationships": { "order": { "to": "Order", "from": "^^.id" } } } }
            """, #""limits": { "deletes": null, "missing": null }"#)
        for first in [#", "items": [{ "sku": "a" }]"#, list] {
            try scene.write(
                "feed.json", #"{ "orders": [{ "id": 1\#(first) }, { "id": 2, "items": [{ "sku": "b" }] }] }"#)
            let outcome = try Sluice.run(["run", scene.file("p.jsonc"), "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try scene.lines("SELECT sku FROM Item") == ["b"])
    }
}
