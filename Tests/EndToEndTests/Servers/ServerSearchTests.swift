import Foundation
import StoreMirror
import TestSupport
import Testing

/// Objects are found by words and places on a server as they are in a file, whatever a store has been through.
@Suite struct ServerSearchTests {
    private let folder = TemporaryFolder()
    private let server: TestServer
    private static let usual = #""search": { "fields": "name" }, "near": ["y", "x"],"#

    init() throws { server = try TestServer(name: "search") }

    private func define(
        _ keys: String = ServerSearchTests.usual, entity: String = #""Stop""#, name: String = "name",
        settings: String = "", attributes: String = "", pipeline: String = "stops"
    ) throws {
        for (file, store) in [("server", server.definition), ("file", #"{ "sqlite": "store.sqlite" }"#)] {
            _ = try folder.write(
                "\(file).jsonc",
                """
                { "name": "\(pipeline)", \(settings) "source": { "file": "feed.json" }, "store": \(store),
                  "limits": { "deletes": null },
                  "entities": { \(entity): { "records": "$.stops[*]", "identifier": "id", "absent": "delete", \(keys)
                    "attributes": { "id": "text", "note": "text", \(attributes)
                      "\(name)": { "type": "text", "from": "name"\(name == "name" ? "" : #", "was": "name""#) },
                      "y": "real", "x": "real" } } } }
                """)
        }
    }

    @discardableResult
    private func run(_ more: String..., only: String? = nil, status: Int32 = 0) throws -> String {
        var errors = ""
        for file in ["server", "file"] where only == nil || only == file {
            let outcome = try Sluice.run(["run", folder.file("\(file).jsonc"), "-q", "--force"] + more)
            #expect(outcome.status == status, "\(file): \(outcome.errors)")
            errors += outcome.errors
        }
        return errors
    }

    private func feed(_ stops: [StopFeed.Stop]) throws {
        _ = try folder.write("feed.json", StopFeed.text(stops))
    }

    /// What the server finds by what somebody typed.
    private func found(_ text: String, table: String = "Stop") throws -> [String] {
        let text = text.replacing("'", with: "''")
        return try server.rows(
            """
            SELECT s.id FROM @"sluice_\(table)_search"('\(text)') f JOIN @"\(table)" s USING ("objectID") ORDER BY s.id
            """
        ).filter { !$0.isEmpty }
    }

    /// What FTS5 finds by it, asked as the library asks it.
    private func foundInFile(_ text: String, table: String = "Stop") throws -> [String] {
        let match = text.split(separator: " ").map { "\"\($0)\"*" }.joined(separator: " ")
        return try Database(folder.file("store.sqlite")).rows(
            """
            SELECT s.id FROM "sluice_\(table)_search" f JOIN "\(table)" s ON s.objectID = f.rowid
            WHERE f."sluice_\(table)_search" MATCH '\(match)' ORDER BY s.id
            """
        ).map { $0[0] }
    }

    private static let words = [
        "Ost", "Kreuz", "Köln", "ALEX", "Bahnhof", "Straße", "Ostbahn", "Żółw", "ΤΕΛΟΣ", "Ельня", "1e5", "007", "M²x",
        "Ǆ",
        "東京", "S",
    ]

    private func stops(_ random: inout SeededRandom, _ count: Int) -> [StopFeed.Stop] {
        StopFeed(words: ServerSearchTests.words, separators: ["-", " ", " (", "/", "@", "_"]).stops(&random, count)
    }

    /// Both stores find the same.
    private func check(_ location: SourceLocation = #_sourceLocation) throws {
        let beginnings = [
            "o", "kol", "ostb", "strase", "zol", "ZOŁ", "τελος", "ΤΕΛ", "ель", "1e", "00", "東", "ost kreuz", "s",
        ]
        for text in ServerSearchTests.words + beginnings {
            #expect(try found(text) == foundInFile(text), "\(text)", sourceLocation: location)
        }
        #expect(try !found("ost").isEmpty && !found("s").isEmpty, sourceLocation: location)
        #expect(try found("").isEmpty && found(" ").isEmpty && found("-").isEmpty, sourceLocation: location)
        #expect(
            try parts() == [
                "INDEX sluice_Stop_near", "INDEX sluice_Stop_search", "FUNCTION sluice_Stop_near",
                "FUNCTION sluice_Stop_search",
            ], sourceLocation: location)
    }

    /// What sluice has made on the server for searches.
    private func parts() throws -> [String] {
        try server.rows(
            """
            SELECT 'INDEX ' || relname FROM pg_class WHERE relnamespace = '\(schema)'::regnamespace AND relkind = 'i'
            AND relname ~ '_(search|near)$' UNION ALL
            SELECT 'FUNCTION ' || proname FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace
            AND proname ~ '_(search|near)$' ORDER BY 1
            """
        ).filter { !$0.isEmpty }.sorted {
            ($0.hasPrefix("F") ? 1 : 0, $0) < ($1.hasPrefix("F") ? 1 : 0, $1)
        }
    }

    private var schema: String { "\"\(server.location.schema)\"" }

    @Test(arguments: ["", #""history": true,"#, #""commit": "batch", "batchSize": 7,"#]) func nights(
        _ settings: String
    ) throws {
        defer { try? server.drop() }
        try define(settings: settings)
        var random = SeededRandom(45)
        for night in 0..<3 {
            try feed(stops(&random, 40))
            if night == 2 { try run("--dry-run") }
            try run()
            try check()
        }
        // The server itself keeps them right.
        _ = try server.rows("UPDATE @\"Stop\" SET name = 'Neustadt' WHERE id < 's2'")
        #expect(try found("neust") == server.rows("SELECT id FROM @\"Stop\" WHERE id < 's2' ORDER BY id"))
    }

    /// Numbers that are no digits are parts of words, as FTS5 has them.
    @Test func otherNumbers() throws {
        try define(ServerSearchTests.usual)
        let names = ["½ Liter", "1½ Liter", "Kapitel Ⅷ", "Schritt ②", "M²x", "x y", "a\u{e000}b"]
        try feed(names.enumerated().map { ("s\($0)", $1, nil, nil) })
        try run()
        let expected: [(text: String, stops: [String])] = [
            ("½", ["s0"]), ("1½", ["s1"]), ("1", ["s1"]), ("ⅷ", ["s2"]), ("Ⅷ", ["s2"]), ("②", ["s3"]), ("m²", ["s4"]),
            ("x", ["s5"]), ("²", []), ("a\u{e000}", ["s6"]), ("b", []), ("liter ½", ["s0"]),
        ]
        for (text, stops) in expected {
            #expect(try found(text) == stops, "\(text)")
            #expect(try foundInFile(text) == stops, "\(text) in a file")
        }
    }

    /// By distance along great circles, over the line of the date and around the poles.
    @Test func near() throws {
        defer { try? server.drop() }
        try define()
        var random = SeededRandom(46)
        let places = [(52.5, 13.4), (-17, 179.9), (-17, -179.95), (89.9, 10), (-90, 0), (0, 0), (64, -180), (10, 180)]
        var stops: [StopFeed.Stop] = []
        for id in 0..<400 {
            let (y, x) = places.randomElement(using: &random) ?? (0, 0)
            let far = { Double.random(in: -0.4...0.4, using: &random) }
            stops.append(("s\(id)", nil, max(-91, y + far()), id % 7 == 0 ? x : x + far()))
        }
        stops += [("nowhere", nil, nil, 1), ("north", nil, 91, 0), ("pole", nil, 90, 77), ("east", nil, 0, 180.5)]
        try feed(stops)
        try run(only: "server")
        for (y, x) in places {
            for metres in [0.0, 100, 30_000, 2_000_000] {
                let rows = try server.rows(
                    """
                    SELECT s.id, f.distance FROM @"sluice_Stop_near"(\(y), \(x), \(metres)) f
                    JOIN @"Stop" s USING ("objectID")
                    """
                ).filter { !$0.isEmpty }.map { $0.split(separator: "\t").map(String.init) }
                let naive = stops.filter { stop in
                    guard let north = stop.y, let east = stop.x, abs(north) <= 90, abs(east) <= 180 else {
                        return false
                    }
                    return ServerSearchTests.distance((y, x), (north, east)) <= metres
                }
                #expect(Set(rows.map { $0[0] }) == Set(naive.map(\.id)), "\(y) \(x) \(metres)")
                #expect(rows.count == naive.count)
                let distances = rows.compactMap { Double($0[1]) }
                #expect(distances == distances.sorted())
            }
        }
        #expect(try server.rows("SELECT count(*) FROM @\"sluice_Stop_near\"(91, 0, 1e9)") == ["0"])
    }

    private static func distance(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
        let radians = { (degrees: Double) in degrees * .pi / 180 }
        let half = (sin(radians(other.0 - one.0) / 2), sin(radians(other.1 - one.1) / 2))
        let part = half.0 * half.0 + cos(radians(one.0)) * cos(radians(other.0)) * half.1 * half.1
        return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
    }

    /// The indexes follow the definition, and go with its keys.
    @Test func theDefinitionChanges() throws {
        defer { try? server.drop() }
        try define("")
        var random = SeededRandom(2)
        try feed(stops(&random, 60))
        try run()
        #expect(try parts().isEmpty)
        try define()
        let told = try Sluice.run(["check", folder.file("server.jsonc")])
        #expect(told.status == 0 && told.output.contains("the index sluice_Stop_search is made"), "\(told)")
        try run()
        try check()
        // A view of somebody over the function stays where what it asks is made anew.
        _ = try server.rows("CREATE VIEW @ost AS SELECT * FROM @\"sluice_Stop_search\"('ost')")
        try define(#""search": { "fields": ["note", "name"], "prefix": 4 }, "near": ["y", "x"],"#)
        try run()
        #expect(try found("ns1") == foundInFile("ns1") && !found("ns1").isEmpty)
        #expect(try !server.rows("SELECT * FROM @ost").isEmpty)
        // Accents count, if they are wanted.
        try define(#""search": { "fields": "name", "tokenize": "unicode61 'remove_diacritics' 0" },"#)
        try run()
        #expect(try found("koln").isEmpty && !found("köln").isEmpty && found("KÖL") == foundInFile("KÖL"))
        #expect(try parts() == ["INDEX sluice_Stop_search", "FUNCTION sluice_Stop_search"])
        // Another name takes the function along, which the view still needs.
        let renamed = #""was": "Stop", "search": { "fields": "title" }, "near": ["x", "y"],"#
        try define(renamed, entity: #""Halt""#, name: "title")
        #expect(try run(only: "server", status: 78).contains("something is made over it"))
        #expect(try parts().count == 2 && !found("köln").isEmpty)
        _ = try server.rows("DROP VIEW @ost")
        try run()
        for text in ServerSearchTests.words {
            #expect(try found(text, table: "Halt") == foundInFile(text, table: "Halt"))
        }
        #expect(try parts().count == 4)
        try define("", entity: #""Halt""#, name: "title")
        try run()
        #expect(try parts().isEmpty)
    }

    @Test func namesOfServers() throws {
        defer { try? server.drop() }
        try define(
            #""search": { "fields": ["name", "shortName"] }, "near": ["y", "x"],"#, entity: #""BusStop""#,
            settings: #""names": "snake_case","#, attributes: #""shortName": { "type": "text", "from": "note" },"#)
        try feed([("a", "Ostkreuz", 1, 2), ("b", "Köln", 1, 2)])
        try run()
        #expect(try found("ost", table: "bus_stop") == ["a"] && found("nb", table: "bus_stop") == ["b"])
        #expect(try foundInFile("ost", table: "bus_stop") == ["a"])
    }

    /// Any three letters, with pg_trgm; without, there is none.
    @Test func trigrams() throws {
        defer { try? server.drop() }
        try define(#""search": { "fields": ["name", "note"], "tokenize": "trigram", "prefix": [] },"#)
        var random = SeededRandom(3)
        try feed(stops(&random, 60) + [("odd", #"100%_\\ sure"#, nil, nil)])
        let has = try server.rows("SELECT count(*) FROM pg_opclass WHERE opcname = 'gin_trgm_ops'") == ["1"]
        if !has {
            #expect(try run(only: "server", status: 78).contains("CREATE EXTENSION pg_trgm"))
            let told = try Sluice.run(["check", folder.file("server.jsonc")])
            #expect(told.status == 78 && told.errors.contains("server.jsonc:"), "\(told)")
            _ = try server.rows("CREATE SCHEMA IF NOT EXISTS \"trigrams of tests\"")
            _ = try server.rows("CREATE EXTENSION pg_trgm SCHEMA \"trigrams of tests\"")
        }
        try run()
        for text in ["reuz", "KREUZ", "ahnh", "ost kre", "ns1", "öln", "0%_", "%_\\"] {
            #expect(try found(text) == foundInFile(text), "\(text)")
        }
        #expect(try !found("reuz").isEmpty && found("0%_") == ["odd"] && found("köl_").isEmpty)
        try define(#""search": { "fields": "name", "tokenize": "trigram case_sensitive 1" },"#)
        try run()
        #expect(try found("ALE") == foundInFile("ALE") && !found("ALE").isEmpty && found("ale").isEmpty)
    }

    @Test func whatServersDoNotHave() throws {
        defer { try? server.drop() }
        try feed([("a", "x", 1, 2)])
        for tokenizer in ["porter", "ascii", "unicode61 tokenchars '-'", "porter trigram"] {
            try define(#""search": { "fields": "name", "tokenize": "\#(tokenizer)" },"#)
            let errors = try run(only: "server", status: 78)
            #expect(errors.contains("is SQLite's alone") && errors.contains("server.jsonc:3:"), "\(errors)")
        }
        let long = String(repeating: "n", count: 50)
        try define(entity: "\"\(long)\"")
        #expect(try run(only: "server", status: 78).contains("the index sluice_\(long)_search has a name of 64 bytes"))
    }

    /// What is too long for words of the server is cut, and no run fails for it.
    @Test func longTexts() throws {
        defer { try? server.drop() }
        try define()
        let word = String(repeating: "ab12", count: 5000)
        let distinct = (0..<400_000).map { "w\($0)" }.joined(separator: " ")
        let odd = String(repeating: "\u{1D160}", count: 400)
        try feed([("a", word, 1, 2), ("b", distinct, 1, 2), ("c", odd + " ende", 1, 2), ("d", "kurz", 1, 2)])
        try run()
        #expect(try found(String(word.prefix(200))) == ["a"] && found(String(word.prefix(300))) == ["a"])
        #expect(try found("w17") == ["b"] && found("kur") == ["d"] && found("ende") == ["c"])
    }

    /// Who drops the table, the index or the function gets them again.
    @Test func whatIsGone() throws {
        defer { try? server.drop() }
        try define()
        var random = SeededRandom(4)
        try feed(stops(&random, 30))
        try run()
        for loss in [
            "COMMENT ON INDEX @\"sluice_Stop_near\" IS NULL", "DROP INDEX @\"sluice_Stop_search\"",
            "DROP FUNCTION @\"sluice_Stop_near\"",
            "DROP TABLE @\"Stop\" CASCADE",
        ] {
            _ = try server.rows(loss)
            try run()
            try check()
        }
    }

    /// Two pipelines on one schema: what one says of an entity stays where the other does not say it.
    @Test func twoPipelines() throws {
        defer { try? server.drop() }
        try define()
        try feed([("a", "Ostkreuz", 1, 2)])
        let text = try String(contentsOfFile: folder.file("server.jsonc"), encoding: .utf8)
            .replacing(#""absent": "delete","#, with: "")
        _ = try folder.write("server.jsonc", text)
        try run(only: "server")
        _ = try folder.write(
            "other.jsonc",
            text.replacing(Self.usual, with: "").replacing(#""name": "stops""#, with: #""name": "other""#))
        #expect(try Sluice.run(["run", folder.file("other.jsonc"), "-q"]).status == 0)
        #expect(try found("ost") == ["a"] && parts().count == 4)
    }

    /// A store as it was has them as well, and a run on it finds nothing to do.
    @Test func aStoreAsItWasHasThem() throws {
        defer { try? server.drop() }
        try define(settings: #""history": true,"#)
        try feed([("a", "Ost Kreuz", 52.5, 13.4)])
        try run(only: "server")
        let past = "past \(server.location.schema)"
        defer { _ = try? server.rows("DROP SCHEMA \"\(past)\" CASCADE") }
        let made = try Sluice.run(["at", folder.file("server.jsonc"), "1", "--schema", past])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try server.rows("SELECT count(*) FROM \"\(past)\".\"sluice_Stop_search\"('ost')") == ["1"])
        let parts = """
            SELECT oid FROM pg_proc WHERE pronamespace = '"\(past)"'::regnamespace AND proname LIKE 'sluice_Stop_%'
            UNION ALL SELECT oid FROM pg_class WHERE relnamespace = '"\(past)"'::regnamespace AND relname LIKE 'sluice_Stop_%'
            ORDER BY 1
            """
        let before = try server.rows(parts)
        #expect(before.count == 4)
        let definition = try String(contentsOfFile: folder.file("server.jsonc"), encoding: .utf8)
        _ = try folder.write("server.jsonc", definition.replacing(server.location.schema, with: past))
        try run(only: "server")
        #expect(try server.rows(parts) == before)
    }
}
