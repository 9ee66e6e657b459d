import Foundation
import StoreMirror
import Testing

/// The members of records that an entity takes with `*` have the order of the feed, before the first run and after it.
@Suite struct OpenOrderTests {
    @Test(arguments: [false, true]) func typesHaveOneOrder(onServer: Bool) throws {
        let folder = TemporaryFolder()
        let server = try TestServer(name: "order")
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let definition = try folder.write(
            "open.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "entities": { "Stop": { "records": "$[*]",
              "identifier": "id", "attributes": { "*": "*", "made": { "type": "text", "from": "zone" } }, "drift": "add" } } }
            """)
        _ = try folder.write("feed.json", #"[{"zone": "A", "id": "x", "name": "X", "Ä": 1, "lines": 2, "abbr": "x"}]"#)
        let types = { try Sluice.run(["swift", definition]).output }
        let before = try types()
        let names = before.matches(of: /public let (\w+) = Column<Stop, (?!ObjectID)/).map { String($0.1) }
        #expect(
            names == ["made", "zone", "id", "name", "Ä", "lines", "abbr"]
                || names == ["made", "zone", "id", "name", "ä", "lines", "abbr"], "\(names)")
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        #expect(try types() == before)
        // What comes later comes last.
        _ = try folder.write("feed.json", #"[{"early": "A", "id": "x", "name": "X", "Ä": 1, "lines": 2, "abbr": "x"}]"#)
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        let later = try types().matches(of: /public let (\w+) = Column<Stop, (?!ObjectID)/).map { String($0.1) }
        #expect(later == names + ["early"], "\(later)")
    }
}
