import Foundation
import Testing

/// What makes a run fail is told before what the definition allows, everywhere; and what lets one run go on lets it.
@Suite struct FailingFirstTests {
    private let folder = TemporaryFolder()

    /// Twelve kinds of rejects of an entity that may have them, and one of an entity that may have none.
    @Test func theRejectThatFailsTheRun() throws {
        let fields = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
        let numbers = fields.map { "\"\($0)\": \"integer\"" }.joined(separator: ", ")
        let definition = try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 500 },
              "entities": {
                "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer", \(numbers) } },
                "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "integer", "v": "integer" },
                       "limits": { "rejects": 0 } } } }
            """)
        func offer(isBad: Bool) throws {
            let many = (0..<60).map { (id: Int) -> String in
                let members = fields.enumerated().map { (index: Int, field: String) -> String in
                    let value = isBad && id / 3 == index ? "\"bad\"" : String(id)
                    return "\"\(field)\": \(value)"
                }
                return "{ \"id\": \(id), \(members.joined(separator: ", ")) }"
            }
            let few = (0..<30).map { (id: Int) -> String in
                "{ \"id\": \(id), \"v\": \(isBad && id == 4 ? "\"oops\"" : "1") }"
            }
            let (a, b) = (many.joined(separator: ","), few.joined(separator: ","))
            _ = try folder.write("f.json", #"{ "a": [\#(a)], "b": [\#(b)] }"#)
        }
        try offer(isBad: false)
        #expect(try Sluice.run(["run", definition]).status == 0)
        try offer(isBad: true)
        let failed = try Sluice.run(["run", definition, "--show", "news", "--report", folder.file("r.json")])
        #expect(failed.status == 65)
        let lines = unwrapped(failed.output)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("37 rejected records") })
        #expect(lines[heading + 1].contains("B 4 is rejected") && lines[heading + 2].contains("A 0 is rejected"))
        let json = try String(contentsOfFile: folder.file("r.json"), encoding: .utf8)
        #expect(json.contains("oops"))
        let past = try unwrapped(Sluice.run(["runs", definition, "--run", "2"]).output)
        #expect(past.contains { $0.contains("B 4 is rejected") }, "\(past)")
        let page = try Sluice.run(["runs", definition, "--run", "2", "--report", "-"]).output
        #expect(page.contains("oops"))
        // The message says what lets one run go on, and it does.
        #expect(lines.contains { $0.contains("--allow B.rejects=1 for one run") })
        #expect(try Sluice.run(["run", definition, "--allow", "B.rejects=1"]).status == 0)
        let again = try Sluice.run(["run", definition, "--force", "--show", "news"])
        #expect(again.status == 65)
        #expect(unwrapped(again.output).contains { $0.contains("B 4 is rejected") }, "\(again.output)")
    }

    /// The lines of a report, each in one.
    private func unwrapped(_ text: String) -> [Substring] {
        text.replacing("\n    ", with: " ").split(separator: "\n")
    }

    @Test(arguments: ["C.rejects=1", "checks.none=1", "B.reject=1"]) func namesThatNobodyHas(_ text: String) throws {
        let definition = try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "B": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        _ = try folder.write("f.json", "[]")
        let outcome = try Sluice.run(["run", definition, "--allow", text])
        #expect(outcome.status == 64 && outcome.errors.contains("--allow \(text): there is no "), "\(outcome.errors)")
        #expect(try Sluice.run(["run", definition, definition, "--allow", text]).status == 64)
    }

    /// The rows of the check that fails the run come before those of a warning, and it can be allowed for one run.
    @Test func theCheckThatFailsTheRun() throws {
        let definition = try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "checks": {
                "a zero": { "entity": "B", "sql": "SELECT id, p FROM B WHERE p = 0", "severity": "warning" },
                "no halving": { "entity": "B", "limit": 3, "sql": [ "SELECT n.id, o.p AS before, n.p AS now",
                  "FROM B n JOIN previous.B o USING (objectID) WHERE n.p < o.p / 2.0" ] } },
              "entities": {
                "B": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "p": "integer" } } } }
            """)
        func offer(zeros: Range<Int>) throws {
            let all = (0..<40).map { #"{ "id": \#($0), "p": \#(zeros.contains($0) ? 0 : 5) }"# }
            _ = try folder.write("f.json", "[\(all.joined(separator: ","))]")
        }
        try offer(zeros: 0..<0)
        #expect(try Sluice.run(["run", definition]).status == 0)
        try offer(zeros: 3..<9)
        let failed = try Sluice.run(["run", definition])
        #expect(failed.status == 65 && failed.output.contains("--allow 'checks.no halving=6'"), "\(failed.output)")
        let rows = unwrapped(failed.output).filter { $0.contains(" the check ") && $0.contains("f.json") }
        #expect(rows.map { $0.contains("no halving") } == [true, true, true, false, false], "\(rows)")
        // What is called as the object is identified is a value all the same.
        #expect(rows.contains { $0.contains("B 5: before 5, now 0") })
        let less = try Sluice.run(["run", definition, "--quiet", "--allow", "checks.no halving=5"])
        #expect(less.status == 65 && less.errors.contains("may find 5 (by --allow;"), "\(less.errors)")
        let allowed = try Sluice.run(["run", definition, "--allow", "checks.no halving=6", "--format", "json"])
        #expect(allowed.status == 0 && allowed.report["allowed"] as? [String: String] == ["checks.no halving": "6"])
    }
}
