import Foundation
import StoreMirror
import Testing

/// Identifiers that differ may be one in the form of another type.
@Suite struct TwinFormTests {
    @Test(arguments: [false, true], ["decimal", "real", "datetime"])
    func identifiersThatBecomeOne(onServer: Bool, type: String) throws {
        let folder = TemporaryFolder()
        let server = onServer ? try TestServer(name: "twins") : nil
        defer { try? server?.drop() }
        func run(_ type: String) throws -> Sluice.Outcome {
            let definition = try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "f.json" }, "store": \(server?.definition ?? #"{ "sqlite": "s.sqlite" }"#),
                  "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "\(type)" } } } }
                """)
            return try Sluice.run(["run", definition, "--quiet"])
        }
        let (one, other) =
            type == "datetime" ? ("2026-11-20T23:13:00.000Z", "2026-11-20T23:13:00Z") : ("1", "1.0")
        _ = try folder.write("f.json", #"[{ "id": "\#(one)" }, { "id": "\#(other)" }]"#)
        #expect(try run("text").status == 0)
        let outcome = try run(type)
        #expect(outcome.status == 78 && outcome.errors.contains("would be one in their new form"), "\(outcome.errors)")
        #expect(try run("text").status == 0)
    }
}
