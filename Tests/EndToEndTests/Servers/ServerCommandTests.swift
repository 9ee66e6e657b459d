import Foundation
import TestSupport
import Testing

/// What goes along with runs, where the store is on a server: saved feeds, commands that are told, replays.
@Suite struct ServerCommandTests {
    private func saved(_ scene: ServerScene) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))
        return (names ?? []).filter { $0.hasSuffix(".zst") }.sorted()
    }

    @Test func feedsAreSavedAndForgotten() throws {
        let scene = try ServerScene("\"archive\": { \"directory\": \"archive\", \"keep\": 2 },")
        for name in ["one", "uno", "un", "eins"] {
            _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"\(name)\"}]}")
            #expect(try scene.run("run", "--quiet").status == 0)
        }
        #expect(saved(scene).count == 2)
        #expect(try scene.sql("SELECT run FROM @.sluice_run WHERE archive IS NOT NULL ORDER BY run") == "3\n4")
        // The feed of a failed run is saved, too.
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": 1, \"name\": \"bad\"}, {\"id\": \"x\"}]}")
        #expect(try scene.run("run", "--quiet").status == 65)
        #expect(try scene.sql("SELECT run FROM @.sluice_run WHERE archive IS NOT NULL ORDER BY run") == "4\n5")
        #expect(try scene.run("replay", "--run", "4", "--format", "json").count("Item", "unchanged") == 1)
        #expect(try scene.sql("SELECT replay_of FROM @.sluice_run WHERE run = 6") == "4")
        #expect(try scene.run("replay", "--run", "5", "--quiet").status == 65)
        let gone = try scene.run("replay", "--run", "3", "--quiet")
        #expect(gone.status == 66 && gone.errors.contains("was not saved, or has been deleted"))
        let strange = try scene.run("replay", "--run", "99", "--quiet")
        #expect(
            strange.status == 66
                && strange.errors.contains("the store postgresql:///postgres/\(scene.schema) knows no run 99"))
        #expect(try scene.items() == ["1,eins,∅"])
    }

    /// A run that was killed after its feed got its name: if no ledger knows of it, the next run removes it, and else
    /// only its second name.
    @Test func whatAKilledRunHasSavedIsSettled() throws {
        let scene = try ServerScene("\"archive\": { \"directory\": \"archive\" },")
        #expect(try scene.run("run", "--quiet").status == 0)
        let known = try #require(saved(scene).first)
        let lost = known.replacing("run1", with: "run9")
        _ = try scene.folder.write("archive/" + lost, "feed")
        for (number, name) in [known, lost].enumerated() {
            let work = scene.folder.file("archive/.sluice-work-died\(number)")
            try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
            try FileManager.default.linkItem(atPath: scene.folder.file("archive/" + name), toPath: work + "/0-0.zst")
            try "postgresql:///postgres/\(scene.schema)\nitems\n".write(
                toFile: work + "/owner", atomically: true, encoding: .utf8)
        }
        #expect(try scene.run("run", "--force", "--quiet").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))
        #expect(names.sorted() == saved(scene), "\(names)")
        #expect(names.count == 2 && names.contains(known) && !names.contains(lost))
    }

    @Test func commandsAreToldOfTheRun() throws {
        let scene = try ServerScene(
            """
            "after": { "succeeded": [["./tell.sh", "good"], { "run": ["./tell.sh", "{entity}"], "per": "entity" }],
                       "unchanged": ["./tell.sh", "same"], "failed": ["./tell.sh", "bad"] },
            """)
        let script = try scene.folder.write("tell.sh", "#!/bin/sh\ncat > $1.report\nenv | grep '^SLUICE_' > $1.env\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        func told(_ name: String) -> String {
            (try? String(contentsOfFile: scene.folder.file(name + ".env"), encoding: .utf8)) ?? ""
        }
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(told("good").contains("SLUICE_STORE=postgresql:///postgres/\(scene.schema)\n"))
        #expect(told("good").contains("SLUICE_RUN=1\n") && told("good").contains("SLUICE_CREATED=3\n"))
        #expect(told("Item").contains("SLUICE_RUN=1\n"))
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(told("same").contains("SLUICE_STATUS=unchanged\n") && told("same").contains("SLUICE_RUN=2\n"))
        _ = try scene.folder.write("feed.json", "{\"items\": [{\"id\": \"x\"}]}")
        #expect(try scene.run("run", "--quiet").status == 65)
        #expect(told("bad").contains("SLUICE_EXIT_STATUS=65\n") && told("bad").contains("SLUICE_RUN=3\n"))
        // Who connects, and how, is nobody's business.
        for name in ["good", "same", "bad"] { #expect(!told(name).contains("importer")) }
    }

    /// Rejects are mended and loaded by themselves.
    @Test func rejectsAreReplayed() throws {
        let scene = try ServerScene("\"limits\": { \"rejects\": null },")
        let findings = scene.folder.file("findings.ndjson")
        _ = try scene.folder.write(
            "feed.json", "{\"items\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": \"x2\", \"name\": \"two\"}]}")
        #expect(try scene.run("run", "--quiet", "--findings", findings).status == 0)
        #expect(try scene.items() == ["1,one,∅"])
        let text = try String(contentsOfFile: findings, encoding: .utf8)
        _ = try scene.folder.write("findings.ndjson", text.replacing("\"id\":\"x2\"", with: "\"id\":2"))
        let replayed = try scene.run("replay", "--rejects", findings, "--format", "json")
        #expect(replayed.status == 0 && replayed.count("Item", "created") == 1, "\(replayed.errors)")
        #expect(try scene.items() == ["1,one,∅", "2,two,∅"])
    }
}
