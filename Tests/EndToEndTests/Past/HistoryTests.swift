import Foundation
import TestSupport
import Testing

/// A store that keeps its past, as the command makes it again.
@Suite struct HistoryTests {
    /// Runs all nights, each on what the one before has left; by run: the objects that there were.
    private func run(_ scene: Scene, _ settings: String) throws -> [[[String]]] {
        try ItemNights.feeds.map { feed in
            _ = try scene.folder.write("feed.json", feed)
            let definition = Scene.definition(settings: settings).replacing(
                #""identifier": "id","#, with: #""identifier": "id", "absent": "delete","#)
            _ = try scene.folder.write("items.jsonc", #"{ "limits": { "deletes": null }, "# + definition.dropFirst())
            #expect(try scene.run().status == 0)
            return try objects(scene.store)
        }
    }

    private func objects(_ store: String) throws -> [[String]] {
        try Database(store).rows("SELECT * FROM Item ORDER BY objectID")
    }

    private func at(_ run: Int, _ scene: Scene, _ more: [String] = []) throws -> Sluice.Outcome {
        try Sluice.run(["at", scene.definition, "\(run)", "--output", scene.folder.file("past-\(run).sqlite")] + more)
    }

    @Test func eachNightIsMadeAgain() throws {
        let scene = try Scene(.new)
        let nights = try run(scene, #""history": true,"#)
        let before = try Database(scene.store).snapshot()
        for (night, objects) in nights.enumerated() {
            let outcome = try at(night + 1, scene)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let past = scene.folder.file("past-\(night + 1).sqlite")
            #expect(try self.objects(past) == objects, "run \(night + 1)")
            let database = try Database(past)
            #expect(try database.isSound())
            #expect(try database.integer("SELECT freelist_count FROM pragma_freelist_count") == 0)
            #expect(try database.integer("SELECT max(run) FROM sluice_run") == night + 1)
            let left = """
                SELECT name FROM sqlite_schema WHERE name LIKE 'sluice_history%' OR type = 'trigger'
                OR name IN ('sluice_fingerprint', 'Item_history')
                """
            #expect(try database.rows(left).isEmpty)
        }
        #expect(try Database(scene.store).snapshot() == before)
        // It is a store as others are: the next run goes on with it.
        let next = try scene.run(["--store", scene.folder.file("past-2.sqlite")])
        #expect(next.status == 0)
        #expect(try objects(scene.folder.file("past-2.sqlite")).map { $0[1] }.sorted() == ["1", "5"])
    }

    /// What others have put into the store is in the earlier one, as it is.
    @Test func whatOthersHaveMadeIsTakenOver() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        #expect(try scene.run().status == 0)
        let store = try Database(scene.store)
        for statement in [
            "CREATE TABLE mine (n INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b AS (a || '!') STORED)",
            "INSERT INTO mine (a) VALUES ('one'), ('two'), ('three')", "DELETE FROM mine WHERE n = 3",
            "CREATE TABLE \"a \"\"table\" (x PRIMARY KEY, y) WITHOUT ROWID",
            "INSERT INTO \"a \"\"table\" VALUES (1, 2)",
            "CREATE VIEW seen AS SELECT a FROM mine", "CREATE INDEX dear ON Item (price) WHERE price > 1",
            "CREATE TRIGGER noted AFTER UPDATE ON Item BEGIN INSERT INTO mine (a) VALUES (NEW.name); END",
            "CREATE TRIGGER made INSTEAD OF INSERT ON seen BEGIN INSERT INTO mine (a) VALUES (NEW.a); END",
            "CREATE VIRTUAL TABLE words USING fts5(word)", "INSERT INTO words VALUES ('Ostkreuz'), ('Warschauer')",
            "ANALYZE", "PRAGMA user_version = 7",
        ] { _ = try store.rows(statement) }
        _ = try scene.folder.write("feed.json", ItemNights.feeds[1])
        #expect(try scene.run().status == 0)
        #expect(try at(1, scene).status == 0)
        let past = try Database(scene.folder.file("past-1.sqlite"))
        #expect(try past.isSound())
        for query in [
            "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE '%sluice%' AND name <> 'Item_history' ORDER BY 1",
            "SELECT * FROM \"a \"\"table\"", "SELECT word FROM words WHERE words MATCH 'ostkreuz'",
            "PRAGMA user_version",
            "SELECT * FROM sqlite_sequence", "SELECT * FROM sqlite_stat1 WHERE tbl IN ('mine', 'Item') ORDER BY 1, 2",
            "SELECT * FROM mine",
        ] { #expect(try past.rows(query) == store.rows(query), "\(query)") }
        #expect(try past.rows("SELECT name FROM Item ORDER BY id").map { $0[0] } == ["one", "two", "∅"])
        // Nobody's triggers have seen the store being made, and they work.
        #expect(try past.rows("SELECT a FROM mine WHERE n > 3") == store.rows("SELECT a FROM mine WHERE n > 3"))
        _ = try past.rows("INSERT INTO seen VALUES ('four')")
        #expect(try past.rows("SELECT b FROM mine ORDER BY n DESC LIMIT 1") == [["four!"]])
    }

    @Test func whatIsTooOldIsForgotten() throws {
        let scene = try Scene(.new)
        let nights = try run(scene, #""history": { "keep": 2 },"#)
        let outcome = try at(1, scene)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("has forgotten what it was before run 2"))
        #expect(!scene.folder.names.contains("past-1.sqlite"))
        let text = { (identifier: String) in try Sluice.run(["history", scene.definition, "Item", identifier]).output }
        #expect(try text("1").contains("was there") && text("5").contains("created"))
        for run in 2...4 {
            #expect(try at(run, scene).status == 0)
            #expect(try objects(scene.folder.file("past-\(run).sqlite")) == nights[run - 1])
        }
    }

    @Test func daysAreCountedFromTheRun() throws {
        let scene = try Scene(.new)
        let nights = try run(scene, #""history": { "keep": "400 days" },"#)
        _ = try Database(scene.store).rows(
            "UPDATE sluice_run SET finished = '2020-01-01T00:00:00Z' WHERE run <= 2")
        #expect(try scene.run().status == 0)
        #expect(try at(1, scene).status == 66)
        #expect(try at(2, scene).status == 0)
        #expect(try objects(scene.folder.file("past-2.sqlite")) == nights[1])
    }

    @Test func itEndsWhereTheDefinitionSaysSo() throws {
        let scene = try Scene(.new)
        _ = try run(scene, #""history": true,"#)
        // Left out, it goes on.
        _ = try run(scene, "")
        #expect(try at(6, scene).status == 0)
        _ = try run(scene, #""history": false,"#)
        let left = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sluice_history%'"
        #expect(try Database(scene.store).integer(left) == 0)
        #expect(try Database(scene.store).rows("SELECT name FROM sqlite_schema WHERE type = 'view'").isEmpty)
        let outcome = try at(7, scene)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("keeps no history"))
    }

    /// Left out, it goes on with attributes that are new, too.
    @Test func newAttributesHaveAPastWhereNothingIsSaidOfIt() throws {
        let scene = try Scene(.existing, settings: #""history": true,"#)
        let definition = Scene.definition().replacing(#""price": "real""#, with: #""price": "real", "note": "text""#)
        _ = try scene.folder.write("items.jsonc", definition)
        for note in ["first", "second"] {
            _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1, "name": "one", "note": "\#(note)"}]}"#)
            #expect(try scene.run().status == 0)
        }
        let text = try Sluice.run(["history", scene.definition, "Item", "1", "note"]).output
        #expect(text.contains("first") && text.contains("second"), "\(text)")
        let view = try Database(scene.store).rows("SELECT note FROM Item_history WHERE id = 1 ORDER BY from_run")
        #expect(view.suffix(2) == [["first"], ["second"]], "\(view)")
        #expect(try at(2, scene).status == 0)
        let past = try Database(scene.folder.file("past-2.sqlite"))
        #expect(try past.rows("SELECT note FROM Item WHERE id = 1") == [["first"]])
    }

    @Test func anEntityHasAHistoryOfItsOwn() throws {
        let scene = try Scene(.new)
        let other =
            #""Other": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" }"#
        let entities = { (item: String, more: String) in
            let definition = Scene.definition(settings: "").replacing(
                #""identifier": "id","#, with: #""identifier": "id", \#(item)"#)
            return definition.replacing(#""Item": {"#, with: #"\#(other) \#(more)}, "Item": {"#)
        }
        _ = try scene.folder.write("items.jsonc", entities(#""history": true,"#, ""))
        for feed in ItemNights.feeds.prefix(2) {
            _ = try scene.folder.write("feed.json", feed)
            #expect(try scene.run().status == 0)
        }
        let views = {
            try Database(scene.store).rows("SELECT name FROM sqlite_schema WHERE type = 'view'").map { $0[0] }
        }
        #expect(try views() == ["Item_history"])
        #expect(try Database(scene.store).rows("SELECT name FROM sluice_history_object") == [["Item"]])
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1")) == [[2, nil], [1, 2]])
        for words in [
            ["history", scene.definition, "Other", "1"], ["at", scene.definition, "1", "-o", scene.folder.file("x")],
        ] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("keeps no history of Other"))
        }
        // Nothing is told of it but that.
        let told = try Sluice.run(["diff", scene.definition, "1", "2"]).output.split(separator: "\n")
        #expect(
            told.filter { $0.contains("Other") } == ["Of Other, nothing is known: the store keeps no history of it."])
        #expect(try !Sluice.run(["diff", scene.definition, "1", "2", "--format", "ndjson"]).output.contains("Other"))
        // Left out, it goes on; false ends it, and forgets it.
        _ = try scene.folder.write("items.jsonc", entities("", ""))
        #expect(try scene.run(["--force"]).status == 0)
        #expect(try views() == ["Item_history"])
        let definition = entities(#""history": false,"#, "")
        _ = try scene.folder.write("items.jsonc", #"{ "history": true, "# + definition.dropFirst())
        #expect(try scene.run(["--force"]).status == 0)
        #expect(try views() == ["Other_history"])
        #expect(try Sluice.run(["history", scene.definition, "Item", "1"]).status == 78)
        #expect(
            try Database(scene.store).integer(
                "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%ON \"Item\"%' AND type = 'trigger'") == 0)
    }

    @Test func itBeginsWithTheRunThatFindsTheKey() throws {
        let scene = try Scene(.new)
        _ = try run(scene, "")
        let nights = try run(scene, #""history": true,"#)
        let outcome = try at(4, scene)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("the history of Item in the store"))
        #expect(outcome.errors.contains("begins with run 5"))
        // Nobody knows when it came.
        let text = { (identifier: String) in try Sluice.run(["history", scene.definition, "Item", identifier]).output }
        #expect(try text("1").contains("was there") && !text("1").contains("created"))
        #expect(try text("2").contains("created"))
        for run in 5...8 {
            #expect(try at(run, scene).status == 0)
            #expect(try objects(scene.folder.file("past-\(run).sqlite")) == nights[run - 5])
        }
    }

    // MARK: Objects, and what differs

    /// A run that changes an object and changes it back, in another batch, has changed nothing; nor has a program and a
    /// run.
    @Test(arguments: ["", #""commit": "batch","#]) func whatIsChangedBackIsNoVersion(settings: String) throws {
        let scene = try Scene(.new, settings: #""history": true, "fingerprints": false,"# + settings)
        func night(_ names: String...) throws {
            let records = names.map { #"{"id": 1, "name": "\#($0)"}, {"id": 2, "name": "\#($0)"}"# }
            _ = try scene.folder.write("feed.json", "{\"items\": [\(records.joined(separator: ", "))]}")
            let outcome = try scene.run(["--batch-size", "1"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try night("a")
        try night("b", "a")
        try night("b", "a", "c")
        _ = try Database(scene.store).rows("UPDATE Item SET name = 'd' WHERE id = 2")
        try night("c")
        // What `history` shows passes over versions that say the same.
        let versions = try Database(scene.store).rows(
            "SELECT id, name, from_run, to_run FROM Item_history ORDER BY 1, 3")
        #expect(versions == ["1", "2"].flatMap { [[$0, "a", "1", "3"], [$0, "c", "3", "∅"]] })
        #expect(try Database(scene.store).isSound())
    }

    /// A link that finds its target in a later batch names its record, as one does that finds it in its own.
    @Test(arguments: [1, 5000], ["", #", "many": true"#]) func aLinkKnowsItsRecord(batchSize: Int, many: String) throws
    {
        let scene = try Scene(.new, settings: #""history": true,"#)
        let text = Scene.definition(settings: #""history": true,"#).replacing(
            #"{ "to": "Item" }"#, with: #"{ "to": "Item", "from": "parent[*]"\#(many) }"#)
        _ = try scene.folder.write("items.jsonc", many.isEmpty ? text.replacing("parent[*]", with: "parent[0]") : text)
        for items in ["", ",\n {\"id\": 9}"] {
            _ = try scene.folder.write("feed.json", "{\"items\": [\n {\"id\": 1, \"parent\": [9]}\(items)]}")
            let outcome = try Sluice.run(["run", scene.definition, "--batch-size", "\(batchSize)"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let versions = try ItemNights.history(scene.definition, "1")
        #expect(versions.map { ($0["at"] as? [String: Any])?["line"] as? Int } == [2, 2])
    }

    @Test func aVersionKnowsItsRecord() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        let feeds = [
            "{\"items\": [\n {\"id\": 1, \"name\": \"a\"},\n {\"id\": 2, \"name\": \"b\"}\n]}",
            "{\"items\": [\n {\"id\": 1, \"name\": \"a\"},\n\n\n   {\"id\": 2, \"name\": \"B\"}\n]}",
        ]
        for feed in feeds {
            _ = try scene.folder.write("feed.json", feed)
            #expect(try Sluice.run(["run", scene.definition]).status == 0)
        }
        let places = try ItemNights.history(scene.definition, "2").map { $0["at"] as? [String: Any] ?? [:] }
        #expect(places.map { $0["line"] as? Int } == [5, 3])
        #expect(places.map { $0["column"] as? Int } == [4, 2])
        for (place, feed) in zip(places, feeds.reversed()) {
            let offset = try #require(place["offset"] as? Int)
            #expect(feed.utf8.dropFirst(offset).starts(with: "{\"id\": 2".utf8))
            #expect((place["file"] as? String)?.hasSuffix("feed.json") == true)
            #expect((place["sha256"] as? String)?.count == 64)
        }
        // It stands where it stood when the object became what it is.
        #expect((try ItemNights.history(scene.definition, "1").first?["at"] as? [String: Any])?["line"] as? Int == 2)
        let text = try Sluice.run(["history", scene.definition, "Item", "2", "name"]).output
        #expect(text.contains(#""b"  "B""#) && text.contains("feed.json:5:4"))
    }

    @Test func aScriptIsOfOneShape() throws {
        let scene = try Scene(.new)
        _ = try run(scene, #""history": true,"#)
        #expect(
            try Sluice.run(["diff", scene.definition, "2", "2", "Item", "--format", "sql"]).output
                == "BEGIN;\nCOMMIT;\n")
        // Before the first run there was no table.
        let none = try Sluice.run(["diff", scene.definition, "0", "2", "--format", "sql"])
        #expect(none.status == 78)
        #expect(none.errors.contains("the table Item") && none.errors.contains("is not there at run 0"))
        // Another attribute is another shape.
        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", definition.replacing(#""price": "real""#, with: #""price": "real", "more": "text""#))
        #expect(try scene.run().status == 0)
        let other = try Sluice.run(["diff", scene.definition, "4", "5", "--format", "sql"])
        #expect(other.status == 78)
        #expect(other.errors.contains("has another shape at run 5"))
    }

    @Test func commandsGetWhatARunHasChanged() throws {
        let scene = try Scene(.new)
        _ = try run(scene, #""history": true, \#(ItemNights.hooks),"#)
        try ItemNights.checkHooks(scene.folder, scene.definition)
        // Without a history, nothing is known.
        let without = try Scene(.new, settings: ItemNights.hooks + ",")
        #expect(try without.run().status == 0)
        #expect(try String(contentsOfFile: without.folder.file("names"), encoding: .utf8) == "\n\n")
    }

    @Test func thePageOfARunShowsItsChanges() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        try ItemNights.checkPage(scene.folder, scene.definition)
        let without = try Scene(.new)
        #expect(try Sluice.run(["run", without.definition, "--report", without.folder.file("page.html")]).status == 0)
        let plain = try String(contentsOfFile: without.folder.file("page.html"), encoding: .utf8)
        #expect(!plain.contains("<h2>Changes</h2>"))
    }

    @Test func entitiesAreCalledAsTheyAreNow() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        try ItemNights.checkRenaming(scene.folder, scene.definition) {
            try Database(scene.store).rows($0.replacing("@", with: ""))
        }
        // The store as it was calls them as they were called.
        #expect(try at(1, scene).status == 0)
        let past = try Database(scene.folder.file("past-1.sqlite"))
        #expect(try past.rows("SELECT about_entity FROM Note") == [["Item"]])
    }

    /// Where a line is too long, the place of a record stands below what it has changed.
    @Test func whatAnObjectWasFitsATerminal() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        let long = "long long long "
        for name in [long + "a", long + "b"] {
            _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1, "name": "\#(name)"}]}"#)
            #expect(try Sluice.run(["run", scene.definition]).status == 0)
        }
        let text = try Sluice.run(["history", scene.definition, "Item", "1"]).output
        #expect(text.matches(of: /Run/).count == 1)
        #expect(text.contains("\n                         at "))
        #expect(text.contains("feed.json:1:12"))
    }

    /// While somebody reads what was before, its pages stay in the files.
    @Test func whoReadsKeepsWhatIsForgotten() throws {
        let scene = try Scene(.new, settings: #""history": true,"#)
        for name in ["Annegret Kaminski", "Annegret Meier"] {
            _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1, "name": "\#(name)"}]}"#)
            #expect(try Sluice.run(["run", scene.definition]).status == 0)
        }
        let reader = try Database(scene.store)
        _ = try reader.rows("BEGIN")
        _ = try reader.rows("SELECT count(*) FROM Item")
        let forget = ["forget", scene.definition, "Item", "1"]
        let outcome = try Sluice.run(forget)
        #expect(outcome.status == 75 && outcome.errors.contains("not yet from the files"), "\(outcome.errors)")
        #expect(try Sluice.run(forget).status == 75)
        _ = try reader.rows("COMMIT")
        #expect(try Sluice.run(forget).output == "There is no past to forget.\n")
        for file in scene.folder.names where file.hasPrefix("store.sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.folder.file(file)))
            #expect(bytes.range(of: Data("Kaminski".utf8)) == nil, "\(file)")
        }
    }

    @Test func namesOfUsersAreTheirs() throws {
        let scene = try Scene(.new)
        let definition = Scene.definition(settings: #""history": true,"#)
        _ = try scene.folder.write(
            "items.jsonc", definition.replacing(#""price": "real""#, with: #""from_run": "real""#))
        #expect(try scene.run().status == 0)
        let names = try Database(scene.store).rows("SELECT name FROM pragma_table_info('Item_history')").map { $0[0] }
        #expect(names == ["id", "name", "from_run", "parent", "sluice_from_run", "to_run", "from_time", "to_time"])

        let other = try Scene(.new, settings: #""history": true,"#)
        _ = try other.folder.write(
            "items.jsonc",
            definition.replacing(#""Item": {"#, with: #""Item": { "table": "A","#).replacing(
                #""relationships": {"#, with: #""relationships": { "history": { "to": "Item", "many": true },"#))
        let clash = try other.run()
        #expect(clash.status == 78)
        #expect(clash.errors.contains("the view of the past of \"Item\""))

        let third = try Scene(.existing)
        _ = try Database(third.store).rows("CREATE TABLE Item_history (a)")
        _ = try third.folder.write("items.jsonc", definition)
        for words in [["check", third.definition], ["run", third.definition]] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("Item_history") && outcome.errors.contains("items.jsonc:2:"))
        }
    }

    @Test func theLedgerKeepsWhatTheHistoryNames() throws {
        let scene = try Scene(.new)
        _ = try run(scene, #""history": { "keep": 2 }, "ledger": { "keep": 1 },"#)
        let left = try Database(scene.store).rows("SELECT run, report IS NULL FROM sluice_run ORDER BY run")
        #expect(left == [["1", "1"], ["2", "0"], ["3", "0"], ["4", "0"]])
    }

    @Test func whatNobodyKnowsIsSaid() throws {
        let scene = try Scene(.new)
        _ = try run(scene, #""history": true,"#)
        for (status, words) in [
            (66, ["history", scene.definition, "Item", "9"]), (64, ["history", scene.definition, "Items", "1"]),
            (66, ["history", scene.definition, "Item", "1", "nome"]), (64, ["history", scene.definition, "Item"]),
            (66, ["diff", scene.definition, "1", "9"]), (64, ["diff", scene.definition, "1"]),
            (64, ["diff", scene.definition, "1", "soon"]), (64, ["diff", scene.definition, "1", "2", "Items"]),
            (64, ["diff", scene.definition, "1", "2", "Item", "Item"]), (64, ["forget", scene.definition, "Item"]),
            (64, ["forget", scene.definition, "Items", "1"]),
        ] {
            let outcome = try Sluice.run(words)
            #expect(Int(outcome.status) == status, "\(words): \(outcome.errors)")
            #expect(!outcome.errors.isEmpty)
        }
        let without = try Scene(.existing)
        for words in [
            ["history", without.definition, "Item", "1"], ["diff", without.definition, "0", "1"],
            ["forget", without.definition, "Item", "1"],
        ] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("keeps no history"))
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        let scene = try Scene(.new)
        #expect(try at(1, scene).status == 66)
        _ = try run(scene, #""history": true,"#)
        #expect(try at(5, scene).status == 66)
        #expect(try at(1, scene).status == 0)
        let again = try at(1, scene)
        #expect(again.status == 73)
        #expect(again.errors.contains("exists already"))
        for words in [
            ["at", scene.definition], ["at", scene.definition, "1"], ["at", scene.definition, "x", "-o", "y"],
        ] {
            #expect(try Sluice.run(words).status == 64)
        }
    }

    /// What a pipeline says of its history is not said of another one's.
    @Test func whatOtherPipelinesKeepStays() throws {
        let folder = TemporaryFolder()
        func define(_ name: String, _ history: String, _ entity: String, _ key: String) throws -> String {
            try folder.write(
                "\(name).json",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": \(history), "entities": {
                    "\(entity)": { "records": "$.\(key)[*]", "identifier": "id",
                      "attributes": { "id": "integer", "n": "text" } } } }
                """)
        }
        let first = try define("a", "true", "Stop", "s")
        var second = try define("b", "true", "Line", "l")
        for name in ["a", "b", "c"] {
            _ = try folder.write("f.json", #"{"s":[{"id":1,"n":"\#(name)"}],"l":[{"id":1,"n":"\#(name)"}]}"#)
            for definition in [first, second] { #expect(try Sluice.run(["run", definition]).status == 0) }
        }
        let store = try Database(folder.file("s.sqlite"))
        func versions(_ entity: String) throws -> String {
            try store.rows("SELECT count(*) FROM \(entity)_history")[0][0]
        }
        #expect(try (versions("Stop"), versions("Line")) == ("3", "3"))
        second = try define("b", "false", "Line", "l")
        for _ in 1...2 { #expect(try Sluice.run(["run", second, "--force"]).status == 0) }
        #expect(try versions("Stop") == "3")
        #expect(throws: (any Error).self) { try versions("Line") }
        // The other one goes on, and ends it for good.
        _ = try folder.write("f.json", #"{"s":[{"id":1,"n":"d"}],"l":[{"id":1,"n":"d"}]}"#)
        #expect(try Sluice.run(["run", first]).status == 0)
        #expect(try versions("Stop") == "4")
        _ = try define("a", "false", "Stop", "s")
        #expect(try Sluice.run(["run", first, "--force"]).status == 0)
        #expect(try store.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sluice_history%'") == [["0"]])
    }
}
