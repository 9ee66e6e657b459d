import Foundation
import StoreMirror
import TestSupport
import Testing

/// What a history tells of values from before an attribute got another type, in both stores.
@Suite struct HistoryTypeTests {
    private let folder = TemporaryFolder()

    private func output(_ words: String...) throws -> String {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private func nights(_ server: TestServer?, _ nights: [(attributes: String, feed: String)]) throws -> String {
        var definition = ""
        for night in nights {
            let store = server?.definition ?? #"{ "sqlite": "s.sqlite" }"#
            definition = try folder.write(
                "p.jsonc",
                """
                { "name": "p", "source": { "file": "f.json" }, "store": \(store), "history": true,
                  "limits": { "deletes": null }, "entities": { "A": { "records": "$[*]", "identifier": "id", "absent": "delete", "attributes": { \(night.attributes) },
                  "relationships": { "r": { "to": "A" } } } } }
                """)
            _ = try folder.write("f.json", night.feed)
            _ = try output("run", definition, "--quiet")
        }
        return definition
    }

    /// A past integer of 16 digits stays what it was, where the attribute is a real now.
    @Test(arguments: [false, true]) func integersAreNotRounded(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let (integers, reals) = (#""id": "integer", "q": "integer""#, #""id": "integer", "q": "real""#)
        let definition = try nights(
            server,
            [
                (integers, #"[{ "id": 1, "q": 9007199254740993 }]"#), (integers, #"[{ "id": 1, "q": 5 }]"#),
                (reals, #"[{ "id": 1, "q": 5 }]"#),
            ])
        for words in [["diff", definition, "0", "1", "--format", "ndjson"], ["history", definition, "A", "1"]] {
            #expect(try Sluice.run(words).output.contains("9007199254740993"))
        }
    }

    /// An integer that is stored as a real has not changed, however large.
    @Test func largeIntegersThatBecomeReals() throws {
        let server = try TestServer(name: "values")
        defer { try? server.drop() }
        let feed = #"[{ "id": 1, "q": 2000000000000000 }, { "id": 2, "q": 7 }]"#
        let definition = try nights(
            server, [(#""id": "integer", "q": "integer""#, feed), (#""id": "integer", "q": "real""#, feed)])
        #expect(try !output("diff", definition, "1", "2").contains("changed"))
    }

    /// An object whose identifier was a decimal is the same object where that is a real.
    @Test(arguments: [false, true]) func identifiersThatBecomeReals(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let feed = #"[{ "id": 1, "q": "one" }, { "id": 0.25, "q": "a quarter" }]"#
        let definition = try nights(
            server, [(#""id": "decimal", "q": "text""#, feed), (#""id": "real", "q": "text""#, feed)])
        let told = try output("diff", definition, "1", "2")
        #expect(!told.contains("deleted") && !told.contains("created"), "\(told)")
    }

    /// Texts that become times and booleans mean what they meant, in a file.
    @Test func textsThatBecomeTimes() throws {
        let feed = #"[{ "id": "2026-11-20T00:00:00Z", "q": "true", "t": "2026-11-20T00:00:00.5Z" }]"#
        let definition = try nights(
            nil,
            [
                (#""id": "text", "q": "text", "t": "text""#, feed),
                (
                    #""id": "datetime", "q": "boolean", "t": "datetime""#,
                    feed.replacing(#""true""#, with: "true")
                ),
            ])
        let told = try output("diff", definition, "1", "2")
        #expect(told.hasPrefix("Nothing differs"), "\(told)")
    }

    /// Reals become texts by way of decimals: what is written the same has not changed.
    @Test(arguments: [false, true]) func realsThatBecomeTexts(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let feed = #"[{ "id": 1, "q": 0.125 }, { "id": 2, "q": 3 }]"#
        let texts = #"[{ "id": 1, "q": "0.125" }, { "id": 2, "q": "3" }]"#
        let types = ["real", "decimal", "text"].map { "\"id\": \"integer\", \"q\": \"\($0)\"" }
        let definition = try nights(server, [(types[0], feed), (types[1], feed), (types[2], texts), (types[2], texts)])
        for run in ["1", "2", "3"] {
            #expect(try !output("diff", definition, run, "4").contains("changed"), "from \(run)")
        }
        #expect(try !output("history", definition, "A", "1").contains("→"))
    }

    /// The identifier of an object that is gone is told in the type that it has now, as those of all others.
    @Test(arguments: [false, true]) func referencesToWhatIsGone(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let definition = try nights(
            server,
            [
                (#""id": "integer""#, #"[{ "id": 1 }, { "id": 2 }, { "id": 3, "r": 1 }, { "id": 4, "r": 2 }]"#),
                (#""id": "integer""#, #"[{ "id": 2 }]"#), (#""id": "text""#, #"[{ "id": "2" }]"#),
            ])
        let told = try output("diff", definition, "1", "2", "--format", "ndjson")
        #expect(told.contains(#""r": "1""#) && told.contains(#""r": "2""#), "\(told)")
    }

    /// What was true while a time had more digits is told with these.
    @Test(arguments: [false, true]) func timesThatLoseDigits(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let (six, none) = (
            #""id": "integer", "q": "datetime""#, #""id": "integer", "q": { "type": "datetime", "fraction": 0 }"#
        )
        let definition = try nights(
            server,
            [
                (six, #"[{ "id": 1, "q": "2026-01-01T00:00:00.123456Z" }]"#),
                (six, #"[{ "id": 1, "q": "2026-01-01T00:00:00Z" }]"#),
                (none, #"[{ "id": 1, "q": "2026-01-01T00:00:00Z" }]"#),
            ])
        #expect(try output("diff", definition, "1", "2").contains("00:00:00.123456Z"))
        #expect(try output("history", definition, "A", "1", "q").contains(".123456Z"))
    }

    /// Nor has a time changed that is written with more digits now.
    @Test func timesThatGetDigits() throws {
        let feed = #"[{ "id": 1, "q": "2026-01-01T00:00:00.1Z" }, { "id": 2, "q": "2026-01-01T00:00:00Z" }]"#
        let types = [0, 1, 6, 3].map { #""id": "integer", "q": { "type": "datetime", "fraction": \#($0) }"# }
        let feeds = [feed.replacing(".1Z", with: "Z"), feed, feed, feed]
        let definition = try nights(nil, zip(types, feeds).map { ($0, $1) })
        #expect(try output("diff", definition, "2", "3").hasPrefix("Nothing differs"))
        #expect(try output("diff", definition, "2", "4").hasPrefix("Nothing differs"))
        let changed = try output("diff", definition, "1", "4", "--format", "ndjson")
        #expect(changed.split(separator: "\n").count == 1, "\(changed)")
        #expect(
            changed.contains(#""from": "2026-01-01T00:00:00.000Z", "to": "2026-01-01T00:00:00.100Z""#), "\(changed)")
    }

    /// A time that becomes a text is the text that it was written as.
    @Test(arguments: [0, 3, 6], [false, true]) func timesThatBecomeTexts(_ digits: Int, onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let end = digits == 0 ? "Z" : "." + String(repeating: "0", count: digits) + "Z"
        let feed = #"[{ "id": 1, "q": "2026-01-01T00:00:00\#(end)" }]"#
        let time = #""id": "integer", "q": { "type": "datetime", "fraction": \#(digits) }"#
        let definition = try nights(server, [(time, feed), (#""id": "integer", "q": "text""#, feed)])
        let told = try output("diff", definition, "1", "2")
        #expect(told.hasPrefix("Nothing differs"), "\(told)")
    }

    /// What is stored as an integer counts units: those of another form are other integers for the same number.
    private static let units: [(old: String, new: String, told: String)] = [
        (#"{ "type": "duration", "fraction": 3 }"#, #""integer""#, "from: 4.5, to: -5"),
        (
            #"{ "type": "duration", "fraction": 3 }"#, #"{ "type": "duration", "fraction": 1 }"#,
            "from: 45, to: -50"
        ),
        (#"{ "type": "duration" }"#, #"{ "type": "duration", "fraction": 3 }"#, "from: 4000, to: -5000"),
        (#""integer""#, #"{ "type": "duration", "fraction": 3 }"#, "from: 4000, to: -5000"),
        (
            #"{ "type": "decimal", "scale": 2, "as": "integer" }"#, #"{ "type": "decimal", "scale": 2 }"#,
            "from: 4.50, to: -5.00"
        ),
        (#"{ "type": "decimal", "scale": 2, "as": "integer" }"#, #""decimal""#, "from: 4.5, to: -5"),
        (#"{ "type": "decimal", "scale": 2, "as": "integer" }"#, #""text""#, "from: 4.50, to: -5.00"),
        (#"{ "type": "decimal", "scale": 2, "as": "integer" }"#, #""real""#, "from: 4.5, to: -5"),
        (#""real""#, #"{ "type": "decimal", "scale": 2, "as": "integer" }"#, "from: 450, to: -500"),
        (
            #"{ "type": "decimal", "scale": 1 }"#, #"{ "type": "decimal", "scale": 2, "as": "integer" }"#,
            "from: 450, to: -500"
        ),
        (#""integer""#, #"{ "type": "decimal", "scale": 2 }"#, "from: 4.00, to: -5.00"),
        (#""real""#, #""decimal""#, "from: 4.5, to: -5"),
        (#""real""#, #"{ "type": "decimal", "scale": 2 }"#, "from: 4.50, to: -5.00"),
        (#"{ "type": "decimal", "scale": 1 }"#, #"{ "type": "decimal", "scale": 2 }"#, "from: 4.50, to: -5.00"),
        (#"{ "type": "decimal", "scale": 1 }"#, #""real""#, "from: 4.5, to: -5"),
    ]

    @Test(arguments: HistoryTypeTests.units.indices, [false, true]) func numbersInOtherUnits(
        _ index: Int, onServer: Bool
    ) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let (old, new, told) = HistoryTypeTests.units[index]
        let isWhole = old == #""integer""# || old == #"{ "type": "duration" }"#
        let later = #"[{ "id": 1, "q": -5 }, { "id": 2, "q": 0 }, { "id": 3, "q": 12 }]"#
        let definition = try nights(
            server,
            [
                (#""id": "integer", "q": \#(old)"#, later.replacing("-5", with: isWhole ? "4" : "4.5")),
                (#""id": "integer", "q": \#(old)"#, later),
                (
                    #""id": "integer", "q": \#(new)"#,
                    new == #""text""# ? later.replacing(/\s(-?[0-9]+) }/) { " \"\($0.1).00\" }" } : later
                ),
            ])
        #expect(try output("diff", definition, "2", "3", "--format", "ndjson") == "")
        let values = try output("diff", definition, "1", "3", "--format", "ndjson")
        // So is what a type of today does not have.
        let isText = new == #""text""# || new.contains("decimal") || old.contains("3") && new == #""integer""#
        if !isText { #expect(!values.contains(#"from": ""#) && !values.contains(#"to": ""#), "\(values)") }
        let all = values.replacing("\"", with: "")
        #expect(all.contains(told) && all.split(separator: "\n").count == 1, "\(all)")
        #expect(try output("history", definition, "A", "2").contains("q"))
    }
}
