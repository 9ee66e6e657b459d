import Foundation
import Testing

/// The state of plans: what is missing in it or too much is told, and nothing is removed that no run on it has made.
@Suite struct PlanStateTests {
    private let scratch = TemporaryFolder()
    private var runner: PlanRunner { PlanRunner(in: scratch) }
    private var state: String { runner.state }
    private let definition: String

    init() throws {
        _ = try scratch.write("feed.json", #"[{"id":1,"up":1,"all":[1,2]},{"id":2,"up":9,"all":[]}]"#)
        definition = try scratch.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "x.sqlite" }, "entities": { "Item": {
                "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "up": { "to": "Item" }, "all": { "to": "Item", "many": true, "from": "all[*]" } }
            } } }
            """)
    }

    private func expectRun(_ location: SourceLocation = #_sourceLocation) throws {
        let outcome = try runner.run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
    }

    /// What is as it was afterwards, and what is said.
    private func expectRefusal(
        _ status: Int32, _ said: String, _ more: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try files()
        let outcome = try runner.run(definition, more)
        #expect(
            outcome.status == status && outcome.errors.contains(said), "\(outcome.errors)", sourceLocation: location)
        #expect(!outcome.errors.contains("Traceback"), sourceLocation: location)
        #expect(outcome.errors.split(separator: "\n").count == 1, sourceLocation: location)
        #expect(try files() == before, sourceLocation: location)
    }

    /// All that is below the state, but for the lock.
    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: state).filter { $0 != "LOCK" }.sorted()
    }

    private func write(_ name: String, _ text: String) throws {
        let path = "\(state)/\(name)"
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(atPath: "\(state)/\(name)") }
    }

    @Test("A version lists its files; one that is lost, doubled or another one is told")
    func damages() throws {
        try expectRun()
        let whole = scratch.file("whole")
        try FileManager.default.copyItem(atPath: state, toPath: whole)
        let table = "v000001/Item/data.parquet"
        func damage(_ said: String, _ status: Int32 = 74, _ how: () throws -> Void) throws {
            try how()
            try expectRefusal(status, said)
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.copyItem(atPath: whole, toPath: state)
        }
        try damage("v000001 lacks the file Item/data.parquet") { try remove(table) }
        try damage("has a file Item/copy.parquet that no run has written") {
            try FileManager.default.copyItem(atPath: "\(state)/\(table)", toPath: "\(state)/v000001/Item/copy.parquet")
        }
        try damage("Item/data.parquet that is no Parquet") { try write(table, "PAR1") }
        try damage("has a file Item/all/data.parquet of") {
            try remove("v000001/Item/all/data.parquet")
            try FileManager.default.copyItem(
                atPath: "\(state)/\(table)", toPath: "\(state)/v000001/Item/all/data.parquet")
        }
        try damage("report.json of 2 bytes") { try write("v000001/report.json", "{\n") }
        try damage("model.json of 2 bytes") { try write("v000001/model.json", "{}") }
        try damage("files.json is damaged") { try write("v000001/files.json", "{") }
        try damage("STATE is damaged") { try write("STATE", "{") }
        try damage("CURRENT names no version") { try write("CURRENT", "") }
        try damage("CURRENT is missing, which names the version that counts") { try remove("CURRENT") }
        try damage("is no state of sluice, or has lost its CURRENT", 78) { try remove("CURRENT", "STATE") }
        // What tells whose it is comes again.
        try remove("STATE")
        try expectRun()
        #expect(runner.names == ["CURRENT", "LOCK", "STATE", "v000001", "v000002"])
    }

    @Test("What a run that died has left goes; what others have made stays")
    func leftovers() throws {
        try expectRun()
        try expectRun()
        try write("CURRENT", "v000001\n")
        for name in [".work-notes/x", ".work-000002/x", "v20260101/x", "v000009/x"] { try write(name, "precious") }
        try expectRun()
        #expect(runner.current == "v000002")
        #expect(
            runner.names == [
                ".work-000002", ".work-notes", "CURRENT", "LOCK", "STATE", "v000001", "v000002", "v000009", "v20260101",
            ])
        try write("v000003/x", "precious")
        try expectRefusal(73, "v000003 is in the way")
    }

    @Test("A folder of others is none", arguments: [[], ["--dry-run"]])
    func foreign(more: [String]) throws {
        try write("v20260101/file", "precious")
        try write(".work-notes/file", "precious")
        try expectRefusal(78, "is no state of sluice, or has lost its CURRENT: it has v20260101", more)
        #expect(runner.names == [".work-notes", "v20260101"])
    }

    @Test("What an earlier version of sluice has written goes on, if nothing is missing")
    func earlier() throws {
        for _ in 1...2 { try expectRun() }
        try remove("STATE", "v000001/files.json", "v000002/files.json")
        let whole = scratch.file("whole")
        try FileManager.default.copyItem(atPath: state, toPath: whole)
        for (path, said) in [("Item/all", "lacks the files of Item/all"), ("sluice_unresolved/Item/up", "Item/up")] {
            try remove("v000002/\(path)/data.parquet")
            let outcome = try runner.run(definition)
            #expect(outcome.status == 74 && outcome.errors.contains(said), "\(outcome.errors)")
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.copyItem(atPath: whole, toPath: state)
        }
        for file in ["model.json", "report.json"] {
            try write("v000002/\(file)", "{")
            let outcome = try runner.run(definition)
            #expect(outcome.status == 74 && outcome.errors.contains("\(file) is damaged"), "\(outcome.errors)")
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.copyItem(atPath: whole, toPath: state)
        }
        let outcome = try runner.run(definition, ["--keep", "0"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Unchanged"))
        #expect(runner.names == ["CURRENT", "LOCK", "STATE", "v000003"])
    }
}
