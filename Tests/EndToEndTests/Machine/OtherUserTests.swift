import Foundation
import Glibc
import Testing

/// A user that may read a store can read it at any time, and leaves nothing beside it.
@Suite struct OtherUserTests {
    /// Only root can be someone else; others see the test as skipped.
    static let isRoot = geteuid() == 0
    /// What runs a command as a user who has no rights but those that everyone has.
    static let asNobody = [
        "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--",
    ]

    private let scene: Scene

    init() throws {
        scene = try Scene(.existing)
        for file in [scene.definition, scene.feed] { unsafe chmod(file, 0o644) }
    }

    /// Gives everyone the right to read the store, or the store and the files beside it; and the right to write the
    /// folder, or not.
    private func permit(_ mode: mode_t, folder: mode_t) {
        for ending in ["", "-wal", "-shm"] { unsafe chmod(scene.store + ending, mode) }
        unsafe chmod(scene.folder.path, folder)
    }

    private func removeLogs() throws {
        for ending in ["-wal", "-shm"] { try scene.folder.remove("store.sqlite" + ending) }
    }

    private func expectReading(_ location: SourceLocation = #_sourceLocation) throws {
        let names = scene.folder.names
        let commands = [
            (["runs", scene.definition], "succeeded"), (["runs", scene.definition, "--run", "1"], "items: succeeded"),
            (["unresolved", scene.definition], "Item 3"), (["check", scene.definition], "and fits the store"),
            (["run", scene.definition, "--dry-run", "--force"], "dry run"),
        ]
        for (command, text) in commands {
            let outcome = try Sluice.run(command, through: OtherUserTests.asNobody)
            #expect(outcome.status == 0, "\(command): \(outcome.errors)", sourceLocation: location)
            #expect(outcome.output.contains(text), "\(command): \(outcome.output)", sourceLocation: location)
            #expect(scene.folder.names == names, "\(command)", sourceLocation: location)
        }
    }

    @Test(.enabled(if: isRoot, "only root can try what another user may"), arguments: [mode_t(0o755), 0o777])
    func oneWhoMayOnlyReadTheStoreReadsIt(folder: mode_t) throws {
        permit(0o644, folder: folder)
        try expectReading()
        // Another program has removed the files beside it, as SQLite does.
        try removeLogs()
        try expectReading()
        #expect(scene.folder.names.filter { $0.hasPrefix("store") } == ["store.sqlite"])
    }

    /// Programs that use SQLite themselves, while a run writes and when none does.
    @Test(.enabled(if: isRoot, "only root can try what another user may"))
    func otherProgramsReadItToo() throws {
        permit(0o644, folder: 0o755)
        let words = OtherUserTests.asNobody + ["/usr/bin/sqlite3", scene.store, "SELECT count(*) FROM Item"]
        func count() throws -> String { String(decoding: try Shell.output(words), as: UTF8.self) }
        #expect(try count() == "3\n")
        let writer = try Database(scene.store)
        _ = try writer.rows("BEGIN IMMEDIATE")
        _ = try writer.rows("DELETE FROM Item")
        #expect(try count() == "3\n")
        try expectReading()
        _ = try writer.rows("COMMIT")
        #expect(try count() == "0\n")
    }

    /// The permissions of the store are those of the files beside it.
    @Test func theNextRunGivesAllFilesThePermissionsOfTheStore() throws {
        unsafe chmod(scene.store, 0o604)
        #expect(try scene.run().status == 0)
        for ending in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scene.store + ending)
            #expect(attributes[.posixPermissions] as? Int == 0o604)
        }
    }

    /// The message of a run says so with the status of what cannot be written.
    @Test(.enabled(if: isRoot, "only root can try what another user may"), arguments: [mode_t(0o755), 0o777])
    func oneWhoMayNotWriteTheStoreIsRefused(folder: mode_t) throws {
        permit(0o644, folder: folder)
        let outcome = try Sluice.run(["run", scene.definition, "--force"], through: OtherUserTests.asNobody)
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors.contains("the store \(scene.store) cannot be written to"), "\(outcome.errors)")
    }

    /// What a writer that died has left can be read by who may write.
    @Test(.enabled(if: isRoot, "only root can try what another user may"))
    func aLogWithoutSharedMemoryIsSaid() throws {
        let writer = try Database(scene.store)
        _ = try writer.rows("DELETE FROM Item WHERE id = 3")
        let folder = scene.folder.file("dead")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: scene.store + ending, toPath: folder + "/s.sqlite" + ending)
            unsafe chmod(folder + "/s.sqlite" + ending, 0o644)
        }
        let command = ["runs", scene.definition, "--store", folder + "/s.sqlite"]
        let outcome = try Sluice.run(command, through: OtherUserTests.asNobody)
        #expect(outcome.status == 77)
        #expect(outcome.errors.contains("can only be read by who may write it"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        #expect(try Sluice.run(command).status == 0)
    }
}
