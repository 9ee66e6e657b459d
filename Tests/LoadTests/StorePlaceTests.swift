import Foundation
import Glibc
import SluiceRecords
import Testing

@testable import SluiceLoad
@testable import SluiceStoreSQLite

/// The name of a store leads to the file that a run writes to, or the run fails.
@Suite struct StorePlaceTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }
    private let outcome = RunOutcome(status: "succeeded", finished: "", report: "{}")

    private func failure(_ body: () throws -> Void) -> Failure? {
        do {
            try body()
            return nil
        } catch {
            return error as? Failure
        }
    }

    private func open(buildsBeside: Bool = true, isDry: Bool = false) throws -> SQLiteStore {
        var use = StoreUse(model: StoreFileTests.model, pipeline: "test", savesAtEnd: buildsBeside)
        use.isDry = isDry
        return try SQLiteStore(path, use)
    }

    private func loadOne() throws {
        try load([StoreFileTests.record], StoreFileTests.model, into: path, batchSize: 10)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func expectLoss(_ store: SQLiteStore, _ run: any StoreRun, _ word: String = "deleted, replaced or renamed")
        throws
    {
        let failure = failure { try run.commit(outcome) }
        #expect(failure?.kind == .io)
        #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "none")")
        try store.rollback { outcome }
        #expect(!store.keepsLedger)
    }

    // MARK: A store that goes away

    @Test func aStoreThatIsDeletedIsSaid() throws {
        try loadOne()
        let store = try open()
        let run = try store.begin(started: "now")
        try FileManager.default.removeItem(atPath: path)
        try expectLoss(store, run)
        #expect(names.isEmpty)
    }

    @Test func aStoreThatIsReplacedIsSaidAndTheOtherStays() throws {
        try loadOne()
        let other = try Data(contentsOf: URL(fileURLWithPath: path))
        let store = try open()
        let run = try store.begin(started: "now")
        // Atomically: by a rename.
        try other.write(to: URL(fileURLWithPath: path), options: .atomic)
        try expectLoss(store, run)
        // What the run wrote to the log would be replayed into the other file.
        #expect(names == ["store.sqlite"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
        try loadOne()
        #expect(try rows(path, "SELECT run FROM sluice_run") == [["1"], ["2"]])
    }

    @Test func aLogThatIsDeletedIsSaid() throws {
        try loadOne()
        let store = try open()
        let run = try store.begin(started: "now")
        try FileManager.default.removeItem(atPath: path + "-wal")
        try expectLoss(store, run)
    }

    @Test func aLinkThatLeadsElsewhereIsSaid() throws {
        try loadOne()
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let store = try SQLiteStore(
            link, StoreUse(model: StoreFileTests.model, pipeline: "test", savesAtEnd: true))
        let run = try store.begin(started: "now")
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("other"))
        try expectLoss(store, run)
    }

    /// Batches that are saved go to a file of that name, or the run ends.
    @Test func aBatchIsNotSavedInAStoreThatIsGone() throws {
        let store = try open(buildsBeside: false)
        let run = try store.begin(started: "now")
        try run.saveBatch()
        try FileManager.default.removeItem(atPath: path)
        #expect(failure { try run.saveBatch() }?.kind == .io)
        try store.rollback { outcome }
        #expect(names.isEmpty)
    }

    @Test func aStoreThatIsBuiltAndDeletedIsSaid() throws {
        let store = try open()
        let run = try store.begin(started: "now")
        try FileManager.default.removeItem(atPath: path + ".sluice-new")
        try expectLoss(store, run)
        #expect(names.isEmpty)
    }

    @Test func aStoreThatIsBuiltAndReplacedIsSaidAndTheOtherStays() throws {
        let store = try open()
        let run = try store.begin(started: "now")
        try Data("not ours".utf8).write(to: URL(fileURLWithPath: path + ".sluice-new"), options: .atomic)
        try expectLoss(store, run)
        #expect(names == ["store.sqlite.sluice-new"])
        #expect(try String(contentsOfFile: path + ".sluice-new", encoding: .utf8) == "not ours")
    }

    // MARK: Links that someone else has put there

    @Test func aStoreIsNotBuiltThroughALink() throws {
        let victim = folder.file("victim")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        try FileManager.default.createSymbolicLink(atPath: path + ".sluice-new", withDestinationPath: victim)
        let failure = failure { _ = try open() }
        #expect(failure?.kind == .uncreatable)
        #expect(failure?.message.contains("no regular file") == true)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test func aFileThatSomeoneHasOpenIsNotBuiltInto() throws {
        let spy = try OpenFile(path + ".sluice-new")
        try loadOne()
        #expect(spy.size == 0)
        #expect(try rows(path, "SELECT id FROM Stop") == [["a"]])
    }

    @Test func aNewStoreIsNotMadeThroughALink() throws {
        let victim = folder.file("victim")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        #expect(failure { _ = try open(buildsBeside: false) }?.kind == .busy)
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test func theFilesBesideAStoreAreNotMadeThroughALink() throws {
        let victim = folder.file("victim")
        for ending in StoreLogs.endings {
            try FileManager.default.createSymbolicLink(atPath: path + ending, withDestinationPath: victim)
        }
        try loadOne()
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test func aLinkToItselfIsSaid() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        for isDry in [false, true] {
            let failure = failure { _ = try open(isDry: isDry) }
            #expect(failure?.kind == .uncreatable)
            #expect(failure?.message.contains("Too many levels of symbolic links") == true)
        }
    }

    // MARK: The files beside it

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }

    @Test func theyAreThereFromTheFirstMomentOnAndStay() throws {
        let all = ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"]
        for _ in 0..<3 {
            try loadOne()
            #expect(names == all)
            #expect(StoreLogs.isEmpty(path + "-wal"))
            let modes = try all.map(mode)
            #expect(Set(modes).count == 1, "\(modes)")
        }
        unsafe chmod(path, 0o644)
        try loadOne()
        for name in all { #expect(try mode(name) == 0o644) }
    }

    /// A user that deletes a store need not know of the files beside it.
    @Test func emptyOnesKeepNoNewStoreFromBeingMade() throws {
        for buildsBeside in [true, false] {
            try loadOne()
            try FileManager.default.removeItem(atPath: path)
            let store = try open(buildsBeside: buildsBeside)
            let run = try store.begin(started: "now")
            #expect(run.number == 1)
            try run.commit(outcome)
            #expect(try rows(path, "SELECT count(*) FROM Stop") == [["0"]])
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func ownNamesThatSQLiteTakesForOthersAreFiles() throws {
        let names = [":memory:", "file:x?mode=memory"].map { Connection.Access.write.name($0) }
        #expect(names == ["./:memory:", "./file:x?mode=memory"])
        #expect(Connection.Access.readUnlocked.name("/a b/ü#?%.db") == "file:///a%20b/%c3%bc%23%3f%25%2edb?immutable=1")
    }
}

/// A file that is held open.
private final class OpenFile {
    private let handle: FileHandle

    init(_ path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    }

    var size: Int { (try? handle.seekToEnd()).map(Int.init) ?? -1 }
}
