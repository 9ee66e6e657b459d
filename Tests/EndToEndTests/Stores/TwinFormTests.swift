import Foundation
import StoreMirror
import TestSupport
import Testing

/// Values that differ may be one in the form of another type: where they must not be, as those of identifiers, `check`,
/// the dry run and the run refuse it alike, and name them.
@Suite struct TwinFormTests {
    private let folder = TemporaryFolder()
    private let server: TestServer?

    init() throws { server = try TestServer(name: "twins") }

    private func define(_ attributes: String, _ identifier: String = "\"id\"", more: String = "", onServer: Bool) throws
        -> String
    {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" },
              "store": \(onServer ? server?.definition ?? "" : #"{ "sqlite": "s.sqlite" }"#), \(more)
              "entities": {
                "A": { "records": "$[*]", "identifier": \(identifier), "attributes": { \(attributes) } } } }
            """)
    }

    /// What all three say.
    private func refused(_ definition: String) throws -> String {
        var told: [String] = []
        for words in [
            ["check", definition], ["run", definition, "--dry-run", "--quiet"], ["run", definition, "--quiet"],
        ] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 78, "\(words): \(outcome.errors)")
            told.append(outcome.errors)
        }
        #expect(Set(told).count == 1, "\(told)")
        return told[0]
    }

    private func passes(_ definition: String) throws {
        for words in [
            ["check", definition], ["run", definition, "--dry-run", "--quiet"], ["run", definition, "--quiet"],
        ] {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        }
    }

    @Test(arguments: [false, true], ["decimal", "real", "integer", "datetime"])
    func identifiersThatBecomeOne(onServer: Bool, type: String) throws {
        defer { try? server?.drop() }
        func define(_ type: String) throws -> String {
            try self.define("\"id\": \"\(type)\"", onServer: onServer)
        }
        let (one, other) =
            type == "datetime" ? ("2026-11-20T23:13:00.000Z", "2026-11-20T23:13:00Z") : ("1", "1.0")
        _ = try folder.write("f.json", #"[{ "id": "\#(one)" }, { "id": "\#(other)" }]"#)
        try passes(try define("text"))
        let told = try refused(try define(type))
        #expect(
            told.contains(
                "the values \"\(one)\" and \"\(other)\", of the objects with the objectIDs 1 and 2, would be one in their"
                    + " new form"), "\(told)")
        #expect(told.contains("an entity of another name"), "\(told)")
        try passes(try define("text"))
        // Where none would be, the type changes.
        _ = try folder.write("f.json", #"[{ "id": "\#(other)" }]"#)
        let definition = try folder.write(
            "p.jsonc",
            String(contentsOfFile: try define("text"), encoding: .utf8).replacing(
                "\"records\"", with: "\"absent\": \"delete\", \"records\""))
        #expect(try Sluice.run(["run", definition, "--allow", "deletes=1", "--quiet"]).status == 0)
        try passes(try define(type))
    }

    /// Of several parts, it is all of them together.
    @Test(arguments: [false, true]) func identifiersOfSeveralParts(onServer: Bool) throws {
        defer { try? server?.drop() }
        func define(_ type: String) throws -> String {
            try self.define(
                "\"id\": \"text\", \"n\": \"\(type)\"", "[\"id\", \"n\"]", more: #""commit": "batch","#,
                onServer: onServer)
        }
        _ = try folder.write("f.json", #"[{ "id": "a", "n": "1" }, { "id": "b", "n": "1.0" }]"#)
        try passes(try define("text"))
        try passes(try define("decimal"))
        _ = try folder.write("f.json", #"[{ "id": "c", "n": "2" }, { "id": "a", "n": "2" }, { "id": "a", "n": "02" }]"#)
        let other = try String(contentsOfFile: try define("text"), encoding: .utf8).replacing("\"A\"", with: "\"B\"")
        _ = try folder.write("p.jsonc", other)
        try passes(folder.file("p.jsonc"))
        _ = try folder.write("f.json", #"[{ "id": "c", "n": "2.0" }]"#)
        try passes(folder.file("p.jsonc"))
        _ = try folder.write("p.jsonc", other.replacing("\"n\": \"text\"", with: "\"n\": \"integer\""))
        // 02 is no number in its only spelling, which is looked at first.
        #expect(try refused(folder.file("p.jsonc")).contains("the value \"02\""))
        if onServer {
            _ = try server?.rows("UPDATE @\"B\" SET n = '7' WHERE n = '02'")
        } else {
            try Database(folder.file("s.sqlite")).execute("UPDATE B SET n = '7' WHERE n = '02'")
        }
        let told = try refused(folder.file("p.jsonc"))
        #expect(told.contains("the values \"2\" and \"2.0\", of the objects with the objectIDs 1 and 4"), "\(told)")
    }

    /// A unique index of others.
    @Test(arguments: [false, true]) func anIndexOfOthers(onServer: Bool) throws {
        defer { try? server?.drop() }
        func define(_ type: String) throws -> String {
            try self.define("\"id\": \"integer\", \"n\": \"\(type)\"", onServer: onServer)
        }
        _ = try folder.write("f.json", #"[{ "id": 1, "n": "1" }, { "id": 2, "n": "1.0" }, { "id": 3 }, { "id": 4 }]"#)
        try passes(try define("text"))
        if onServer {
            _ = try server?.rows("CREATE UNIQUE INDEX mine ON @\"A\" (n)")
        } else {
            try Database(folder.file("s.sqlite")).execute("CREATE UNIQUE INDEX mine ON A (n)")
        }
        let told = try refused(try define("real"))
        #expect(told.contains("\"1\" and \"1.0\"") && told.contains("the index mine of its table"), "\(told)")
        #expect(told.contains("under another name"), "\(told)")
        if onServer {
            _ = try server?.rows("DROP INDEX @mine")
        } else {
            try Database(folder.file("s.sqlite")).execute("DROP INDEX mine")
        }
        try passes(try define("real"))
    }
}
