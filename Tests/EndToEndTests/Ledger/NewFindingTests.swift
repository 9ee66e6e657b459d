import Foundation
import Testing

/// What is new among many findings of a kind: more than a report has examples of.
@Suite struct NewFindingTests {
    private let folder = TemporaryFolder()

    private func define() throws {
        _ = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "Order": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "a": "integer", "b": "date" },
                "relationships": { "parent": { "to": "Order" } } } } }
            """)
    }

    /// - Parameters:
    ///   - bad: the orders whose attribute `a` is none; of others `b` may be.
    ///   - orphans: the orders whose parent is missing.
    private func night(_ bad: Range<Int>, other: Range<Int> = 0..<0, orphans: Range<Int> = 0..<0) throws -> String {
        let orders = (0..<2000).map { id in
            let a = bad.contains(id) ? #""n/a""# : "1"
            let b = other.contains(id) ? "31/12/26" : "2026-01-01"
            return
                #"{"id": \#(id), "a": \#(a), "b": "\#(b)", "parent": \#(orphans.contains(id) ? "\(id + 5000)" : "null")}"#
        }
        _ = try folder.write("feed.json", "[\(orders.joined(separator: ",\n"))]")
        let outcome = try Sluice.run(["run", folder.file("p.jsonc")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.replacing(/\s+/, with: " ")
    }

    /// As many as before, and others.
    @Test func othersAreNew() throws {
        try define()
        _ = try night(0..<62)
        #expect(try night(0..<62, orphans: 1500..<1501).contains("As in run 1: 62 rejected records Entity"))
        let text = try night(0..<0, other: 68..<130)
        #expect(
            text.contains("New since run 2: 62 rejected records: ")
                && text.contains("Order 68 is rejected: b: date expected"), "\(text)")
    }

    /// Fewer than before is nothing new, and how many there were is said.
    @Test func fewerAreNotNew() throws {
        try define()
        _ = try night(0..<0, orphans: 100..<180)
        let text = try night(0..<0, orphans: 120..<175)
        #expect(text.contains("Nothing new since run 1."), "\(text)")
        #expect(text.contains("As in run 1: 55 references without their targets, 80 in run 1"), "\(text)")
    }

    /// Of many that are as before, the one that is new is shown.
    @Test func theNewOneIsShown() throws {
        try define()
        _ = try night(0..<0, orphans: 100..<180)
        let text = try night(0..<0, orphans: 100..<181)
        #expect(
            text.contains("New since run 1: 81 references without their targets, 1 of them new")
                && text.contains("the first lacks the Order 5180"),
            "\(text)")
        // One that goes while another comes.
        let later = try night(7..<8, orphans: 101..<182)
        #expect(later.contains("the first lacks the Order 5181"), "\(later)")
    }

    /// Beyond what is kept, numbers are all there is.
    @Test func thereAreTooMany() throws {
        try define()
        _ = try night(0..<1500)
        #expect(try night(1..<1501).contains("Nothing new since run 1. As in run 1: 1,500 rejected records"))
        #expect(try night(1..<1503).contains("New since run 2: 1,502 rejected records"))
    }

    private func shown(_ bad: String, _ options: [String]) throws -> (status: Int32, output: String) {
        _ = try folder.write(
            "feed.json",
            #"""
            [{"id": 1, "a": 1, "b": "2026-01-01", "parent": 1}, {"id": 2, "a": \#(bad)}]
            """#)
        let outcome = try Sluice.run(["run", folder.file("p.jsonc")] + options)
        return (outcome.status, outcome.output)
    }

    /// `--show news`: nothing where all is well, or as it was; the report where something is new, or the run fails.
    @Test func onlyNewsAreShown() throws {
        try define()
        let news = ["--show", "news"]
        #expect(try shown("1", news) == (0, ""))
        let first = try shown(#""n/a""#, news + ["--dry-run"])
        #expect(first.status == 0 && first.output.contains("New since run 1:"), "\(first)")
        #expect(try shown(#""n/a""#, news).output.contains("New since run 1:"))
        #expect(try shown(#""n/a""#, news) == (0, ""), "unchanged")
        #expect(try shown(#""n/a""#, news + ["--force"]) == (0, ""))
        #expect(try shown(#""n/a""#, ["--force"]).output.contains("Nothing new since run"))
        #expect(try shown("{", news).status == 65)
        let failed = try shown("{", news)
        #expect(failed.output.contains("failed"), "\(failed)")
        let json = try shown(#""n/b", "c": 1"#, news + ["--format", "json"])
        #expect(json.status == 0 && json.output.hasPrefix("{"), "\(json)")
    }

    /// Without a run to compare with, all that needs attention is new. Of several pipelines, those are shown that have
    /// news.
    @Test func newsOfFirstRuns() throws {
        try define()
        let text = try String(contentsOfFile: folder.file("p.jsonc"), encoding: .utf8)
        _ = try folder.write(
            "q.jsonc", text.replacing("feed.json", with: "well.json").replacing("s.sqlite", with: "q.sqlite"))
        _ = try folder.write("well.json", #"[{"id": 1, "a": 1, "b": "2026-01-01", "parent": 1}]"#)
        _ = try folder.write("feed.json", #"[{"id": 1, "a": "n/a"}]"#)
        let files = ["q", "p"].map { folder.file("\($0).jsonc") }
        let outcome = try Sluice.run(["run"] + files + ["--show", "news"], through: ["/usr/bin/env"])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("p: succeeded"), "\(outcome)")
        let all = try Sluice.run(["run"] + files + ["--show", "always"], through: ["/usr/bin/env"])
        #expect(all.output.contains("\n\np: unchanged"), "\(all.output)")
    }

    @Test func contradictingOptions() throws {
        try define()
        for (options, word) in [
            (["--show", "news", "--quiet"], "--quiet shows no report"), (["--show", "some"], "--show takes"),
            (["--show", "news", "--findings", "-"], "takes one of --findings -"),
        ] {
            let outcome = try Sluice.run(["run", folder.file("p.jsonc")] + options)
            #expect(outcome.status == 64 && outcome.errors.contains(word), "\(outcome.errors)")
        }
    }

    /// A feed with half of its records is news, once; one that has always been small is none.
    @Test func halfAFeedIsNews() throws {
        try define()
        func night(_ count: Int, _ more: String...) throws -> String {
            let orders = (0..<count).map { #"{"id": \#($0), "a": 1}"# }
            _ = try folder.write("feed.json", "[\(orders.joined(separator: ","))]")
            return try Sluice.run(["run", folder.file("p.jsonc"), "--force"] + more).output
        }
        #expect(try !night(300).contains("half"))
        #expect(try !night(151).contains("half"))
        let text = try night(75, "--show", "news")
        #expect(text.contains("1 entity with half of its records, or fewer:\n  Order: 75, and 151 before\n"), "\(text)")
        try toldEverywhere("fewer", "Order: 75, and 151 before")
        #expect(try night(75, "--show", "news").isEmpty)
        _ = try night(19)
        #expect(try !night(1).contains("half"))
    }

    /// What has become of an entity is in the report of the last run as JSON, as a page, and out of the ledger.
    private func toldEverywhere(_ news: String, _ words: String) throws {
        let page = folder.file("last.html")
        let number = try Database(folder.file("s.sqlite")).rows("SELECT max(run) FROM sluice_run")[0][0]
        let last = ["runs", folder.file("p.jsonc"), "--run", number]
        let json = try Sluice.run(last + ["--format", "json"]).report
        let order = (json["entities"] as? [String: Any])?["Order"] as? [String: Any]
        #expect(order?["news"] as? [String] == [news], "\(json)")
        #expect(try Sluice.run(last).output.contains(words))
        #expect(try Sluice.run(last + ["--report", page]).status == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains(words))
    }
}
