import Foundation
import Testing

/// Stores that cannot be loaded into.
@Suite struct BadStoreTests {
    @Test func aStoreThatIsNoDatabaseStaysAsItIs() throws {
        let scene = try Scene(.new)
        let text = "Not a database, but of some length.\n"
        let file = try scene.folder.write("notes.txt", text)
        try scene.fails(78, ["the store \(file) is not an SQLite database"], ["--store", file])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        let check = try Sluice.run(["check", scene.definition, "--store", file])
        #expect(check.status == 78)
    }

    @Test func aDamagedStoreIsSaid() throws {
        let scene = try Scene(.existing)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scene.store))
        for offset in 4096..<bytes.count { bytes[offset] = 0xa5 }
        let damaged = try scene.folder.write("damaged.sqlite", bytes)
        for ending in ["-wal", "-shm"] { _ = try scene.folder.write("damaged.sqlite" + ending, Data()) }
        try scene.fails(74, ["the store \(damaged) is damaged"], ["--store", damaged])
    }

    /// Before a feed is read: it need not even be there.
    @Test func aContradictionNamesBothSides() throws {
        let scene = try Scene(.existing)
        _ = try scene.folder.write("items.jsonc", Scene.definition(name: "integer"))
        _ = try scene.folder.write("feed.json", "not JSON")
        let message =
            "items.jsonc:9:40: the attribute Item.name is text in the store \(scene.store) (pipeline items), and the"
            + " definition makes it integer"
        try scene.fails(78, [message])
        let check = try Sluice.run(["check", scene.definition])
        #expect(check.status == 78)
        #expect(check.errors.contains(message))
    }

    @Test(arguments: ["-wal", "-journal"])
    func aLeftoverBesideAMissingStoreIsRefused(ending: String) throws {
        let scene = try Scene(.new)
        _ = try scene.folder.write("store.sqlite" + ending, "left over")
        try scene.fails(73, ["\(scene.store) does not exist, but \(scene.store)\(ending) does"])
    }

    @Test func aMissingFolderIsSaid() throws {
        let scene = try Scene(.new)
        let store = scene.folder.file("none/store.sqlite")
        try scene.fails(
            73, ["the store \(store) cannot be created: the folder \(scene.folder.file("none")) does not exist"],
            ["--store", store])
    }

    @Test func aFolderInItsPlaceIsSaid() throws {
        let scene = try Scene(.new)
        try FileManager.default.createDirectory(atPath: scene.store, withIntermediateDirectories: false)
        for option in [[], ["--dry-run"], ["--commit", "batch"]] {
            try scene.fails(73, ["the store \(scene.store) is a folder; the store is a file, as"], option)
        }
    }

    @Test(arguments: StoreState.allCases)
    func aReportThatCannotBeWrittenStopsTheRun(state: StoreState) throws {
        let scene = try Scene(state)
        let before = try state == .existing ? Database(scene.store).integer("SELECT count(*) FROM sluice_run") : 0
        let report = scene.folder.file("none/report.json")
        try scene.fails(
            73, ["the report \(report) cannot be written: the folder \(scene.folder.file("none")) does not exist"],
            ["--report", report])
        try scene.fails(73, ["Is a directory"], ["--report", scene.folder.path])
        // It is known before the run, which did not even begin.
        if state == .existing {
            #expect(try Database(scene.store).integer("SELECT count(*) FROM sluice_run") == before)
        }
    }

    @Test(arguments: StoreState.allCases)
    func aReportThatFindsNoSpaceIsSaid(state: StoreState) throws {
        let scene = try Scene(state)
        let outcome = try scene.run(["--report", "/dev/full"])
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("the report /dev/full cannot be written: No space left on device"))
        // The run itself was done, and the text says so.
        #expect(outcome.output.contains("items: succeeded"))
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 3)
    }

    @Test func aLockedStoreIsBusy() throws {
        let scene = try Scene(.existing)
        let other = try Database(scene.store)
        _ = try other.rows("BEGIN IMMEDIATE")
        try scene.fails(75, ["the store \(scene.store) is locked by another program; try again later"])
        _ = try other.rows("ROLLBACK")
        #expect(try scene.run().status == 0)
    }

    /// As scripts replace what they think nobody writes to.
    @Test func aStoreThatIsReplacedDuringTheRunIsSaid() throws {
        let scene = try Scene(.existing)
        let copy = try Data(contentsOf: URL(fileURLWithPath: scene.store))
        let run = try RunningSluice(["run", scene.definition, "--feed", "-"], pipesInput: true)
        try run.write("{\"items\": [{\"id\": 70}")
        #expect(run.waits { (try? Database(scene.store).integer("SELECT max(run) FROM sluice_run")) == 2 })
        try copy.write(to: URL(fileURLWithPath: scene.store), options: .atomic)
        try run.write("]}")
        try run.closeInput()
        let outcome = run.ended()
        #expect(outcome.status == 74)
        let text = "the store \(scene.store) was deleted, replaced or renamed during the run"
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
        #expect(!scene.folder.names.contains { $0.hasPrefix("store.sqlite-") }, "\(scene.folder.names)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.store)) == copy)
    }

    @Test func aLinkToItselfIsNoStore() throws {
        let scene = try Scene(.new)
        let link = scene.folder.file("loop.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        let message = "the store \(link) cannot be opened: Too many levels of symbolic links"
        try scene.fails(73, [message], ["--store", link])
    }

    @Test func aStoreIsNotBuiltThroughALink() throws {
        let scene = try Scene(.new)
        let victim = try scene.folder.write("victim", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: scene.store + ".sluice-new", withDestinationPath: victim)
        for option in [[], ["--dry-run"]] {
            try scene.fails(73, ["store.sqlite.sluice-new, where it would be built, is no regular file"], option)
        }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    /// A reader does not lock a writer out, nor does a finished check leave anything behind.
    @Test func aCheckLeavesNothingBehind() throws {
        let scene = try Scene(.existing)
        let files = scene.folder.names
        let outcome = try Sluice.run(["check", scene.definition])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("and fits the store"))
        #expect(scene.folder.names == files)
    }
}
