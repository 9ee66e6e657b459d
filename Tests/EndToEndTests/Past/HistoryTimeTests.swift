import TestSupport
import Testing

/// `at` and `history` of a time: what the last run that had ended by then has left.
struct HistoryTimeTests {
    private let folder = TemporaryFolder()

    /// Three nights, of which the last one deletes; the second run is an hour after noon.
    private func nights() throws -> String {
        let definition = try folder.write(
            "t.jsonc",
            """
            { "source": { "file": "t.json" }, "store": { "sqlite": "t.sqlite" }, "history": true, "limits": { "records": 0 },
              "entities": { "T": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "integer", "name": "text" } } } }
            """)
        for (run, feed) in [#"[{ "id": 1, "name": "a" }]"#, #"[{ "id": 1, "name": "b" }]"#, "[]"].enumerated() {
            _ = try folder.write("t.json", feed)
            let outcome = try Sluice.run(["run", definition, "--quiet", "--allow", "deletes=1"])
            try #require(outcome.status == 0, "\(outcome.errors)")
            _ = try Database(folder.file("t.sqlite")).rows(
                "UPDATE sluice_run SET finished = '2026-11-2\(run)T13:00:00Z' WHERE run = \(run + 1)")
        }
        return definition
    }

    private static let times = [
        ("2026-11-20T13:00:00Z", "a"), ("2026-11-21", "a"), ("2026-11-21T12:59Z", "a"), ("2026-11-21T13:00:00Z", "b"),
        ("2026-11-22", "b"), ("2", "b"),
    ]

    @Test func aTimeStandsForTheLastRunBeforeIt() throws {
        let definition = try nights()
        for (index, (time, name)) in HistoryTimeTests.times.enumerated() {
            let file = folder.file("at-\(index).sqlite")
            let made = try Sluice.run(["at", definition, time, "--output", file])
            #expect(made.status == 0, "\(made.errors)")
            #expect(try Database(file).rows("SELECT name FROM T") == [[name]], "\(time)")
            let shown = try Sluice.run(["history", definition, "T", "1", "--at", time])
            #expect(shown.status == 0 && shown.output.contains("so since"), "\(shown)")
            #expect(shown.output.contains("\"\(name)\"") && !shown.output.contains(name == "a" ? "\"b\"" : "\"a\""))
            let json = try Sluice.run(["history", definition, "T", "1", "name", "--at", time, "--format", "json"])
            #expect(json.output.split(separator: "\n").count == 1 && json.output.contains("\"\(name)\""), "\(json)")
        }
        let gone = try Sluice.run(["history", definition, "T", "1", "--at", "yesterday"])
        #expect(gone.status == 0 && gone.output == "T 1 was not there when run 3 had ended.\n", "\(gone)")
    }

    /// The view answers by time as by run.
    @Test func theViewKnowsTimes() throws {
        _ = try nights()
        for (time, name) in HistoryTimeTests.times where time.hasSuffix("00Z") {
            let rows = try Database(folder.file("t.sqlite")).rows(
                "SELECT name FROM T_history WHERE from_time <= '\(time)' AND (to_time > '\(time)' OR to_time IS NULL)")
            #expect(rows == [[name]], "\(time)")
        }
    }

    @Test func whatIsNoTimeAndWhatIsTooEarly() throws {
        let definition = try nights()
        for (time, status, message) in [
            ("2026-11-20", 66, "had ended by then"), ("9", 66, "knows of no run 9"), ("0", 64, "from 1 on"),
            ("2026-02-30", 64, "a time such as"), ("last week", 64, "a time such as"),
        ] as [(String, Int32, String)] {
            for words in [
                ["at", definition, time, "-o", folder.file("x")], ["history", definition, "T", "1", "--at", time],
            ] {
                let outcome = try Sluice.run(words)
                #expect(outcome.status == status && outcome.errors.contains(message), "\(words): \(outcome)")
            }
        }
        #expect(!folder.names.contains("x"))
    }
}
