import Foundation
import StoreMirror
import TestSupport
import Testing

/// What links have of their own is part of what objects were, in both stores.
@Suite struct LinkHistoryTests {
    private let folder = TemporaryFolder()

    private func run(_ store: String, values: String, _ works: String) throws {
        _ = try folder.write(
            "works.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "entities": {
              "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer" } },
              "Work": { "records": "$.works[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "by": { "to": "Person", "many": true, "from": "by[*].id", "with": { \(values) } } } } } }
            """)
        _ = try folder.write("feed.json", #"{ "people": [{ "id": 1 }, { "id": 2 }], "works": [\#(works)] }"#)
        let outcome = try Sluice.run(["run", folder.file("works.jsonc"), "--quiet", "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func said(_ words: String...) throws -> String {
        let outcome = try Sluice.run([words[0], folder.file("works.jsonc")] + words.dropFirst())
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test(arguments: [false, true]) func aValueOfALinkChanges(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "links") : nil
        defer { try? server?.drop() }
        let store = server?.definition ?? "{ \"sqlite\": \"store.sqlite\" }"
        let role = #""role": "role""#
        let fee = role + #", "fee": { "type": "decimal", "scale": 2 }, "as": { "type": "boolean" }"#
        try run(store, values: role, #"{ "id": 7, "by": [{ "id": 1, "role": "writes" }, { "id": 2 }] }"#)
        try run(store, values: role, #"{ "id": 7, "by": [{ "id": 1, "role": "sings" }, { "id": 2 }] }"#)
        // A value that comes later was null before.
        try run(
            store, values: fee,
            #"{ "id": 7, "by": [{ "id": 1, "role": "sings" }, { "id": 2, "fee": 2.5, "as": true }] }"#)
        let first = try said("diff", "1", "2")
        #expect(first.contains(#"by.role: ["writes",null] → ["sings",null]"#), "\(first)")
        #expect(!first.contains("by: "))
        let second = try said("diff", "2", "3", "--format", "ndjson")
        #expect(second.contains("by.fee") && second.contains("2.5") && !second.contains("by.role"), "\(second)")
        let back = try said("diff", "3", "2")
        #expect(back.contains("by.as: [null,1] → [null,null]"), "\(back)")
        let versions = try said("history", "Work", "7")
        #expect(versions.contains(#"["writes",null]"#) && versions.contains(#"["sings",null]"#), "\(versions)")
        #expect(try said("diff", "1", "1").contains("Nothing differs"))
        // Who asks for the relationship alone wants to know that, too.
        let links = try said("history", "Work", "7", "by")
        #expect(links.contains("by.role") && links.contains("by.fee"), "\(links)")
    }

    /// A relationship, or an attribute, that comes later is a change of the objects that have something there: once,
    /// and of no other object.
    @Test(arguments: [false, true], ["links", "both", "attribute"])
    func whatComesLaterIsAChange(onServer: Bool, what: String) throws {
        let server = onServer ? try TestServer(name: "later") : nil
        defer { try? server?.drop() }
        let store = server?.definition ?? "{ \"sqlite\": \"store.sqlite\" }"
        let (hasLinks, hasTitle) = (what != "attribute", what != "links")
        _ = try folder.write(
            "feed.json",
            #"{ "people": [{ "id": 1 }], "works": [{ "id": 7, "by": [1], "title": "Duet" }, { "id": 8, "by": [] }] }"#)
        for night in 1...2 {
            let title = night == 2 && hasTitle ? #", "title": "text""# : ""
            let links =
                night == 2 && hasLinks
                ? #", "relationships": { "by": { "to": "Person", "many": true, "from": "by[*]" } }"# : ""
            _ = try folder.write(
                "works.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": \(store), "history": true, "entities": {
                  "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer" } },
                  "Work": { "records": "$.works[*]", "identifier": "id", "attributes": { "id": "integer"\(title) }\(links) } } }
                """)
            #expect(try Sluice.run(["run", folder.file("works.jsonc"), "--quiet"]).status == 0)
        }
        let difference = try said("diff", "1", "2")
        #expect(difference.contains("Work 7 changed") && !difference.contains("Work 8"), "\(difference)")
        #expect(difference.contains("by: [] → [1]") == hasLinks && difference.contains("title: null") == hasTitle)
        let back = try said("diff", "2", "1", "--format", "ndjson").split(separator: "\n")
        #expect(back.count == 1, "\(back)")
        // One run is told once.
        let runs = try said("history", "Work", "7").split(separator: "\n").filter { $0.contains(" 2  20") }
        #expect(runs.count == 1, "\(runs)")
        guard server == nil else { return }
        let view = try Database(folder.file("store.sqlite")).rows(
            "SELECT id, from_run, to_run FROM Work_history WHERE id = 7 ORDER BY 1, 2")
        #expect(view == (hasTitle ? [["7", "1", "2"], ["7", "2", "∅"]] : [["7", "1", "∅"]]), "\(view)")
        let kept = try Database(folder.file("store.sqlite")).rows(
            "SELECT count(*) FROM sluice_history_table t WHERE EXISTS (SELECT 1 FROM Work_history WHERE from_run = to_run)"
        )
        #expect(kept == [["0"]])
    }
}
