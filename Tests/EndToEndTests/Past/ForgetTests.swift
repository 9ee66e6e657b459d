import Foundation
import StoreMirror
import Testing

/// What `sluice forget` says, and what `sluice diff` says behind it, in a file and on a server.
@Suite struct ForgetTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    init() throws { server = try TestServer(name: "forget") }

    /// Three nights of three stops: one changes and stays, one goes, one never changes.
    private func definition(onServer: Bool) throws -> String {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "stops.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "limits": { "deletes": null },
              "entities": { "Stop": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text", "name": "text" } } } }
            """)
        let still = #"{"id": "c", "name": "still"}"#
        for feed in [
            #"{"id": "a", "name": "one"}, {"id": "b", "name": "gone"}, "#, #"{"id": "a", "name": "two"}, "#,
            #"{"id": "a", "name": "three"}, "#,
        ] {
            _ = try folder.write("feed.json", "[\(feed)\(still)]")
            let outcome = try Sluice.run(["run", path, "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        return path
    }

    @Test(arguments: [false, true]) func whatNobodyKnowsIsSaid(onServer: Bool) throws {
        let definition = try definition(onServer: onServer)
        for words in [["forget", definition, "Stop", "x"], ["history", definition, "Stop", "x"]] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 66 && outcome.output.isEmpty)
            #expect(outcome.errors.contains("knows no object x"), "\(outcome.errors)")
        }
        // An object that has no past stays what it is, and is as it was made.
        let still = try Sluice.run(["forget", definition, "Stop", "c"])
        #expect(still.status == 0 && still.output == "There is no past to forget.\n")
        #expect(try Sluice.run(["history", definition, "Stop", "c"]).output.contains("created"))
        #expect(try Sluice.run(["diff", definition, "0", "1"]).output.contains(#"Stop "c" created"#))
        // One of which nothing but the past is there is known, until that is gone.
        let gone = try Sluice.run(["forget", definition, "Stop", "b"])
        #expect(gone.status == 0 && gone.output == "1 past version is forgotten.\n", "\(gone.errors)")
        #expect(try Sluice.run(["forget", definition, "Stop", "b"]).status == 66)
    }

    /// What looks as an identifier does, and is none, names no object on a server either.
    @Test(arguments: [false, true]) func daysThatAreNoneNameNothing(onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "days.jsonc",
            """
            { "source": { "file": "days.json" }, "store": \(store), "history": true,
              "entities": {
                "Day": { "records": "$.days[*]", "identifier": "d", "attributes": { "d": "date", "n": "integer" } },
                "Time": { "records": "$.times[*]", "identifier": "t", "attributes": { "t": "datetime" } } } }
            """)
        _ = try folder.write("days.json", #"{"days": [{"d": "2026-02-28"}], "times": [{"t": "2026-02-28T01:00:00Z"}]}"#)
        #expect(try Sluice.run(["run", path, "--quiet"]).status == 0)
        for (entity, text) in [
            ("Day", "2026-02-30"), ("Day", "0000-01-01"), ("Time", "2026-02-28T25:00:00.000000Z"),
            ("Time", "2026-13-28T01:00:00.000000Z"),
        ] {
            for command in ["history", "forget"] {
                let outcome = try Sluice.run([command, path, entity, text])
                #expect(outcome.status == 66 && outcome.errors.contains("knows no object"), "\(outcome.errors)")
            }
        }
        #expect(try Sluice.run(["history", path, "Day", "2026-02-28"]).status == 0)
    }

    /// An object is forgotten as its history is shown: also what it was while its identifier had another form.
    @Test(
        arguments: [
            (#""decimal""#, #"{ "type": "decimal", "scale": 2 }"#, "19.9", "19.90"),
            (
                #""datetime""#, #"{ "type": "datetime", "fraction": 3 }"#, "2026-01-02T03:04:05Z",
                "2026-01-02T03:04:05.000Z"
            ),
            (#""integer""#, #""text""#, "7", "7"),
        ], [(false, false), (false, true), (true, false), (true, true)])
    func whatWasKnownByAnotherForm(
        _ change: (String, String, String, String), _ place: (onServer: Bool, isThere: Bool)
    ) throws {
        let (onServer, isThere) = place
        let (before, after, given, now) = change
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        func run(_ type: String, _ name: String) throws {
            _ = try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "f.json" }, "store": \(store), "history": true,
                  "limits": { "deletes": null, "records": 0 },
                  "entities": { "P": { "records": "$[*]", "identifier": "id", "absent": "delete",
                    "attributes": { "id": \(type), "name": "text" } } } }
                """)
            let id = before == "\"integer\"" ? given : "\"\(given)\""
            let record = #"{"id": \#(id), "name": "\#(name)"}"#
            // Another object is there all the time.
            let still =
                #"{"id": \#(id.replacing("9", with: "8").replacing("7", with: "6").replacing("05Z", with: "06Z"))}"#
            let records = name.isEmpty ? "" : #", {"id": \#(id), "name": "other"}, \#(record)"#
            _ = try folder.write("f.json", "[\(still)\(records)]")
            let outcome = try Sluice.run(["run", folder.file("p.jsonc"), "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try run(before, "secret")
        try run(before, isThere ? "two" : "")
        try run(after, isThere ? "three" : "")
        let past = { try Sluice.run(["history", folder.file("p.jsonc"), "P", now]).output }
        #expect(try past().contains("secret"))
        let outcome = try Sluice.run(["forget", folder.file("p.jsonc"), "P", now])
        #expect(outcome.status == 0 && outcome.output.contains("forgotten"), "\(outcome)")
        #expect(try !past().contains("secret"))
        // Reports call it what it was called when they were written.
        let ledger = "SELECT count(*) FROM @\"sluice_run\" WHERE report LIKE '%\"\(given)\"%'"
        let found =
            try onServer
            ? server.rows(ledger).first
            : Database(folder.file("store.sqlite")).rows(ledger.replacing("@", with: ""))[0].first
        #expect(found == "0")
    }

    /// Rejects are noted as the feed has them: an identifier may be written there in another way, or not be known.
    @Test(arguments: [
        (#""type": "text""#, #""a""#, "a"),
        (#""type": "datetime""#, #""2026-11-20T01:00:00+01:00""#, "2026-11-20T00:00:00.000000Z"),
        (#""type": "date", "format": "%d.%m.%Y""#, #""20.11.2026""#, "2026-11-20"),
        (#""type": "bytes""#, #""AQID""#, "010203"),
        (#""type": "duration""#, #""PT1H""#, "3600"),
        (#""type": "decimal", "scale": 2, "as": "integer""#, #""19.9""#, "1990"),
        (#""type": "text", "trim": true"#, #"" a ""#, "a"),
        (#""type": "text", "map": { "a": "Anna", "*": "x" }"#, #""a""#, "Anna"),
    ])
    func rejectsThatMayBeOfIt(_ type: String, _ given: String, _ identifier: String) throws {
        func run(_ name: String, entity: String = #""P": {"#) throws {
            _ = try folder.write("f.json", #"[{ "id": \#(given), "n": \#(name) }]"#)
            _ = try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "store.sqlite" }, "history": true,
                  "limits": { "rejects": null }, "entities": { \(entity) "records": "$[*]", "identifier": "id",
                    "attributes": { "id": { \(type) }, "n": "integer" } } } }
                """)
            let outcome = try Sluice.run(["run", folder.file("p.jsonc"), "--quiet", "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for renames in [false, true] {
            try run("1")
            try run(#""secret""#)
            // Reports call the entity what it was called then.
            let name = renames ? "Q" : "P"
            if renames { try run("2", entity: #""Q": { "was": "P","#) }
            let reports = "SELECT count(*) FROM sluice_run WHERE report LIKE '%secret%'"
            #expect(try Database(folder.file("store.sqlite")).rows(reports) == [["1"]])
            #expect(try Sluice.run(["forget", folder.file("p.jsonc"), name, identifier]).status == 0)
            #expect(try Database(folder.file("store.sqlite")).rows(reports) == [["0"]])
        }
    }

    /// The ledger is written anew only where a report had something of the object: it is locked meanwhile.
    @Test func theLedgerIsWrittenAnewForFindingsAlone() throws {
        let definition = try definition(onServer: true)
        let file = "SELECT pg_relation_filenode('@\"sluice_run\"'::regclass)"
        let before = try server.rows(file)
        #expect(try Sluice.run(["forget", definition, "Stop", "b"]).output == "1 past version is forgotten.\n")
        #expect(try server.rows(file) == before)
        // The reports get a finding of the object that changed.
        _ = try server.rows(
            """
            UPDATE @"sluice_run" SET report = replace(report, '"examples": []',
              '"examples": [{ "kind": "drift", "entity": "Stop", "identifier": "a" }]') WHERE run = 1
            """)
        let forgotten = try Sluice.run(["forget", definition, "Stop", "a"]).output
        #expect(forgotten == "2 past versions are forgotten, and 1 finding in the ledger.\n")
        #expect(try server.rows(file) != before)
    }

    /// What an object alone referred to, and nobody has met, is gone with it; what others name, too, stays.
    @Test(arguments: [false, true]) func missingTargetsThatItNamed(onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "limits": { "deletes": null },
              "entities": { "Patient": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text" },
                "relationships": { "doctor": { "to": "Patient" }, "ward": { "to": "Patient" } } } } }
            """)
        let others = #"{"id": "a", "ward": "W1"}, {"id": "b"}"#
        for feed in [#"[\#(others), {"id": "c", "doctor": "Oncology", "ward": "W1"}]"#, "[\(others)]"] {
            _ = try folder.write("feed.json", feed)
            #expect(try Sluice.run(["run", path, "--quiet"]).status == 0)
        }
        func report(_ run: Int) throws -> String {
            try Sluice.run(["runs", path, "--run", "\(run)", "--format", "json"]).output
        }
        #expect(try report(1).contains("Oncology"))
        let forgotten = try Sluice.run(["forget", path, "Patient", "c"])
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        #expect(try !report(1).contains("Oncology") && report(1).contains("W1"))
    }

    /// A limit that named the object in a run which failed, and references to it that waited, are in the ledger, too.
    @Test(arguments: [false, true]) func theLedgerDoesNotNameIt(onServer: Bool) throws {
        func night(_ feed: String, deletes: String) throws -> Int32 {
            let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
            let path = try folder.write(
                "stops.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": \(store), "history": true,
                  "limits": { "deletes": \(deletes) }, "entities": { "P": { "records": "$[*]", "identifier": "id",
                    "absent": "delete", "attributes": { "id": "text" }, "relationships": { "boss": { "to": "P" } } } } }
                """)
            _ = try folder.write("feed.json", feed)
            return try Sluice.run(["run", path, "--quiet"]).status
        }
        #expect(try night(#"[{"id":"ada@example.org","boss":null},{"id":"b","boss":null}]"#, deletes: "0") == 0)
        #expect(try night(#"[{"id":"b","boss":null}]"#, deletes: "0") == 65)
        #expect(try night(#"[{"id":"b","boss":"ada@example.org"}]"#, deletes: "null") == 0)
        #expect(try night(#"[{"id":"b","boss":null}]"#, deletes: "null") == 0)
        let forgotten = try Sluice.run(["forget", folder.file("stops.jsonc"), "P", "ada@example.org"])
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        let named = "SELECT count(*) FROM sluice_run WHERE report LIKE '%ada@%'"
        if onServer {
            #expect(try server.rows(named.replacing("sluice_run", with: "@\"sluice_run\"")) == ["0"])
        } else {
            #expect(try Database(folder.file("store.sqlite")).rows(named) == [["0"]])
        }
        #expect(try Sluice.run(["runs", folder.file("stops.jsonc"), "--run", "2"]).status == 0)
    }

    /// Whatever identifies it, an object has the past that it had, until that is forgotten.
    @Test(
        arguments: [
            ("real", "0.5", "0.5"), ("real", "3", "3"), ("real", "1e300", "1e+300"), ("integer", "7", "7"),
            ("decimal", "1.50", "1.5"), ("boolean", "true", "1"), ("bytes", #""/wA=""#, "ff00"),
            ("date", #""2026-11-20""#, "2026-11-20"), ("duration", #""1:00:00""#, "3600"),
            ("text", #""0.5""#, "0.5"),
        ], [false, true])
    func whateverIdentifies(_ of: (type: String, value: String, asked: String), onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "typed.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true,
              "entities": { "Typed": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "\(of.type)", "n": "integer" } } } }
            """)
        for night in 1...3 {
            _ = try folder.write("feed.json", #"[{"id": \#(of.value), "n": \#(night)}]"#)
            #expect(try Sluice.run(["run", path, "--quiet"]).status == 0)
        }
        let history = try Sluice.run(["history", path, "Typed", of.asked, "--format", "json"])
        #expect(history.status == 0, "\(history.errors)")
        #expect(history.output.split(separator: "\n").count == 3, "\(history.output)")
        let forgotten = try Sluice.run(["forget", path, "Typed", of.asked])
        #expect(forgotten.output == "2 past versions are forgotten.\n", "\(forgotten.output)\(forgotten.errors)")
    }

    /// A check that names no entity tells rows in which the object may be.
    @Test(arguments: [false, true]) func theLedgerForgetsRowsOfChecks(onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "checks.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "limits": { "deletes": null },
              "checks": { "short": { "sql": "SELECT id, mail FROM person WHERE length(mail) < 20", "limit": null } },
              "entities": { "person": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text", "mail": "text" } } } }
            """)
        for ids in [["p7", "p8"], ["p8"]] {
            let people = ids.map { #"{"id": "\#($0)", "mail": "mail\#($0)"}"# }
            _ = try folder.write("feed.json", "[\(people.joined(separator: ","))]")
            let outcome = try Sluice.run(["run", path, "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let report = { try Sluice.run(["runs", path, "--run", "1", "--format", "json"]).output }
        #expect(try report().contains("mailp7"))
        #expect(try Sluice.run(["forget", path, "person", "p7"]).output.contains("1 finding in the ledger"))
        #expect(try !report().contains("mailp7") && report().contains("mailp8"))
    }

    /// A reject has the whole record of an object, and the ledger has it with the report.
    @Test(arguments: [false, true]) func theLedgerForgetsFindings(onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "rejects.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "limits": { "rejects": null },
              "entities": { "Person": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "real", "mail": "text", "age": "integer" } } } }
            """)
        for age in ["1", "2", "\"old\""] {
            let people = [3, 4].map { #"{"id": \#($0), "mail": "mail\#($0)@example.org", "age": \#(age)}"# }
            _ = try folder.write("feed.json", "[\(people.joined(separator: ","))]")
            #expect(try Sluice.run(["run", path, "--quiet"]).status == 0)
        }
        let forgotten = try Sluice.run(["forget", path, "Person", "3"])
        #expect(
            forgotten.output == "1 past version is forgotten, and 1 finding in the ledger.\n", "\(forgotten.errors)")
        let report = try Sluice.run(["runs", path, "--run", "3", "--format", "json"]).output
        #expect(!report.contains("mail3@") && report.contains("mail4@"), "\(report)")
        #expect(report.contains(#""rejected""#))
        #expect(try Sluice.run(["runs", path, "--run", "3"]).status == 0)
        if !onServer {
            let bytes = try Data(contentsOf: URL(filePath: folder.file("store.sqlite")))
            // The object as it is now stays.
            #expect(String(decoding: bytes, as: UTF8.self).components(separatedBy: "mail3@").count == 2)
        }
        // Where nothing else is left to forget, findings are.
        #expect(try Sluice.run(["forget", path, "Person", "3"]).output == "There is no past to forget.\n")
    }

    /// As `sluice at` makes none.
    @Test(arguments: [false, true]) func aScriptLeadsToNoForgottenObject(onServer: Bool) throws {
        let store = onServer ? server.definition : #"{ "sqlite": "store.sqlite" }"#
        let path = try folder.write(
            "places.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "history": true, "limits": { "deletes": null },
              "entities": { "Place": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text" },
                "relationships": { "up": { "to": "Place" }, "near": { "to": "Place", "many": true, "from": "near[*]" } } } } }
            """)
        let place = #"{"id": "B", "up": "A", "near": ["A", "B"]}"#
        for feed in [#"[{"id": "A"}, \#(place)]"#, "[\(place)]"] {
            _ = try folder.write("feed.json", feed)
            #expect(try Sluice.run(["run", path, "--quiet"]).status == 0)
        }
        let before = try Sluice.run(["diff", path, "2", "1", "--format", "sql"]).output
        #expect(before.contains("INSERT") && !before.contains("NULL WHERE"))
        #expect(try Sluice.run(["forget", path, "Place", "A"]).status == 0)
        let script = try Sluice.run(["diff", path, "2", "1", "--format", "sql"]).output
        #expect(script.contains("\"up\" = NULL"), "\(script)")
        if onServer { return }
        for run in ["1", "2"] {
            #expect(try Sluice.run(["at", path, run, "--output", folder.file("at" + run)]).status == 0)
        }
        let (copy, wanted) = (try Database(folder.file("at2")), try Database(folder.file("at1")))
        try copy.execute(script)
        for table in ["Place", "Place_near"] {
            let rows = "SELECT * FROM \(table) ORDER BY 1, 2"
            #expect(try copy.rows(rows) == wanted.rows(rows))
        }
        #expect(try copy.isSound())
    }

    @Test(arguments: [false, true]) func aDifferenceToWhatIsForgottenIsNone(onServer: Bool) throws {
        let definition = try definition(onServer: onServer)
        let note = "What some objects were before run 4 was forgotten on demand, and is not told.\n"
        #expect(try Sluice.run(["diff", definition, "1", "3"]).output.contains(#"Stop "a" changed"#))
        #expect(try Sluice.run(["forget", definition, "Stop", "a"]).output == "2 past versions are forgotten.\n")
        for (from, to) in [("1", "3"), ("2", "4"), ("3", "1")] {
            let lines = try Sluice.run(["diff", definition, from, to]).output
            #expect(lines.contains("Stop \"a\" forgotten before\n") && lines.hasSuffix(note), "\(from) \(to): \(lines)")
            let json = try ItemNights.json(["diff", definition, from, to, "Stop", "--format", "ndjson"])
            let event = json.first { $0["identifier"] as? String == "a" }
            #expect(event?["event"] as? String == "forgotten before")
            #expect((event?["values"] as? [String: String])?["name"] == "three")
        }
        // What was made after the first of both runs is created, and where nothing is forgotten, nothing is said of it.
        #expect(
            try Sluice.run(["diff", definition, "3", "4"]).output == "Nothing differs between run 3 and run 4.\n" + note
        )
        _ = try folder.write("feed.json", #"[{"id": "a", "name": "four"}, {"id": "c", "name": "still"}, {"id": "d"}]"#)
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        #expect(
            try Sluice.run(["diff", definition, "4", "5"]).output
                == "Stop \"a\" changed\n  name: \"three\" → \"four\"\nStop \"d\" created\n")
        #expect(
            try Sluice.run(["diff", definition, "2", "5"]).output.contains(
                "Stop \"a\" forgotten before\nStop \"d\" created\n"))
    }
}
