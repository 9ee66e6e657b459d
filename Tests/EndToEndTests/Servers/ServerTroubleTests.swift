import Foundation
import Synchronization
import TestSupport
import Testing

/// What goes wrong with a store on a server: the tables are as before, and the message says what happened.
@Suite struct ServerTroubleTests {
    /// A run that has begun, loaded a batch, and waits for the rest of its feed.
    private func waiting(_ scene: ServerScene) throws -> RunningSluice {
        let running = try RunningSluice(
            ["run", scene.definition, "--quiet", "--batch-size", "1", "--feed", "-"], pipesInput: true)
        try running.write("{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 2, \"name\": \"due\"}, {\"id\": 7},\n")
        #expect(running.waits { (try? scene.sql("SELECT 1 FROM @.sluice_run WHERE status = 'running'")) == "1" })
        return running
    }

    private let before = ["1,one,∅", "2,two,1", "3,∅,∅"]

    @Test func twoRunsAtOnce() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let first = try waiting(scene)
        #expect(try scene.run("runs").output.contains("running"))
        let second = try scene.run("run", "--force", "--quiet")
        #expect(second.status == 75)
        #expect(
            second.errors.contains(
                "another run holds the store postgresql:///postgres/\(scene.schema): sluice items, process"))
        // A dry run waits for nobody.
        #expect(try scene.run("run", "--dry-run", "--force", "--quiet").status == 0)
        try first.write("{\"id\": 8}]}")
        try first.closeInput()
        #expect(first.ended().status == 0)
        #expect(try scene.items() == ["1,uno,∅", "2,due,1", "3,∅,∅", "7,∅,∅", "8,∅,∅"])
    }

    @Test func aKilledRun() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        running.signal(SIGKILL)
        #expect(running.ended().status == 137)
        #expect(try scene.items() == before)
        // The server ends the session of the run first.
        let end = Date.now.addingTimeInterval(60)
        while try !scene.run("runs").output.contains("died"), Date.now < end {}
        #expect(try scene.run("runs").output.contains("died"))
        #expect(try scene.run("run", "--force", "--quiet", "--wait", "30s").status == 0)
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\ndied\nsucceeded")
    }

    @Test func aRunWithoutItsFeed() throws {
        let scene = try ServerScene()
        let feed = scene.folder.file("feed.json")
        try FileManager.default.moveItem(atPath: feed, toPath: scene.folder.file("away"))
        // Nothing is made for it.
        #expect(try scene.run("run", "--quiet").status == 66)
        #expect(try scene.sql("SELECT to_regclass('@.sluice_run') IS NULL") == "t")
        try FileManager.default.moveItem(atPath: scene.folder.file("away"), toPath: feed)
        #expect(try scene.run("run", "--quiet").status == 0)
        try FileManager.default.removeItem(atPath: feed)
        #expect(try scene.run("run", "--quiet").status == 66)
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\nfailed")
        #expect(try scene.items() == before)
    }

    @Test func aRunThatIsToEnd() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        running.signal(SIGTERM)
        #expect(running.ended().status == 143)
        #expect(try scene.items() == before)
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\ncancelled")
    }

    /// Neither the statement nor what asks the server to end it arrives, and no new connection is made.
    @Test func aRunThatIsToEndWhileTheNetworkIsSilent() throws {
        let isSilent = Atomic(false)
        let proxy = try ServerProxy(to: Cluster.shared.get().socket) { _ in
            isSilent.load(ordering: .relaxed) ? .vanishes : .passes
        }
        let scene = try ServerScene(through: proxy)
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        isSilent.store(true, ordering: .relaxed)
        let sent = proxy.messages.count
        try running.write("{\"id\": 8}]}")
        try running.closeInput()
        #expect(running.waits { proxy.messages.count > sent })
        running.signal(SIGTERM)
        let outcome = running.ended()
        #expect(outcome.status == 143, "\(outcome.errors)")
        #expect(try scene.items() == before)
        // The server has noticed nothing yet; the next run waits, or makes the server notice.
        isSilent.store(false, ordering: .relaxed)
        #expect(try scene.run("run", "--force", "--quiet", "--wait", "30s").status == 0)
    }

    @Test func aConnectionThatIsCut() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        _ = try scene.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = hashtext('\(scene.schema)')::bigint & 4294967295"
        )
        try running.write("{\"id\": 8}]}")
        try running.closeInput()
        let outcome = running.ended()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("the connection to the store postgresql:///postgres/\(scene.schema) was lost"))
        #expect(try scene.items() == before)
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == "succeeded\nfailed")
    }

    /// Readers see the old data until the end, and do not wait for it.
    @Test func readersAreNotKeptOut() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        #expect(try scene.sql("SET statement_timeout = '5s'; SELECT count(*) FROM @.\"Item\"") == "3")
        #expect(try scene.items() == before)
        try running.write("{\"id\": 8}]}")
        try running.closeInput()
        #expect(running.ended().status == 0)
        #expect(try scene.items().count == 5)
    }

    @Test func aStrangersRow() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let running = try waiting(scene)
        // A program that knows nothing of runs creates an object with an identifier that the feed brings as well.
        _ = try scene.sql("INSERT INTO @.\"Item\" (\"objectID\", id) VALUES (1000, 8)")
        try running.write("{\"id\": 9}, {\"id\": 8, \"name\": \"mine\"}]}")
        try running.closeInput()
        let outcome = running.ended()
        // It is met as an object that is there, or refused: never two of one identifier.
        #expect(outcome.status == 0 || outcome.status == 74)
        #expect(try scene.sql("SELECT count(*) FROM @.\"Item\" WHERE id = 8") == "1")
    }

    @Test func aServerThatIsNotThere() throws {
        let folder = TemporaryFolder()
        let pipeline = try folder.write(
            "x.jsonc",
            """
            { "source": { "file": "x.json" }, "store": { "postgresql": { "database": "host=/nowhere dbname=x user=y" } },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        _ = try folder.write("x.json", "[]")
        for command in ["run", "check", "runs", "unresolved"] {
            let outcome = try Sluice.run([command, pipeline])
            #expect(outcome.status == 69, "\(command)")
            #expect(
                outcome.errors.contains("the store postgresql:///x/x cannot be reached")
                    && outcome.errors.contains("/nowhere/.s.PGSQL.5432\" failed: No such file or directory\n"),
                "\(command): \(outcome.errors)")
        }
    }

    @Test func whatIsNotThereYetIsRefused() throws {
        for (settings, entity, message) in [
            (
                "", ", \"table\": \"\(String(repeating: "x", count: 64))\"",
                "has a name of 64 bytes, and PostgreSQL takes 63"
            ),
            (
                "\"views\": true,", ", \"table\": \"\(String(repeating: "x", count: 60))\"",
                "the view \(String(repeating: "x", count: 60))_view has a name of 65 bytes, and PostgreSQL takes 63"
            ),
            (
                "\"history\": true,", ", \"table\": \"\(String(repeating: "x", count: 60))\"",
                "the view \(String(repeating: "x", count: 60))_history has a name of 68 bytes, and PostgreSQL takes 63"
            ),
        ] {
            let scene = try ServerScene(settings, entity: entity)
            for command in ["check", "run"] {
                let outcome = try scene.run(command)
                let text = (outcome.errors + outcome.output).replacing(/\n +/, with: " ")
                #expect(outcome.status == 78 && text.contains(message), "\(text)")
                #expect(text.contains(#/items\.jsonc:\d+:\d+: /#), "\(text)")
            }
            #expect(try !scene.exists)
        }
        let longest = try ServerScene("", entity: ", \"table\": \"\(String(repeating: "x", count: 63))\"")
        #expect(try longest.run("run", "--quiet").status == 0)
    }

    /// What is no table has the name of one.
    @Test(arguments: [
        ("VIEW @.\"Item\" AS SELECT 1 AS id", "has a view named Item"),
        ("SEQUENCE @.\"Item\"", "has a sequence named Item"),
        ("TYPE @.\"Item\" AS (a int)", "has a type named Item"),
        ("TABLE @.other (a int); CREATE INDEX \"Item\" ON @.other (a)", "has something else of that name"),
    ])
    func aNameIsTaken(_ sql: String, _ message: String) throws {
        let scene = try ServerScene()
        _ = try scene.sql("CREATE SCHEMA @; CREATE \(sql)")
        let outcome = try scene.run("run", "--quiet")
        #expect(outcome.status == 78 && outcome.errors.contains(message), "\(outcome.errors)")
        if !sql.contains("INDEX") { #expect(try scene.run("check").status == 78) }
        #expect(
            try scene.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(scene.schema)' AND tablename = 'Item'")
                == "0")
    }

    @Test func aColumnOfAnotherTypeIsAContradiction() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing("\"price\": \"real\"", with: "\"price\": \"text\""))
        for command in ["check", "run"] {
            let outcome = try scene.run(command)
            #expect(outcome.status == 78 && outcome.errors.contains("items.jsonc:9:"), "\(outcome.errors)")
        }
    }
}
