import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_fingerprint`: by pipeline, which file of fingerprints belongs to the store as its last run left
/// it.
struct FingerprintTable {
    let connection: Connection

    func row(of pipeline: String) throws(Failure) -> FingerprintRow? {
        guard try isThere() else { return nil }
        return try connection.rows("SELECT secret, identity FROM sluice_fingerprint WHERE pipeline = ?", pipeline) {
            row in
            FingerprintRow(secret: row.text(0), identity: row.text(1))
        }.last
    }

    /// Replaces the row of a pipeline; nil: it gets none.
    func replace(_ row: FingerprintRow?, of pipeline: String) throws(Failure) {
        if try isThere() {
            let deletion = try connection.prepare("DELETE FROM sluice_fingerprint WHERE pipeline = ?")
            deletion.bind(1, pipeline)
            try deletion.run()
        }
        guard let row else { return }
        try connection.create(.fingerprint)
        let insertion = try connection.prepare("INSERT INTO sluice_fingerprint VALUES (?, ?, ?)")
        insertion.bind(1, pipeline)
        insertion.bind(2, row.secret)
        insertion.bind(3, row.identity)
        try insertion.run()
    }

    private func isThere() throws(Failure) -> Bool { try connection.hasTable("sluice_fingerprint") }
}
