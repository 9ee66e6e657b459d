import Foundation
import Testing

/// A store that keeps its past, as the command makes it again.
@Suite struct HistoryTests {
    private static let nights = [
        #"{"items": [{"id": 1, "name": "a", "price": 1.5}, {"id": 2, "name": "b", "parent": 1}, {"id": 3, "name": "c"}]}"#,
        #"{"items": [{"id": 1, "name": "A", "price": 1.5}, {"id": 2, "name": "b", "parent": 3}, {"id": 4, "name": "d"}]}"#,
        #"{"items": [{"id": 1, "name": "A", "price": 2}, {"id": 3, "name": "again", "parent": 4}, {"id": 4, "name": "d"}]}"#,
        #"{"items": [{"id": 5, "name": "e", "parent": 5}, {"id": 1, "name": "a", "price": 1.5}]}"#,
    ]

    /// Runs all nights, each on what the one before has left; by run: the objects that there were.
    private func run(_ scene: Scene, _ settings: String) throws -> [[[String]]] {
        try HistoryTests.nights.map { feed in
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
            #expect(try database.integer("SELECT max(run) FROM sluice_run") == night + 1)
            let left = "SELECT name FROM sqlite_schema WHERE name LIKE 'sluice_history%' OR type = 'trigger'"
            #expect(try database.rows(left).isEmpty)
        }
        #expect(try Database(scene.store).snapshot() == before)
        // It is a store as others are: the next run goes on with it.
        let next = try scene.run(["--store", scene.folder.file("past-2.sqlite")])
        #expect(next.status == 0)
        #expect(try objects(scene.folder.file("past-2.sqlite")).map { $0[1] }.sorted() == ["1", "5"])
    }

    @Test func whatIsTooOldIsForgotten() throws {
        let scene = try Scene(.new)
        let nights = try run(scene, #""history": { "keep": 2 },"#)
        let outcome = try at(1, scene)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("has forgotten what it was before run 2"))
        #expect(!scene.folder.names.contains("past-1.sqlite"))
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
        let outcome = try at(7, scene)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("keeps no history"))
    }

    @Test func itBeginsWithTheRunThatFindsTheKey() throws {
        let scene = try Scene(.new)
        _ = try run(scene, "")
        let nights = try run(scene, #""history": true,"#)
        let outcome = try at(4, scene)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("the history of Item in the store"))
        #expect(outcome.errors.contains("begins with run 5"))
        for run in 5...8 {
            #expect(try at(run, scene).status == 0)
            #expect(try objects(scene.folder.file("past-\(run).sqlite")) == nights[run - 5])
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
}
