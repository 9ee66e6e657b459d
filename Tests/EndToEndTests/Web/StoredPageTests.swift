import Foundation
import TestSupport
import Testing

/// Places in pages of services are named with the page, also where they are read from the store.
@Suite struct StoredPageTests {
    @Test func aPlaceHasItsPage() throws {
        let folder = TemporaryFolder()
        let service = FaultyServer.shared.service(
            #"{ "body": "{\"items\": [{\"id\": 1}, {\"id\": 2, \"of\": 1}], \"next\": \"?page=2\"}" }"#,
            #"{ "body": "{\"items\": [{\"id\": 3}, {\"id\": 4, \"of\": 9}]}" }"#)
        let definition = try folder.write(
            "items.jsonc",
            """
            { "source": { "url": "\(service.url)", "pages": { "next": "$.next" } }, "store": { "sqlite": "items.sqlite" },
              "history": true, "entities": { "Item": { "records": "$.items[*]", "identifier": "id",
                "attributes": { "id": "integer" }, "relationships": { "of": { "to": "Item" } } } } }
            """)
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        let unresolved = try Sluice.run(["unresolved", definition])
        #expect(unresolved.output.contains("(page 2):1:23"), "\(unresolved.output)")
        let json = try Sluice.run(["unresolved", definition, "--format", "json"])
        #expect(json.output.contains("(page 2)") && json.output.contains(#""line": 1"#), "\(json.output)")
        for (item, page) in ["1": 1, "4": 2] {
            let history = try Sluice.run(["history", definition, "Item", item])
            #expect(history.output.contains("(page \(page)):1:"), "\(history.output)")
        }
    }

    /// Who asks for one page is told of others; one that is all that is wanted says so.
    @Test(arguments: [
        ("", true), (#", "pages": { "link": "next", "last": 1 }"#, false), (#", "pages": { "link": "next" }"#, false),
    ])
    func otherPagesAreTold(pages: String, isTold: Bool) throws {
        let folder = TemporaryFolder()
        let service = FaultyServer.shared.service(
            #"{ "body": "[{\"id\": 1}]", "headers": [["Link", "<?page=2>; rel=\"next\""]] }"#,
            #"{ "body": "[{\"id\": 2}]" }"#)
        let definition = try folder.write(
            "items.jsonc",
            """
            { "source": { "url": "\(service.url)"\(pages) }, "store": { "sqlite": "items.sqlite" }, "entities": {
              "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        #expect(examples.contains { $0["reason"] as? String == "pages" && $0["path"] as? String == "next" } == isTold)
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == (isTold ? 1 : 0))
    }
}
