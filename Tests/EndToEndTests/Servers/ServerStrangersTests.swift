import Foundation
import SluicePostgreSQL
import TestSupport
import Testing

/// What others have made in a database, and do to the tables of a run: nothing of theirs goes, and what a run has not
/// written it does not count.
@Suite struct ServerStrangersTests {
    private static let smaller = "{\"items\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": 3, \"parent\": 9}]}"

    private func scene() throws -> ServerScene {
        let scene = try ServerScene("\"limits\": { \"deletes\": null },", entity: ", \"absent\": \"delete\"")
        #expect(try scene.run("run", "--quiet").status == 0)
        return scene
    }

    /// A table of somebody else's that refers to the items 1 and 2.
    private func refer(_ scene: ServerScene, _ table: String, _ action: String, to column: String = "objectID") throws {
        _ = try scene.sql(
            """
            CREATE TABLE \(table) (note text, item bigint NOT NULL REFERENCES @."Item" ("\(column)") \(action));
            INSERT INTO \(table) SELECT name, "\(column)" FROM @."Item" WHERE id IN (1, 2)
            """)
    }

    /// Each of a table beside the run's, and of one in another schema.
    @Test(arguments: ["", "DEFERRABLE INITIALLY DEFERRED", "ON DELETE RESTRICT"], ["@.", "@_other."])
    func foreignKeysOfOthersRefuse(_ action: String, _ place: String) throws {
        let scene = try scene()
        let other = "\"\(scene.schema) other\""
        _ = try scene.sql("CREATE SCHEMA \(other)")
        defer { _ = try? scene.sql("DROP SCHEMA \(other) CASCADE") }
        let table = place.replacing("@_other", with: other) + "favourite"
        try refer(scene, table, action)
        _ = try scene.folder.write("feed.json", ServerStrangersTests.smaller)
        for more in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", scene.definition, "--quiet"] + more)
            #expect(outcome.status == 78, "\(more): \(outcome.errors)")
            #expect(
                outcome.errors.contains("the foreign key favourite_item_fkey of the table \(scene.schema)"),
                "\(outcome.errors)")
            #expect(outcome.errors.contains(".favourite does not let the store"), "\(outcome.errors)")
        }
        #expect(try scene.sql("SELECT count(*) FROM \(table)") == "2")
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        _ = try scene.sql("DELETE FROM \(table) WHERE note = 'two'")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.items() == ["1,one,∅", "3,∅,∅"])
    }

    /// Foreign keys that somebody has disabled with all triggers keep nothing: no run begins. Those of tables of
    /// others, which refer to nothing, are theirs.
    @Test func disabledForeignKeys() throws {
        let scene = try scene()
        try refer(scene, "@.favourite", "")
        _ = try scene.sql("ALTER TABLE @.\"Item\" DISABLE TRIGGER ALL")
        _ = try scene.folder.write("feed.json", ServerStrangersTests.smaller)
        for words in [["run", "--dry-run"], ["run"], ["check", "--connect"]] {
            let outcome = try Sluice.run(words + [scene.definition, "--quiet"])
            #expect(outcome.status == 78 && outcome.errors.contains("ENABLE TRIGGER ALL"), "\(words): \(outcome)")
        }
        #expect(try Sluice.run(["runs", scene.definition]).status == 0)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        _ = try scene.sql("ALTER TABLE @.\"Item\" ENABLE TRIGGER ALL")
        _ = try scene.sql("DELETE FROM @.favourite")
        _ = try scene.sql("ALTER TABLE @.favourite DISABLE TRIGGER ALL")
        #expect(try scene.run("run", "--quiet").status == 0)
    }

    /// The actions that other programs have declared for their rows happen, also where another column is referred to.
    @Test func foreignKeysOfOthersAct() throws {
        let scene = try scene()
        try refer(scene, "@.cascading", "ON DELETE CASCADE", to: "id")
        try refer(scene, "@.nullified", "ON DELETE SET NULL")
        _ = try scene.sql("ALTER TABLE @.nullified ALTER item DROP NOT NULL")
        _ = try scene.folder.write("feed.json", ServerStrangersTests.smaller)
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.sql("SELECT note FROM @.cascading") == "one")
        #expect(try scene.sql("SELECT note || coalesce(item, 0) FROM @.nullified ORDER BY 1") == "one1\ntwo0")
    }

    /// Another session deletes an object while the run's statement waits for its row.
    @Test(arguments: [ServerScene.feed.replacing("two", with: "due"), smaller])
    func anObjectThatIsTakenAway(_ feed: String) throws {
        let scene = try scene()
        let other = try scene.connect()
        try other.execute(
            "BEGIN; DELETE FROM \"\(scene.schema)\".\"Item\" WHERE id = 2")
        _ = try scene.folder.write("feed.json", feed)
        let running = try RunningSluice(["run", scene.definition, "--quiet"])
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE \(other.process) = ANY (pg_blocking_pids(pid))"
        #expect(running.waits { (try? scene.sql(waits)) != "0" })
        try other.execute("COMMIT")
        let outcome = running.ended()
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(outcome.errors.contains("the table Item of the store"), "\(outcome.errors)")
        #expect(outcome.errors.contains("let 0 of 1 rows be written"), "\(outcome.errors)")
        #expect(try scene.run("run", "--quiet", "--force").status == 0)
        #expect(try scene.items().count == (feed == ServerStrangersTests.smaller ? 2 : 3))
    }

    /// A trigger keeps rows out, a rule does something else with them: of inserts, updates and deletions.
    @Test(arguments: [
        ("BEFORE INSERT", "NEW.id > 5", "{\"items\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": 7}]}"),
        ("BEFORE UPDATE", "NEW.name = 'uno'", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}]}"),
        ("BEFORE DELETE", "OLD.id = 3", "{\"items\": [{\"id\": 1, \"name\": \"one\"}]}"),
        ("RULE", "DELETE", "{\"items\": [{\"id\": 1, \"name\": \"one\"}]}"),
    ])
    func rowsThatAreKeptOut(_ moment: String, _ condition: String, _ feed: String) throws {
        let scene = try scene()
        _ = try scene.sql(
            moment == "RULE"
                ? "CREATE RULE nothing AS ON \(condition) TO @.\"Item\" DO INSTEAD NOTHING"
                : """
                CREATE FUNCTION @.skip() RETURNS trigger LANGUAGE plpgsql AS
                $$begin if \(condition) then return null; end if; return coalesce(NEW, OLD); end$$;
                CREATE TRIGGER skip \(moment) ON @."Item" FOR EACH ROW EXECUTE FUNCTION @.skip()
                """)
        _ = try scene.folder.write("feed.json", feed)
        let before = try scene.items()
        let outcome = try scene.run("run", "--quiet")
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(outcome.errors.contains("or a trigger or a rule keeps them as they are"), "\(outcome.errors)")
        #expect(try scene.items() == before)
    }

    /// What others hold the table to, a dry run is held to as well.
    @Test(arguments: [
        "CREATE UNIQUE INDEX one_name ON @.\"Item\" (lower(name))", "ALTER TABLE @.\"Item\" ADD UNIQUE (name)",
        "ALTER TABLE @.\"Item\" ADD CHECK (name <> 'One') NOT VALID",
        "CREATE UNIQUE INDEX ON @.\"Item\" ((name <> 'One')) WHERE id = 1 OR name = 'One' OR name IS NULL",
    ])
    func constraintsOfOthersRefuse(_ sql: String) throws {
        let scene = try scene()
        _ = try scene.sql(sql)
        _ = try scene.folder.write(
            "feed.json", "{\"items\": [{\"id\": 1, \"name\": \"One\"}, {\"id\": 3, \"name\": \"One\"}]}")
        let before = try scene.items()
        for more in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", scene.definition, "--quiet"] + more)
            #expect(outcome.status == 78, "\(outcome.errors)")
            #expect(outcome.errors.contains("a trigger or a constraint of the store"), "\(outcome.errors)")
            #expect(try scene.items() == before)
        }
    }

    @Test func columnsThatMayNotBeNull() throws {
        let scene = try scene()
        _ = try scene.sql("UPDATE @.\"Item\" SET name = 'three' WHERE name IS NULL")
        _ = try scene.sql("ALTER TABLE @.\"Item\" ALTER name SET NOT NULL")
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": null}]}")
        for more in [["--dry-run"], []] {
            #expect(try Sluice.run(["run", scene.definition, "--quiet"] + more).status == 78)
        }
    }

    /// A column that the server calculates is none that a run can write.
    @Test func columnsThatAreCalculated() throws {
        let scene = try scene()
        _ = try scene.sql(
            """
            ALTER TABLE @."Item" DROP name CASCADE;
            ALTER TABLE @."Item" ADD name text COLLATE "C" GENERATED ALWAYS AS ('n' || id) STORED
            """)
        for words in [["check"], ["run", "--dry-run"], ["run", "--force"]] {
            let outcome = try Sluice.run(words + [scene.definition])
            let text = (outcome.errors + outcome.output).replacing(/\n +/, with: " ")
            #expect(outcome.status == 78 && text.contains("text GENERATED ALWAYS"), "\(words): \(text)")
        }
        // Another program's own column may be one.
        _ = try scene.sql(
            """
            ALTER TABLE @."Item" DROP name CASCADE; ALTER TABLE @."Item" ADD mine text GENERATED ALWAYS AS ('x') STORED
            """)
        #expect(try scene.run("run", "--force", "--quiet").status == 0)
    }

    /// An index whose function does not know the new type of a column stands in its way.
    @Test(arguments: ["INDEX", "CHECK"]) func whatIsMadeOverAColumn(_ part: String) throws {
        let scene = try scene()
        _ = try scene.sql(
            part == "INDEX"
                ? "CREATE INDEX ON @.\"Item\" (lower(name))" : "ALTER TABLE @.\"Item\" ADD CHECK (name ~ '.')")
        _ = try scene.sql("UPDATE @.\"Item\" SET name = id::text")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing("\"name\": \"text\"", with: "\"name\": \"integer\""))
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": 5}]}")
        let outcome = try scene.run("run", "--quiet")
        #expect(outcome.status == 78 && outcome.errors.contains("something is made over it"), "\(outcome.errors)")
    }

    /// From a role that row security binds, which superusers are not.
    @Test func rowsThatAreHidden() throws {
        let scene = try scene()
        let role = "bound_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try scene.sql(
            """
            CREATE ROLE \(role) LOGIN; GRANT ALL ON SCHEMA @ TO \(role); GRANT ALL ON ALL TABLES IN SCHEMA @ TO \(role);
            ALTER TABLE @."Item" ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON @."Item" USING (id < 3)
            """)
        defer { _ = try? scene.sql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing("user=importer", with: "user=\(role)"))
        let outcome = try scene.run("run", "--quiet", "--force")
        #expect(outcome.status == 77, "\(outcome.errors)")
        #expect(outcome.errors.contains("NO FORCE ROW LEVEL SECURITY"), "\(outcome.errors)")
    }

    /// What was done to the tables is told before anything is read.
    @Test(arguments: [
        ("ALTER TABLE @.\"Item\" DROP CONSTRAINT \"Item_pkey\" CASCADE", "has not objectID, and nothing else"),
        (
            "ALTER TABLE @.\"Item_tags\" DROP CONSTRAINT \"Item_tags_pkey\"",
            "has no primary key that begins with source"
        ),
        (
            "CREATE COLLATION @.loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                + " ALTER TABLE @.\"Item\" ALTER code TYPE text COLLATE @.loose",
            "has the column code with the collation loose"
        ),
    ])
    func tablesThatWereChanged(_ sql: String, _ message: String) throws {
        let scene = try ServerScene()
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing("\"identifier\": \"id\"", with: "\"identifier\": [\"id\", \"code\"]")
                .replacing(
                    "\"id\": \"integer\"",
                    with: "\"id\": \"integer\", \"code\": { \"type\": \"text\", \"default\": \"a\" }"
                )
                .replacing(
                    "\"parent\": { \"to\": \"Item\" }",
                    with: "\"tags\": { \"to\": \"Item\", \"many\": true,"
                        + " \"identifier\": [\"tags[*].id\", \"tags[*].code\"] }"))
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.sql(sql)
        for command in ["check", "run"] {
            let outcome = try scene.run(command)
            let text = (outcome.errors + outcome.output).replacing(/\n +/, with: " ")
            #expect(outcome.status == 78 && text.contains(message), "\(text)")
        }
    }

    /// In the night in which a target goes, its own references are called otherwise: by a table, an earlier name, other
    /// letters. A dry run renames its own tables alone, and takes none of them for somebody else's.
    @Test(arguments: [
        #""Line": { "table": "lines","#, #""Entry": { "was": "Line","#, #""LINE": {"#,
    ])
    func referencesThatAreRenamed(_ entity: String) throws {
        let scene = try ServerScene()
        func define(_ entity: String, _ relationship: String) throws {
            let place = "\"database\": \"\(scene.cluster.uri)\", \"schema\": \"\(scene.schema)\""
            _ = try scene.folder.write(
                "items.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": { "postgresql": { \(place) } },
                  "limits": { "deletes": null, "records": 0 },
                  "entities": {
                    "Item": { "records": "$.items[*]", "identifier": "id", "absent": "delete",
                      "attributes": { "id": "integer" } },
                    \(entity) "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "integer" },
                      "relationships": { \(relationship), "items": { "to": "Item", "many": true, "from": "items[*]" } } } } }
                """)
        }
        try define("\"Line\": {", #""item": { "to": "Item" }"#)
        let lines = #""lines": [{"id": 1, "item": 1, "items": [1, 2]}]}"#
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1}, {"id": 2}], "# + lines)
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 2}], "# + lines)
        try define(entity, #""Item": { "to": "Item", "from": "item" }"#)
        for more in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", scene.definition, "--quiet"] + more)
            #expect(outcome.status == 0, "\(more): \(outcome.errors)")
        }
    }
}
