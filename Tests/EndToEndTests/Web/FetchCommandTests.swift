import Foundation
import TestSupport
import Testing

/// `sluice fetch` saves what a service gives, and a replay of it loads what a run would have loaded.
struct FetchCommandTests {
    private func fetch(_ scene: WebScene) throws -> (Sluice.Outcome, [String]) {
        let outcome = try Sluice.run(["fetch", scene.definition])
        return (outcome, outcome.output.split(separator: "\n").map(String.init))
    }

    @Test func aFetchedFeedCanBeReplayed() throws {
        let service = FaultyServer.shared.service(#"{"items":50}"#)
        let scene = try WebScene(service.member, settings: #""archive": { "directory": "archive" },"#)
        let (outcome, files) = try fetch(scene)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(files.count == 1 && files[0].hasPrefix("main="))
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        #expect(try Sluice.run(["replay", scene.definition] + files).status == 0)
        let replayed = try Database(scene.store).integer("SELECT count(*) FROM Item")
        #expect(replayed == 50)
        #expect(service.requests.count == 1)
    }

    /// What is no feed is not saved.
    @Test func whatIsBrokenIsNotSaved() throws {
        let service = FaultyServer.shared.service(#"{"items":50,"cut":300}"#)
        let scene = try WebScene(
            "\(service.member), \"retries\": 0", settings: #""archive": { "directory": "archive" },"#)
        #expect(try fetch(scene).0.status == 69)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))
        #expect(names.isEmpty)
    }

    @Test func withoutAnArchive() throws {
        let service = FaultyServer.shared.service(#"{"items":5}"#)
        let scene = try WebScene(service.member)
        let (outcome, _) = try fetch(scene)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("needs \"archive\""))
        #expect(service.requests.isEmpty)
    }
}
