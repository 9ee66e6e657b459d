import Foundation
import TestSupport
import Testing

/// With `new`, a run reads the files that no successful run has read.
@Suite struct NewFilesTests {
    private static func item(_ id: Int, _ name: String = "x") -> String {
        #"{"items": [{"id": \#(id), "name": "\#(name)"}]}"#
    }

    private func scene(_ more: String = "", settings: String = "", entity: String = "") throws -> WebScene {
        let scene = try WebScene(
            #""file": "inbox/*.json", "new": true\#(more)"#, settings: settings, entity: entity)
        try FileManager.default.createDirectory(
            atPath: scene.folder.file("inbox"), withIntermediateDirectories: true)
        return scene
    }

    private func drop(_ name: String, _ text: String, _ scene: WebScene) throws {
        _ = try scene.folder.write("inbox/\(name)", text)
    }

    private func created(_ outcome: Sluice.Outcome) -> Int? { outcome.count("Item", "created") }

    @Test func aFolderThatFilesAreDroppedInto() throws {
        let scene = try scene()
        // The first run creates the store, though nothing has come yet.
        let nothing = try scene.run()
        #expect(nothing.status == 0 && nothing.report["status"] as? String == "succeeded", "\(nothing.errors)")
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["0"]])
        #expect(
            try Sluice.run(["run", scene.definition]).output.contains(
                ": unchanged; the store has this feed since run 1"))
        for id in 0..<3 { try drop("\(id).json", NewFilesTests.item(id), scene) }
        #expect(try created(scene.run()) == 3)
        #expect(try scene.run().report["status"] as? String == "unchanged")
        #expect(try scene.run("--force").report["status"] as? String == "unchanged")
        try drop("3.json", NewFilesTests.item(3), scene)
        // A new version of a file, and one that has only been written again.
        try drop("1.json", NewFilesTests.item(1, "another"), scene)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: scene.folder.file("inbox/2.json")
        )
        let night = try scene.run()
        #expect(created(night) == 1 && night.count("Item", "updated") == 1 && night.count("Item", "unchanged") == 1)
        // A file that is gone is forgotten.
        try FileManager.default.removeItem(atPath: scene.folder.file("inbox/0.json"))
        try drop("4.json", NewFilesTests.item(4), scene)
        #expect(try created(scene.run()) == 1)
        try drop("0.json", NewFilesTests.item(0), scene)
        #expect(try scene.run().count("Item", "records") == 1)
        // The folder is somewhere else, with the definition.
        try FileManager.default.removeItem(atPath: scene.folder.file("inbox"))
        #expect(try scene.run().status == 66)
    }

    /// The target that a record lacks may come in a later file; the record itself does not come again.
    @Test func aFileWithRejectsThatLackTheirTargetsStaysNew() throws {
        let scene = try scene(settings: #""limits": { "rejects": 5 },"#)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let lacking = text.replacing(#""to": "Item""#, with: #""to": "Item", "missing": "reject""#)
        _ = try scene.folder.write("items.jsonc", lacking)
        try drop("0.json", NewFilesTests.item(0), scene)
        #expect(try created(scene.run()) == 1)
        try drop("1.json", NewFilesTests.item(1), scene)
        try drop("2.json", #"{"items": [{"id": 2, "parent": 9}, {"id": 3, "parent": 1}]}"#, scene)
        let first = try scene.run()
        #expect(created(first) == 2 && first.count("Item", "rejected") == 1, "\(first.errors)")
        let second = try scene.run()
        #expect(second.count("Item", "records") == 2 && second.count("Item", "rejected") == 1, "\(second.errors)")
        try drop("3.json", NewFilesTests.item(9), scene)
        let third = try scene.run()
        #expect(created(third) == 2 && third.count("Item", "records") == 3, "\(third.errors)")
        #expect(try scene.run().report["status"] as? String == "unchanged")
        let ids = try Database(scene.store).rows("SELECT id FROM Item ORDER BY id").map { $0[0] }
        #expect(ids == ["0", "1", "2", "3", "9"])
    }

    /// Mended rejects are loaded in place of all sources: which files were read is as it was, also of those that are
    /// gone.
    @Test(arguments: [true, false]) func replaysOfRejectsLeaveTheFilesRead(isMended: Bool) throws {
        let scene = try scene(settings: #""limits": { "rejects": 1 },"#)
        try drop("1.json", #"{"items": [{"id": 1, "name": "old"}, {"id": "x", "name": "y"}]}"#, scene)
        let findings = scene.folder.file("findings.ndjson")
        #expect(try scene.run("--findings", findings).count("Item", "rejected") == 1)
        try drop("2.json", NewFilesTests.item(1, "new"), scene)
        #expect(try scene.run().count("Item", "updated") == 1)
        try FileManager.default.removeItem(atPath: scene.folder.file("inbox/2.json"))
        let text = try String(contentsOfFile: findings, encoding: .utf8)
        let mended = try scene.folder.write(
            "mended.ndjson", isMended ? text.replacing(/"id": ?"x"/, with: #""id": 2"#) : text)
        let replay = try Sluice.run(["replay", scene.definition, "--rejects", mended])
        #expect(replay.status == 0, "\(replay.errors)")
        try drop("3.json", NewFilesTests.item(3), scene)
        #expect(try scene.run().count("Item", "records") == 1)
        let names = try Database(scene.store).rows("SELECT name FROM Item ORDER BY id")
        #expect(names == (isMended ? [["new"], ["y"], ["x"]] : [["new"], ["x"]]))
    }

    /// A source that may do without files must not do without those that cannot be read.
    @Test(arguments: ["link", "name"]) func whatCannotBeRead(_ fault: String) throws {
        let scene = try scene()
        try drop("1.json", NewFilesTests.item(1), scene)
        let inbox = scene.folder.file("inbox")
        let command =
            fault == "link" ? "ln -s gone '\(inbox)/2.json'" : "cp '\(inbox)/1.json' '\(inbox)/'$'Z\\xfcrich.json'"
        _ = try Shell.output(["bash", "-c", command])
        let outcome = try scene.run()
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(!scene.folder.names.contains("store.sqlite"))
    }

    @Test func whatIsMovedWithItsDefinition() throws {
        let scene = try scene()
        try drop("1.json", NewFilesTests.item(1), scene)
        #expect(try scene.run().status == 0)
        let other = TemporaryFolder()
        try FileManager.default.removeItem(atPath: other.path)
        try FileManager.default.copyItem(atPath: scene.folder.path, toPath: other.path)
        // A copy has other times.
        let date = try FileManager.default.attributesOfItem(atPath: scene.folder.file("inbox/1.json"))[
            .modificationDate]
        _ = try Shell.output(["touch", "-r", scene.folder.file("inbox/1.json"), other.file("inbox/1.json")])
        #expect(date != nil)
        let moved = try Sluice.run(["run", other.file("items.jsonc"), "--format", "json"])
        #expect(moved.report["status"] as? String == "unchanged", "\(moved.errors)")
    }

    /// What fails has read nothing, whatever of it is in the store.
    @Test(arguments: ["run", "batch"])
    func aRunThatFails(commit: String) throws {
        let scene = try scene()
        try drop("1.json", NewFilesTests.item(1), scene)
        #expect(try scene.run("--commit", commit).status == 0)
        try drop("2.json", NewFilesTests.item(2), scene)
        try drop("3.json", "{nonsense", scene)
        for _ in 0..<2 { #expect(try scene.run("--commit", commit, "--batch-size", "1").status == 65) }
        try drop("3.json", NewFilesTests.item(3), scene)
        let dry = try scene.run("--dry-run", "--commit", commit)
        let outcome = try scene.run("--commit", commit)
        #expect(outcome.count("Item", "records") == 2 && dry.count("Item", "records") == 2, "\(outcome.errors)")
        #expect(try scene.run("--commit", commit).report["status"] as? String == "unchanged")
        // Over a limit is a failure, too.
        try drop("4.json", #"{"items": [{"id": "x"}, {"id": 4}]}"#, scene)
        #expect(try scene.run("--commit", commit).status == 65)
        #expect(try scene.run("--commit", commit, "--allow", "rejects=1").count("Item", "records") == 2)
    }

    @Test func whatSaysNothingOfTheFolder() throws {
        let scene = try scene(settings: #""archive": { "directory": "archive" },"#)
        try drop("1.json", NewFilesTests.item(1), scene)
        #expect(try scene.run().status == 0)
        try drop("2.json", NewFilesTests.item(2), scene)
        let fetched = try Sluice.run(["fetch", scene.definition])
        #expect(fetched.output.split(separator: "\n").count == 1, "\(fetched.output)")
        let feed = try scene.folder.write("other.json", NewFilesTests.item(7))
        #expect(try created(scene.run("--feed", feed)) == 1)
        #expect(try Sluice.run(["replay", scene.definition, "--run", "1"]).status == 0)
        let outcome = try scene.run()
        #expect(outcome.count("Item", "records") == 1 && created(outcome) == 1)
    }

    /// A night is not the whole feed; a run in full is.
    @Test func whatIsAbsent() throws {
        let scene = try scene(entity: #", "absent": "delete""#)
        for id in 0..<20 { try drop("\(id).json", NewFilesTests.item(id), scene) }
        #expect(try scene.run().status == 0)
        try drop("20.json", NewFilesTests.item(20), scene)
        let night = try scene.run()
        #expect(created(night) == 1 && night.count("Item", "deleted") == 0)
        // Nothing that counts: there need be no record.
        try drop("21.json", #"{"items": []}"#, scene)
        let empty = try scene.run()
        #expect(empty.status == 0, "\(empty.errors)")
        try FileManager.default.removeItem(atPath: scene.folder.file("inbox/3.json"))
        let full = try scene.run("--full")
        #expect(full.count("Item", "records") == 20 && full.count("Item", "deleted") == 1, "\(full.errors)")
        #expect(try scene.run().report["status"] as? String == "unchanged")
        // No file holds any of them: that is for limits to judge.
        for id in 0...21 { try? FileManager.default.removeItem(atPath: scene.folder.file("inbox/\(id).json")) }
        #expect(try scene.run().report["status"] as? String == "unchanged")
        #expect(try scene.run("--full").status == 65)
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["20"]])
    }

    /// One source has something new, and another not; names of ours, and of nobody's.
    @Test func severalSources() throws {
        let scene = try scene()
        let text = """
            { "sources": { "a \\"b": { "file": "inbox/*.json", "new": true }, "c": { "file": "other/*.json", "new": true } },
              "store": { "sqlite": "store.sqlite" },
              "entities": { "Item": {
                "source": ["a \\"b", "c"], "records": "$.items[*]", "identifier": "id",
                "attributes": { "id": "integer" } } } }
            """
        _ = try scene.folder.write("items.jsonc", text)
        try drop("ü \"'\\.json", NewFilesTests.item(1), scene)
        _ = try scene.folder.write("other/1.json", NewFilesTests.item(2))
        #expect(try created(scene.run()) == 2)
        _ = try scene.folder.write("other/2.json", NewFilesTests.item(3))
        let night = try scene.run()
        #expect(created(night) == 1 && night.count("Item", "records") == 1, "\(night.errors)")
        // Of the other source there need be nothing.
        #expect((night.report["findings"] as? [String: Int])?["unmatched"] == 0, "\(night.report)")
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    /// A bucket with a thousand objects, of which three are new, is a night that reads three.
    @Test func aBucketOfAThousand() throws {
        let service = try ObjectService()
        let scene = try WebScene(#""file": "s3://feeds/in/*.json", "new": true"#)
        scene.environment["AWS_ENDPOINT_URL"] = service.url
        scene.environment["AWS_ACCESS_KEY_ID"] = "account:user"
        scene.environment["AWS_SECRET_ACCESS_KEY"] = "secret/+key"
        var objects: [String: String] = [:]
        for id in 0..<1000 { objects["in/\(id).json"] = NewFilesTests.item(id) }
        try service.offer(["buckets": ["feeds": objects]])
        let first = try scene.run()
        #expect(created(first) == 1000, "\(first.errors)")
        #expect(try service.requests.count == 1001)
        objects["in/5.json"] = NewFilesTests.item(5, "another")
        objects["in/new.json"] = NewFilesTests.item(2000)
        objects["in/0/below.json"] = NewFilesTests.item(2001)
        objects["in/newer.json"] = NewFilesTests.item(2002)
        try service.offer(["buckets": ["feeds": objects]])
        let night = try scene.run()
        #expect(night.count("Item", "records") == 3 && created(night) == 2, "\(night.errors)")
        let asked = try service.requests.map(\.key)
        #expect(asked.filter { !$0.isEmpty }.sorted() == ["in/5.json", "in/new.json", "in/newer.json"])
        #expect(asked.count == 5, "the list has two pages: \(asked)")
        #expect(try scene.run().report["status"] as? String == "unchanged")
        try service.offer(["buckets": ["feeds": [:]]])
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    /// What was read is in the store, wherever that is.
    @Test(arguments: ["run", "batch"])
    func aStoreOnAServer(commit: String) throws {
        let scene = try ServerScene()
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let changed = text.replacing(#"{ "file": "feed.json" }"#, with: #"{ "file": "in/*.json", "new": true }"#)
        #expect(changed != text)
        try changed.write(toFile: scene.definition, atomically: false, encoding: .utf8)
        for night in 0..<3 {
            for id in 0..<3 { _ = try scene.folder.write("in/\(night)-\(id).json", NewFilesTests.item(3 * night + id)) }
            let dry = try scene.run("run", "--format", "json", "--dry-run")
            #expect(dry.count("Item", "created") == 3, "\(dry.errors)")
            let outcome = try scene.run("run", "--format", "json", "--commit", commit)
            #expect(outcome.count("Item", "created") == 3, "\(outcome.errors)")
            #expect(outcome.count("Item", "records") == 3)
            #expect(try scene.run("run", "--commit", commit).output.contains("unchanged"))
        }
        _ = try scene.folder.write("in/x.json", "nonsense")
        #expect(try scene.run("run", "--commit", commit).status == 65)
        _ = try scene.folder.write("in/x.json", NewFilesTests.item(100))
        #expect(try scene.run("run", "--format", "json", "--commit", commit).count("Item", "records") == 1)
    }
}
