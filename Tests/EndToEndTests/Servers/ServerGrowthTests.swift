import Foundation
import TestSupport
import Testing

/// A store on a server follows its definition.
@Suite struct ServerGrowthTests {
    /// Changes the definition of a scene.
    private func change(_ scene: ServerScene, _ changes: [(String, String)]) throws {
        var text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        for (old, new) in changes {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        _ = try scene.folder.write("items.jsonc", text)
    }

    private static let renamed = [
        ("\"Item\": {", "\"Thing\": { \"was\": \"Item\","),
        ("\"name\": \"text\"", "\"title\": { \"type\": \"text\", \"from\": \"name\", \"was\": \"name\" }"),
        (
            "\"parent\": { \"to\": \"Item\" }",
            "\"up\": { \"to\": \"Thing\", \"from\": \"parent\", \"was\": \"parent\" }"
        ),
    ]

    private func things(_ scene: ServerScene) throws -> String {
        try scene.sql("SELECT id, title, up FROM @.\"Thing\" ORDER BY id")
    }

    private let before = "1\tone\t\n2\ttwo\t1\n3\t\t"

    @Test func aStoreIsRenamedAlong() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.sql("CREATE VIEW @.mine AS SELECT name FROM @.\"Item\"")
        try change(scene, Self.renamed)
        let check = try scene.run("check")
        #expect(check.status == 0, "\(check.errors)")
        for line in ["the table Item is renamed to Thing", "the column Thing.parent is renamed to up"] {
            #expect(check.output.contains(line), "\(check.output)")
        }
        let dry = try scene.run("run", "--force", "--dry-run", "--format", "json")
        #expect(try scene.items().count == 3)
        let run = try scene.run("run", "--force", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        for outcome in [dry, run] { #expect(outcome.count("Thing", "unchanged") == 3) }
        #expect(try things(scene) == before)
        #expect(try scene.sql("SELECT entity, relationship FROM @.sluice_unresolved") == "Thing\tup")
        #expect(try scene.sql("SELECT entity FROM @.sluice_model") == "Thing")
        #expect(try scene.sql("SELECT count(*) FROM @.mine") == "3")
        // What waited is linked by its new name.
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 9}]}")
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(
            try scene.sql("SELECT p.id FROM @.\"Thing\" t JOIN @.\"Thing\" p ON p.\"objectID\" = t.up WHERE t.id = 3")
                == "9")
    }

    /// Names are changed in a moment of their own: a run that fails after it has its data undone, and the next goes on.
    @Test func aRunThatFailsLeavesTheNewNames() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        try change(scene, Self.renamed)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\":")
        let failed = try scene.run("run")
        let words = "failed; no object was changed; tables keep their new shape (run 2"
        #expect(failed.status == 65 && failed.output.contains(words), "\(failed.output)")
        // So says the ledger; what fails later has nothing more to reshape.
        #expect(try scene.run("runs", "--run", "2").output.contains(words))
        #expect(try scene.run("run").output.contains("failed; nothing was changed (run 3"))
        #expect(try things(scene) == before)
        #expect(try scene.sql("SELECT entity, run FROM @.sluice_model") == "Thing\t2")
        _ = try scene.folder.write("feed.json", ServerScene.feed)
        let check = try scene.run("check")
        #expect(check.status == 0 && !check.output.contains("renamed"), "\(check.output)")
        let run = try scene.run("run", "--format", "json")
        #expect(run.status == 0 && run.count("Thing", "unchanged") == 3, "\(run.errors)")
    }

    /// Views that are there already, and stay, are no new shape.
    @Test func aFailedRunWithViewsHasReshapedNothing() throws {
        let scene = try ServerScene(#""views": true,"#)
        #expect(try scene.run("run", "--quiet").status == 0)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\":")
        let failed = try scene.run("run", "--format", "json")
        #expect(failed.status == 65 && failed.report["reshaped"] == nil, "\(failed.output)")
        #expect(try scene.run("runs", "--run", "2").output.contains("failed; nothing was changed (run 2"))
        // A view that somebody has dropped is made again.
        _ = try scene.sql("DROP VIEW @.\"Item_view\"")
        #expect(try scene.run("run", "--format", "json").report["reshaped"] as? Bool == true)
    }

    /// A definition that is taken back after a run has failed is not one of something new, which would be empty.
    @Test func aDefinitionIsTakenBack() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let earlier = try String(contentsOfFile: scene.definition, encoding: .utf8)
        try change(scene, Self.renamed)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\":")
        #expect(try scene.run("run", "--quiet").status == 65)
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"one\"}]}")
        _ = try scene.folder.write("items.jsonc", earlier)
        for command in ["check", "run"] {
            let refused = try scene.run(command)
            #expect(refused.status == 78)
            #expect(refused.errors.contains("the entity Item is called Thing"), "\(refused.errors)")
            #expect(
                refused.errors.contains("has renamed it: call it so here, too, or, to have the earlier name back, say"))
            #expect(refused.errors.contains("\"was\": \"Thing\""))
        }
        try change(scene, [("\"Item\": {", "\"Item\": { \"was\": \"Thing\",")])
        let parts = try scene.run("check")
        #expect(parts.errors.contains("Item.name is called title"), "\(parts.errors)")
        #expect(parts.errors.contains("Item.parent is called up"))
        try change(
            scene,
            [
                ("\"name\": \"text\"", "\"name\": { \"type\": \"text\", \"was\": \"title\" }"),
                ("\"parent\": { ", "\"parent\": { \"was\": \"up\", "),
            ])
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.sql("SELECT id, name, parent FROM @.\"Item\" ORDER BY id") == before)
        #expect(try scene.sql("SELECT description FROM @.sluice_model WHERE description LIKE '%was%'").isEmpty)
        // What a run that succeeded has renamed is something new by its earlier name.
        _ = try scene.folder.write("items.jsonc", earlier.replacing("\"name\": \"text\"", with: "\"title\": \"text\""))
        #expect(try scene.run("run", "--quiet").status == 0)
    }

    /// Other letters are another name to a server, and the same to a definition.
    @Test func lettersFollow() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        try change(
            scene,
            [
                ("\"Item\"", "\"ITEM\""),
                ("\"name\": \"text\"", "\"Name\": { \"type\": \"text\", \"from\": \"name\" }"),
            ])
        let run = try scene.run("run", "--force", "--format", "json")
        #expect(run.status == 0 && run.count("ITEM", "unchanged") == 3, "\(run.errors)")
        #expect(try scene.sql("SELECT \"Name\" FROM @.\"ITEM\" WHERE id = 2") == "two")
        #expect(
            try scene.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(scene.schema)' AND tablename = 'Item'")
                == "0")
    }
}
