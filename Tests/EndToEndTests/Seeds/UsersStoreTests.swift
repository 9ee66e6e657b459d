import Foundation
import Testing

/// A store of users beside a seed, as the page about seeds shows it.
@Suite struct UsersStoreTests {
    private let folder = TemporaryFolder()
    private let page: String

    init() throws {
        page = try String(contentsOfFile: Sluice.path("Documentation/seeds.md"), encoding: .utf8)
        _ = try folder.write(
            "transit.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "transit-store.sqlite" }, "entities": { "Stop": {
              "records": "$[*]", "identifier": "id", "attributes": { "id": "text", "name": "text" } } } }
            """.replacing("\"id\"", with: "\"stop_id\""))
    }

    private func block(_ beginning: String) throws -> String {
        let blocks = page.components(separatedBy: "\n```").map { String($0.drop { $0 != "\n" }.dropFirst()) }
        return try #require(blocks.first { $0.hasPrefix(beginning) }, "\(beginning)")
            .replacing("/var/lib/app", with: folder.path)
    }

    private func sluice(_ arguments: String...) throws {
        let outcome = try Sluice.run(arguments)
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// The seed is replaced three times, each time by one from a store that was built anew in another order: all
    /// objectIDs change, and no reference does. What a version lacks is found, and is there again when it returns.
    @Test func threeReplacements() throws {
        let users = try folder.write("users.jsonc", try block("// users.jsonc"))
        try sluice("run", users, "-q")
        let database = try Database(folder.file("users.sqlite"))
        _ = try database.rows("INSERT INTO Favourite (stop, note) VALUES ('b', 'bakery'), ('d', 'dentist')")
        let queries = try block("ATTACH").components(separatedBy: ";\n").map { $0.replacing(";", with: "") }
        // The test's connection takes paths only.
        let attach = queries[0].replacing("file:", with: "").replacing("?immutable=1", with: "")
        let versions = [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["x", "b", "y"], ["y", "d", "a", "b"]]
        var seen: Set<[[String]]> = []
        for (index, stops) in versions.enumerated() {
            let records = stops.map { #"{"stop_id":"\#($0)","name":"stop \#($0)"}"# }.joined(separator: ",")
            _ = try folder.write("feed.json", "[\(records)]")
            try? FileManager.default.removeItem(atPath: folder.file("transit-store.sqlite"))
            try sluice("run", folder.file("transit.jsonc"), "-q")
            try sluice("seed", "build", "-q", folder.file("transit.jsonc"), "--output", folder.file("seeds"))
            try sluice(
                "seed", "install", "-q", folder.file("seeds/transit.seed.json"), "--store",
                folder.file("transit.sqlite"))
            try sluice("run", users, "-q")
            _ = try database.rows(attach)
            #expect(try database.integer("SELECT version FROM seed.sluice_seed") == index + 1)
            seen.insert(
                try database.rows("SELECT stop_id, objectID FROM seed.Stop WHERE stop_id IN ('b', 'd') ORDER BY 1"))
            let found = try database.rows(queries[1]).sorted { $0[0] < $1[0] }
            let hasBoth = stops.contains("d")
            #expect(found == [["bakery", "stop b"]] + (hasBoth ? [["dentist", "stop d"]] : []))
            #expect(try database.rows(queries[2]) == (hasBoth ? [] : [["d"]]))
            _ = try database.rows("DETACH seed")
        }
        #expect(seen.count == versions.count)
    }
}
