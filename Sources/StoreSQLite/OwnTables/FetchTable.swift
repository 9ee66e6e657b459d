import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_fetch`: it is written in the transaction of the data that it speaks of.
struct FetchTable {
    let connection: Connection

    /// What is known of the feeds that a pipeline has loaded.
    func marks(pipeline: String) throws(Failure) -> [FetchMark] {
        guard try isThere() else { return [] }
        return try connection.rows(
            "SELECT source, request, etag, last_modified FROM sluice_fetch WHERE pipeline = ?", pipeline
        ) { row in
            FetchMark(
                source: row.text(0), request: row.text(1), etag: row.optionalText(2), lastModified: row.optionalText(3))
        }
    }

    /// Replaces what is known of the feeds of a pipeline, within the transaction of a run.
    func replace(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        if try isThere() {
            let deletion = try connection.prepare("DELETE FROM sluice_fetch WHERE pipeline = ?")
            deletion.bind(1, pipeline)
            try deletion.run()
        }
        guard !marks.isEmpty else { return }
        try connection.create(.fetch)
        let insertion = try connection.prepare("INSERT INTO sluice_fetch VALUES (?, ?, ?, ?, ?)")
        for mark in marks {
            insertion.bind(1, pipeline)
            insertion.bind(2, mark.source)
            insertion.bind(3, mark.request)
            insertion.bind(4, mark.etag)
            insertion.bind(5, mark.lastModified)
            try insertion.run()
        }
    }

    private func isThere() throws(Failure) -> Bool {
        try connection.hasTable("sluice_fetch")
    }
}
