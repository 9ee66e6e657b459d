import Foundation
import TestSupport
import Testing

/// Checks that cannot be asked, that take too long, and what is told of them.
@Suite struct QuestionTests {
    private static func check(_ sql: String, _ more: String = "") -> String {
        "\"checks\": { \"x\": { \"sql\": \"\(sql)\"\(more) } },"
    }

    /// What both stores refuse, before anything is loaded: the end of the message.
    @Test(arguments: [
        ("DELETE FROM Item", "it must be one query, which begins with SELECT or WITH"),
        ("PRAGMA user_version = 3", "it must be one query, which begins with SELECT or WITH"),
        ("SELECT 1; SELECT 2", "it must be one query, and there is another statement"),
        ("SELECT nme FROM Item", "no such column: nme, at: nme FROM Item"),
        ("SELECT 1 FROM Itm", "no such table: Itm"), ("SELECT 1 FROM previous.Itm", "no such table: previous.Itm"),
        ("SELECT id FROM Item WHERE id = ?", "it has a parameter, and nobody gives it a value"),
        ("SELECT FROM Item", "near \"FROM\": syntax error, at: FROM Item"),
    ])
    func whatCannotBeAsked(sql: String, reason: String) throws {
        let scene = try Scene(.new, settings: QuestionTests.check(sql))
        let check = try Sluice.run(["check", scene.definition])
        #expect(check.status == 78 && check.errors.contains("items.jsonc:2:"), "\(check)")
        #expect(check.errors.hasSuffix("the check \"x\" cannot be asked: \(reason)\n"), "\(check.errors)")
        let run = try Sluice.run(["run", scene.definition])
        #expect(run.status == 78 && run.errors.hasSuffix("\(reason)\n"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }

    @Test(arguments: [
        ("DELETE FROM \\\"Item\\\"", "it must be one query, which begins with SELECT or WITH"),
        ("SELECT 1; SELECT 2", "syntax error at or near \";\", at: ; SELECT 2"),
        ("SELECT nme FROM \\\"Item\\\"", "column \"nme\" does not exist, at: nme FROM \"Item\""),
        ("SELECT 1 FROM Item", "relation \"item\" does not exist, at: Item"),
        ("SELECT 1 FROM previous.\\\"Itm\\\"", "relation \"previous.Itm\" does not exist"),
        ("WITH x AS (DELETE FROM \\\"Item\\\" RETURNING *) SELECT * FROM x", "WITH clause containing a data-modifying"),
        ("SELECT id FROM \\\"Item\\\" WHERE id = $1", "there is no parameter $1"),
    ])
    func whatAServerRefuses(sql: String, reason: String) throws {
        let scene = try ServerScene(QuestionTests.check(sql))
        let check = try scene.run("check")
        #expect(check.status == 78 && check.errors.contains("items.jsonc:2:"), "\(check)")
        #expect(check.errors.contains("the check \"x\" cannot be asked: \(reason)"), "\(check.errors)")
        let run = try scene.run()
        #expect(run.status == 78 && run.errors.contains(reason), "\(run.errors)")
        #expect(try scene.sql("SELECT to_regclass('@.\"Item\"') IS NULL") == "t")
    }

    /// What JSON has no number for is a text: the report of the run stays one that can be read.
    @Test func infinityIsAText() throws {
        let sql = "SELECT id, 1e308 * 10 AS many, -1e308 * 10 AS few FROM Item"
        let scene = try Scene(.new, settings: QuestionTests.check(sql, ", \"limit\": 5"))
        let outcome = try Sluice.run(["run", scene.definition, "--findings", scene.folder.file("findings.ndjson")])
        let findings = try String(contentsOfFile: scene.folder.file("findings.ndjson"), encoding: .utf8)
        #expect(
            outcome.status == 0 && findings.contains(#""many": "inf", "few": "-inf""#), "\(findings)\(outcome.errors)")
        let report = try Sluice.run(["runs", scene.definition, "--run", "1", "--format", "json"])
        #expect(report.status == 0 && report.output.contains(#""many": "inf""#), "\(report.errors)")
    }

    @Test func twoColumnsHaveTwoNames() throws {
        let scene = try Scene(.new, settings: QuestionTests.check("SELECT id, 1 AS a, 2 AS a FROM Item"))
        let check = try Sluice.run(["check", scene.definition])
        #expect(
            check.status == 78 && check.errors.contains(#"has two columns "a": name one of them with AS"#), "\(check)")
        let server = try ServerScene(QuestionTests.check(#"SELECT 1 AS a, 2 AS a FROM \"Item\""#))
        #expect(try server.run("check").errors.contains(#"has two columns "a""#))
    }

    /// Questions find by words what the run has just loaded, also where the index learns of many rows together.
    @Test(arguments: [("Item", 3), ("Item", 3000), (#"It\"em"#, 3)])
    func wordsAreThoseOfTheRun(_ entity: String, _ count: Int) throws {
        // As JSON has it, and SQL within JSON, which needs quotes for a name with one.
        let quote = entity == "Item" ? "" : "\\\""
        let name = entity.replacing("\\\"", with: "\\\"\\\"")
        let (table, index) = (quote + name + quote, quote + "sluice_\(name)_search" + quote)
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "items.jsonc",
            """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "checks": { "forbidden": { "entity": "\(entity)", "sql": [
                "SELECT i.id FROM \(index) f JOIN \(table) i ON i.objectID = f.rowid",
                "WHERE \(index) MATCH 'forbidden'" ] } },
              "entities": { "\(entity)": { "records": "$[*]", "identifier": "id", "search": { "fields": "name" },
                "attributes": { "id": "integer", "name": "text" } } }
            }
            """)
        for word in ["allowed", "forbidden", "allowed"] {
            let items = (0..<count).map { "{\"id\": \($0), \"name\": \"\($0 == 1 ? word : "other") \($0)\"}" }
            _ = try folder.write("feed.json", "[\(items.joined(separator: ",\n"))]")
            #expect(try Sluice.run(["check", definition]).status == 0)
            for more in [["--dry-run"], []] {
                let outcome = try Sluice.run(["run", definition, "--quiet"] + more)
                #expect(outcome.status == (word == "allowed" ? 0 : 65), "\(word) \(more): \(outcome.errors)")
            }
        }
    }

    /// A function that writes is no query that only reads.
    @Test func aServerLetsNothingBeWritten() throws {
        let scene = try ServerScene()
        #expect(try scene.run().status == 0)
        _ = try scene.sql(
            "CREATE FUNCTION @.wipe() RETURNS bigint LANGUAGE sql AS 'DELETE FROM @.\"Item\" RETURNING 1'")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", text.replacing("{\n  \n", with: "{\n" + QuestionTests.check("SELECT wipe()")))
        let outcome = try scene.run("run", "--force")
        #expect(outcome.status == 78 && outcome.errors.contains("read-only transaction"), "\(outcome.errors)")
        #expect(try scene.items().count == 3)
        #expect(try scene.run("check", "--ask").status == 78)
        #expect(try scene.items().count == 3)
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"

    @Test(arguments: [true, false]) func whatTakesTooLong(isWarning: Bool) throws {
        let more = #", "timeout": "300ms""# + (isWarning ? #", "severity": "warning""# : "")
        let scene = try Scene(.new, settings: QuestionTests.check(QuestionTests.endless, more))
        let outcome = try Sluice.run(["run", scene.definition, "--format", "json"])
        #expect(outcome.status == (isWarning ? 0 : 65), "\(outcome.errors)")
        let facts = (outcome.report["checks"] as? [String: [String: Any]])?["x"]
        #expect(facts?["found"] is NSNull, "\(outcome.report)")
        if !isWarning {
            #expect(outcome.errors.hasSuffix("the check \"x\" takes longer than 0.3 s (checks.x.timeout)\n"))
        } else {
            let asked = try Sluice.run(["check", scene.definition, "--ask"])
            #expect(asked.status == 0 && asked.output == "x: too slow, at most 0, or a warning\n", "\(asked)")
        }
    }

    @Test(arguments: [true, false]) func aServerTakesTooLong(isWarning: Bool) throws {
        let more = #", "timeout": "300ms""# + (isWarning ? #", "severity": "warning""# : "")
        let scene = try ServerScene(QuestionTests.check(QuestionTests.endless, more))
        let outcome = try scene.run("run", "--format", "json")
        #expect(outcome.status == (isWarning ? 0 : 65), "\(outcome.errors)")
        let facts = (outcome.report["checks"] as? [String: [String: Any]])?["x"]
        #expect(facts?["found"] is NSNull, "\(outcome.report)")
        if isWarning { #expect(try scene.items().count == 3) }
    }

    /// A signal ends a query as it ends all else.
    @Test func whatIsEnded() throws {
        let scene = try Scene(.existing, settings: "")
        _ = try scene.folder.write(
            "items.jsonc", Scene.definition(settings: QuestionTests.check(QuestionTests.endless)))
        let run = try RunningSluice(["run", scene.definition, "--force"])
        Thread.sleep(forTimeInterval: 1)
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
    }

    /// Names of users that are names of ours.
    @Test func aTableThatIsCalledPrevious() throws {
        let folder = TemporaryFolder()
        _ = try folder.write("feed.json", #"{"items": [{"id": 1}, {"id": 2}]}"#)
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "checks": {
                "a": { "sql": "SELECT previous.id FROM previous", "limit": 2 },
                "b": { "sql": "SELECT id FROM previous.previous", "limit": 0, "severity": "warning" }
              },
              "entities": {
                "previous": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        for night in 0..<2 {
            let outcome = try Sluice.run(["run", definition, "--force", "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let checks = outcome.report["checks"] as? [String: [String: Any]] ?? [:]
            #expect(checks.mapValues { $0["found"] as? Int } == ["a": 2, "b": night * 2])
            let earlier = checks["b"]?["earlier"] as? [[String: Int]]
            #expect(earlier == (night == 0 ? [] : [["run": 1, "found": 0]]))
        }
    }

    /// Renamed tables and columns that are new are there before the run as they are called now.
    @Test func whatIsCalledOtherwise() throws {
        let scene = try Scene(.existing)
        let sql =
            "SELECT n.id FROM Thing n JOIN previous.Thing o USING (objectID) WHERE o.size IS NULL AND n.name = o.name"
        let text = Scene.definition(settings: QuestionTests.check(sql, #", "limit": 9, "entity": "Thing""#))
            .replacing("\"Item\": {", with: "\"Thing\": { \"was\": \"Item\",").replacing(
                "\"to\": \"Item\"", with: "\"to\": \"Thing\""
            )
            .replacing("\"price\": \"real\"", with: "\"price\": \"real\", \"size\": \"integer\"")
        _ = try scene.folder.write("items.jsonc", text)
        let outcome = try Sluice.run(["run", scene.definition, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect((outcome.report["checks"] as? [String: [String: Any]])?["x"]?["found"] as? Int == 2)
    }

    @Test func aPlanAsksNone() throws {
        let scene = try Scene(.new, settings: QuestionTests.check("SELECT 1 FROM Item WHERE 1 = 2"))
        let outcome = try Sluice.run(["plan", "--dialect", "duckdb", scene.definition])
        #expect(outcome.status == 78 && outcome.errors.contains("a plan asks no checks"), "\(outcome.errors)")
    }

    /// The page shows the question, the answer and what it was before; identifiers must be there.
    @Test func thePage() throws {
        let scene = try Scene(
            .new, settings: QuestionTests.check("SELECT id FROM Item WHERE id > 2", #", "limit": null"#))
        for _ in 0..<2 { #expect(try scene.run().status == 0) }
        let page = scene.folder.file("page.html")
        #expect(try scene.run(["--report", page]).status == 0)
        let text = try String(contentsOfFile: page, encoding: .utf8)
        for part in [
            "<h2>Checks</h2>", "Rows in 3 runs, the last one last: 1, 1, 1", "SELECT id FROM Item WHERE id &gt; 2",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        _ = try scene.folder.write(
            "items.jsonc",
            Scene.definition(settings: QuestionTests.check("SELECT name FROM Item", #", "entity": "Item""#)))
        let outcome = try Sluice.run(["check", scene.definition])
        #expect(outcome.status == 78, "\(outcome)")
        #expect(outcome.errors.contains("has no column \"id\", which identifies the objects of Item"), "\(outcome)")
    }

    /// Times with fewer digits than a server has are told as they are everywhere, and their records are found.
    @Test(arguments: [0, 3]) func objectsThatTimesIdentify(_ fraction: Int) throws {
        let scene = try ServerScene()
        let time = fraction == 0 ? "2026-01-01T00:00:00Z" : "2026-01-01T00:00:00.250Z"
        _ = try scene.folder.write("feed.json", "[{ \"at\": \"\(time)\" }]")
        _ = try scene.folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" },
              "store": { "postgresql": { "database": "\(scene.cluster.uri)", "schema": "\(scene.schema)" } },
              "checks": { "x": { "entity": "A", "sql": "SELECT 1 AS one, at FROM \\"A\\"", "limit": null } },
              "entities": { "A": { "records": "$[*]", "identifier": "at",
                "attributes": { "at": { "type": "datetime", "fraction": \(fraction) } } } } }
            """)
        let findings = scene.folder.file("findings.ndjson")
        #expect(try scene.run("run", "--quiet", "--findings", findings).status == 0)
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        #expect(found.contains("\"identifier\": \"2026-01-01T00:00:00"), "\(found)")
        #expect(!found.contains("000Z"), "\(found)")
        #expect(found.contains("\"path\": \"$[0]\""), "\(found)")
    }
}
