import CSluiceSQLite
import Glibc
import SluiceLoad
import SluicePosix
import SluiceRecords

/// The table `sluice_fingerprint`: by pipeline, which file of fingerprints belongs to the store as its last run left it.
extension SQLiteStore: FingerprintStore {
    package var fingerprintStore: (any FingerprintStore)? { self }

    package func fingerprints() throws(Failure) -> FingerprintRow? {
        guard exists, try hasFingerprints() else { return nil }
        let query = try connection.prepare("SELECT secret, identity FROM sluice_fingerprint WHERE pipeline = ?")
        query.bind(1, pipeline)
        var row: FingerprintRow?
        while try query.step() { row = FingerprintRow(secret: query.text(0), identity: query.text(1)) }
        return row
    }

    package func replaceFingerprints(_ row: FingerprintRow?) throws(Failure) {
        if try hasFingerprints() {
            let deletion = try connection.prepare("DELETE FROM sluice_fingerprint WHERE pipeline = ?")
            deletion.bind(1, pipeline)
            try deletion.run()
        }
        guard let row else {
            // Without the row, the file is nobody's.
            if !file.isCopy { _ = unsafe unlink(fingerprintPath) }
            return
        }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sluice_fingerprint (
              pipeline TEXT PRIMARY KEY, secret TEXT NOT NULL, identity TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """)
        let insertion = try connection.prepare("INSERT INTO sluice_fingerprint VALUES (?, ?, ?)")
        insertion.bind(1, pipeline)
        insertion.bind(2, row.secret)
        insertion.bind(3, row.identity)
        try insertion.run()
    }

    private func hasFingerprints() throws(Failure) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sluice_fingerprint'") != 0
    }

    /// Pipelines of one store have a file each.
    package var fingerprintPath: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in pipeline.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return file.path + ".fingerprints-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    package var watchedPath: String? {
        // What others have written stands in the log until it is moved.
        StoreLogs(file.path).hasEntries ? nil : file.path
    }

    package func foreignWrites() throws(Failure) -> Int64? {
        // A store that is built has no name yet.
        if file.isBuilt || file.isCopy { return nil }
        return try connection.integer("PRAGMA data_version")
    }

    package func retract() throws(Failure) {
        connection.interruption?.disarm()
        forgetTables()
        guard !file.isCopy, file.exists else {
            connection.close()
            file.abandon()
            return
        }
        if !connection.isAutocommit { try connection.execute("ROLLBACK") }
        try connection.execute("DELETE FROM sluice_run WHERE run = \(ledger.run)")
        connection.close()
    }
}
