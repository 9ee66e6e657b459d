import Foundation
import StoreMirror
import TestSupport
import Testing

/// Histories where something of them is missing, or is written in another way than it is kept.
@Suite struct HistoryCornersTests {
    private let folder = TemporaryFolder()

    private func definition(product: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, "history": true,
              "limits": { "deletes": null },
              "entities": {
                "Colour": { "records": "$.c[*]", "identifier": "code", "absent": "delete", "attributes": { "code": "text" } },
                "Product": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "integer", "note": "text" }\(product),
                  "relationships": { "colour": { "to": "Colour" }, "any": { "to": ["Colour", "Product"], "from": "colour" },
                    "all": { "to": "Colour", "many": true, "from": "all[*]" } } } } }
            """)
    }

    private func run(_ definition: String, _ feed: String) throws {
        _ = try folder.write("f.json", feed)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func apply(_ script: String, to store: String) throws {
        let file = try folder.write("script.sql", script)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "sqlite3 '\(folder.file(store))' < '\(file)'"]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    /// A store that was saved as statements, and made again, has its past.
    @Test func aStoreThatWasDumped() throws {
        let definition = try definition()
        try run(
            definition,
            #"{ "c": [{ "code": "red" }], "p": [{ "id": 1, "note": "one", "colour": "red", "all": ["red"] }] }"#)
        try run(definition, #"{ "c": [{ "code": "red" }], "p": [{ "id": 1, "note": "two", "colour": "red" }] }"#)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c",
            "cd '\(folder.path)' && sqlite3 p.sqlite .dump > dump.sql && rm p.sqlite* && sqlite3 p.sqlite < dump.sql",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        try run(definition, #"{ "c": [{ "code": "red" }], "p": [{ "id": 1, "note": "three", "colour": "red" }] }"#)
        #expect(try Sluice.run(["diff", definition, "1", "2", "Product"]).output.contains("one\" → \"two"))
        #expect(try Sluice.run(["diff", definition, "2", "3", "Product"]).output.contains("two\" → \"three"))
        #expect(try Sluice.run(["at", definition, "1", "--output", folder.file("one.sqlite")]).status == 0)
        #expect(try Database(folder.file("one.sqlite")).rows("SELECT id, note FROM Product") == [["1", "one"]])
    }

    /// What earlier versions wrote between names is read, and written anew.
    @Test func namesOfEarlierVersions() throws {
        let definition = try definition()
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "one" }] }"#)
        let database = try Database(folder.file("p.sqlite"))
        for column in ["columns", "columns_now", "identifier"] {
            _ = try database.rows(
                """
                UPDATE sluice_history_table SET \(column) =
                  (SELECT coalesce(group_concat(value, char(0)), '') FROM json_each(\(column)))
                """)
        }
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "two" }] }"#)
        #expect(try Sluice.run(["diff", definition, "1", "2", "Product"]).output.contains("one\" → \"two"))
        let names = "SELECT count(*) FROM sluice_history_table WHERE instr(columns, char(0)) > 0"
        #expect(try database.rows(names) == [["0"]])
    }

    /// A table may have had more shapes than a function of SQLite takes arguments.
    @Test func tablesOfManyShapes() throws {
        for night in 0..<130 {
            let attributes = (0..<night).map { #", "a\#($0)": "text""# }.joined()
            let definition = try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, "history": true, "entities": {
                  "P": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "integer" },
                    "relationships": { "q": { "to": "Q" } } },
                  "Q": { "records": "$.q[*]", "identifier": "k", "attributes": { "k": "text"\(attributes) } } } }
                """)
            try run(definition, #"{ "p": [{ "id": 1, "q": "x" }], "q": [{ "k": "x" }] }"#)
        }
        #expect(try Database(folder.file("p.sqlite")).rows("SELECT q FROM P_history") == [["x"]])
    }

    /// Of an object of many columns, too, what changes and what changes back is told apart.
    @Test func wideObjects() throws {
        let attributes = (0..<1995).map { #""a\#($0)": "integer""# }.joined(separator: ", ")
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, "history": true, "entities": {
              "Wide": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", \(attributes) } } } }
            """)
        #expect(try Sluice.run(["check", definition]).status == 0)
        try run(definition, #"[{ "id": 1, "a7": 1 }, { "id": 2 }]"#)
        try run(definition, #"[{ "id": 1, "a7": 2 }, { "id": 2, "a1994": 5 }, { "id": 2, "a1994": null }]"#)
        let history = try Sluice.run(["history", definition, "Wide", "1", "a7"])
        #expect(history.status == 0 && history.output.contains("a7"), "\(history)")
        #expect(try Sluice.run(["diff", definition, "1", "2"]).output == "Wide 1 changed\n  a7: 1 → 2\n")
        #expect(try Database(folder.file("p.sqlite")).rows("SELECT count(*) FROM Wide_history") == [["3"]])
    }

    /// The program sqlite3 takes a carriage return before a line feed for a part of the line's end.
    @Test func scriptsKeepCarriageReturns() throws {
        let definition = try definition()
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "x" }] }"#)
        try run(
            definition, #"{ "c": [], "p": [{ "id": 1, "note": "'one'\r\ntwo\r\r\n\r" }, { "id": 2, "note": "\r\n" }] }"#
        )
        #expect(try Sluice.run(["at", definition, "1", "--output", folder.file("copy.sqlite")]).status == 0)
        try apply(try Sluice.run(["diff", definition, "1", "2", "--format", "sql"]).output, to: "copy.sqlite")
        let notes = "SELECT hex(note) FROM Product ORDER BY id"
        #expect(
            try Database(folder.file("copy.sqlite")).rows(notes) == Database(folder.file("p.sqlite")).rows(notes))
    }

    /// A script clears references to what is forgotten by the names that tables and columns have at its runs.
    @Test(arguments: [
        "\"next2\": { \"to\": \"P\", \"from\": \"next\", \"was\": \"next\" }", "\"next\": { \"to\": \"P\" }",
    ])
    func scriptsHaveTheNamesOfThen(later: String) throws {
        func definition(_ relationship: String) throws -> String {
            try folder.write(
                "n.jsonc",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "n.sqlite" }, "history": true,
                  "limits": { "deletes": null }, "entities": {
                    "P": { "records": "$[*]", "identifier": "id", "absent": "delete",
                      "attributes": { "id": "text", "v": "text" }, "relationships": { \(relationship) } } } }
                """)
        }
        let first = try definition("\"next\": { \"to\": \"P\" }")
        try run(first, #"[{ "id": "A", "v": "1", "next": "B" }, { "id": "B", "v": "1" }, { "id": "C", "v": "1" }]"#)
        try run(first, #"[{ "id": "A", "v": "2", "next": "B" }, { "id": "B", "v": "1" }, { "id": "C", "v": "2" }]"#)
        #expect(try Sluice.run(["forget", first, "P", "C"]).status == 0)
        let now = try definition(later)
        try run(now, #"[{ "id": "A", "v": "3", "next": "C" }, { "id": "C", "v": "2" }]"#)
        #expect(try Sluice.run(["at", now, "1", "--output", folder.file("copy.sqlite")]).status == 0)
        let script = try Sluice.run(["diff", now, "1", "2", "--format", "sql"])
        #expect(script.status == 0 && script.output.contains("SET \"next\" = NULL"), "\(script.output)")
        try apply(".bail on\n" + script.output, to: "copy.sqlite")
        #expect(try Database(folder.file("copy.sqlite")).rows("SELECT v FROM P WHERE id = 'A'") == [["2"]])
    }

    /// A store as it was knows which of its objects are stubs: a run on it does not take them for absent ones.
    @Test func stubsStayStubs() throws {
        let definition = try folder.write(
            "stubs.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, "history": true,
              "limits": { "deletes": null, "records": 0 },
              "entities": {
                "A": { "records": "$.a[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" } },
                "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "a": { "to": "A", "missing": "stub", "onDelete": "cascade" } } } } }
            """)
        try run(definition, #"{ "a": [{ "id": 2 }], "b": [{ "id": 1, "a": 1 }, { "id": 2, "a": 2 }] }"#)
        let copy = folder.file("copy.sqlite")
        #expect(try Sluice.run(["at", definition, "1", "--output", copy]).status == 0)
        _ = try folder.write("f.json", #"{ "a": [{ "id": 2 }], "b": [{ "id": 2, "a": 2 }] }"#)
        for store in [folder.file("p.sqlite"), copy] {
            #expect(try Sluice.run(["run", definition, "--store", store]).status == 0)
            let database = try Database(store)
            #expect(try database.rows("SELECT id FROM A ORDER BY id") == [["1"], ["2"]], "\(store)")
            #expect(try database.rows("SELECT id, a FROM B ORDER BY id").count == 2, "\(store)")
        }
    }

    /// A column that is dropped takes its past along: another name is the way.
    @Test func whatContradictsIsNotToBeDropped() throws {
        let definition = try definition()
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "x" }] }"#)
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        _ = try folder.write("p.jsonc", text.replacing(#""note": "text""#, with: #""note": "json""#))
        let refused = try Sluice.run(["check", definition])
        #expect(
            refused.status == 78 && refused.errors.contains("under another name, it is a new one"), "\(refused.errors)")
        #expect(!refused.errors.contains("DROP COLUMN"))
        _ = try folder.write(
            "p.jsonc", text.replacing(#""note": "text""#, with: #""text": { "type": "json", "from": "note" }"#))
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "x" }] }"#)
        let old = folder.file("old.sqlite")
        #expect(try Sluice.run(["at", definition, "1", "--output", old]).status == 0)
        #expect(try Database(old).rows("SELECT note FROM Product") == [["x"]])
    }

    /// What is forgotten was never there: what has referred to it refers to nothing.
    @Test func nothingRefersToWhatIsForgotten() throws {
        let definition = try definition()
        try run(
            definition,
            #"{ "c": [{ "code": "a" }, { "code": "b" }], "p": [{ "id": 1, "colour": "b", "all": ["a", "b"] }] }"#)
        try run(definition, #"{ "c": [{ "code": "a" }], "p": [{ "id": 1, "colour": "a", "all": ["a"] }] }"#)
        #expect(try Sluice.run(["forget", definition, "Colour", "b"]).status == 0)
        #expect(try Sluice.run(["at", definition, "1", "--output", folder.file("old.sqlite")]).status == 0)
        let old = try Database(folder.file("old.sqlite"))
        #expect(try old.rows("PRAGMA foreign_key_check").isEmpty)
        let references = "SELECT colour IS NULL, any IS NULL, any_entity IS NULL FROM Product"
        #expect(try old.rows(references) == [["1", "1", "1"]])
        #expect(try old.rows("SELECT code FROM Product_all JOIN Colour ON Colour.objectID = target") == [["a"]])
    }

    /// Where nothing is known, it is not said that nothing differs.
    @Test func whatKeepsNoHistoryIsSaid() throws {
        let definition = try definition(product: #", "history": false"#)
        try run(definition, #"{ "c": [{ "code": "b" }], "p": [{ "id": 1, "note": "x", "colour": "b" }] }"#)
        try run(definition, #"{ "c": [], "p": [{ "id": 1, "note": "y" }] }"#)
        let one = try Sluice.run(["diff", definition, "1", "2", "Product"])
        #expect(one.status == 78 && one.errors.contains("keeps no history of Product"), "\(one.output)\(one.errors)")
        let all = try Sluice.run(["diff", definition, "1", "2"])
        #expect(all.status == 0 && all.output.contains(#"Colour "b" deleted"#), "\(all.output)")
        #expect(all.output.contains("Of Product, nothing is known"), "\(all.output)")
        let script = try Sluice.run(["diff", definition, "1", "2", "--format", "sql"])
        #expect(script.status == 78 && script.errors.contains("Product, which refers to Colour"), "\(script.errors)")
        #expect(try Sluice.run(["diff", definition, "1", "2", "Colour", "--format", "sql"]).status == 0)
    }

    @Test(arguments: [
        "2026-02-30", "2026-13-01", "2026-00-00", "2099-99-99", "2026-11-20T25:00:00Z", "2026-11-20T24:00Z",
    ])
    func daysThatAreNoneAreRefused(_ day: String) throws {
        let outcome = try Sluice.run(["diff", try definition(), day, "1"])
        #expect(outcome.status == 64 && outcome.errors.contains("must be the number of a run, or a time"), "\(outcome)")
        #expect(try Sluice.run(["diff", try definition(), "--since", day]).status == 64)
    }

    /// The table of a relationship that the definition has lost is dropped: of its links, only the past is known.
    @Test(arguments: [true, false]) func aTableThatIsDropped(_ isFile: Bool) throws {
        let server = isFile ? nil : try TestServer(name: "dropped")
        defer { try? server?.drop() }
        let store = server?.definition ?? #"{ "sqlite": "d.sqlite" }"#
        func night(_ relationships: String, _ feed: String) throws -> String {
            let definition = try folder.write(
                "d.jsonc",
                """
                { "name": "d", "source": { "file": "f.json" }, "store": \(store),
                  "history": true, "limits": { "records": 0, "deletes": null, "missing": null },
                  "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "note": "text" },
                    "relationships": { \(relationships) } } } }
                """)
            try run(definition, feed)
            return definition
        }
        _ = try night(
            #""all": { "to": "A", "many": true, "from": "all[*]" }"#,
            #"[{ "id": 1, "note": "x", "all": [1, 2] }, { "id": 2 }]"#)
        let definition = try night("", #"[{ "id": 1, "note": "y" }, { "id": 2 }]"#)
        if let server {
            _ = try server.rows("DROP TABLE @\"A_all\"")
        } else {
            try apply("DROP TABLE A_all;", to: "d.sqlite")
        }
        // Before the next run, and after it.
        for last in 2...3 {
            if last == 3 { _ = try night("", #"[{ "id": 1, "note": "z" }, { "id": 2 }]"#) }
            let script = try Sluice.run(["diff", definition, "1", "\(last)", "--format", "sql"])
            #expect(script.status == 0 && script.output.contains("UPDATE \"A\" SET"), "\(script.errors)")
            #expect(!script.output.contains("A_all"), "\(script.output)")
            let name = "past \(last) \(UUID().uuidString.prefix(8))"
            let past = server == nil ? folder.file("\(name).sqlite") : name
            let made = try Sluice.run(["at", definition, "1", server == nil ? "--output" : "--schema", past])
            #expect(made.status == 0, "\(made.errors)")
            if let server {
                #expect(try server.rows("SELECT note FROM \"\(past)\".\"A\" WHERE id = 1") == ["x"])
                _ = try server.rows("DROP SCHEMA \"\(past)\" CASCADE")
            } else {
                #expect(try Database(past).rows("SELECT note FROM A WHERE id = 1") == [["x"]])
            }
        }
    }
}
