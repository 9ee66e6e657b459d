import CSluiceSQLite
import Glibc
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceSchema

/// The table `sluice_fingerprint`: by pipeline, which file of fingerprints belongs to the store as its last run left
/// it.
extension SQLiteStore: FingerprintStore {
    package var fingerprintStore: (any FingerprintStore)? { self }

    package func fingerprints() throws(Failure) -> FingerprintRow? {
        guard exists, try hasFingerprints() else { return nil }
        return try connection.rows("SELECT secret, identity FROM sluice_fingerprint WHERE pipeline = ?", pipeline) {
            row in
            FingerprintRow(secret: row.text(0), identity: row.text(1))
        }.last
    }

    package func replaceFingerprints(_ row: FingerprintRow?) throws(Failure) {
        if try hasFingerprints() {
            let deletion = try connection.prepare("DELETE FROM sluice_fingerprint WHERE pipeline = ?")
            deletion.bind(1, pipeline)
            try deletion.run()
        }
        guard let row else {
            // Without the row, the file belongs to no store.
            if !file.isCopy, let path = fingerprintPath { _ = unsafe unlink(path) }
            return
        }
        try connection.create(.fingerprint)
        let insertion = try connection.prepare("INSERT INTO sluice_fingerprint VALUES (?, ?, ?)")
        insertion.bind(1, pipeline)
        insertion.bind(2, row.secret)
        insertion.bind(3, row.identity)
        try insertion.run()
    }

    private func hasFingerprints() throws(Failure) -> Bool {
        try connection.hasTable("sluice_fingerprint")
    }

    /// Pipelines of one store have a file each.
    package var fingerprintPath: String? {
        file.path + ".fingerprints-" + FingerprintRow.digits(of: pipeline)
    }

    package func watch() throws(Failure) { watched = try foreignWrites() }

    package func mayHave(_ stamp: StoreStamp) -> Bool {
        currentStamp == stamp && (try? connection.hasForeignTriggers()) == false
    }

    package func isUntouched(since stamp: StoreStamp?) throws(Failure) -> Bool {
        if stamp == nil { return false }
        guard try foreignWrites() == watched else {
            throw Failure(.busy, "another program has written to the store while the run began")
        }
        return true
    }

    package func hasTwin(_ search: TwinSearch) throws(Failure) -> Bool {
        let query = try connection.prepare(
            schema.twins(
                of: search.new.entity, search.new.attributes, above: search.highest, among: search.other.entity,
                search.other.attributes, named: quoted))
        return try query.step()
    }

    /// Nothing is to be done: the file itself shows writes when the run is saved.
    package func watchEnd() {}

    package var stamp: StoreStamp? {
        // The number of foreign writes is read last: a later write changes the file after the time in the stamp.
        guard let stamp = currentStamp else { return nil }
        guard let watched else { return stamp }
        return (try? foreignWrites()) == watched ? stamp : nil
    }

    /// A program's own connection can only write to a file once the log has been moved there.
    package var hidesWritesBeside: Bool { false }

    /// Nil where what others have written is in the log, and not yet in the file.
    private var currentStamp: StoreStamp? {
        StoreLogs(file.path).hasEntries ? nil : StoreStamp(file: file.path)
    }

    /// A number that changes when anyone but this run writes to the store; nil: nobody else can, since a store that is
    /// built has no name yet.
    private func foreignWrites() throws(Failure) -> Int64? {
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
