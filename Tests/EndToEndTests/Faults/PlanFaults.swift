import Foundation
import TestSupport
import Testing

/// What befalls runs of plans: after it the version that counts is the one before, and the next run makes what this one
/// would have made.
final class PlanFaults {
    let scratch = TemporaryFolder()
    let definition: String
    let runner: PlanRunner
    private let disk: SmallDisk?

    /// A state with one version, by DuckDB: states know no engine. The feed is that of the next night.
    ///
    /// - Parameter disk: kilobytes of a file system of its own for the state.
    init(_ words: [String], disk kilobytes: Int? = nil) throws {
        disk = try kilobytes.map { [scratch] in try SmallDisk(scratch.file("disk"), kilobytes: $0) }
        let state = disk == nil ? "state" : "disk/state"
        runner = PlanRunner(words, in: scratch, state: state)
        definition = try scratch.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.ndjson" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": { "Item": {
                "records": "$", "identifier": "id", "absent": "mark", "attributes": { "id": "integer", "name": "text" },
                "relationships": { "parent": { "to": "Item" }, "near": { "to": "Item", "many": true, "from": "near[*]" } }
            } } }
            """)
        try writeFeed(0..<40)
        #expect(try runner.runStore(definition).status == 0)
        #expect(try PlanRunner(in: scratch, state: state).run(definition).status == 0)
        try writeFeed(5..<50)
    }

    deinit { disk?.unmount() }

    private func writeFeed(_ items: Range<Int>, filling: Int = 0) throws {
        let lines = items.map { item in
            let name = item % 3 == 0 ? "item \(items.lowerBound)" : "item"
            let rest = (0..<filling).map { _ in UUID().uuidString }.joined()
            return """
                { "id": \(item), "name": "\(name)\(rest)", "parent": \(item * 7 % 60), "near": [\(item / 2), \(item / 3)] }\n
                """
        }
        _ = try scratch.write("feed.ndjson", lines.joined())
    }

    /// A command in place of `sluice`, which does something before each extraction.
    func wrapper(_ script: String) throws -> [String] {
        let path = try scratch.write(
            "wrapper",
            """
            #!/bin/sh
            cd \(scratch.path)
            if [ "$1" = extract ]; then
            \(script)
            fi
            exec \(Sluice.executable.path) "$@"
            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return ["--sluice", path]
    }

    /// Nothing has changed; what was left of a run that could not tidy up begins with a point.
    func expectOld(_ location: SourceLocation = #_sourceLocation) {
        #expect(runner.current == "v000001", sourceLocation: location)
    }

    /// The next run makes what a run makes.
    func expectNext(_ location: SourceLocation = #_sourceLocation) throws {
        let next = try runner.run(definition, ["--range", "1KiB"])
        #expect(next.status == 0, "\(next.output)\(next.errors)", sourceLocation: location)
        try expectNew(location)
    }

    /// The second version is what a run makes.
    func expectNew(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(runner.current == "v000002", sourceLocation: location)
        #expect(runner.names == ["CURRENT", "LOCK", "STATE", "v000001", "v000002"], sourceLocation: location)
        #expect(try runner.runStore(definition).status == 0, sourceLocation: location)
        #expect(try runner.differences(definition, 2) == "", sourceLocation: location)
    }

    // MARK: What befalls them

    /// The runner is killed before a file or folder gets its name.
    func killed(before name: String) throws {
        _ = try scratch.write(
            "sitecustomize.py",
            """
            import os
            rename = os.rename
            def dying(old, new, **more):
                if os.path.basename(new) == "\(name)":
                    os.kill(os.getpid(), 9)
                return rename(old, new, **more)
            os.rename = dying
            """)
        let outcome = try runner.run(definition, environment: ["PYTHONPATH": scratch.path])
        #expect(outcome.status != 0)
        expectOld()
        #expect(runner.names.count > 4, "something is left")
        try expectNext()
    }

    /// Another one begins meanwhile.
    func beside() throws {
        let waiting = try wrapper("touch extracting; while [ ! -e go ]; do sleep 0.05; done")
        let first = try runner.start(definition, waiting)
        while first.isRunning, !scratch.names.contains("extracting") { Thread.sleep(forTimeInterval: 0.02) }
        let second = try runner.run(definition, name: "second")
        #expect(second.status == 75)
        #expect((second.errors + second.output).contains("another run holds"))
        expectOld()
        _ = try scratch.write("go", "")
        first.waitForEnd()
        #expect(first.terminationStatus == 0)
        try expectNew()
    }

    /// There is no space for parts, or for the version.
    func full(_ more: [String]) throws {
        try writeFeed(0..<4000, filling: 8)
        let outcome = try runner.run(definition, more)
        #expect(outcome.status == 74, "\(outcome.output)\(outcome.errors)")
        #expect((outcome.errors + outcome.output).contains("No space left on device"))
        expectOld()
        #expect(runner.names == ["CURRENT", "LOCK", "STATE", "v000001"])
        try writeFeed(5..<50)
        try expectNext()
    }
}
