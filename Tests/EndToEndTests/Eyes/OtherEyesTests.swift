import Foundation
import TestSupport
import Testing

/// What sluice writes, read by programs that have nothing to do with it: `Tests/Eyes/look.py`, `pg_dump`, `psql`.
@Suite struct OtherEyesTests {
    private static let python = Sluice.path(".build/python/bin/python3")
    private static let modules = "duckdb, html5lib, jsonschema, prometheus_client, pyarrow, referencing"
    /// `.ci/setup python` installs them.
    static let areThere = (try? Shell.run([python, "-c", "import \(modules)"])) == 0

    /// With feeds of their own; and in the gallery, with the samples that it has.
    static let pipelines =
        ["berlin-transit", "gtfs"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: Sluice.path("Pipelines/gallery"))) ?? [])
        .filter { $0.hasSuffix(".jsonc") }.sorted().map { "gallery/" + $0.dropLast(6) }

    /// Some at a time: Python takes a second until it has all its modules.
    @Test(.enabled(if: areThere), arguments: 0..<4)
    func twoNightsOfEach(_ part: Int) throws {
        let folder = TemporaryFolder()
        let some = OtherEyesTests.pipelines.indices.filter { $0 % 4 == part }.map { OtherEyesTests.pipelines[$0] }
        try #require(!some.isEmpty)
        let complaints = try Shell.output(
            [
                OtherEyesTests.python, Sluice.path("Tests/Eyes/look.py"), "pipelines", Sluice.executable.path,
                Sluice.path("Documentation"), folder.path,
            ] + some.map { Sluice.path("Pipelines/\($0).jsonc") })
        #expect(String(decoding: complaints, as: UTF8.self) == "")
    }

    /// A store with its past, out of the backup that every server's keeper makes: the same, and the next night goes on.
    @Test func aStoreOfABackup() throws {
        let scene = try ServerScene(
            #""history": true, "limits": { "deletes": null, "rejects": null },"#, entity: #", "absent": "delete""#)
        func sluice(_ definition: String, _ feed: String) throws {
            _ = try scene.folder.write("feed.json", feed)
            let outcome = try Sluice.run(["run", definition])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for feed in ItemNights.feeds { try sluice(scene.definition, feed) }

        let uri = try Cluster.shared.get().uri
        let name = "restored_\(UUID().uuidString.prefix(8).lowercased())"
        let other = uri.replacing("/postgres?", with: "/\(name)?")
        try Cluster.shared.get().sql("CREATE DATABASE \(name)")
        defer { _ = try? Cluster.shared.get().sql("DROP DATABASE \(name)") }
        func dump(_ uri: String) throws -> String {
            // Each dump has a key of its own for `\restrict`.
            try HeldProgram.run(["pg_dump", "--schema", "\"\(scene.schema)\"", uri]).split(separator: "\n")
                .filter { !$0.hasPrefix("\\restrict") && !$0.hasPrefix("\\unrestrict") }.joined(separator: "\n")
        }
        let before = try dump(uri)
        let file = try scene.folder.write("dump.sql", before)
        try HeldProgram.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, other])
        #expect(try dump(other) == before)

        let definition = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let restored = try scene.folder.write(
            "restored.jsonc",
            "{ \"name\": \"items\", " + definition.dropFirst().replacing("/postgres?", with: "/\(name)?"))
        for feed in ItemNights.feeds.reversed() {
            try sluice(scene.definition, feed)
            try sluice(restored, feed)
            let query = "SELECT * FROM \"\(scene.schema)\".\"Item\" ORDER BY id"
            let rows = try HeldProgram.run(["psql", "-X", "-q", "-A", "-t", "-c", query, other])
            #expect(try HeldProgram.run(["psql", "-X", "-q", "-A", "-t", "-c", query, uri]) == rows)
        }
    }
}
