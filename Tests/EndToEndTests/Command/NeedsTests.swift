import Foundation
import Glibc
import TestSupport
import Testing

/// What a run needs, tried by `sluice check --connect` before there is one.
@Suite struct NeedsTests {
    @Test func allThatIsMissingIsSaidWithItsPlace() throws {
        let folder = TemporaryFolder()
        _ = try folder.write(
            "p.jsonc",
            """
            {
              "sources": { "a": { "file": "none.json" }, "b": { "file": "none/*.json" } },
              "store": { "sqlite": "gone/p.sqlite" },
              "archive": { "directory": "gone/archive" },
              "findings": "gone/findings.ndjson",
              "after": { "failed": ["no-such-program"], "succeeded": ["./folder"] },
              "entities": { "A": { "source": ["a", "b"], "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } },
            }
            """)
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        let outcome = try Sluice.run(["check", "--connect", "p.jsonc"], folder: folder.path)
        #expect(outcome.status == 73)
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 7, "\(outcome.errors)")
        for (place, words) in [
            ("4:16", "gone/archive cannot be created"), ("5:3", "gone/findings.ndjson cannot be written"),
            ("3:3", "gone/p.sqlite cannot be created"), ("2:23", "none.json does not exist"),
            ("2:53", "no file matches"), ("6:14", "no program no-such-program"),
            ("6:45", "no program ./folder"),
        ] {
            #expect(lines.contains { $0.hasPrefix("sluice: p.jsonc:\(place): ") && $0.contains(words) }, "\(lines)")
        }
        #expect(folder.names == ["folder", "p.jsonc"])
    }

    /// Nothing of it is loaded, and nothing is left.
    @Test func whatIsThereIsSound() throws {
        let scene = try Scene(
            .new,
            settings: #""archive": { "directory": "archive" }, "findings": "f.ndjson", "after": { "failed": ["sh"] },"#)
        let names = scene.folder.names
        let outcome = try Sluice.run(["check", "--connect", scene.definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("the definition is sound"))
        #expect(scene.folder.names == names)
    }

    @Test func servicesAreAsked() throws {
        let service = FaultyServer.shared.service(#"{"items":9}"#)
        let scene = try WebScene(#""url": "\#(service.url)", "auth": { "bearer": { "file": "token" } }"#)
        let missing = try Sluice.run(["check", "--connect", scene.definition])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("items.jsonc:3:"), "\(missing.errors)")
        #expect(missing.errors.contains("token does not exist"), "\(missing.errors)")
        // A run says it with the same place.
        #expect(try scene.run().errors == missing.errors)
        let token = try scene.folder.write("token", "s3cret-t0ken")
        unsafe chmod(token, 0o600)
        #expect(try Sluice.run(["check", "--connect", scene.definition]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.store))

        let closed = FaultyServer.shared.service(#"{"status":401}"#)
        let refused = try WebScene(#""url": "\#(closed.url)""#)
        let outcome = try Sluice.run(["check", "--connect", refused.definition])
        #expect(outcome.status == 77)
        #expect(outcome.errors.contains("items.jsonc:3:15: "), "\(outcome.errors)")
        // Without --connect, nobody is asked.
        #expect(try Sluice.run(["check", refused.definition]).status == 0)
    }

    /// The exit status of a dry run is that of the run.
    @Test func anArchiveThatCannotBeMadeFailsTheDryRunToo() throws {
        let scene = try Scene(.new, settings: #""archive": { "directory": "none/archive" },"#)
        for command in [["run"], ["run", "--dry-run"], ["check"], ["check", "--connect"]] {
            let outcome = try Sluice.run(command + [scene.definition])
            #expect(outcome.status == 73, "\(command)")
            #expect(outcome.errors.contains("none/archive cannot be created"), "\(command): \(outcome.errors)")
        }
    }

    @Test func rightsOnAServer() throws {
        let scene = try ServerScene()
        #expect(try scene.run("run", "--quiet").status == 0)
        let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try scene.sql(
            "CREATE ROLE \"\(role)\" LOGIN; GRANT USAGE, CREATE ON SCHEMA @ TO \"\(role)\"; "
                + "GRANT SELECT ON ALL TABLES IN SCHEMA @ TO \"\(role)\"")
        defer { _ = try? scene.sql("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("reader.jsonc", text.replacing("user=importer", with: "user=\(role)"))
        let reader = scene.folder.file("reader.jsonc")
        let outcome = try Sluice.run(["check", "--connect", reader])
        #expect(outcome.status == 77, "\(outcome.errors)")
        #expect(outcome.errors.contains("GRANT SELECT, INSERT, UPDATE, DELETE ON \"\(scene.schema)\".\"Item\" TO"))
        #expect(try Sluice.run(["check", reader]).status == 0)
        let fine = try scene.run("check", "--connect")
        #expect(fine.status == 0 && fine.output.contains("\nWhat a run needs was tried, and is there.\n"))
        #expect(try !scene.run("check").output.contains("was tried"))
        // Triggers keep what is past.
        _ = try scene.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA @ TO \"\(role)\"")
        #expect(try Sluice.run(["check", "--connect", reader]).status == 0)
        _ = try scene.folder.write(
            "reader.jsonc", "{ \"history\": true, " + text.dropFirst().replacing("user=importer", with: "user=\(role)"))
        let other = try Sluice.run(["check", "--connect", reader])
        #expect(other.status == 77, "\(other.errors)")
        let grant = "GRANT SELECT, INSERT, UPDATE, DELETE, TRIGGER ON \"\(scene.schema)\".\"Item\" TO"
        #expect(other.errors.contains(grant), "\(other.errors)")
    }
}
