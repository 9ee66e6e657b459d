import Foundation
import Testing

/// What those who look after a night are told: how copies differ, which field is gone, whose feed is kept, and what the
/// last run has changed.
@Suite struct ToldNightTests {
    private let folder = TemporaryFolder()

    private func define(_ more: String = "", entity: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "p.sqlite" }, \(more)
              "entities": { "Item": { "records": "$.items[*]", "identifier": "id", \(entity)
                "attributes": { "id": "integer", "name": "text", "size": "integer", "none": "text" } } } }
            """)
    }

    private func offer(_ items: [String]) throws {
        _ = try folder.write("feed.json", #"{"items":[\#(items.joined(separator: ","))]}"#)
    }

    private func item(_ id: Int, _ name: String = "n", _ size: Int = 1) -> String {
        #"{"id":\#(id),"name":"\#(name)","size":\#(size)}"#
    }

    /// Who checks tomorrow's feed sees how copies differ, without a run that stores them.
    @Test(arguments: [false, true]) func findingsSayHowCopiesDiffer(_ isCompressed: Bool) throws {
        let definition = try define()
        let copies = (1...30).map { item($0, "other", $0) }
        try offer((1...30).map { item($0) } + copies + [item(1)])
        var words = ["run", definition, "--dry-run", "--findings", folder.file("f.ndjson")]
        if isCompressed {
            #expect(try Shell.run(["gzip", "-k", folder.file("feed.json")]) == 0)
            words += ["--feed", folder.file("feed.json.gz")]
        }
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8).split(separator: "\n")
        let found = try lines.compactMap { line -> [String: Any]? in
            let finding = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return finding?["conflicting"] as? Bool == true ? finding : nil
        }
        #expect(found.count == 31, "\(lines)")
        let last = try #require(found.first { $0["identifier"] as? Int == 30 })
        let values = try #require(last["values"] as? [String: [String: Any]])
        #expect(values["name"] as? [String: String] == ["first": "n", "here": "other"], "\(values)")
        #expect(values["size"] as? [String: Int] == ["first": 1, "here": 30], "\(values)")
        let first = try #require(last["first"] as? [String: Any])
        #expect(first["line"] as? Int == 1 && first["column"] as? Int == first["offset"].map { ($0 as? Int ?? 0) + 1 })
    }

    /// The report names the file that has all, the one of a run that is over as well.
    @Test func theFileOfFindingsIsNamed() throws {
        let definition = try define(#""findings": "all-{date}.ndjson","#)
        try offer((1...30).map { item($0) } + (1...30).map { item($0, "other") })
        let outcome = try Sluice.run(["run", definition], through: ["/usr/bin/env"])
        let file = try #require(folder.names.first { $0.hasPrefix("all-") })
        let text = outcome.output.replacing("\n  ", with: " ")
        #expect(text.contains("\(file) has all, --report FILE more.)"), "\(outcome.output)")
        let past = try Sluice.run(["runs", definition, "--run", "1"]).output.replacing("\n  ", with: " ")
        #expect(past.contains("the run wrote all to ") && past.contains(file), "\(past)")
    }

    /// What the message says lets a run go on does, beside fields that no record ever had.
    @Test func theFieldThatIsGone() throws {
        let definition = try define()
        try offer((1...40).map { item($0) })
        #expect(try Sluice.run(["run", definition]).status == 0)
        try offer((1...40).map { #"{"id":\#($0),"name":"n"}"# })
        let failed = try Sluice.run(["run", definition])
        #expect(failed.status == 65)
        let text = failed.output.replacing("\n  ", with: " ")
        #expect(text.contains("there is 1: size (limits.missing, by default; --allow Item.missing=1"), "\(text)")
        #expect(failed.output.replacing(/\s+/, with: " ").contains("no Item has size"), "\(failed.output)")
        #expect(try Sluice.run(["run", definition, "--allow", "Item.missing=0"]).status == 65)
        let allowed = try Sluice.run(["run", definition, "--allow", "Item.missing=1"])
        #expect(allowed.status == 0, "\(allowed.errors)")
        // A limit of the definition counts all, and so does what is allowed in its place.
        let strict = try define(#""limits": { "missing": 1 },"#)
        #expect(try Sluice.run(["run", strict, "--force", "--allow", "missing=1"]).status == 65)
        #expect(try Sluice.run(["run", strict, "--force", "--allow", "missing=2"]).status == 0)
    }

    /// Which feeds are there is in the list, and where another is asked for.
    @Test func whoseFeedIsKept() throws {
        let definition = try define(#""archive": { "directory": "a", "keep": 2 },"#)
        for night in 1...3 {
            try offer((1...night).map { item($0) })
            #expect(try Sluice.run(["run", definition]).status == 0)
        }
        let lines = try Sluice.run(["runs", definition]).output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasSuffix("  Feed") && lines.dropFirst().map { $0.hasSuffix("kept") } == [true, true, false])
        let gone = try Sluice.run(["replay", definition, "--run", "1"])
        #expect(gone.status == 66 && gone.errors.contains("those of the runs 3, 2 are kept"), "\(gone.errors)")
    }

    /// Without runs, `diff` is about the last one that has loaded.
    @Test func theLastRunIsCompared() throws {
        let definition = try define(entity: #""history": true, "absent": "delete","#)
        try offer((1...3).map { item($0) })
        #expect(try Sluice.run(["diff", definition]).status == 66)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let early = try Sluice.run(["diff", definition, "yesterday", "today"])
        #expect(early.output.contains("no run on the store had ended by then") && early.status == 0, "\(early)")
        let first = try Sluice.run(["diff", definition])
        #expect(first.output.hasPrefix("Run 1, started 20") && first.output.contains(" UTC, against an empty store"))
        #expect(first.output.contains("Item 1 created\n"))
        try offer((1...3).map { item($0, $0 == 2 ? "new" : "n") })
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try Sluice.run(["run", definition]).output.contains("unchanged"))
        for words in [["diff", definition], ["diff", definition, "Item"]] {
            let outcome = try Sluice.run(words)
            #expect(outcome.output.hasPrefix("Run 2, started "), "\(outcome)")
            #expect(outcome.output.contains(" UTC, against run 1 before it:\n"))
            #expect(outcome.output.contains("Item 2 changed\n  name: \"n\" → \"new\"\n"), "\(outcome.output)")
        }
        let lines = try Sluice.run(["diff", definition, "--format", "ndjson"]).output
        #expect(lines.hasPrefix("{") && lines.split(separator: "\n").count == 1)
        #expect(try Sluice.run(["diff", definition, "2"]).status == 64)
        #expect(try Sluice.run(["diff", definition, "2", "2"]).output.contains("run 2 is the last one before"))
    }

    /// An entity without a history says what begins one.
    @Test func whatKeepsAHistory() throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "p.sqlite" },
              "entities": {
                "Item": { "records": "$.items[*]", "identifier": "id", "history": true,
                  "attributes": { "id": "integer" } },
                "Name": { "records": "$.items[*]", "identifier": "name", "attributes": { "name": "text" } } } }
            """)
        try offer([item(1)])
        #expect(try Sluice.run(["run", definition]).status == 0)
        for words in [["history", definition, "Name", "n"], ["at", definition, "1", "-o", folder.file("old.sqlite")]] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78 && outcome.errors.contains("\"history\": true"), "\(words): \(outcome.errors)")
        }
    }
}
