import Foundation
import SluicePostgreSQL
import TestSupport
import Testing

/// A store on a server that keeps its past, as the commands read it and make it again.
@Suite struct ServerHistoryTests {
    private static func scene(_ settings: String = #""history": true,"#, _ entity: String = "") throws -> ServerScene {
        try ServerScene(settings + #" "limits": { "deletes": null },"#, entity: #", "absent": "delete""# + entity)
    }

    private func objects(_ scene: ServerScene, _ schema: String = "@") throws -> String {
        try scene.sql("SELECT * FROM \(schema).\"Item\" ORDER BY id")
    }

    /// Runs all nights; by run: the objects that there were.
    private func run(_ scene: ServerScene) throws -> [String] {
        try ItemNights.feeds.map { feed in
            _ = try scene.folder.write("feed.json", feed)
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try objects(scene)
        }
    }

    private func past(_ run: Int, _ scene: ServerScene) -> String { "\(scene.schema) \(run)" }

    private func at(_ run: Int, _ scene: ServerScene) throws -> Sluice.Outcome {
        try Sluice.run(["at", scene.definition, "\(run)", "--schema", past(run, scene)])
    }

    private func dropPast(_ scene: ServerScene) {
        for run in 1...20 { _ = try? scene.sql("DROP SCHEMA IF EXISTS \"\(past(run, scene))\" CASCADE") }
    }

    /// Triggers find what they have kept by an index, whatever the server knows of the past; those of an earlier
    /// version do from the next run on.
    @Test func triggersLookUpWhatTheyHaveKept() throws {
        let scene = try ServerHistoryTests.scene()
        #expect(try scene.run().status == 0)
        let wrong = """
            SELECT count(*) FROM pg_proc WHERE pronamespace = '"\(scene.schema)"'::regnamespace
            AND proname LIKE 'sluice_history_%' AND NOT coalesce('enable_seqscan=off' = ANY (proconfig), false)
            """
        #expect(try scene.sql(wrong) == "0")
        let functions = try scene.sql(
            """
            SELECT string_agg(format('ALTER FUNCTION %s RESET enable_seqscan', oid::regprocedure), ';') FROM pg_proc
            WHERE pronamespace = '"\(scene.schema)"'::regnamespace AND proname LIKE 'sluice_history_%'
            """)
        _ = try scene.sql(functions)
        #expect(try scene.sql(wrong) != "0")
        _ = try scene.folder.write("feed.json", ItemNights.feeds[1])
        #expect(try scene.run().status == 0)
        #expect(try scene.sql(wrong) == "0")
    }

    // MARK: The store as it was

    @Test func eachNightIsMadeAgain() throws {
        let scene = try ServerHistoryTests.scene()
        defer { dropPast(scene) }
        let nights = try run(scene)
        for (night, objects) in nights.enumerated() {
            let outcome = try at(night + 1, scene)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let past = "\"\(past(night + 1, scene))\""
            #expect(try self.objects(scene, past) == objects, "run \(night + 1)")
            #expect(try scene.sql("SELECT max(run) FROM \(past).sluice_run") == "\(night + 1)")
            let left = "SELECT count(*) FROM pg_class WHERE relnamespace = '\(past)'::regnamespace AND relname LIKE"
            #expect(try scene.sql("\(left) 'sluice_history%'") == "0")
        }
        // It is a store as others are: the next run goes on with it.
        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "past.jsonc",
            "{ \"name\": \"items\", "
                + definition.dropFirst().replacing(
                    "\"schema\": \"\(scene.schema)\"", with: "\"schema\": \"\(past(2, scene))\""))
        let next = try Sluice.run(["run", scene.folder.file("past.jsonc")])
        #expect(next.status == 0, "\(next.errors)")
        #expect(try scene.sql("SELECT id FROM \"\(past(2, scene))\".\"Item\" ORDER BY 1") == "1\n5")
    }

    /// A first run that failed has left a ledger, and no history.
    @Test func aHistoryThatNoRunHasBegun() throws {
        let scene = try ServerHistoryTests.scene(#""history": true,"#)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": "x"}]}"#)
        #expect(try scene.run().status == 65)
        for words in [
            ["history", "Item", "1"], ["diff", "0", "1"], ["at", "1", "--schema", "x"], ["forget", "Item", "1"],
        ] {
            let outcome = try Sluice.run([words[0], scene.definition] + words.dropFirst())
            #expect(
                outcome.status == 78 && outcome.errors.contains("keeps no history: no run has begun one"),
                "\(words): \(outcome.errors)")
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        let scene = try ServerHistoryTests.scene(#""history": { "keep": 2 },"#)
        defer { dropPast(scene) }
        _ = try run(scene)
        #expect(try at(5, scene).status == 66)
        let old = try at(1, scene)
        #expect(old.status == 66)
        #expect(old.errors.contains("has forgotten what it was before run 2"))
        #expect(try at(2, scene).status == 0)
        let again = try at(2, scene)
        #expect(again.status == 73)
        #expect(again.errors.contains("exists already"))
        for words in [
            ["2", "--output", scene.folder.file("x.sqlite")], ["2"], ["2", "--schema", "pg_x"], ["2", "--schema", ""],
            ["2", "--schema", "x", "--output", "y"],
        ] {
            #expect(try Sluice.run(["at", scene.definition] + words).status == 64, "\(words)")
        }
        // The ledger keeps what the history names.
        #expect(try scene.sql("SELECT min(run) FROM @.sluice_run") == "1")
        let without = try ServerScene()
        #expect(try without.run().status == 0)
        #expect(try without.sql("SELECT to_regclass('@.sluice_history') IS NULL") == "t")
        for words in [
            ["history", without.definition, "Item", "1"], ["diff", without.definition, "0", "1"],
            ["forget", without.definition, "Item", "1"], ["at", without.definition, "1", "--schema", "x"],
        ] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("keeps no history"))
        }
    }

    /// Triggers that somebody has disabled, as before a bulk load, and forgotten.
    @Test func disabledTriggersActAgain() throws {
        let scene = try ServerHistoryTests.scene()
        _ = try scene.folder.write("feed.json", ItemNights.feeds[0])
        #expect(try scene.run().status == 0)
        _ = try scene.sql("ALTER TABLE @.\"Item\" DISABLE TRIGGER USER")
        _ = try scene.folder.write("feed.json", ItemNights.feeds[1])
        #expect(try scene.run().status == 0)
        let disabled = "SELECT count(*) FROM pg_trigger WHERE tgrelid = '@.\"Item\"'::regclass AND tgenabled = 'D'"
        #expect(try scene.sql(disabled) == "0")
        let outcome = try Sluice.run(["diff", scene.definition, "1", "2"])
        #expect(outcome.status == 0 && !outcome.output.contains("Nothing differs"), "\(outcome.output)")
    }

    @Test func itBeginsAndEndsWhereTheDefinitionSaysSo() throws {
        let scene = try ServerHistoryTests.scene("")
        defer { dropPast(scene) }
        _ = try run(scene)
        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", "{ \"history\": true, " + definition.dropFirst())
        let nights = try run(scene)
        let early = try at(4, scene)
        #expect(early.status == 66)
        #expect(early.errors.contains("begins with run 5"))
        for run in 5...8 {
            #expect(try at(run, scene).status == 0)
            #expect(try objects(scene, "\"\(past(run, scene))\"") == nights[run - 5])
        }
        // Left out, it goes on.
        _ = try scene.folder.write("items.jsonc", definition)
        _ = try run(scene)
        #expect(try at(11, scene).status == 0)
        _ = try scene.folder.write("items.jsonc", "{ \"history\": false, " + definition.dropFirst())
        _ = try run(scene)
        let left = "FROM pg_namespace n, %@ WHERE n.nspname = '\(scene.schema)' AND"
        #expect(
            try scene.sql(
                "SELECT count(*) " + left.replacing("%@", with: "pg_class c")
                    + " c.relnamespace = n.oid AND (relname LIKE 'sluice_history%' OR relname = 'Item_history')") == "0"
        )
        #expect(
            try scene.sql("SELECT count(*) " + left.replacing("%@", with: "pg_proc p") + " p.pronamespace = n.oid")
                == "0")
    }

    @Test func anEntityHasAHistoryOfItsOwn() throws {
        let scene = try ServerHistoryTests.scene("", #", "history": true"#)
        _ = try run(scene)
        #expect(
            ItemNights.runs(try ItemNights.history(scene.definition, "1")) == [[4, nil], [3, 4], [2, 3], [1, 2]])
        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", definition.replacing(#""history": true"#, with: #""history": false"#))
        _ = try run(scene)
        #expect(try Sluice.run(["history", scene.definition, "Item", "1"]).status == 78)
        let triggers = "SELECT count(*) FROM pg_trigger WHERE tgrelid = '@.\"Item\"'::regclass AND NOT tgisinternal"
        #expect(try scene.sql(triggers) == "0")
        #expect(try scene.sql("SELECT to_regclass('@.\"Item_history\"') IS NULL") == "t")
        _ = try scene.folder.write("items.jsonc", definition)
        _ = try run(scene)
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1")).last == [9, 10])
    }

    // MARK: Objects, and what differs

    @Test func commandsGetWhatARunHasChanged() throws {
        let scene = try ServerHistoryTests.scene(#""history": true, \#(ItemNights.hooks),"#)
        _ = try run(scene)
        try ItemNights.checkHooks(scene.folder, scene.definition)
    }

    @Test func thePageOfARunShowsItsChanges() throws {
        let scene = try ServerHistoryTests.scene()
        try ItemNights.checkPage(scene.folder, scene.definition)
    }

    @Test func entitiesAreCalledAsTheyAreNow() throws {
        let scene = try ServerHistoryTests.scene()
        try ItemNights.checkRenaming(scene.folder, scene.definition) { query in
            try scene.sql(query.replacing("@", with: "@.")).split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
        }
    }

    // MARK: Programs, and others

    /// Who may write to the tables needs no rights on the past; all ways to change rows are seen.
    @Test func whatProgramsChangeIsKept() throws {
        let scene = try ServerHistoryTests.scene()
        defer { dropPast(scene) }
        _ = try run(scene)
        let role = "editor_\(scene.schema.suffix(8).lowercased())"
        defer { _ = try? scene.sql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        _ = try scene.sql(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA @ TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON @."Item" TO \(role)
            """)
        let before = try objects(scene)
        _ = try scene.cluster.sql(
            """
            UPDATE "\(scene.schema)"."Item" SET name = 'edited' WHERE id = 1;
            INSERT INTO "\(scene.schema)"."Item" ("objectID", id, name) VALUES (100, 7, 'a program')
            """, user: role)
        #expect(try scene.run("run", "--force").status == 0)
        #expect(try at(4, scene).status == 0)
        #expect(try objects(scene, "\"\(past(4, scene))\"") == before)
        // A run that makes it what it was is no version.
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1"))[0] == [4, nil])
        #expect(try Sluice.run(["history", scene.definition, "Item", "7"]).status == 66)
        _ = try scene.cluster.sql("TRUNCATE \"\(scene.schema)\".\"Item\"", user: role)
        #expect(try scene.run("run", "--force").status == 0)
        #expect(try at(5, scene).status == 0)
        #expect(try objects(scene, "\"\(past(5, scene))\"") == before)
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1"))[0] == [6, nil])
    }

    /// A run waits for nobody who reads, or writes to other rows, and nobody for it.
    @Test func nobodyWaits() throws {
        let scene = try ServerHistoryTests.scene(#""history": true, "fingerprints": false,"#)
        _ = try run(scene)
        let (reader, writer) = (try scene.connect(), try scene.connect())
        let table = "\"\(scene.schema)\".\"Item\""
        try reader.execute("BEGIN")
        try reader.query("SELECT count(*) FROM \(table), \"\(scene.schema)\".\"Item_history\"")
        try writer.execute("BEGIN")
        try writer.execute("INSERT INTO \(table) (\"objectID\", id) VALUES (1000, 1000)")
        _ = try scene.folder.write("feed.json", ItemNights.feeds[0])
        #expect(try scene.run().status == 0)
        try writer.execute("COMMIT")
        try reader.execute("COMMIT")
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1"))[0] == [4, nil])
    }

    @Test func namesOfUsersAreTheirs() throws {
        let scene = try ServerHistoryTests.scene()
        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            definition.replacing(#""price": "real""#, with: #""from_run": "real", "r": "text", "$sluice$": "text""#))
        _ = try run(scene)
        #expect(try scene.sql("SELECT count(from_run), max(sluice_from_run) FROM @.\"Item_history\"") == "0\t4")

        let other = try ServerScene(#""history": true,"#)
        _ = try other.sql("CREATE SCHEMA @; CREATE TABLE @.\"Item_history\" (a int)")
        let clash = try other.run()
        #expect(clash.status == 78)
        #expect(clash.errors.contains("Item_history"))
    }
}
