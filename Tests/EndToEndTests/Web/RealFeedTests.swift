import Foundation
import TestSupport
import Testing

/// The real feeds of `../shared/feeds`, served by nginx with TLS and gzip, and by a server that breaks off.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/vbb"), "no ../shared/feeds"))
struct RealFeedTests {
    private let scratch = TemporaryFolder()

    /// A definition of the tests, whose sources are named otherwise.
    private func definition(_ name: String, _ replacements: (String, String)...) throws -> String {
        var text = try String(contentsOfFile: Sluice.path("Tests/EndToEndTests/Definitions/\(name)"), encoding: .utf8)
        for (old, new) in replacements {
            #expect(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return try scratch.write("web-\(name)", text)
    }

    private func run(_ definition: String, _ store: String, _ more: [String: String] = [:]) throws -> Sluice.Outcome {
        let environment = ["FEEDS": Feeds.shared, "STORE": scratch.file(store), "SLUICE_TEST_BACKOFF": "0.002"]
        return try Sluice.run(
            ["run", definition, "--format", "json"], environment: environment.merging(more) { $1 })
    }

    private var web: (String, String) { (#""file": "${FEEDS}/vbb/feed.json.zst""#, #""url": "${URL}""#) }

    @Test func nginxGivesTheStoreOfTheFile() throws {
        _ = try Shell.run(["zstd", "-dqf", Feeds.shared + "/vbb/feed.json.zst", "-o", scratch.file("feed.json")])
        _ = try Shell.run(["cp", Feeds.shared + "/vbb/feed.json.zst", scratch.file("feed.json.zst")])
        #expect(try run(Sluice.path("Tests/EndToEndTests/Definitions/vbb.jsonc"), "file.sqlite").status == 0)
        let server = try FileServer(scratch.path)
        let definition = try definition("vbb.jsonc", web)
        for name in ["feed.json", "feed.json.zst"] {
            let environment = ["URL": "\(server.secureURL)/\(name)", "SSL_CERT_FILE": server.authority]
            let outcome = try run(definition, "\(name).sqlite", environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try Database(scratch.file("\(name).sqlite")).equals(scratch.file("file.sqlite")))
            let again = try run(definition, "\(name).sqlite", environment)
            #expect(again.report["status"] as? String == "unchanged")
        }
        // Without the authority, it is not trusted.
        #expect(try run(definition, "x.sqlite", ["URL": "\(server.secureURL)/feed.json"]).status == 69)
    }

    /// Fifty breaks in one feed, at random bytes.
    @Test(arguments: [true, false])
    func brokenDownloadsGiveTheStoreOfTheFile(_ range: Bool) throws {
        let feed = scratch.file("feed.json")
        _ = try Shell.run(["zstd", "-dqf", Feeds.shared + "/vbb/feed.json.zst", "-o", feed])
        let size = try Data(contentsOf: URL(filePath: feed)).count
        #expect(try run(Sluice.path("Tests/EndToEndTests/Definitions/vbb.jsonc"), "file.sqlite").status == 0)
        // With ranges, of what is left; else each behind the one before, or there would be no progress.
        let cuts =
            range
            ? (0..<50).map { _ in Int.random(in: 1..<size / 50) }
            : (0..<50).map { _ in Int.random(in: 1..<size) }.sorted()
        let step = #""file":"\#(feed)","range":\#(range),"headers":[["ETag","\"a\""]]"#
        let service = FaultyServer.shared.service(cuts.map { "{\(step),\"cut\":\($0)}" } + ["{\(step)}"])
        let outcome = try run(definition("vbb.jsonc", web), "web.sqlite", ["URL": service.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.count == 51)
        #expect(try Database(scratch.file("web.sqlite")).equals(scratch.file("file.sqlite")))
    }
}
