import Foundation
import TestSupport
import Testing

/// Feeds are saved as they were read, and replayed with the same result.
@Suite struct ArchiveTests {
    private static let settings = #""archive": { "directory": "archive", "keep": 2 },"#

    private func saved(_ scene: Scene) -> [String] {
        let folder = scene.folder.file("archive")
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private func text(_ name: String, _ scene: Scene) throws -> String {
        let bytes = try Shell.output(["zstd", "-dc", scene.folder.file("archive/\(name)")])
        return String(decoding: bytes, as: UTF8.self)
    }

    private func run(_ number: Int, of names: [String]) -> String? { names.first { $0.contains(".run\(number).") } }

    /// The name in the archive says how a run has read its feed, whatever the definition says by now.
    @Test(arguments: [#""file": "export.xyz", "format": "csv""#, #""file": "export.csv""#])
    func aReplayReadsAsTheRunDid(source: String) throws {
        let folder = TemporaryFolder()
        for name in ["export.xyz", "export.csv"] { _ = try folder.write(name, "id,v\n3,c\n") }
        func define(_ source: String) throws -> String {
            try folder.write(
                "p.jsonc",
                """
                { "source": { \(source) }, "store": { "sqlite": "s.sqlite" }, "archive": { "directory": "archive" },
                  "entities": { "A": { "records": "$", "identifier": "id", "attributes": {
                    "id": "integer", "v": "text", "file": { "type": "text", "from": "$file" } } } } }
                """)
        }
        #expect(try Sluice.run(["run", define(source)]).status == 0)
        let definition = try define(#""file": "feed.json""#)
        let other = folder.file("other.sqlite")
        let replayed = try Sluice.run(["replay", definition, "--run", "1", "--store", other])
        #expect(replayed.status == 0, "\(replayed.errors)")
        let objects = try [folder.file("s.sqlite"), other].map { try Database($0).rows("SELECT * FROM A") }
        #expect(objects[0] == objects[1] && objects[0].count == 1, "\(objects)")
    }

    @Test func aFeedIsSavedAsItWasRead() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let names = saved(scene)
        #expect(names.count == 1)
        let name = try #require(names.first)
        #expect(name.wholeMatch(of: /items\.\d{8}T\d{6}Z\.run1\.main\.1\.json\.zst/) != nil)
        #expect(try text(name, scene) == Scene.goodFeed)
        let noted = try Database(scene.store).rows(
            "SELECT json_extract(archive, '$.directory'), json_extract(archive, '$.sources.main[0]') FROM sluice_run")
        #expect(noted == [[scene.folder.file("archive"), name]])
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.folder.file("archive/\(name)"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func theNewestStayAndNothingElseIsDeleted() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let others = [
            "items.20200101T000000Z.run1.main.1.json.zst", "mine.txt", "other.20200101T000000Z.run9.main.1.json.zst",
        ]
        for other in others { _ = try scene.folder.write("archive/\(other)", "mine") }
        for _ in 2...4 { #expect(try scene.run().status == 0) }
        // An unchanged feed is not saved again.
        #expect(try Sluice.run(["run", scene.definition]).output.contains("unchanged"))
        let names = saved(scene)
        for other in others { #expect(names.contains(other)) }
        #expect(names.count == others.count + 2)
        #expect(run(3, of: names) != nil && run(4, of: names) != nil)
        let noted = try Database(scene.store).rows("SELECT run FROM sluice_run WHERE archive IS NOT NULL")
        #expect(noted == [["3"], ["4"]])
    }

    /// With the feed that was loaded last, those that fail since are compared.
    @Test func theLastThatSucceededStays() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        #expect(try scene.run().status == 0)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": "x"}]}"#)
        for _ in 3...6 { #expect(try scene.run().status == 65) }
        func noted() throws -> [[String]] {
            try Database(scene.store).rows("SELECT run FROM sluice_run WHERE archive IS NOT NULL ORDER BY run")
        }
        #expect(try noted() == [["2"], ["5"], ["6"]])
        #expect(saved(scene).count == 3 && run(2, of: saved(scene)) != nil)
        #expect(try Sluice.run(["replay", scene.definition, "--run", "2"]).status == 0)
        // Another one that succeeds takes its place.
        _ = try scene.folder.write("feed.json", Scene.goodFeed)
        #expect(try scene.run().status == 0)
        #expect(try noted() == [["6"], ["8"]])
        #expect(run(2, of: saved(scene)) == nil)
    }

    /// Nobody else knows who has written a saved feed: so its run stays in the ledger until it is deleted.
    @Test func theLedgerRemembersWhatIsSaved() throws {
        let settings = #""archive": { "directory": "archive", "keep": 3 }, "ledger": { "keep": 1 },"#
        let scene = try Scene(.existing, settings: settings)
        for _ in 2...5 { #expect(try scene.run().status == 0) }
        #expect(saved(scene).count == 3)
        let noted = try Database(scene.store).rows("SELECT run, archive IS NOT NULL FROM sluice_run ORDER BY run")
        #expect(noted.filter { $0[1] == "1" }.map { $0[0] } == ["3", "4", "5"])
        #expect(noted.count <= 5)
    }

    /// What the ledger says is not believed where it names a file that is none of this pipeline's.
    @Test func aForgedRowDeletesNothing() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let mine = try scene.folder.write("mine.zst", "mine")
        let forged = #"{"directory": "\#(scene.folder.path)", "sources": {"main": ["mine.zst"]}}"#
        _ = try Database(scene.store).rows("UPDATE sluice_run SET archive = '\(forged)'")
        for _ in 2...5 { #expect(try scene.run().status == 0) }
        #expect(FileManager.default.fileExists(atPath: mine))
    }

    /// The feed of a run that gave up is saved to its end.
    @Test(arguments: StoreState.allCases)
    func theFeedOfAFailedRunIsSavedWhole(state: StoreState) throws {
        let scene = try Scene(state, settings: ArchiveTests.settings)
        let tail = (0..<60_000).map { "{\"id\": \($0)}" }.joined(separator: ",\n")
        let feed = Scene.beginning + "oops,\n" + tail + "]}"
        _ = try scene.folder.write("feed.json", feed)
        #expect(try scene.run().status == 65)
        let name = try #require(
            saved(scene).first { $0.contains(state == .new ? ".unrecorded." : ".run2.") })
        #expect(try text(name, scene) == feed)
        // A replay fails for the same reason, at the same place.
        let first = try scene.run().errors
        let replay = try Sluice.run(["replay", scene.definition, scene.folder.file("archive/\(name)")])
        #expect(replay.status == 65)
        #expect(
            replay.errors.replacingOccurrences(of: scene.folder.file("archive/\(name)"), with: scene.feed) == first)
        #expect(saved(scene).count { $0.contains(".unrecorded.") } == (state == .new ? 1 : 0))
    }

    /// Of a first run that failed before, nothing stays beside the files of this one: both would be replayed as one.
    @Test func ofFirstRunsThatFailedTheLastStaysAlone() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "name": "p", "source": { "file": "in/*.json" }, "archive": { "directory": "saved" },
              "store": { "sqlite": "s.sqlite" },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        for (name, text) in [("1", #"[{"id": 1}]"#), ("2", #"[{"id": 2}]"#), ("3", #"[{"id": "x"}]"#)] {
            _ = try folder.write("in/\(name).json", text)
        }
        #expect(try Sluice.run(["run", definition]).status == 65)
        for name in ["2", "3"] { try FileManager.default.removeItem(atPath: folder.file("in/\(name).json")) }
        _ = try folder.write("in/1.json", #"[{"id": 7}, {"id": "y"}]"#)
        // What only looks alike is nobody's to remove.
        let others = ["p.unrecorded.main.9.json", "q.unrecorded.main.2.json.zst", "p.unrecorded.zst"]
        for name in others { _ = try folder.write("saved/\(name)", "") }
        #expect(try Sluice.run(["run", definition]).status == 65)
        let saved = try FileManager.default.contentsOfDirectory(atPath: folder.file("saved"))
        #expect(saved.sorted() == (others + ["p.unrecorded.main.1.json.zst"]).sorted())
    }

    /// Names of sources that are alike but for what is no letter have files of their own, by whatever run.
    @Test func sourcesOfOneNameHaveTheirOwnFiles() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "name": "p", "sources": { "a.b": { "file": "1.json" }, "a b": { "file": "2.json" } },
              "archive": { "directory": "saved" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "A": { "source": ["a.b", "a b"], "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer" } } } }
            """)
        let saved = { try FileManager.default.contentsOfDirectory(atPath: folder.file("saved")) }
        _ = try folder.write("1.json", #"[{"id": 1}]"#)
        for (text, status) in [(#"[{"id": "x"}]"#, Int32(65)), (#"[{"id": 2}]"#, 0)] {
            _ = try folder.write("2.json", text)
            let before = (try? saved().count) ?? 0
            #expect(try Sluice.run(["run", definition]).status == status)
            let names = try saved()
            #expect(names.count == before + 2, "\(names)")
        }
    }

    /// A feed whose end never came is not kept, however whole it looks.
    @Test(arguments: StoreState.allCases)
    func theFeedOfACancelledRunIsNotSaved(state: StoreState) throws {
        let scene = try Scene(state, settings: ArchiveTests.settings)
        let run = try RunningSluice(
            ["run", scene.definition, "--feed", "-", "--commit", "batch", "--batch-size", "10"], pipesInput: true)
        try run.write(#"{"items":["# + (100..<200).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]}\n")
        let count = { (try? Database(scene.store).integer("SELECT count(*) FROM Item WHERE id >= 100")) ?? 0 }
        #expect(run.waits { count() >= 50 })
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
        #expect(saved(scene).filter { !$0.hasPrefix(".") && ($0.contains(".run2.") || state == .new) }.isEmpty)
    }

    @Test func afterALimitTheFeedIsSaved() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": "x"}, {"id": 5}]}"#)
        #expect(try scene.run().status == 65)
        #expect(run(2, of: saved(scene)) != nil)
        // Mended in the definition: limits count when it is replayed.
        _ = try scene.folder.write(
            "items.jsonc", Scene.definition(settings: ArchiveTests.settings + #""limits": { "rejects": 1 },"#))
        #expect(try Sluice.run(["replay", scene.definition, "--run", "2"]).status == 0)
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item WHERE id = 5") == 1)
        #expect(try Database(scene.store).rows("SELECT replay_of FROM sluice_run") == [["∅"], ["∅"], ["2"]])
    }

    @Test func anArchiveThatCannotBeWrittenFailsTheRun() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let before = try Database(scene.store).snapshot()
        _ = try scene.folder.write("feed.json", Scene.goodFeed.replacingOccurrences(of: "one", with: "eins"))
        try FileManager.default.removeItem(atPath: scene.folder.file("archive"))
        _ = try scene.folder.write("archive", "a file")
        let outcome = try scene.run()
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("the archive"))
        #expect(try Database(scene.store).snapshot() == before)
    }

    @Test func whatARunThatDiedHasLeftIsRemoved() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let left = scene.folder.file("archive/.sluice-work-abcdef")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        _ = try scene.folder.write("archive/.sluice-work-abcdef/0-0.zst", "half")
        let hour = Date().addingTimeInterval(-3600)
        try FileManager.default.setAttributes([.modificationDate: hour], ofItemAtPath: left)
        #expect(try scene.run().status == 0)
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    /// Several sources, several files, compressed and not: a replay of each run on the store of before it gives the
    /// same store, and the same findings. A run that was killed after its feed got its name, and before the ledger knew
    /// of it.
    @Test func aFeedOfWhichNoLedgerKnowsIsRemovedByTheNextRun() throws {
        let scene = try Scene(.existing, settings: #""archive": { "directory": "archive" },"#)
        let archive = scene.folder.file("archive")
        let lost = ["items.20260101T000000Z.run2.main.1.json.zst", "items.20260101T000000Z.run9.main.1.json.zst"]
        func leave(_ number: Int, owner: String) throws {
            let folder = archive + "/.sluice-work-died\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try scene.folder.write("archive/.sluice-work-died\(number)/0-0.zst", "feed")
            try owner.write(toFile: folder + "/owner", atomically: true, encoding: .utf8)
            try FileManager.default.linkItem(atPath: folder + "/0-0.zst", toPath: "\(archive)/\(lost[number])")
        }
        try leave(0, owner: "\(scene.store)\nitems\n")
        try leave(1, owner: "\(scene.store)\nother\n")
        // Of the name and the content, but of somebody else.
        let copy = "items.20260101T000000Z.run3.main.1.json.zst"
        _ = try scene.folder.write("archive/\(copy)", "feed")
        #expect(try scene.run().status == 0)
        let names = saved(scene)
        #expect(!names.contains(lost[0]) && names.contains(lost[1]) && names.contains(copy), "\(names)")
        #expect(names.filter { $0.hasPrefix(".sluice-work") } == [".sluice-work-died1"])
        #expect(run(1, of: names) != nil && run(2, of: names) != nil)
    }

    /// The ledger knows of it: only the second name goes.
    @Test func aRunThatDiesAfterItsCommitKeepsItsFeed() throws {
        let scene = try Scene(.existing, settings: #""archive": { "directory": "archive" },"#)
        let name = try #require(saved(scene).first)
        let folder = scene.folder.file("archive/.sluice-work-died")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: scene.folder.file("archive/\(name)"), toPath: folder + "/0-0.zst")
        try "\(scene.store)\nitems\n".write(toFile: folder + "/owner", atomically: true, encoding: .utf8)
        #expect(try scene.run().status == 0)
        #expect(saved(scene).contains(name) && !saved(scene).contains(".sluice-work-died"))
    }

    @Test func aReplayGivesTheSameStoreAndTheSameFindings() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            {
              "sources": { "a": { "file": "a-*.json" }, "b": { "file": "b.ndjson.gz" } },
              "store": { "sqlite": "s.sqlite" }, "archive": { "directory": "archive" },
              "limits": { "rejects": null, "deletes": null },
              "entities": {
                "A": { "source": "a", "records": "$.list[*]", "identifier": "id", "absent": "delete",
                  "attributes": { "id": "integer", "name": "text" }, "relationships": { "b": { "to": "B" } } },
                "B": { "source": "b", "records": "$", "identifier": "id", "attributes": { "id": "text", "n": "real" } }
              }
            }
            """)
        var random = SeededRandom(7)
        let stores = ["s.sqlite", "replay.sqlite"].map(folder.file)
        for round in 1...4 {
            for file in 1...3 { _ = try folder.write("a-\(file).json", feed(&random)) }
            _ = try folder.write("b.ndjson", (0..<20).map { _ in record(&random) }.joined(separator: "\n"))
            #expect(try Shell.run(["gzip", "-f", folder.file("b.ndjson")]) == 0)
            let first = try Sluice.run(["run", definition, "--findings", "-"])
            #expect(first.status == 0, "\(first.errors)")
            let replay: [String]
            if round % 2 == 0 {
                replay = ["--run", "\(round)"]
            } else {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("archive")).sorted()
                let mine = names.filter { $0.contains(".run\(round).") }.map { name in
                    "\(name.split(separator: ".")[3])=\(folder.file("archive/\(name)"))"
                }
                #expect(mine.count == 4)
                replay = mine
            }
            // The files are gone, and are not read.
            for file in 1...3 { try folder.remove("a-\(file).json") }
            try folder.remove("b.ndjson.gz")
            let again = try Sluice.run(["replay", definition, "--store", stores[1], "--findings", "-"] + replay)
            #expect(again.status == 0, "\(again.errors)")
            let names = [first, again].map { outcome in
                Set(outcome.output.split(separator: "\n").map { round % 2 == 0 ? String($0) : plain(String($0)) })
            }
            #expect(names[0] == names[1])
            #expect(try Database(stores[0]).snapshot() == Database(stores[1]).snapshot())
        }
    }

    /// Files are named as they were; those that are replayed by their name have another one.
    private func plain(_ finding: String) -> String {
        finding.replacing(/"file": "[^"]*?(\d)\.json[^"]*"/) { "\"file\": \($0.1)" }
    }

    private func record(_ random: inout SeededRandom) -> String {
        let number = Int.random(in: 0..<9, using: &random)
        let value = Int.random(in: 0..<8, using: &random) == 0 ? "\"x\"" : "\(Int.random(in: 0..<3, using: &random))"
        return "{\"id\": \"\(number)\", \"n\": \(value)}"
    }

    private func feed(_ random: inout SeededRandom) -> String {
        let records = (0..<10).map { _ in
            let numbers = (0..<3).map { _ in Int.random(in: 0..<12, using: &random) }
            let id = numbers[0] == 0 ? "\"x\"" : "\(numbers[0])"
            return "{\"id\": \(id), \"name\": \"\(numbers[1] % 3)\", \"b\": \"\(numbers[2])\"}"
        }
        return "{\"list\": [\n\(records.joined(separator: ",\n"))]}"
    }

    /// A store that knows the run says where its feed is: no other store's run of that number is loaded in its place.
    /// In a copy from before it, a replay has a number of its own, which is no feed.
    @Test func aReplayIntoAnotherStoreTakesThatStoresRun() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        let other = scene.folder.file("other.sqlite")
        func replay(_ run: Int) throws -> Sluice.Outcome {
            try Sluice.run(["replay", scene.definition, "--run", "\(run)", "--store", other])
        }
        // A store that is not there yet knows no run.
        #expect(try replay(1).status == 0)
        #expect(try replay(1).status == 0)
        #expect(try Database(other).rows("SELECT run, replay_of FROM sluice_run") == [["1", "1"], ["2", "1"]])
        _ = try scene.folder.write("other.json", #"{"items": [{"id": 77, "name": "other"}]}"#)
        let own = try Sluice.run([
            "run", scene.definition, "--store", other, "--feed", scene.folder.file("other.json"), "--allow",
            "deletes=100%",
        ])
        #expect(own.status == 0, "\(own.errors)")
        #expect(try replay(3).status == 0)
        let name = try #require(run(3, of: saved(scene)))
        try scene.folder.remove("archive/\(name)")
        let gone = try replay(3)
        #expect(gone.status == 66 && gone.errors.contains("does not exist"), "\(gone.errors)")
    }

    /// A directory that has another path now, with the feeds in it, is the same one.
    @Test func feedsOfAMovedDirectoryGo() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        for _ in 2...3 { #expect(try scene.run().status == 0) }
        let before = saved(scene)
        try FileManager.default.moveItem(atPath: scene.folder.file("archive"), toPath: scene.folder.file("moved"))
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", text.replacing(#""directory": "archive""#, with: #""directory": "moved""#))
        for _ in 1...2 {
            let outcome = try Sluice.run(["run", scene.definition, "--store", scene.store, "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("moved"))
        #expect(names.count == 2 && Set(names).isDisjoint(with: before), "\(names)")
    }

    /// The ledger of a copy names the feeds of the original: its runs delete their own, and no others. A store that has
    /// moved goes on as what it was.
    @Test func feedsOfTheOriginalStay() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        for _ in 2...3 { #expect(try scene.run().status == 0) }
        let (copy, moved) = (scene.folder.file("copy.sqlite"), scene.folder.file("moved.sqlite"))
        _ = try Database(scene.store).rows("VACUUM INTO '\(copy)'")
        _ = try Database(scene.store).rows("VACUUM INTO '\(moved)'")
        let before = saved(scene)
        for _ in 1...4 {
            #expect(try Sluice.run(["run", scene.definition, "--store", copy, "--force"]).status == 0)
        }
        #expect(Set(saved(scene)).isSuperset(of: before) && saved(scene).count == before.count + 2)
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scene.store + end) }
        for _ in 1...2 {
            #expect(try Sluice.run(["run", scene.definition, "--store", moved, "--force"]).status == 0)
        }
        #expect(Set(saved(scene)).isDisjoint(with: before))
    }

    /// Nor does a run with another directory.
    @Test func feedsInAnotherDirectoryStay() throws {
        let scene = try Scene(.existing, settings: ArchiveTests.settings)
        for _ in 2...3 { #expect(try scene.run().status == 0) }
        let copy = scene.folder.file("copy.sqlite")
        _ = try Database(scene.store).rows("VACUUM INTO '\(copy)'")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc", text.replacing(#""directory": "archive""#, with: #""directory": "other""#))
        let before = saved(scene)
        for _ in 1...3 {
            let outcome = try Sluice.run(["run", scene.definition, "--store", copy, "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(saved(scene) == before && before.count == 2)
    }

    @Test func aReplayNeedsAFeedForEachSource() throws {
        let scene = try Scene(.existing)
        #expect(try Sluice.run(["replay", scene.definition]).status == 64)
        #expect(try Sluice.run(["replay", scene.definition, "x=\(scene.feed)"]).status == 64)
        #expect(try Sluice.run(["replay", scene.definition, "--run", "1", scene.feed]).status == 64)
        let notSaved = try Sluice.run(["replay", scene.definition, "--run", "1"])
        #expect(notSaved.status == 66)
        #expect(notSaved.errors.contains("the feed of run 1 was not saved"))
        #expect(try Sluice.run(["replay", scene.definition, "--run", "9"]).status == 66)
        let pipe = try Sluice.run(
            ["replay", scene.definition, "-", "--format", "json"], input: Data(Scene.goodFeed.utf8))
        #expect(pipe.report["replay"] as? Bool == true)
        #expect(pipe.report["status"] as? String == "succeeded")
    }
}
