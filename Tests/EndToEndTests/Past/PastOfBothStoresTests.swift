import Foundation
import TestSupport
import Testing

/// What a store in a file and one on a server keep of their past alike, as the commands read it and make it again.
@Suite struct PastOfBothStoresTests {
    /// Whenever runs are killed, what is past stays what it was, and each night that ended is made again.
    @Test(arguments: ["run", "batch"], PastScene.Store.allCases)
    func killedRunsLeaveThePastAsItWas(commit: String, store: PastScene.Store) throws {
        let scene = try PastScene(store, #""history": true, "commit": "\#(commit)","#)
        var nights: [Int: [String]] = [:]
        var random = SeededRandom(commit.utf8.count)
        for night in 0..<8 {
            let items = (0..<2000).map { #"{"id": \#($0), "name": "\#(($0 * 7 + night * ($0 % 3)) % 11)"}"# }
            _ = try scene.folder.write("feed.json", #"{"items": [\#(items.joined(separator: ", "))]}"#)
            let process = Process()
            process.executableURL = Sluice.executable
            process.arguments = ["run", scene.definition, "--batch-size", "50", "--quiet"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            Thread.sleep(forTimeInterval: Double(random.below(store == .file ? 300 : 400)) / 1000)
            kill(process.processIdentifier, SIGKILL)
            process.waitForEnd()
            if night % 2 == 1 {
                // A run that fails before it saves anything has made nothing of what the killed one has saved.
                let feed = scene.folder.file("feed.json")
                try FileManager.default.moveItem(atPath: feed, toPath: feed + ".later")
                #expect(try Sluice.run(["run", scene.definition, "--quiet", "--wait", "60s"]).status == 66)
                try FileManager.default.moveItem(atPath: feed + ".later", toPath: feed)
                nights[try scene.lastRun() - 1] = try scene.objects()
            }
            let outcome = try Sluice.run(["run", scene.definition, "--force", "--quiet", "--wait", "60s"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            nights[try scene.lastRun()] = try scene.objects()
        }
        #expect(nights.count >= 8)
        for (run, objects) in nights {
            let outcome = try scene.at(run)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try scene.objects(at: run) == objects, "run \(run)")
        }
    }

    @Test(arguments: ["", #""commit": "batch","#, #""fingerprints": false,"#], PastScene.Store.allCases)
    func anObjectHasItsVersions(settings: String, store: PastScene.Store) throws {
        let scene = try PastScene(store, #""history": true,"# + settings)
        _ = try scene.runNights()
        let first = try ItemNights.history(scene.definition, "1")
        #expect(ItemNights.runs(first) == [[4, nil], [3, 4], [2, 3], [1, 2]])
        #expect(first.map { ($0["values"] as? [String: Any])?["name"] as? String } == ["a", "A", "A", "a"])
        #expect(first.map { $0["changed"] as? [String] } == [["name", "price"], ["price"], ["name"], nil])
        #expect((first[0]["at"] as? [String: Any])?["line"] as? Int == 1)
        #expect(((first[0]["at"] as? [String: Any])?["sha256"] as? String)?.count == 64)
        // What goes and comes back has one history.
        let third = try ItemNights.history(scene.definition, "3")
        #expect(ItemNights.runs(third) == [[3, 4], [1, 2]])
        // The target is gone by now, and still known.
        #expect((third[0]["values"] as? [String: Any])?["parent"] as? Int == 4)
        #expect(try ItemNights.history(scene.definition, "5").count == 1)
        #expect(try Sluice.run(["history", scene.definition, "Item", "nothing"]).status == 66)
        let view = "SELECT id, name, from_run, to_run FROM @\"Item_history\" WHERE id = 3 ORDER BY 3"
        #expect(try scene.rows(view) == ["3\tc\t1\t2", "3\tagain\t3\t4"])
    }

    @Test(arguments: PastScene.Store.allCases) func twoRunsDiffer(store: PastScene.Store) throws {
        let scene = try PastScene(store)
        _ = try scene.runNights()
        let events = { (from: String, to: String) in
            try ItemNights.json(["diff", scene.definition, from, to, "--format", "ndjson"]).map {
                "\($0["identifier"] ?? "") \($0["event"] ?? "")"
            }
        }
        #expect(try events("1", "2") == ["1 changed", "2 changed", "3 deleted", "4 created"])
        #expect(try events("2", "1") == ["1 changed", "2 changed", "3 created", "4 deleted"])
        #expect(try events("0", "1") == ["1 created", "2 created", "3 created"])
        // What was changed and changed back, or came and went, differs in nothing.
        #expect(try events("1", "4") == ["2 deleted", "3 deleted", "5 created"])
        #expect(try events("3", "3") == [])
        let outcome = try Sluice.run(["diff", scene.definition, "1", "2", "Item"])
        #expect(outcome.output.hasPrefix("Item 1 changed\n  name: \"a\" → \"A\"\nItem 2 changed\n  parent: 1 → null\n"))
        let since = try Sluice.run(["diff", scene.definition, "--since", "yesterday"])
        #expect(since.output == "Item 1 created\nItem 5 created\n")
        #expect(try Sluice.run(["diff", scene.definition, "2020-01-01", "2"]).output.contains("Item 4 created"))
    }

    @Test(arguments: PastScene.Store.allCases)
    func aScriptBringsACopyFromOneRunToAnother(store: PastScene.Store) throws {
        let scene = try PastScene(store)
        let nights = try scene.runNights()
        #expect(try scene.at(1).status == 0)
        for (from, to) in [(1, 2), (2, 4), (4, 3), (3, 1)] {
            let outcome = try Sluice.run(["diff", scene.definition, "\(from)", "\(to)", "--format", "sql"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            try scene.execute(outcome.output, at: 1)
            #expect(try scene.objects(at: 1) == nights[to - 1])
        }
        // Before the first run there was no table.
        #expect(try Sluice.run(["diff", scene.definition, "0", "2", "--format", "sql"]).status == 78)
    }

    @Test(arguments: PastScene.Store.allCases) func aReplayIsARunAsOthers(store: PastScene.Store) throws {
        let scene = try PastScene(store, #""history": true, "archive": { "directory": "archive" },"#)
        _ = try scene.runNights()
        let versions = { try ItemNights.runs(ItemNights.history(scene.definition, "1")) }
        #expect(try Sluice.run(["run", scene.definition, "--dry-run", "--force"]).status == 0)
        #expect(try Sluice.run(["replay", scene.definition, "--run", "3", "--dry-run"]).status == 0)
        #expect(try versions().count == 4)
        #expect(try Sluice.run(["replay", scene.definition, "--run", "2"]).status == 0)
        #expect(try versions().prefix(2) == [[5, nil], [4, 5]])
        #expect(try Sluice.run(["replay", scene.definition, "--run", "3", "--dry-run"]).status == 0)
        #expect(try versions().count == 5)
    }

    /// … as a store in a file that reads the archive.
    @Test(arguments: PastScene.Store.allCases) func archivesGiveTheSameHistory(store: PastScene.Store) throws {
        let scene = try PastScene(store, #""history": true, "archive": { "directory": "archive" },"#)
        _ = try scene.runNights()
        try ItemNights.checkReplays(scene.folder, scene.definition)
    }

    @Test(arguments: PastScene.Store.allCases) func whatIsForgottenIsGone(store: PastScene.Store) throws {
        let scene = try PastScene(store)
        let names = ["Annegret Kaminski", "Annegret Meier", "Annegret Schulze"]
        for name in names {
            try scene.run(
                #"{"items": [{"id": 1, "name": "\#(name)"}, {"id": 2, "name": "of \#(name.count)"}]}"#)
        }
        let others = try ItemNights.history(scene.definition, "2")
        let outcome = try Sluice.run(["forget", scene.definition, "Item", "1"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "2 past versions are forgotten.\n")
        for file in scene.folder.names where file.hasPrefix("store.sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.folder.file(file)))
            for name in names.dropLast() { #expect(bytes.range(of: Data(name.utf8)) == nil, "\(file) has \(name)") }
        }
        let shown = try Sluice.run(["history", scene.definition, "Item", "1"]).output
        #expect(shown.contains("forgotten before") && !shown.contains("created"))
        #expect(try Sluice.run(["history", scene.definition, "Item", "2"]).output.contains("created"))
        // What it is stays, and since when.
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1")) == [[3, nil]])
        #expect(try ItemNights.history(scene.definition, "1")[0]["at"] is [String: Any])
        #expect(try ItemNights.history(scene.definition, "2").count == others.count)
        for (run, identifiers) in [(1, ["2"]), (3, ["1", "2"])] {
            #expect(try scene.at(run).status == 0)
            #expect(try scene.rows("SELECT id FROM @\"Item\" ORDER BY id", at: run) == identifiers)
        }
        // The ledger says so, and not of whom.
        #expect(try scene.rows("SELECT status FROM @sluice_run WHERE run = 4") == ["forgot"])
        #expect(try Sluice.run(["runs", scene.definition]).output.contains("forgot"))
        #expect(try Sluice.run(["runs", scene.definition, "--run", "4"]).errors.contains("has forgotten a part"))
        #expect(try Sluice.run(["forget", scene.definition, "Item", "1"]).output == "There is no past to forget.\n")
        // The next night goes on.
        try scene.run(#"{"items": [{"id": 1, "name": "Annegret"}]}"#)
        #expect(ItemNights.runs(try ItemNights.history(scene.definition, "1")) == [[5, nil], [3, 5]])
    }
}
