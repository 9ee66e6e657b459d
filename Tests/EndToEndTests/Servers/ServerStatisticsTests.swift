import Foundation
import TestSupport
import Testing

/// What the server's planner knows of values is renewed where much has changed, and not each night.
@Suite struct ServerStatisticsTests {
    private let scene: ServerScene

    init() throws { scene = try ServerScene() }

    /// A run of a feed with so many items, of which the first have another name than before.
    private func run(_ count: Int, changed: Int, _ text: String = "a", _ more: String...) throws {
        let items = (0..<count).map { item in
            let name = item < changed ? text : "n\(item)"
            return #"{"id": \#(item), "name": "\#(name)"}"#
        }
        _ = try scene.folder.write("feed.json", #"{"items": [\#(items.joined(separator: ", "))]}"#)
        let outcome = try Sluice.run(["run", "--quiet", scene.definition] + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// How often they were renewed by an explicit ANALYZE.
    private func renewals() throws -> String {
        try scene.sql("SELECT analyze_count FROM pg_stat_all_tables WHERE relid = '@.\"Item\"'::regclass")
    }

    @Test func theyAreRenewedWhereMuchHasChanged() throws {
        try run(1000, changed: 0)
        #expect(try renewals() == "1")
        #expect(try scene.sql("SELECT reltuples FROM pg_class WHERE oid = '@.\"Item\"'::regclass") == "1000")
        try run(1000, changed: 0, "a", "--force")
        try run(1000, changed: 20)
        #expect(try renewals() == "1")
        // A tenth and fifty.
        try run(1000, changed: 200, "b")
        #expect(try renewals() == "2")
        try run(1000, changed: 200, "b", "--force")
        #expect(try renewals() == "2")
    }

    /// What each batch has changed is not known any more.
    @Test func batchesAreAlwaysMuch() throws {
        let scene = try ServerScene("\"commit\": \"batch\",")
        for night in 1...2 {
            #expect(try scene.run("run", "--quiet", "--force", "--batch-size", "1").status == 0)
            let count = "SELECT analyze_count FROM pg_stat_all_tables WHERE relid = '@.\"Item\"'::regclass"
            #expect(try scene.sql(count) == "\(night)")
        }
    }

    /// Who has restored a copy, or has emptied the table, has a table of which the planner knows nothing.
    @Test func theyAreMadeWhereThereAreNone() throws {
        try run(100, changed: 0)
        let item = "@.\"Item\""
        _ = try scene.sql("CREATE TABLE @.copy AS TABLE \(item); TRUNCATE \(item) CASCADE")
        _ = try scene.sql("INSERT INTO \(item) TABLE @.copy")
        try run(100, changed: 2)
        #expect(try renewals() == "2")
    }
}
