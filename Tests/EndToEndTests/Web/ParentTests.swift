import Foundation
import TestSupport
import Testing

/// Services that are asked once for each record of another source.
struct ParentTests {
    private func scene(_ service: FaultyService, _ more: String = "") throws -> LanguageScene {
        let scene = try LanguageScene(
            """
            { "Stop": {
                "source": "stops", "records": "$[*]", "identifier": "id", "attributes": { "id": "text", "zone": "integer" } },
              "Departure": {
                "source": "departures", "records": "$.departures[*]", "identifier": "trip", "attributes": { "trip": "integer" },
                "relationships": { "stop": { "to": "Stop", "from": "$.stop" } } } }
            """, #""limits": { "rejects": null }"# + more, source: "{}")
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        let departures = #"{ "url": "\#(service.url)/{id}?zone={zone}", "for": "Stop", "retries": 0 }"#
        try scene.write(
            "p.jsonc",
            text.replacing(
                #""source": {}"#,
                with: #""sources": { "stops": { "file": "feed.json" }, "departures": \#(departures) }"#))
        return scene
    }

    private func answer(_ stop: String, _ trips: Int...) -> String {
        let list = trips.map { #"{\"trip\": \#($0)}"# }.joined(separator: ", ")
        return #"[{"body": "{\"stop\": \"\#(stop)\", \"departures\": [\#(list)]}"}]"#
    }

    private static let stops = #"""
        [ {"id": "a", "zone": 1}, {"id": "b c", "zone": 2}, {"id": "gone", "zone": 3}, {"id": "none"}, {"id": "a", "zone": 1},
          {"id": "bad", "zone": "x"}, {"id": "empty", "zone": 4}, {"id": "d", "zone": 5} ]
        """#

    private func service() -> FaultyService {
        let service = FaultyServer.shared.service("{}")
        service.file("a").post(answer("a", 1, 2))
        service.file("b%20c").post(answer("b c"))
        service.file("gone").post(#"[{"status": 404}]"#)
        service.file("empty").post(#"[{"status": 204}]"#)
        service.file("d").post(answer("d", 3))
        return service
    }

    /// What has nothing in common with the other answers, and a message, is none, whichever comes first; what only
    /// leaves the list out has none.
    @Test(arguments: ["a", "b%20c", "d"], [true, false]) func anAnswerWithAMessageIsNone(_ stop: String, _ isOdd: Bool)
        throws
    {
        let service = service()
        let odd = isOdd ? #"{\"message\": \"try later\"}"# : #"{\"stop\": \"x\", \"message\": \"try later\"}"#
        service.file(stop).post(#"[{"body": "\#(odd)"}]"#)
        let outcome = try scene(service).run(ParentTests.stops)
        #expect(outcome.status == (isOdd ? 65 : 0), "\(outcome.errors)")
        #expect(outcome.errors.contains(#"and says "try later" (`message`)"#) == isOdd, "\(outcome.errors)")
    }

    /// Without a message, such an answer says nothing of what belongs to its record.
    @Test(arguments: ["a", "b%20c", "d"], [#"{\"maintenance\": true}"#, #"{\"stop\": \"x\"}"#, "{}", "null", "7"])
    func aStrangeAnswerSaysNothing(_ stop: String, _ odd: String) throws {
        let service = service()
        service.file("gone").post(#"[{"status": 204}]"#)
        let scene = try scene(service)
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        try scene.write(
            "p.jsonc",
            text.replacing(#""rejects": null"#, with: #""rejects": null, "deletes": null, "records": null"#)
                .replacing(#""identifier": "trip","#, with: #""identifier": "trip", "absent": "delete","#))
        #expect(try scene.run(ParentTests.stops).status == 0)
        service.file(stop).post(#"[{"body": "\#(odd)"}]"#)
        let outcome = try scene.run(ParentTests.stops)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let isStrange = odd.contains("maintenance") || odd == "7"
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        #expect(examples.contains { $0["reason"] as? String == "answers" } == isStrange, "\(examples)")
        #expect(outcome.count("Departure", "deleted") == 0 || !isStrange)
        if isStrange { #expect(try scene.lines("SELECT trip FROM Departure ORDER BY 1") == ["1", "2", "3"]) }
    }

    /// Values in texts of the query, beside what is the same for each record, and with what `since` and pages add.
    @Test(arguments: ["", "?a=1"]) func valuesStandInTheQuery(_ own: String) throws {
        let service = FaultyServer.shared.service(#"{"body": "{\"stop\": \"x\", \"departures\": []}"}"#)
        let scene = try scene(service)
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        let query = #""query": { "key": "k&k", "z o": "zone:{zone}/{id}", "json": "{\"a\": {}}" }"#
        try scene.write("p.jsonc", text.replacing("/{id}?zone={zone}\",", with: "\(own)\", \(query),"))
        let outcome = try scene.run(#"[ {"id": "a", "zone": 1}, {"id": "b&c=é", "zone": 2}, {"id": "none"} ]"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let first = own.isEmpty ? "" : "a=1&"
        let last = "&key=k%26k&json=%7B%22a%22%3A%20%7B%7D%7D"
        #expect(
            service.requests.map(\.query).suffix(2) == [
                "\(first)z%20o=zone%3A1%2Fa\(last)", "\(first)z%20o=zone%3A2%2Fb%26c%3D%C3%A9\(last)",
            ])
    }

    @Test func eachRecordIsAskedFor() throws {
        let service = service()
        let scene = try scene(service, #", "archive": { "directory": "a" }"#)
        let outcome = try scene.run(ParentTests.stops, "--batch-size", "2")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try scene.lines("SELECT trip, id FROM Departure JOIN Stop ON Stop.objectID = stop ORDER BY trip") == [
                "1 a", "2 a", "3 d",
            ])
        // The dry run asks as well.
        #expect(service.file("a").requests.map(\.query) == ["zone=1", "zone=1"])
        #expect(service.file("b%20c").requests.count == 2)
        #expect(service.file("bad").requests.isEmpty && service.file("none").requests.isEmpty)
        let before = try scene.lines("SELECT * FROM Departure ORDER BY trip")
        let replayed = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--run", "1", "--store", scene.file("t.sqlite"), "--format", "json",
        ])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(
            try Database(scene.file("t.sqlite")).rows("SELECT * FROM Departure ORDER BY trip").map {
                $0.joined(separator: " ")
            } == before)
    }

    /// Where a service finds nothing for a record, nobody knows what belongs to it, in a run as in its replay; what
    /// else comes is stored.
    @Test(arguments: [nil, "unknown", "empty"], [404, 410])
    func whatIsNotFoundSaysNothing(_ word: String?, _ status: Int) throws {
        let service = service()
        let scene = try scene(service, #", "archive": { "directory": "a" }"#)
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        let key = word.map { #""notFound": "\#($0)", "# } ?? ""
        try scene.write(
            "p.jsonc",
            text.replacing(#""for": "Stop","#, with: #""for": "Stop", \#(key)"#)
                .replacing(#""rejects": null"#, with: #""rejects": null, "deletes": null, "records": null"#)
                .replacing(#""identifier": "trip","#, with: #""identifier": "trip", "absent": "delete","#))
        let stops = #"[ {"id": "a", "zone": 1}, {"id": "d", "zone": 5} ]"#
        #expect(try scene.run(stops).status == 0)
        service.file("a").post(#"[{"status": \#(status)}]"#)
        service.file("d").post(answer("d", 4))
        let outcome = try scene.run(stops)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let isUnknown = status == 404 && word != "empty"
        let left = isUnknown ? ["1", "2", "3", "4"] : ["4"]
        #expect(try scene.lines("SELECT trip FROM Departure ORDER BY 1") == left)
        #expect(outcome.count("Departure", "keptAbsent") == (isUnknown ? 3 : 0))
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        #expect(examples.contains { $0["reason"] as? String == "notFound" } == isUnknown)
        let runs = try scene.lines("SELECT max(run) FROM sluice_run")
        let replayed = try Sluice.run(["replay", scene.file("p.jsonc"), "--run", runs[0]])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(try scene.lines("SELECT trip FROM Departure ORDER BY 1") == left)
        // What is there again says all.
        service.file("a").post(answer("a", 1))
        #expect(try scene.run(stops).status == 0)
        #expect(try scene.lines("SELECT trip FROM Departure ORDER BY 1") == ["1", "4"])
    }

    /// A value is one part of the path, or none.
    @Test(arguments: ["..", ".", ""])
    func whatLeadsElsewhereIsARejectedRecord(_ id: String) throws {
        let service = service()
        let scene = try scene(service)
        let outcome = try scene.run(#"[{"id": "a", "zone": 1}, {"id": "\#(id)", "zone": 2}]"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Stop", "rejected") == 1)
        #expect(service.requests.isEmpty)
        let faults = (outcome.report["examples"] as? [[String: Any]])?.first?["faults"] as? [[String: String]]
        #expect(faults?.first?["attribute"] == "id")
        let reason = "is no part of the path of an address, as the source departures has it"
        #expect(faults?.first?["reason"]?.hasSuffix(reason) == true)
    }

    /// An answer that is not there, or empty, or null, has no record, also where the record is the whole answer; and
    /// the next reject shows its own.
    @Test func answersThatAreNoneHaveNoRecord() throws {
        let service = FaultyServer.shared.service("{}")
        let answers = [
            #"{"status":404}"#, #"{"status":200,"body":""}"#, #"{"body":"null"}"#, #"{"body":"7"}"#, #"{"body":"8"}"#,
            #"{"body":"{\"id\": 1, \"n\": \"one\"}"}"#,
        ]
        for (index, answer) in answers.enumerated() { service.file("\(index)").post("[\(answer)]") }
        let scene = try LanguageScene(
            """
            { "P": { "source": "list", "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } },
              "D": { "source": "one", "records": "$", "identifier": "id", "attributes": { "id": "integer", "n": "text" } } }
            """, #""limits": { "rejects": null }, "archive": { "directory": "a" }"#, source: "{}")
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        let one = #"{ "url": "\#(service.url)/{id}", "for": "P" }"#
        try scene.write(
            "p.jsonc",
            text.replacing(#""source": {}"#, with: #""sources": { "list": { "file": "feed.json" }, "one": \#(one) }"#))
        let list = answers.indices.map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        let outcome = try scene.run("[\(list)]")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("D", "records") == 3 && outcome.count("D", "created") == 1)
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        #expect(examples.filter { $0["kind"] as? String == "reject" }.map { $0["record"] as? Int } == [7, 8])
        let replayed = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--run", "1", "--store", scene.file("t.sqlite"), "--format", "json",
        ])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.count("D", "records") == 3)
    }

    /// Where nothing is new of what a service is asked for, or what is new has nothing there, that is no finding.
    @Test func quietNightsAreNoFindings() throws {
        let since = #", "since": { "parameter": "since", "attribute": "Issue.updated" }"#
        let scene = try IssueScene(issues: since, settings: #", "archive": { "directory": "a" }"#)
        try scene.service.offer(IssueScene.issues([2, 1]))
        func unmatched() throws -> Int? {
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            return (outcome.report["findings"] as? [String: Int])?["unmatched"]
        }
        #expect(try unmatched() == 0)
        try scene.service.offer([])
        #expect(try unmatched() == 0, "nothing is asked for")
        try scene.service.offer(IssueScene.issues([0], first: 7, day: 3))
        #expect(try unmatched() == 0, "the only new issue has no comments")
        let replay = [
            "replay", scene.definition, "--run", "3", "--format", "json", "--store", scene.folder.file("t.sqlite"),
        ]
        let replayed = try Sluice.run(replay)
        #expect((replayed.report["findings"] as? [String: Int])?["unmatched"] == 0, "\(replayed.output)")
    }

    /// Nobody knows what belongs to a record for which the service was not asked; the replay of such a night, too.
    @Test func whatWasNotAskedForIsNotAbsent() throws {
        let service = FaultyServer.shared.service("{}")
        let scene = try LanguageScene(
            """
            { "Stop": { "source": "stops", "records": "$[*]", "identifier": "id",
                "attributes": { "id": "text", "slug": "text", "height": "integer" } },
              "Departure": { "source": "departures", "records": "$[*]", "identifier": "id", "absent": "delete", "within": "stop",
                "attributes": { "id": "integer" }, "relationships": { "stop": { "to": "Stop", "from": "$for.id" } } },
              "Platform": { "source": "stops", "records": "$[*].platforms[*]", "identifier": "id", "absent": "delete", "within": "stop",
                "attributes": { "id": "integer" }, "relationships": { "stop": { "to": "Stop", "from": "^^.id" } } } }
            """, #""limits": { "rejects": null, "deletes": null }, "archive": { "directory": "kept" }"#, source: "{}")
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        let departures = #"{ "url": "\#(service.url)/{slug}", "for": "Stop" }"#
        let sources = #""sources": { "stops": { "file": "feed.json" }, "departures": \#(departures) }"#
        try scene.write("p.jsonc", text.replacing(#""source": {}"#, with: sources))
        func night(_ answers: [String: String], _ stops: String) throws {
            for (slug, answer) in answers { service.file(slug).post("[{\"body\": \"\(answer)\"}]") }
            let outcome = try scene.run("[\(stops)]")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        func stop(_ id: String, _ rest: String) -> String { #"{"id": "\#(id)", \#(rest)}"# }
        let answers = Dictionary(uniqueKeysWithValues: "abcd".map { ("s\($0)", "[{\\\"id\\\": \($0.asciiValue!)}]") })
        try night(
            answers,
            "abcd".map { stop("\($0)", #""slug": "s\#($0)", "platforms": [{"id": \#($0.asciiValue!)}]"#) }.joined(
                separator: ", "))
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.file("s.sqlite")))
        try night(
            ["sc": "[]"],
            [
                stop("a", #""slug": "sa", "height": "high""#), stop("b", #""platforms": []"#),
                stop("c", #""slug": "sc""#),
                stop("d", #""slug": "sd", "platforms": [{"id": 100}]"#),
            ].joined(separator: ", "))
        let found = "SELECT d.id FROM Departure d ORDER BY 1"
        #expect(try scene.lines(found) == ["97", "98", "100"])
        // What the file gives of the stops is known of all of them.
        #expect(try scene.lines("SELECT id FROM Platform WHERE id > 97") == ["100"])
        try before.write(to: URL(fileURLWithPath: scene.file("t.sqlite")))
        let replayed = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--run", "2", "--store", scene.file("t.sqlite"), "--quiet",
        ])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(try Database(scene.file("t.sqlite")).rows(found) == [["97"], ["98"], ["100"]])
    }

    /// Also where there was one answer, so one saved file.
    @Test(arguments: [1, 2]) func aReplayNamesWhatTheRunNamed(count: Int) throws {
        let service = service()
        let bodies = [
            #"{"stop": "a", "departures": [{"trip": "x"}]}"#, #"{"stop": "d", "departures": [{"trip": "y"}]}"#,
        ]
        for (name, body) in zip(["a", "d"], bodies) {
            service.file(name).post("[{\"body\": \"\(body.replacing("\"", with: "\\\""))\"}]")
        }
        let scene = try scene(service, #", "archive": { "directory": "kept" }"#)
        let stops = [#"{"id": "a", "zone": 1}"#, #"{"id": "d", "zone": 2}"#].prefix(count)
        let run = try scene.run("[\(stops.joined(separator: ", "))]")
        let replayed = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--run", "1", "--store", scene.file("t.sqlite"), "--format", "json",
        ])
        func places(_ outcome: Sluice.Outcome) -> [String] {
            let examples = outcome.report["examples"] as? [[String: Any]] ?? []
            return examples.filter { $0["kind"] as? String == "reject" }
                .map { ($0["at"] as? [String: Any])?["file"] as? String ?? "none" }
        }
        #expect(places(run).count == count && !places(run).contains("none"), "\(places(run))")
        #expect(places(replayed) == places(run))
    }

    @Test func withoutRecordsNothingIsAsked() throws {
        let service = service()
        let scene = try scene(service)
        let outcome = try scene.run(#"[{"id": "none"}]"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.file("a").requests.isEmpty)
    }

    @Test func failuresAreTold() throws {
        let service = service()
        service.file("d").post(#"[{"status": 500, "body": "no"}]"#)
        let scene = try scene(service)
        let outcome = try scene.run(ParentTests.stops)
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("/d answered with status 500"), "\(outcome.errors)")
        let fetched = try Sluice.run(["fetch", scene.file("p.jsonc")])
        #expect(fetched.status == 78)
        let preview = try Sluice.run(["preview", scene.file("p.jsonc")])
        #expect(preview.status == 0 && preview.output.contains("Stop"), "\(preview.errors)")
    }
}
