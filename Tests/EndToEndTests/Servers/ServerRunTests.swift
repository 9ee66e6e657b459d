import Foundation
import TestSupport
import Testing

/// Runs whose store is on a server: what users see of them.
@Suite struct ServerRunTests {
    /// A server that quotes all names, as a role or a database may have it, says of tables what it said before.
    @Test func aServerThatQuotesAllNames() throws {
        let scene = try ServerScene()
        for _ in 0..<2 {
            let outcome = try Sluice.run(
                ["run", scene.definition, "--force"], environment: ["PGOPTIONS": "-c quote_all_identifiers=on"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test func aFirstRunAndTheNext() throws {
        let scene = try ServerScene()
        #expect(try scene.run("check").output.contains("is sound, and the first run makes the store\n"))
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        #expect(try scene.sql("SELECT entity, value FROM @.sluice_unresolved") == "Item\t9")
        #expect(try scene.run("run").output.contains("unchanged"))
        _ = try scene.folder.write(
            "feed.json",
            "{\"items\": [{\"id\": 9, \"name\": \"nine\"}, {\"id\": 1, \"name\": \"uno\"}, {\"id\": 2, \"name\": \"two\", \"parent\": 9}]}"
        )
        let outcome = try scene.run("run", "--format", "json")
        #expect(outcome.status == 0)
        #expect(outcome.count("Item", "created") == 1)
        #expect(outcome.count("Item", "updated") == 2)
        // The reference that waited is late; what the records say of theirs stays.
        #expect(try scene.items() == ["1,uno,∅", "2,two,9", "3,∅,9", "9,nine,∅"])
        #expect(try scene.sql("SELECT count(*) FROM @.sluice_unresolved") == "0")
    }

    /// Objects are asked for before it is known what the records before them do to them.
    @Test(arguments: ["20", "23", "39"])
    func whatIsReadAheadMayChangeMeanwhile(ahead: String) throws {
        let scene = try ServerScene()
        let items = (1...60).map { "{\"id\": \($0), \"name\": \"old\"}" }
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items.joined(separator: ", "))]}")
        #expect(try scene.run("run", "--quiet").status == 0)
        let changed = "{\"id\": \(ahead), \"name\": \"new\"}"
        var records = items
        records[Int(ahead)! - 1] = changed
        records.insert(changed, at: 4)
        _ = try scene.folder.write("feed.json", "{\"items\": [\(records.joined(separator: ", "))]}")
        let outcome = try scene.run("run", "--format", "json", "--batch-size", "17")
        #expect(outcome.status == 0)
        #expect(outcome.count("Item", "updated") == 1 && outcome.count("Item", "unchanged") == 59)
        let copies = outcome.counts("Item")["duplicates"] as? [String: Int]
        #expect(copies == ["identical": 1, "conflicting": 0])
        #expect(try scene.sql("SELECT id FROM @.\"Item\" WHERE name = 'new'") == ahead)
    }

    @Test func keysAndForeignKeysAreThere() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let constraints = try scene.sql(
            "SELECT contype, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '@.\"Item\"'::regclass ORDER BY 1"
        )
        #expect(constraints.contains("FOREIGN KEY (parent)") && constraints.contains("DEFERRABLE INITIALLY DEFERRED"))
        #expect(constraints.contains("PRIMARY KEY (\"objectID\")"))
        let indexes = try scene.sql(
            "SELECT indexdef FROM pg_indexes WHERE tablename = 'Item' AND schemaname = '\(scene.schema)'")
        #expect(indexes.contains("UNIQUE INDEX") && indexes.contains("(id)") && indexes.contains("(parent)"))
        let without = try ServerScene(server: ", \"foreignKeys\": false")
        #expect(try without.run("run", "--quiet").status == 0)
        #expect(
            try without.sql(
                "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = '@.\"Item\"'::regclass") == "0")
        let links = try ServerScene(server: ", \"foreignKeys\": false")
        let text = try String(contentsOfFile: links.definition, encoding: .utf8)
        _ = try links.folder.write(
            "items.jsonc",
            text.replacing(
                "{ \"to\": \"Item\" }", with: "{ \"to\": \"Item\" }, \"all\": { \"to\": \"Item\", \"many\": true }"))
        #expect(try links.run("run", "--quiet").status == 0)
        // With and without, the store fits; what is there stays.
        for scene in [scene, without, links] {
            let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
            _ = try scene.folder.write(
                "items.jsonc",
                text.contains(", \"foreignKeys\": false")
                    ? text.replacing(", \"foreignKeys\": false", with: "")
                    : text.replacing("\"schema\"", with: "\"foreignKeys\": false, \"schema\""))
            #expect(try scene.run("check").output.contains("fits the store\n"))
            _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 3, \"parent\": 2}]}")
            #expect(try scene.run("run", "--quiet").status == 0)
            #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,2"])
        }
    }

    @Test func theLedgerAndTheWaitingListAreShown() throws {
        let scene = try ServerScene()
        #expect(try scene.run("runs").status == 66)
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.run("runs").output.contains("succeeded"))
        #expect(try scene.run("runs", "--run", "1").output.contains("Item"))
        let waiting = try scene.run("unresolved", "--format", "json").output
        #expect(waiting.contains("\"identifier\": 3") && waiting.contains("\"value\": 9"))
        #expect(try scene.run("unresolved", "--by-target").output.contains("9"))
        #expect(try scene.run("unresolved", "--entity", "Item", "--relationship", "parent").output.contains("Item 3"))
    }

    @Test func aDefinitionThatGainsExtendsTheStore() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(
                "\"price\": \"real\"", with: "\"price\": \"real\", \"at\": { \"type\": \"datetime\", \"index\": true }"
            )
            .replacing(
                "\"parent\": { \"to\": \"Item\" }",
                with: "\"parent\": { \"to\": \"Item\" }, \"next\": { \"to\": \"Item\" }"))
        let plan = try scene.run("check").output
        #expect(plan.contains("the column Item.at is added") && plan.contains("the column Item.next is added"))
        _ = try scene.folder.write(
            "feed.json", "{\"items\": [{\"id\": 1, \"name\": \"one\", \"at\": \"2026-01-01T00:00:00Z\", \"next\": 2}]}")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(
            try scene.sql("SELECT at AT TIME ZONE 'UTC', next IS NOT NULL FROM @.\"Item\" WHERE id = 1")
                == "2026-01-01 00:00:00\tt")
        #expect(try scene.run("check").output.contains("fits the store"))
        #expect(try !scene.run("check").output.contains("is added"))
    }

    @Test func aDryRunWritesNothing() throws {
        let scene = try ServerScene()
        let foretold = try scene.run("run", "--dry-run", "--format", "json")
        #expect(foretold.status == 0 && foretold.count("Item", "created") == 3)
        #expect(try !scene.exists)
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 9}]}")
        let before = try scene.sql("SELECT * FROM @.sluice_run")
        #expect(try scene.run("run", "--dry-run", "--format", "json").count("Item", "created") == 1)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        #expect(try scene.sql("SELECT * FROM @.sluice_run") == before)
    }

    /// Who may only read can try what a run would do.
    @Test func aDryRunNeedsOnlyToRead() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try scene.sql(
            "CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA @ TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA @ TO \(role)"
        )
        defer { _ = try? scene.sql("DROP OWNED BY \(role); DROP ROLE \(role)") }
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 9}]}")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing("user=importer", with: "user=\(role)"))
        #expect(try scene.run("run", "--dry-run", "--format", "json").count("Item", "created") == 1)
        let refused = try scene.run("run", "--quiet")
        #expect(refused.status == 77)
        #expect(refused.errors.contains("permission denied for table sluice_run") && refused.errors.contains("GRANT"))
    }

    /// Each message names the right that is missing, as what can be said to the server: who does so gets a run in the
    /// end.
    @Test func whatIsMissingCanBeSaid() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let role = "Importer \(UUID().uuidString.prefix(8))"
        _ = try scene.sql("CREATE ROLE \"\(role)\" LOGIN")
        defer { _ = try? scene.sql("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8).replacing(
            "user=importer", with: "user=\(role.replacing(" ", with: "%20"))")
        // A column is added, which only an owner may.
        _ = try scene.folder.write(
            "items.jsonc", text.replacing("\"price\": \"real\"", with: "\"price\": \"real\", \"more\": \"text\""))
        var said: [String] = []
        while said.count < 20 {
            let outcome = try scene.run("run", "--quiet", "--force")
            if outcome.status == 0 { break }
            let errors = outcome.errors.replacing(/\n +/, with: " ")
            #expect(outcome.status == 77)
            let statement = try #require(errors.firstMatch(of: /can say: (.*\S)/), "\(errors)").1
            said.append(String(statement))
            _ = try scene.sql(String(statement))
        }
        #expect(
            said.contains { $0.hasPrefix("GRANT USAGE") } && said.contains { $0.hasPrefix("ALTER TABLE") }, "\(said)")
        #expect(Set(said).count == said.count && said.count < 20, "\(said)")
        _ = try scene.sql("ALTER TABLE @.\"Item\" OWNER TO importer")
    }

    /// A dry run makes temporary tables, and nothing else. Who may not even that is told what is missing.
    @Test func aDryRunNeedsTemporaryTables() throws {
        let scene = try ServerScene()
        let name = "bare_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try scene.sql("CREATE ROLE \(name) LOGIN")
        _ = try scene.sql("CREATE DATABASE \(name) TEMPLATE template0")
        defer {
            _ = try? scene.sql("DROP DATABASE \(name)")
            _ = try? scene.sql("DROP ROLE \(name)")
        }
        let store = scene.cluster.uri.replacing("///postgres", with: "///\(name)").replacing("importer", with: name)
        #expect(try scene.run("run", "--dry-run", "--quiet", "--store", store).status == 0)
        _ = try scene.sql("REVOKE TEMPORARY ON DATABASE \(name) FROM PUBLIC")
        let refused = try scene.run("run", "--dry-run", "--quiet", "--store", store)
        #expect(refused.status == 77)
        #expect(refused.errors.contains("TEMPORARY ON DATABASE \"\(name)\""), "\(refused.errors)")
    }

    @Test func aFailedRunChangesNothingButTheLedger() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": \"x\"}]}")
        #expect(try scene.run("run", "--quiet").status == 65)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\nfailed")
    }

    @Test func whatTheServerCannotHoldIsRejected() throws {
        let scene = try ServerScene("\"limits\": { \"rejects\": null },")
        _ = try scene.folder.write(
            "feed.json", "{\"items\": [{\"id\": 1, \"name\": \"a\\u0000b\"}, {\"id\": 2, \"name\": \"b\"}]}")
        let outcome = try scene.run("run")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("text with U+0000, which PostgreSQL cannot hold"))
        #expect(try scene.items() == ["2,b,∅"])
        let foretold = try scene.run("run", "--dry-run", "--force", "--format", "json")
        #expect(foretold.count("Item", "rejected") == 1)
    }

    @Test func batchesAreSavedForGood() throws {
        let scene = try ServerScene("\"commit\": \"batch\", \"batchSize\": 1,")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.items() == ["1,one,∅", "2,two,1", "3,∅,∅"])
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 2}, ")
        #expect(try scene.run("run", "--quiet").status == 65)
        #expect(try scene.items() == ["1,uno,∅", "2,two,1", "3,∅,∅"])
    }

    @Test func replaysFromTheArchive() throws {
        let scene = try ServerScene("\"archive\": { \"directory\": \"archive\", \"keep\": 1 },")
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}]}")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.run("replay", "--run", "1", "--quiet").status == 66)
        #expect(try scene.run("replay", "--run", "2", "--format", "json").count("Item", "unchanged") == 1)
    }

    @Test func theStoreIsNamedOnTheCommandLine() throws {
        let scene = try ServerScene()
        let folder = TemporaryFolder()
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let start = try #require(text.range(of: "{ \"postgresql\""))
        let end = try #require(text.range(of: "\" } },"))
        let pipeline = try folder.write(
            "x.jsonc",
            "{ \"name\": \"\(scene.schema)\"," + text[..<start.lowerBound].dropFirst(1)
                + "{ \"sqlite\": \"x.sqlite\" },"
                + text[end.upperBound...])
        _ = try folder.write("feed.json", ServerScene.feed)
        #expect(try Sluice.run(["run", pipeline, "--quiet", "--store", scene.cluster.uri]).status == 0)
        #expect(try scene.items().count == 3)
        #expect(folder.names == ["feed.json", "x.jsonc"])
        let wrong = try Sluice.run(["run", pipeline, "--store", "postgresql://a:geheim@db.example.org/x"])
        #expect(wrong.status == 64 && !wrong.errors.contains("geheim"))
    }

    /// `--store` takes what `database` does, and nothing of that becomes the name of a file.
    @Test func wordsOfLibpqAreAStore() throws {
        let scene = try ServerScene()
        let words = "host=\(scene.cluster.socket) dbname=postgres user=importer"
        #expect(try Sluice.run(["run", scene.definition, "--quiet", "--store", words]).status == 0)
        #expect(try scene.items().count == 3)
        let before = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
        for words in ["host=db password=geheim dbname=t", "hst=db password=geheim", "password=geheim"] {
            for command in [["run"], ["check"], ["runs"], ["unresolved"], ["seed", "install"]] {
                let outcome = try Sluice.run(command + [scene.definition, "--store", words], folder: scene.folder.path)
                #expect(outcome.status == 64, "\(command): \(outcome.errors)")
                #expect(!(outcome.errors + outcome.output).contains("geheim"), "\(command)")
            }
        }
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "file.jsonc",
            text.replacing(#/"postgresql": \{.*\}/#, with: "\"sqlite\": \"host=db password=geheim\" }"))
        let outcome = try Sluice.run(["run", scene.folder.file("file.jsonc")])
        #expect(outcome.status == 78 && outcome.errors.contains("in place of \"sqlite\""), "\(outcome.errors)")
        #expect(!outcome.errors.contains("geheim"))
        let after = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
        #expect(Set(after).subtracting(before) == ["file.jsonc"])
    }
}
