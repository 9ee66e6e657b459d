import Foundation
import Glibc
import TestSupport
import Testing

/// A feed that comes through a named pipe, in pieces of odd sizes.
@Suite struct NamedPipeTests {
    @Test(arguments: [1, 2, 3])
    func theSizeOfPiecesMakesNoDifference(seed: Int) throws {
        let folder = TemporaryFolder()
        let pipeline = Sluice.path("Pipelines/berlin-transit.jsonc")
        let (whole, pieces) = (folder.file("whole.sqlite"), folder.file("pieces.sqlite"))
        #expect(try Sluice.run(["run", pipeline, "--store", whole]).status == 0)
        let pipe = folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let sample = try Data(contentsOf: URL(fileURLWithPath: BerlinTransitTests.sample))
        let writer = Thread { NamedPipeTests.write(sample, to: pipe, seed: seed) }
        writer.start()
        let outcome = try Sluice.run(["run", pipeline, "--store", pieces, "--feed", pipe, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(pieces).contents() == Database(whole).contents())
        let source = (outcome.report["sources"] as? [String: [String: Any]])?["main"]
        #expect(source?["bytes"] as? Int == sample.count)
        #expect(source?["location"] as? String == pipe)
    }

    /// A run that has failed waits for nobody: neither for a pipe that is silent, nor for one that nobody writes to.
    @Test(arguments: ["", #""archive": { "directory": "archive" },"#])
    func aFailedRunWaitsForNoPipe(settings: String) throws {
        let scene = try Scene(.existing, settings: settings)
        _ = try Database(scene.store).rows(
            "CREATE TRIGGER t BEFORE INSERT ON Item WHEN new.id = 7777 BEGIN SELECT RAISE(ABORT, 'not this one'); END")
        let run = try RunningSluice(
            ["run", scene.definition, "--feed", "-", "--batch-size", "10", "--format", "json"], pipesInput: true)
        let items = (7000..<8000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        try run.write("{\"items\":[\(items),")
        let outcome = run.ended()
        #expect(outcome.status == 78, "\(outcome.errors)")
        #expect(outcome.errors.contains("not this one"), "\(outcome.errors)")
        // What came of the feed is not all of it.
        let saved = (try? FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))) ?? []
        #expect(!saved.contains { $0.contains(".run2.") })
        try run.closeInput()
    }

    /// A store is a regular file: a program that opens a pipe waits for the other side.
    @Test func aStoreIsNone() throws {
        let scene = try Scene(.new)
        let pipe = scene.folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for words in [["run"], ["run", "--dry-run"], ["check", "--connect"], ["runs"], ["unresolved"]] {
            let outcome = try Sluice.run(
                [words[0], scene.folder.file("items.jsonc"), "--store", pipe] + words.dropFirst())
            #expect(outcome.status == 78 && outcome.errors.contains("is no regular file"), "\(words): \(outcome)")
        }
    }

    private static func write(_ data: Data, to pipe: String, seed: Int) {
        var random = SeededRandom(seed)
        guard let handle = FileHandle(forWritingAtPath: pipe) else { return }
        var rest = data
        while !rest.isEmpty {
            let size = Int.random(in: 1...(seed == 1 ? 7 : 701), using: &random)
            // Where the reader went away, the test fails by what it expects.
            guard (try? handle.write(contentsOf: rest.prefix(size))) != nil else { return }
            rest = rest.dropFirst(size)
            usleep(20)
        }
        try? handle.close()
    }
}
