import Foundation
import TestSupport
import Testing

/// The disk of the server is full: the tables are as before, and the message says what happened.
@Suite(.enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root")) struct ServerDiskTests {
    private static let before = ["1,one,∅", "2,two,1", "3,∅,∅"]

    private func largeFeed(_ scene: ServerScene, name: String = "the name") throws {
        let records = (0..<20_000).map { "{\"id\":\($0),\"name\":\"\(name) of item \($0)\",\"parent\":\($0 / 2)}" }
        _ = try scene.folder.write("feed.json", "{\"items\":[\(records.joined(separator: ",\n"))]}")
    }

    /// What tables need is not there: on a disk of their own.
    @Test(arguments: StoreState.allCases)
    func noRoomForTables(_ state: StoreState) throws {
        let scene = try ServerScene()
        let name = "small_\(UUID().uuidString.prefix(8).lowercased())"
        let disk = try SmallDisk("/tmp/\(name)", kilobytes: 1200)
        defer {
            _ = try? scene.sql("DROP SCHEMA IF EXISTS @ CASCADE")
            _ = try? scene.sql("CHECKPOINT")
            _ = try? scene.sql("DROP TABLESPACE \(name)")
            _ = try? scene.sql("DROP ROLE \(name)")
            disk.unmount()
            try? FileManager.default.removeItem(atPath: disk.path)
        }
        #expect(try Shell.run(["chown", "postgres", disk.path]) == 0)
        _ = try scene.sql("CREATE TABLESPACE \(name) LOCATION '\(disk.path)'")
        _ = try scene.sql("CREATE ROLE \(name) SUPERUSER LOGIN")
        _ = try scene.sql("ALTER ROLE \(name) SET default_tablespace = \(name)")
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing("user=importer", with: "user=\(name)"))
        if state == .existing { #expect(try scene.run("run", "--quiet").status == 0) }
        try largeFeed(scene)
        let outcome = try scene.run("run")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot grow: could not extend file"), "\(outcome.errors)")
        #expect(outcome.errors.contains("No space left on device"))
        #expect(outcome.output.contains("failed; nothing was changed"))
        if state == .existing {
            #expect(try scene.items() == Self.before)
        } else {
            #expect(try scene.sql("SELECT to_regclass('@.\"Item\"') IS NULL") == "t")
        }
        let statuses = (state == .existing ? "succeeded\n" : "") + "failed"
        #expect(try scene.sql("SELECT status FROM @.sluice_run ORDER BY run") == statuses)
        disk.resize(kilobytes: 60_000)
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.sql("SELECT count(*), count(parent) FROM @.\"Item\"") == "20000\t20000")
    }

    /// The server cannot write its log: it falls, and stands up again when it has room.
    @Test func noRoomForTheLog() throws {
        let folder = TemporaryFolder()
        let disk = try SmallDisk(folder.file("disk"), kilobytes: 16_384)
        defer { disk.unmount() }
        for path in [folder.path, disk.path] { #expect(try Shell.run(["chmod", "1777", path]) == 0) }
        let cluster = try Cluster(
            settings: ["min_wal_size=2MB", "max_wal_size=4MB", "wal_buffers=32kB", "wal_writer_delay=10s"],
            logs: disk.path + "/log")
        let scene = try ServerScene(on: cluster)
        #expect(try scene.run("run", "--quiet").status == 0)
        let filler = disk.path + "/filler"
        #expect(try Shell.run(["dd", "if=/dev/zero", "of=\(filler)", "bs=64k"]) == 1)
        try largeFeed(scene, name: String(repeating: "a long name ", count: 60))
        let outcome = try Sluice.run(["run", scene.definition], environment: ["SLUICE_TEST_RECONNECT": "0.3"])
        // Whichever process of the server meets it first, all fall; the run's own says why.
        #expect([69, 74].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains("No space left on device") == (outcome.status == 74), "\(outcome.errors)")
        #expect(outcome.output.contains("failed; "))
        try FileManager.default.removeItem(atPath: filler)
        try cluster.wait()
        #expect(try scene.items() == Self.before)
        #expect(try scene.run("run", "--quiet").status == 0)
        #expect(try scene.sql("SELECT count(*), count(parent) FROM @.\"Item\"") == "20000\t20000")
        #expect(try scene.sql("SELECT count(*) FROM @.sluice_run WHERE status = 'running'") == "0")
    }
}
