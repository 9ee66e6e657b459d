import Foundation
import Synchronization
import Testing

/// While a run goes on, other programs read its store: without waiting, without failing, and always one state.
@Suite(.serialized) struct ReaderTests {
    private static let count = 30_000
    private static let batch = 1000

    /// Items of a version, each with its parent.
    private func feed(_ version: Int, in scene: Scene) throws -> String {
        let items = (0..<ReaderTests.count).map { "{\"id\":\($0),\"name\":\"v\(version)\",\"parent\":\($0 / 2)}" }
        return try scene.folder.write("v\(version).json", "{\"items\":[\(items.joined(separator: ",\n"))]}")
    }

    private func arguments(_ scene: Scene, _ feed: String, _ commit: String) -> [String] {
        [
            "run", scene.definition, "--feed", feed, "--commit", commit, "--batch-size", String(ReaderTests.batch),
            "-q",
        ]
    }

    /// All items of the second version, and all items: one statement, so of one moment.
    private static let question = """
        SELECT count(*), sum(name = 'v2'), (SELECT count(*) FROM Item i JOIN Item p ON p.objectID = i.parent) FROM Item
        """

    private func logBytes(_ scene: Scene) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: scene.store + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// What one reader saw, again and again until the run has ended.
    private func states(_ run: RunningSluice, _ read: () throws -> [String]) rethrows -> [[String]] {
        var states: [[String]] = []
        repeat {
            let state = try read()
            if state != states.last { states.append(state) }
        } while run.isRunning
        return states
    }

    private func check(_ states: [[String]], _ commit: String) {
        let whole = String(ReaderTests.count)
        #expect(states.allSatisfy { $0[0] == whole && $0[2] == whole }, "\(states.prefix(5))")
        let done = states.map { Int($0[1]) ?? -1 }
        // It only ever grows, by whole batches or at once.
        #expect(done == done.sorted())
        let step = commit == "run" ? ReaderTests.count : ReaderTests.batch
        #expect(done.allSatisfy { $0 % step == 0 }, "\(done.prefix(20))")
    }

    /// A program that stays connected, and has no patience at all with a store that is locked.
    @Test(arguments: ["run", "batch"])
    func aReaderThatStays(commit: String) throws {
        let scene = try Scene(.new)
        let feeds = try [feed(1, in: scene), feed(2, in: scene)]
        #expect(try Sluice.run(arguments(scene, feeds[0], commit)).status == 0)
        let reader = try Database(scene.store)
        let run = try RunningSluice(arguments(scene, feeds[1], commit))
        let states = try states(run) { try reader.rows(ReaderTests.question)[0] }
        #expect(run.ended().status == 0)
        check(states, commit)
        #expect(states.count > (commit == "batch" ? 3 : 0))
        #expect(try reader.rows(ReaderTests.question)[0][1] == String(ReaderTests.count))
    }

    /// Programs that come and go.
    @Test(arguments: ["run", "batch"])
    func readersThatComeAndGo(commit: String) throws {
        let scene = try Scene(.new)
        let feeds = try [feed(1, in: scene), feed(2, in: scene)]
        #expect(try Sluice.run(arguments(scene, feeds[0], commit)).status == 0)
        let run = try RunningSluice(arguments(scene, feeds[1], commit))
        let states = try states(run) { try Database(scene.store, patience: 1000).rows(ReaderTests.question)[0] }
        #expect(run.ended().status == 0)
        check(states, commit)
    }

    /// A program that forgot to end its transaction: it goes on to see what it saw, the run does not fail, and once it
    /// is gone, the log does not stay long.
    @Test(arguments: ["run", "batch"])
    func aReaderThatKeepsATransaction(commit: String) throws {
        let scene = try Scene(.new)
        let feeds = try [feed(1, in: scene), feed(2, in: scene)]
        #expect(try Sluice.run(arguments(scene, feeds[0], commit)).status == 0)
        let (reader, other) = try (Database(scene.store), Database(scene.store))
        _ = try reader.rows("BEGIN")
        let before = try reader.rows(ReaderTests.question)
        var lengths: [Int] = []
        for round in 0..<3 {
            #expect(try Sluice.run(arguments(scene, feeds[(round + 1) % 2], commit)).status == 0)
            #expect(try reader.rows(ReaderTests.question) == before)
            lengths.append(logBytes(scene))
        }
        #expect(lengths[0] > 17 * ReaderTests.count && lengths == lengths.sorted())
        _ = try reader.rows("COMMIT")
        #expect(try reader.rows(ReaderTests.question)[0][1] == String(ReaderTests.count))
        // The next run has nothing to write but its row in the ledger, and yet empties the log.
        #expect(try Sluice.run(arguments(scene, feeds[1], commit)).status == 0)
        #expect(logBytes(scene) == 0)
        #expect(try other.rows(ReaderTests.question)[0][1] == String(ReaderTests.count))
        #expect(try other.isSound())
    }
}
