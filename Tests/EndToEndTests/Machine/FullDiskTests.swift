import Foundation
import Glibc
import Testing

/// A disk without space, and a file that may not grow: said, and nothing half-done remains.
@Suite struct FullDiskTests {
    /// Some megabytes; names that differ by version, so that a second run has all of them to write.
    private func largeFeed(_ version: Int, in scene: Scene) throws -> String {
        let records = (0..<40_000).map { "{\"id\":\($0),\"name\":\"\(version) of \($0)\",\"parent\":\($0 / 2)}" }
        return try scene.folder.write("large\(version).json", "{\"items\":[\(records.joined(separator: ",\n"))]}")
    }

    /// A limit of the shell, in blocks of 1024 bytes; exceeding it must not end the command by a signal.
    private func limited(_ blocks: Int) -> [String] { ["/bin/bash", "-c", "ulimit -f \(blocks); exec \"$@\"", "bash"] }

    @Test(arguments: StoreState.allCases, [100, 300])
    func aFileThatMayNotGrow(state: StoreState, blocks: Int) throws {
        let scene = try Scene(state)
        let feed = try largeFeed(1, in: scene)
        let arguments = ["--feed", feed, "--batch-size", "1000"]
        try scene.fails(
            74, ["sluice: the store \(scene.store)", "failed; nothing was changed"], arguments, through: limited(blocks)
        )
        #expect(try scene.run(arguments).status == 0)
    }

    /// With saved batches, the run fails while others are in flight.
    @Test func savedBatchesStay() throws {
        let scene = try Scene(.existing)
        let feed = try largeFeed(1, in: scene)
        let arguments = ["--feed", feed, "--batch-size", "100", "--commit", "batch"]
        let outcome = try scene.run(arguments, through: limited(300))
        #expect(outcome.status == 74, "\(outcome.errors)")
        let saved = try Database(scene.store).integer("SELECT count(*) FROM Item")
        #expect(saved > 100 && saved % 100 == 0, "\(saved)")
        #expect(try Database(scene.store).isSound())
        #expect(try scene.run(arguments).status == 0)
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 40_000)
    }

    @Test(
        .enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root"), arguments: StoreState.allCases)
    func aDiskWithoutSpace(state: StoreState) throws {
        let scene = try Scene(.new)
        let disk = try SmallDisk(scene.folder.file("disk"))
        defer { disk.unmount() }
        let store = disk.path + "/store.sqlite"
        if state == .existing { #expect(try scene.run(["--store", store]).status == 0) }
        let before = try state == .existing ? Database(store).snapshot() : []
        let files = disk.names
        let feed = try largeFeed(1, in: scene)
        let outcome = try scene.run(["--store", store, "--feed", feed])
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot grow: database or disk is full"), "\(outcome.errors)")
        #expect(disk.names == files)
        if state == .existing { #expect(try Database(store).snapshot() == before) }
    }

    /// Notes that wait as a whole for their items are written beside the loader, which is told of it later.
    @Test(.enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root"))
    func noSpaceForTemporaryFiles() throws {
        let scene = try Scene(.existing)
        let disk = try SmallDisk(scene.folder.file("disk"), kilobytes: 2048)
        defer { disk.unmount() }
        let note =
            #""Note": {"records": "$.notes[*]", "identifier": "id", "attributes": {"id": "integer", "text": "text"}"#
            + #", "relationships": {"item": {"to": "Item"}}}, "Item""#
        let definition = Scene.definition().replacing("\"Item\"", with: note, maxReplacements: 1)
        _ = try scene.folder.write("items.jsonc", definition)
        let text = String(repeating: "x", count: 500)
        let notes = (0..<8_000).map { "{\"id\":\($0),\"item\":\($0 + 10),\"text\":\"\(text)\"}" }
        let items = (10..<8_010).map { "{\"id\":\($0)}" }
        let feed = try scene.folder.write(
            "forward.json",
            "{\"notes\":[\(notes.joined(separator: ","))],\"items\":[\(items.joined(separator: ","))]}")
        let arguments = ["--feed", feed, "--batch-size", "100"]
        try scene.fails(
            74, ["a temporary file cannot be written: No space left on device", "failed; nothing was changed"],
            arguments, through: ["/usr/bin/env", "TMPDIR=\(disk.path)"])
        #expect(disk.names.isEmpty)
        #expect(try scene.run(arguments).status == 0)
        let settled = "SELECT count(*) FROM Note JOIN Item ON Item.objectID = Note.item"
        #expect(try Database(scene.store).integer(settled) == 8_000)
    }

    /// Standard output that takes nothing is an error; one whose reader went away is none.
    @Test func standardOutputWithoutSpace() throws {
        let scene = try Scene(.new)
        let full = try scene.run(through: ["/bin/bash", "-c", "exec \"$@\" >/dev/full", "bash"])
        #expect(full.status == 74)
        #expect(full.errors.contains("standard output cannot be written: No space left on device"))
        let gone = try scene.run(through: ["/bin/bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "bash"])
        #expect(gone.status == 0, "\(gone.errors)")
    }
}

/// A small file system, in memory.
struct SmallDisk {
    let path: String

    init(_ path: String, kilobytes: Int = 1024) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = try Shell.run(["mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", path])
    }

    func resize(kilobytes: Int) { _ = try? Shell.run(["mount", "-o", "remount,size=\(kilobytes)k", path]) }

    /// At once, though a process that another test has just forked may still hold a file of the disk.
    func unmount() { _ = try? Shell.run(["umount", "-l", path]) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// Whether one can be mounted here: root may, except in some containers.
    static let isPermitted: Bool = {
        guard getuid() == 0 else { return false }
        let folder = TemporaryFolder()
        guard (try? Shell.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.path])) == 0 else {
            return false
        }
        return (try? Shell.run(["umount", folder.path])) == 0
    }()
}
