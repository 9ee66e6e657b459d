import Foundation
import Testing

/// `sluice run` with several pipelines.
@Suite struct SeveralPipelinesTests {
    private let scratch = TemporaryFolder()

    /// A pipeline of its own store, or of a given one.
    private func pipeline(_ name: String, _ feed: String, store: String? = nil, entity: String? = nil) throws -> String
    {
        _ = try scratch.write("\(name).json", feed)
        return try scratch.write(
            "\(name).jsonc",
            """
            { "source": { "file": "\(name).json" }, "store": { "sqlite": "\(store ?? name).sqlite" },
              "entities": { \(entity ?? #""A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } }"#) } }
            """)
    }

    /// Without the report and the findings that each single run is checked by.
    private func several(_ arguments: [String]) throws -> Sluice.Outcome {
        try Sluice.run(["run"] + arguments, through: ["/usr/bin/env"])
    }

    private func rows(_ store: String, _ table: String) throws -> [[String]] {
        try Database(scratch.file("\(store).sqlite")).contents()[table] ?? []
    }

    @Test func theyRunInOrderWithOneReportEach() throws {
        let targets = try pipeline("targets", #"[{"id": 1}]"#, store: "both")
        let links = try pipeline(
            "links", #"[{"id": 7, "a": 1}]"#, store: "both",
            entity: #"""
                "A": { "records": "$[*].none[*]", "identifier": "id", "attributes": { "id": "integer" }, "limits": { "records": 0 } },
                "L": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                       "relationships": { "a": { "to": "A" } } }
                """#)
        let outcome = try several([targets, links])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let first = try #require(outcome.output.range(of: "targets: succeeded"))
        let second = try #require(outcome.output.range(of: "links: succeeded"))
        #expect(first.lowerBound < second.lowerBound)
        #expect(try rows("both", "L") == [["7", "1"]])
    }

    /// A message says of which pipeline it is; of one alone, it need not.
    @Test func messagesNameTheirPipeline() throws {
        let good = try pipeline("good", #"[{"id": 1}]"#)
        let bad = try pipeline("bad", #"[{"id": "x"}]"#)
        let outcome = try several([good, bad, "--quiet"])
        #expect(
            outcome.status == 65 && outcome.errors.hasPrefix("sluice: bad: the limit of 0 rejects"), "\(outcome.errors)"
        )
        let lines = try several([good, bad, "--quiet", "--log", "json"]).errors.split(separator: "\n")
        #expect(lines.contains { $0.contains("the limit of 0") && $0.contains(#""pipeline": "bad""#) }, "\(lines)")
        let alone = try several([bad, "--quiet"])
        #expect(alone.errors.hasPrefix("sluice: the limit of 0 rejects"), "\(alone.errors)")
    }

    @Test func whatOneKeepsOfProgramsTheOtherMustNotReplace() throws {
        func entity(_ edits: String) -> String {
            #""A": { "records": "$[*]", "identifier": "id", \#(edits) "attributes": { "id": "integer", "n": "text" } }"#
        }
        let feed = #"[{"id": 1, "n": "a"}]"#
        let keeping = try pipeline("keeping", feed, store: "both", entity: entity(#""edits": "keep","#))
        #expect(try several([keeping, "--quiet"]).status == 0)
        let other = try pipeline("other", feed, store: "both", entity: entity(""))
        for words in [["check", other], ["run", other, "--quiet"]] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78)
            let text = (outcome.output + outcome.errors).replacing(/\n +/, with: " ")
            #expect(text.contains("the pipeline keeping keeps what programs change of the entity A"), "\(text)")
        }
        _ = try pipeline("other", feed, store: "both", entity: entity(#""edits": "reject","#))
        #expect(try several([other, "--quiet"]).status == 0)
        // What the pipeline itself kept is its own to give up, once no other one keeps it.
        _ = try pipeline("keeping", feed, store: "both", entity: entity(""))
        #expect(try several([keeping, "--quiet"]).status == 78)
    }

    /// Both say which objects of the entity are stubs.
    @Test func aStoreAsItWasHasTheStubsOfBoth() throws {
        for (name, feed) in [("one", #"[{"id": 1, "tag": "a"}]"#), ("two", #"[{"id": 2, "tag": "b"}]"#)] {
            let entities = #"""
                "\#(name)": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "tag": { "to": "Tag", "missing": "stub" } } },
                "Tag": { "identifier": "id", "attributes": { "id": "text" } }
                """#
            let path = try pipeline(name, feed, store: "both", entity: entities)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            _ = try scratch.write("\(name).jsonc", #"{ "history": true, "# + text.dropFirst())
            #expect(try several([path, "--quiet"]).status == 0)
        }
        for (run, stubs) in [("1", [["a"]]), ("2", [["a"], ["b"]])] {
            let output = scratch.file("at-\(run).sqlite")
            let outcome = try Sluice.run(["at", scratch.file("one.jsonc"), run, "--output", output])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let found = try Database(output).rows(
                "SELECT t.id FROM sluice_stub s JOIN Tag t USING (objectID) WHERE s.entity = 'Tag' ORDER BY 1")
            #expect(found == stubs)
        }
    }

    @Test func oneThatFailsDoesNotStopTheNext() throws {
        let good = try pipeline("good", #"[{"id": 1}]"#)
        let bad = try pipeline("bad", #"[{"id": "x"}]"#)
        let gone = try pipeline("gone", "[]")
        try FileManager.default.removeItem(atPath: scratch.file("gone.json"))
        let outcome = try several([bad, gone, good, "--quiet"])
        // The highest of 65, 66 and 0.
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(try rows("good", "A") == [["1"]])
    }

    @Test func aDefinitionThatIsWrongKeepsAllFromRunning() throws {
        let good = try pipeline("good", #"[{"id": 1}]"#)
        let (wrong, other) = (try scratch.write("wrong.jsonc", "{ }"), try scratch.write("other.jsonc", "[ ]"))
        let outcome = try several([good, wrong, other])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(wrong) && outcome.errors.contains(other), "\(outcome.errors)")
        #expect(!scratch.names.contains("good.sqlite"))
    }

    @Test(arguments: ["--store", "--feed", "--report", "--findings", "--metrics"])
    func whatIsForOnePipelineIsRefused(_ option: String) throws {
        let outcome = try several(["a.jsonc", "b.jsonc", option, scratch.file("x")])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("\(option) is for one PIPELINE, and there are 2"), "\(outcome.errors)")
    }
}
