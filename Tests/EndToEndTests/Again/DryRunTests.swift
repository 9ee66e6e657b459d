import Foundation
import Synchronization
import TestSupport
import Testing

/// A dry run says what the real run then does, and leaves the store's folder as it was.
@Suite struct DryRunTests {
    private let scratch = TemporaryFolder()

    private static let definition = """
        { "source": { "file": "feed.ndjson" }, "store": { "sqlite": "store/s.sqlite" },
          "limits": { "rejects": 4, "deletes": null },
          "checks": {
            "small": { "sql": "SELECT id FROM Person WHERE size < 2 ORDER BY id", "limit": 3, "entity": "Person" },
            "gone": { "sql": "SELECT id FROM previous.Person EXCEPT SELECT id FROM Person", "limit": null }
          },
          "entities": {
            "Person": {
              "records": "$", "where": { "kind": "person" }, "identifier": "id", "absent": "ABSENT",
              "duplicates": "DUPLICATES", "mode": "MODE",
              "attributes": { "id": "integer", "name": "text", "size": "real" },
              "relationships": {
                "boss": { "to": "Person", "missing": "MISSING" },
                "friends": { "to": "Person", "many": true, "from": "friends[*]" }
              }
            },
            "Note": {
              "records": "$", "where": { "kind": "note" }, "identifier": "id", "attributes": { "id": "text" },
              "relationships": { "of": { "to": ["Person", "Note"], "onDelete": "cascade" } }
            } } }
        """

    private func write(_ random: inout SeededRandom) throws -> String {
        func one(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
        let text = DryRunTests.definition.replacing("ABSENT", with: one(["keep", "delete", "mark"]))
            .replacing("DUPLICATES", with: one(["last", "first", "reject"]))
            .replacing("MODE", with: one(["upsert", "upsert", "insert", "update"]))
            .replacing("MISSING", with: one(["null", "stub", "reject"]))
        try FileManager.default.createDirectory(atPath: scratch.file("store"), withIntermediateDirectories: true)
        return try scratch.write("p.jsonc", text)
    }

    private func writeFeed(_ random: inout SeededRandom) throws {
        let lines = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            func id() -> String { String(Int.random(in: 1...9, using: &random)) }
            if Int.random(in: 0...3, using: &random) == 0 {
                return #"{"kind": "note", "id": "\#(id())", "of": \#(id())}"#
            }
            let size = ["1.5", "null", "2", "\"x\""].randomElement(using: &random) ?? ""
            return
                #"{"kind": "person", "id": \#(id()), "size": \#(size), "boss": \#(id()), "friends": [\#(id()), \#(id())]}"#
        }
        _ = try scratch.write("feed.ndjson", lines.joined(separator: "\n"))
    }

    /// What a run says, but for what may differ.
    private func run(_ arguments: [String]) throws -> (status: Int32, report: String, findings: [String]) {
        let findings = scratch.file("findings.ndjson")
        try scratch.remove("findings.ndjson")
        let outcome = try Sluice.run(
            ["run", scratch.file("p.jsonc"), "--format", "json", "--findings", findings] + arguments)
        var report = outcome.report
        for key in ["run", "dryRun", "started", "finished", "seconds", "findingsFile", "cache", "failing"] {
            report[key] = nil
        }
        let checks = report["checks"] as? [String: [String: Any]]
        report["checks"] = checks?.mapValues { check in check.filter { $0.key != "seconds" } }
        let data = try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys, .prettyPrinted])
        let lines = (try? String(contentsOfFile: findings, encoding: .utf8)) ?? ""
        return (
            outcome.status, String(decoding: data, as: UTF8.self),
            lines.split(separator: "\n").map(String.init).sorted()
        )
    }

    /// The files of the store's folder with what they hold, but for the memory that readers share.
    private func files(_ folder: String = "store") throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file(folder))
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                (
                    $0,
                    $0.hasSuffix("-shm")
                        ? Data() : try Data(contentsOf: URL(fileURLWithPath: scratch.file(folder) + "/" + $0))
                )
            })
    }

    private func expectAgreement(_ more: [String]) throws {
        let before = try files()
        let dry = try run(["--dry-run"] + more)
        #expect(try files() == before)
        let real = try run(more)
        #expect(dry.status == real.status)
        #expect(dry.report == real.report)
        #expect(dry.findings == real.findings)
    }

    /// On no store, on one of an earlier run, on one of another definition; beyond limits, too.
    @Test(arguments: SeededRandom.seeds(0..<5)) func theRealRunDoesWhatItSaid(seed: Int) throws {
        var random = SeededRandom(seed)
        for _ in 0..<3 {
            _ = try write(&random)
            try writeFeed(&random)
            let commit = Bool.random(using: &random) ? "run" : "batch"
            try expectAgreement(["--batch-size", "\(Int.random(in: 1...9, using: &random))", "--commit", commit])
        }
    }

    @Test(arguments: ["iso-3166", "berlin-transit", "instruments", "places"])
    func thePipelinesOfTheProject(name: String) throws {
        try FileManager.default.createDirectory(atPath: scratch.file("store"), withIntermediateDirectories: true)
        for _ in 0..<2 {
            func run(_ more: [String]) throws -> (Int32, String) {
                let outcome = try Sluice.run(
                    [
                        "run", Sluice.path("Pipelines/\(name).jsonc"), "--store", scratch.file("store/s.sqlite"),
                        "--format", "json",
                    ]
                        + more)
                var report = outcome.report
                for key in ["run", "dryRun", "started", "finished", "seconds", "findingsFile", "cache", "failing"] {
                    report[key] = nil
                }
                let data = try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys])
                return (outcome.status, String(decoding: data, as: UTF8.self))
            }
            let before = try files()
            let dry = try run(["--dry-run"])
            #expect(try files() == before)
            let real = try run([])
            #expect(dry.0 == real.0 && dry.1 == real.1)
        }
    }

    /// A writer that died has left its changes beside the store: they count, and stay where they are.
    @Test func whatADeadWriterLeftStays() throws {
        var random = SeededRandom(7)
        _ = try write(&random)
        try writeFeed(&random)
        _ = try run([])
        // The files as they are while a writer is at it are those that it would leave if it died.
        let writer = try Database(scratch.file("store/s.sqlite"))
        _ = try writer.rows("PRAGMA journal_mode = WAL")
        _ = try writer.rows("INSERT INTO Note (id) VALUES ('new')")
        try FileManager.default.copyItem(atPath: scratch.file("store"), toPath: scratch.file("dead"))
        try? FileManager.default.removeItem(atPath: scratch.file("dead/s.sqlite-shm"))
        let before = try files("dead")
        #expect(before["s.sqlite-wal"]?.isEmpty == false)
        _ = try scratch.write("feed.ndjson", #"{"kind": "note", "id": "new"}"#)
        let outcome = try Sluice.run(
            ["run", scratch.file("p.jsonc"), "--store", scratch.file("dead/s.sqlite"), "--dry-run", "--format", "json"])
        #expect(outcome.count("Note", "unchanged") == 1)
        let after = try files("dead")
        for name in ["s.sqlite", "s.sqlite-wal"] { #expect(after[name] == before[name]) }
    }

    /// Another process may write as it likes meanwhile: the dry run sees one state, and keeps nobody waiting.
    @Test func writersAreNotKeptWaiting() throws {
        var random = SeededRandom(7)
        _ = try write(&random)
        _ = try scratch.write("feed.ndjson", #"{"kind": "note", "id": "a"}"#)
        _ = try run([])
        let path = scratch.file("store/s.sqlite")
        let isOver = Atomic(false)
        let written = Atomic(0)
        let writing = Thread {
            guard let writer = try? Database(path) else { return }
            // Without a busy timeout, having to wait is an error, and ends it.
            while !isOver.load(ordering: .relaxed),
                (try? writer.rows("INSERT INTO Note (id) VALUES ('w\(written.load(ordering: .relaxed))')")) != nil
            {
                written.add(1, ordering: .relaxed)
            }
            isOver.store(true, ordering: .relaxed)
        }
        writing.start()
        for _ in 0..<10 {
            let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--dry-run", "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let wasRefused = isOver.load(ordering: .relaxed)
        #expect(!wasRefused)
        isOver.store(true, ordering: .relaxed)
        while !writing.isFinished { usleep(1000) }
        let count = written.load(ordering: .relaxed)
        #expect(count > 10)
        #expect(try Database(path).rows("SELECT count(*) FROM Note") == [["\(count + 1)"]])
    }

    /// What would not work in earnest does not work, with the same exit status.
    @Test func whatCannotBeCreated() throws {
        var random = SeededRandom(7)
        _ = try write(&random)
        try writeFeed(&random)
        for store in ["missing/s.sqlite", "feed.ndjson"] {
            let dry = try run(["--dry-run", "--store", scratch.file(store)])
            let real = try run(["--store", scratch.file(store)])
            #expect(dry.status == real.status && dry.status != 0)
            #expect(dry.report.replacing(/; a dry run works[^"]*/, with: "") == real.report)
        }
        _ = try scratch.write("store/new.sqlite-wal", "x")
        #expect(try run(["--dry-run", "--store", scratch.file("store/new.sqlite")]).status == 73)
    }

    /// The findings that a definition names are those of the last real run.
    @Test func theFindingsOfTheDefinitionStay() throws {
        _ = try scratch.write("feed.ndjson", #"{"kind": "note", "id": "a", "of": 1}"#)
        _ = try scratch.write(
            "p.jsonc",
            DryRunTests.definition.replacing(#""limits""#, with: #""findings": "last.ndjson", "limits""#)
                .replacing("ABSENT", with: "keep").replacing("DUPLICATES", with: "last").replacing(
                    "MODE", with: "upsert"
                )
                .replacing("MISSING", with: "null").replacing("store/s", with: "s"))
        _ = try Sluice.run(["run", scratch.file("p.jsonc"), "--dry-run", "-q"])
        #expect(!scratch.names.contains("last.ndjson"))
    }
}
