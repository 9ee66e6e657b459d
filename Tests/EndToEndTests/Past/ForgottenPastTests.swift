import Foundation
import TestSupport
import Testing

/// What is left of a past that `keep` or `forget` has taken away says nothing of what is gone: no version holds at a
/// run at which the object was another one.
@Suite struct ForgottenPastTests {
    private let folder = TemporaryFolder()

    /// What an object is: its value, and its links by two relationships.
    private struct State: Equatable {
        var value: Int
        var first: [String]
        var second: [String]

        var json: String {
            let lists = [first, second].map { "[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" }
            return #"{"id":"A","v":\#(value),"l":\#(lists[0]),"m":\#(lists[1])}"#
        }

        init(_ random: inout SeededRandom, before: State?) {
            func links(_ old: [String]?) -> [String] {
                if let old, random.below(2) == 0 { return old }
                return ["b", "c", "d"].filter { _ in random.below(2) == 0 }
            }
            value = before.map { random.below(3) == 0 ? random.below(9) : $0.value } ?? 0
            first = links(before?.first)
            second = links(before?.second)
        }

        init?(_ values: Any?) {
            guard let values = values as? [String: Any], let value = values["v"] as? Int,
                let first = values["l"] as? [String], let second = values["m"] as? [String]
            else { return nil }
            (self.value, self.first, self.second) = (value, first, second)
        }
    }

    private func definition(keep: Int?) throws -> String {
        let history = keep.map { "{ \"keep\": \($0) }" } ?? "true"
        return try folder.write(
            "d.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": \(history),
              "limits": { "deletes": null, "records": 0 }, "entities": {
                "T": { "records": "$.t[*]", "identifier": "id", "attributes": { "id": "text" } },
                "P": { "records": "$.p[*]", "identifier": "id", "absent": "delete",
                  "attributes": { "id": "text", "v": "integer" },
                  "relationships": { "l": { "to": "T", "many": true, "from": "l[*]" },
                    "m": { "to": "T", "many": true, "from": "m[*]" } } } } }
            """)
    }

    @Test(arguments: 0..<24) func whatIsLeftIsTrue(seed: Int) throws {
        var random = SeededRandom(8100 + seed)
        let keep: Int? = seed % 3 == 0 ? nil : 1 + random.below(3)
        let definition = try definition(keep: keep)
        // By run, from 1 on; the runs of `forget` have the state of the run before.
        var states: [State?] = [nil]
        var floor = 1
        var object: State?
        for _ in 0..<9 {
            let isThere = random.below(6) > 0
            object = isThere ? State(&random, before: object) : nil
            let others = #"[{"id":"b"},{"id":"c"},{"id":"d"}]"#
            _ = try folder.write("f.json", #"{"t":\#(others),"p":[\#(object?.json ?? "")]}"#)
            let outcome = try Sluice.run(["run", definition, "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            states.append(object)
            if let keep { floor = max(floor, states.count - 1 - keep) }
            if seed % 2 == 0, random.below(5) == 0 {
                let outcome = try Sluice.run(["forget", definition, "P", "A"])
                guard outcome.status == 0 else { continue }
                // What the object is now stays known from when it became so.
                var last = states.count - 1
                while last > 1, states[last] != nil, states[last - 1] == states[last] { last -= 1 }
                floor = max(floor, states[states.count - 1] == nil ? states.count + 1 : last)
                // It has a number of its own where anything was erased.
                let runs = try Database(folder.file("s.sqlite")).rows("SELECT max(run) FROM sluice_run")
                if runs != [["\(states.count - 1)"]] { states.append(object) }
            }
            try check(definition, states, floor, "\(seed), run \(states.count - 1)")
        }
    }

    private func check(_ definition: String, _ states: [State?], _ floor: Int, _ place: String) throws {
        let outcome = try Sluice.run(["history", definition, "P", "A", "--format", "json"])
        let lines = outcome.output.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        var covered: Set<Int> = []
        for line in lines {
            let from = try #require((line["from"] as? [String: Any])?["run"] as? Int)
            let to = (line["to"] as? [String: Any])?["run"] as? Int ?? states.count
            let state = State(line["values"])
            for run in from..<to {
                #expect(state == states[run], "\(place): from \(from) to \(to), at \(run)")
                covered.insert(run)
            }
        }
        for run in floor..<states.count where states[run] != nil {
            #expect(covered.contains(run), "\(place): nothing is said of run \(run), with all from \(floor) on known")
        }
        let text = try Sluice.run(["history", definition, "P", "A"]).output
        let created = text.split(separator: "\n").filter { $0.contains("created") }
            .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        for run in created { #expect(states[run] != nil && states[run - 1] == nil, "\(place): created in \(run)") }
    }
}
