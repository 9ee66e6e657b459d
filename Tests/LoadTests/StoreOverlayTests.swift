import CSluiceSQLite
import Foundation
import TestSupport
import Testing

@testable import SluiceStoreSQLite

/// The layer that keeps what a dry run writes apart from the store.
@Suite struct StoreOverlayTests {
    private let scratch = TemporaryFolder()

    private var path: String { scratch.file("s.sqlite") }

    private func made(mode: String = "WAL") throws -> Connection {
        let store = try Connection(path: path, access: .create)
        _ = try store.text("PRAGMA journal_mode = \(mode)")
        try store.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO t SELECT i, printf('%0100d', i) FROM n;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
        return store
    }

    private func overlaid(_ overlay: StoreOverlay) throws -> Connection {
        let connection = try Connection(
            path: path, access: .create, file: scratch.file("copy"), layer: overlay.name)
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = 10")
        return connection
    }

    private func size(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.size] as? Int ?? 0
    }

    @Test func theStoreIsReadAndNeverWritten() throws {
        let store = try made()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let copy = try overlaid(try #require(try StoreOverlay(path, patience: 100)))
        #expect(try copy.integer("SELECT sum(id) FROM t") == 12_502_500)
        #expect(try size("copy") == 0)
        try copy.execute("BEGIN; UPDATE t SET text = 'x' WHERE id = 1; INSERT INTO t VALUES (6000, 'y'); COMMIT")
        try copy.execute("CREATE INDEX i ON t (text); DELETE FROM t WHERE id BETWEEN 100 AND 4000; VACUUM")
        #expect(try copy.text("PRAGMA integrity_check") == "ok")
        #expect(try copy.integer("SELECT count(*) FROM t") == 1100)
        // After it has become smaller it grows again: nothing of the store comes back.
        try copy.execute("INSERT INTO t SELECT id + 10000, text FROM t; INSERT INTO t SELECT id + 100000, text FROM t")
        #expect(try copy.text("PRAGMA integrity_check") == "ok")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try store.integer("SELECT count(*) FROM t") == 5000)
    }

    @Test func whatOthersWriteMeanwhileIsNotSeen() throws {
        let store = try made()
        let copy = try overlaid(try #require(try StoreOverlay(path, patience: 100)))
        #expect(try copy.integer("SELECT count(*) FROM t") == 5000)
        // A writer is not kept waiting; what it writes stays in the log for as long.
        try store.execute("UPDATE t SET text = 'changed'; PRAGMA wal_checkpoint(PASSIVE)")
        let other = try Connection(path: path, access: .write)
        _ = try other.text("PRAGMA wal_checkpoint(PASSIVE)")
        other.close()
        #expect(try copy.integer("SELECT count(*) FROM t WHERE text = 'changed'") == 0)
        #expect(try copy.text("PRAGMA integrity_check") == "ok")
        try copy.execute("UPDATE t SET text = 'mine' WHERE id <= 10")
        #expect(try copy.integer("SELECT count(*) FROM t WHERE text = 'mine'") == 10)
        copy.close()
        #expect(try store.integer("SELECT count(*) FROM t WHERE text = 'changed'") == 5000)
    }

    @Test func whatOnlyTheLogHoldsIsCopied() throws {
        let store = try made()
        try store.execute("DELETE FROM t WHERE id = 1")
        #expect(try StoreOverlay(path, patience: 100) == nil)
        try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try StoreOverlay(path, patience: 100) != nil)
    }

    @Test func inOtherModesTheStoreIsCopied() throws {
        _ = try made(mode: "DELETE")
        #expect(try StoreOverlay(path, patience: 100) == nil)
    }

    @Test func nothingIsLeftOfIt() throws {
        let store = try made()
        weak var left: StoreOverlay?
        do {
            let overlay = try #require(try StoreOverlay(path, patience: 100))
            left = overlay
            let copy = try overlaid(overlay)
            #expect(try copy.integer("SELECT count(*) FROM t") == 5000)
        }
        #expect(left == nil)
        // Nobody reads any more: the log can be emptied.
        try store.execute("DELETE FROM t WHERE id = 1")
        #expect(try store.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
        #expect(try size("s.sqlite-wal") == 0)
    }
}
