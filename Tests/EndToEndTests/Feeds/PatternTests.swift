import Foundation
import StoreMirror
import TestSupport
import Testing

/// The files that patterns name: in folders at any depth, in archives, and in both.
@Suite struct PatternTests {
    private let folder = TemporaryFolder()

    /// The records that a pattern finds: each file has the path of its own.
    private func found(_ pattern: String) throws -> (status: Int32, names: [String], errors: String) {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "\(pattern)" }, "store": { "sqlite": "p.sqlite" }, "entities": {
              "File": { "records": "$", "identifier": "name", "attributes": { "name": "text" } } } }
            """)
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file("p.sqlite" + end)) }
        let outcome = try Sluice.run(["run", definition, "--quiet", "--force"])
        guard outcome.status == 0 else { return (outcome.status, [], outcome.errors) }
        let names = try Database(folder.file("p.sqlite")).rows("SELECT name FROM File ORDER BY name").map { $0[0] }
        return (0, names, "")
    }

    private func make(_ paths: String...) throws {
        for path in paths {
            let parent = (folder.file(path) as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            _ = try folder.write(path, "{ \"name\": \"\(path)\" }")
        }
    }

    @Test func foldersAtAnyDepth() throws {
        try make("in/a.json", "in/de/b.json", "in/de/x/y/c.json", "in/.hidden/d.json", "in/[1]*/e.json", "in/a.txt")
        try FileManager.default.createSymbolicLink(atPath: folder.file("in/de/loop"), withDestinationPath: "..")
        let all = ["in/[1]*/e.json", "in/a.json", "in/de/b.json", "in/de/x/y/c.json"]
        #expect(try found("in/**/*.json").names == all)
        #expect(try found("**/*.json").names.filter { $0.hasPrefix("in/") } == all)
        #expect(try found("in/**/x/**/*.json").names == ["in/de/x/y/c.json"])
        #expect(try found("in/d*/**").names == ["in/de/b.json", "in/de/x/y/c.json"])
        // What is gone is not left out without a word.
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("in/gone.json"), withDestinationPath: "nothing.json")
        let gone = try found("in/*.json")
        #expect(gone.status == 66 && gone.errors.contains("in/gone.json"), "\(gone.errors)")
        try FileManager.default.removeItem(atPath: folder.file("in/gone.json"))
        let none = try found("in/**/*.csv")
        #expect(none.status == 66 && none.errors.contains("no file matches"), "\(none.errors)")
        #expect(try found("none/**/*.json").status == 66)
    }

    /// Files whose objects go with them are news; those in whose place others have come are not.
    @Test(arguments: [false, true]) func filesThatAreGone(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "gone") : nil
        defer { try? server?.drop() }
        try make("in/a.json", "in/b.json", "in/c.json")
        let definition = { (absent: String) in
            try self.folder.write(
                "p.jsonc",
                """
                { "source": { "file": "in/*.json" }, "store": \(server?.definition ?? #"{ "sqlite": "p.sqlite" }"#),
                  "limits": { "deletes": null }, "entities": { "File": {
                    "records": "$", "identifier": "name", "absent": "\(absent)", "attributes": { "name": "text" } } } }
                """)
        }
        func night(_ absent: String = "delete", _ words: String...) throws -> String {
            let outcome = try Sluice.run(["run", try definition(absent), "--show", "news"] + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        #expect(try night().isEmpty)
        for name in ["in/b.json", "in/c.json"] { try FileManager.default.removeItem(atPath: folder.file(name)) }
        #expect(try night("keep", "--dry-run").isEmpty)
        let told = try night("mark", "--dry-run")
        let names = ["b.json", "c.json"].map { folder.file("in/" + $0) }
        let lines = "New since run 1:\n2 files that are there no longer:\n  \(names[0])\n  \(names[1])\n"
        #expect(told.contains(lines), "\(told)")
        let report = folder.file("r.json")
        #expect(try night("delete", "--report", report).contains(lines))
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.contains("\"gone\": [\"\(names[0])\", \"\(names[1])\"]"), "\(text)")
        // The next night has no less than this one.
        try make("in/d.json")
        try FileManager.default.removeItem(atPath: folder.file("in/a.json"))
        #expect(try night().isEmpty)
    }

    /// A file where a pattern has a folder is none, unless it is an archive: that has files, too.
    @Test func filesBesideFolders() throws {
        try make("in/a.json", "in/de/b.json", "c.json")
        #expect(try found("in/*/*.json").names == ["in/de/b.json"])
        #expect(try Shell.run(["-C", folder.path, "zip", "-q", "in/z.zip", "c.json"]) == 0)
        #expect(try found("in/*/*.json").names == ["c.json", "in/de/b.json"])
        #expect(try found("in/*/c.json").names == ["c.json"])
    }

    /// A folder that may not be searched is not passed over.
    @Test(arguments: ["in/**/*.json", "in/*/b.json", "in/*/*.json", "in/[d]e/b.json"])
    func aFolderThatIsRefused(pattern: String) throws {
        try make("in/a.json", "in/de/b.json")
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "\(pattern)" }, "store": { "sqlite": "p.sqlite" }, "entities": {
              "File": { "records": "$", "identifier": "name", "attributes": { "name": "text" } } } }
            """)
        for (path, mode) in ["": 0o755, "in/de": 0o700, "in/de/b.json": 0o644] as [String: mode_t] {
            #expect(unsafe chmod(folder.file(path), mode) == 0)
        }
        let nobody = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        if nobody.isEmpty { #expect(unsafe chmod(folder.file("in/de"), 0) == 0) }
        defer { _ = unsafe chmod(folder.file("in/de"), 0o755) }
        let refused = try Sluice.run(["run", definition, "--dry-run"], through: nobody)
        #expect(refused.status == 77 && refused.errors.contains("in/de"), "\(refused.errors)")
    }

    /// A file that is called as a pattern is read alone, unless the pattern matches it as well: a shell that finds no
    /// file makes one of that name.
    @Test func aFileIsCalledAsThePattern() throws {
        try make("in/*.json", "in/a.json", "in/x[1].json", "in/x1.json")
        #expect(try found("in/*.json").names == ["in/*.json", "in/a.json", "in/x1.json", "in/x[1].json"])
        #expect(try found("in/x[1].json").names == ["in/x[1].json"])
    }

    /// A file that is empty tonight is no file without records: what it held stays.
    @Test func aFileIsEmpty() throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "in/*.csv" }, "store": { "sqlite": "p.sqlite" }, "limits": { "deletes": null }, "entities": {
              "File": { "records": "$", "identifier": "id", "absent": "delete", "attributes": { "id": "text" } } } }
            """)
        try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
        for name in ["a", "b"] { _ = try folder.write("in/\(name).csv", "id\n\(name)1\n\(name)2\n") }
        #expect(try Sluice.run(["run", definition]).status == 0)
        _ = try folder.write("in/a.csv", "id\na1\n")
        _ = try folder.write("in/b.csv", "")
        let night = try Sluice.run(["run", definition, "--show", "news"])
        #expect(
            night.status == 0
                && night.output.replacing(/\n +/, with: " ").contains("b.csv of the source main is empty"), "\(night)")
        let rows = "SELECT group_concat(id) FROM (SELECT id FROM File ORDER BY id)"
        #expect(try Database(folder.file("p.sqlite")).rows(rows) == [["a1,a2,b1,b2"]])
        // One with nothing but its header holds nothing.
        _ = try folder.write("in/b.csv", "id\n")
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        #expect(try Database(folder.file("p.sqlite")).rows(rows) == [["a1"]])
    }

    /// Names behind a pattern, and patterns behind names.
    @Test func namesBehindPatterns() throws {
        try make("in/a/f.json", "in/b/f.json", "in/b/x/f.json", "in/c.json", "in/[1]*/x/f.json", "in/a/x.json")
        #expect(try found("in/*/f.json").names == ["in/a/f.json", "in/b/f.json"])
        #expect(try found("in/*/x/*.json").names == ["in/[1]*/x/f.json", "in/b/x/f.json"])
        #expect(try found("i?/[a-b]/x/../f.json").names == ["in/b/f.json"])
        #expect(try found("in/c*/f.json").status == 66)
        // What is no folder is passed over, whatever it leads to.
        try FileManager.default.createSymbolicLink(atPath: folder.file("in/self"), withDestinationPath: "self")
        #expect(try found("in/*/f.json").names == ["in/a/f.json", "in/b/f.json"])
        #expect(try found(folder.path + "/in/*/f.json").names == ["in/a/f.json", "in/b/f.json"])
    }
}
