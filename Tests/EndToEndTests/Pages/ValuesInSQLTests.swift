import Foundation
import Testing

/// What the page of the store says of values in SQL is true.
@Suite struct ValuesInSQLTests {
    private let folder = TemporaryFolder()

    private func store() throws -> Database {
        _ = try folder.write(
            "feed.ndjson",
            """
            {"id": 1, "at": "2026-11-20T23:13:00.25Z", "day": "2026-11-20", "price": 19.90, "paid": true, "note": "b", "raw": {"clerk": "Ä", "a": [1, 2]}, "size": 0.1}
            {"id": 2, "at": "2026-11-20T23:13:00Z", "day": "2026-11-09", "price": 9, "paid": false, "note": "Äpfel", "raw": {"clerk": "B"}, "size": 3}
            {"id": 3, "at": "2026-11-21T00:13:00.1+01:00", "day": "2026-12-01", "price": "10", "paid": true, "note": "a", "raw": [], "size": 0.2}
            {"id": 4, "at": "2026-11-21T09:00:00Z", "day": null, "price": "1e2", "paid": true, "note": "z", "raw": 7, "size": null}
            """)
        _ = try folder.write(
            "sales.jsonc",
            """
            { "source": { "file": "feed.ndjson" }, "store": { "sqlite": "sales.sqlite" }, "entities": { "Sale": {
              "records": "$", "identifier": "id", "attributes": {
                "id": "integer", "at": "datetime", "day": "date", "price": "decimal",
                "total": { "type": "decimal", "scale": 2, "from": "price" },
                "cents": { "type": "decimal", "scale": 2, "as": "integer", "from": "price" },
                "paid": "boolean", "note": "text", "raw": "json", "size": "real" } } } }
            """)
        let outcome = try Sluice.run(["run", folder.file("sales.jsonc"), "--quiet"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try Database(folder.file("sales.sqlite"))
    }

    private func column(_ sql: String, in database: Database) throws -> [String] {
        try database.rows(sql).map { $0[0] }
    }

    @Test func eachTypeComparesSortsAndAddsUp() throws {
        let database = try store()
        func values(_ sql: String) throws -> [String] { try column(sql, in: database) }
        func ids(_ rest: String) throws -> [String] { try values("SELECT id FROM Sale \(rest)") }
        #expect(try values("SELECT price FROM Sale ORDER BY id") == ["19.9", "9", "10", "100"])
        #expect(try values("SELECT total FROM Sale ORDER BY id") == ["19.90", "9.00", "10.00", "100.00"])
        #expect(try values("SELECT cents FROM Sale ORDER BY id") == ["1990", "900", "1000", "10000"])
        #expect(try ids("ORDER BY at") == ["2", "3", "1", "4"])
        #expect(try ids("WHERE at >= '2026-11-20T23' AND at < '2026-11-21' ORDER BY id") == ["1", "2", "3"])
        #expect(try values("SELECT unixepoch(max(at)) - unixepoch(min(at)) FROM Sale") == ["35220"])
        #expect(try ids("WHERE day >= '2026-11-10' ORDER BY day") == ["1", "3"])
        #expect(try values("SELECT julianday(max(day)) - julianday(min(day)) FROM Sale") == ["22.0"])
        #expect(try ids("ORDER BY price") == ["3", "4", "1", "2"])
        #expect(try ids("ORDER BY CAST(price AS REAL)") == ["2", "3", "1", "4"])
        #expect(try ids("ORDER BY cents") == ["2", "3", "1", "4"])
        #expect(try values("SELECT sum(cents) FROM Sale") == ["13890"])
        #expect(try values("SELECT sum(cents) / 100.0 FROM Sale") == ["138.9"])
        #expect(try values("SELECT printf('%.2f', sum(total)) FROM Sale") == ["138.90"])
        #expect(try ids("WHERE paid ORDER BY id") == ["1", "3", "4"])
        #expect(try ids("WHERE NOT paid") == ["2"])
        #expect(try values("SELECT sum(paid) FROM Sale") == ["3"])
        #expect(try ids("ORDER BY note") == ["3", "1", "4", "2"])
        #expect(try ids("WHERE note LIKE 'B'") == ["1"])
        #expect(try ids("WHERE note LIKE 'äpfel'").isEmpty)
        #expect(try values("SELECT sum(size) = 0.3 FROM Sale WHERE id IN (1, 3)") == ["0"])
        #expect(try values("SELECT raw ->> '$.a[0]' FROM Sale WHERE id = 1") == ["1"])
        #expect(try ids("ORDER BY day LIMIT 1") == ["4"])
    }

    @Test func theQueriesOfThePageWork() throws {
        let page = try String(contentsOfFile: Sluice.path("Documentation/store.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## Values in SQL").last)
        let block = try #require(section.components(separatedBy: "```sql\n").dropFirst().first)
        let queries = block.components(separatedBy: "\n```")[0].components(separatedBy: "\n\n")
        let database = try store()
        let found = try queries.map { try database.rows($0).map { $0[0] } }
        #expect(found == [["2026-11-20", "2026-11-21"], ["4", "1", "3", "2"], ["1", "2", "3"], ["4"], ["B"]])
    }
}
