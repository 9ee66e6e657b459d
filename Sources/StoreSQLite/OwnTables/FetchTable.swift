import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_fetch`: it is written in the transaction of the data that it speaks of.
extension SQLiteStore {
    /// What is known of the feeds that a pipeline has loaded.
    package func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark] {
        guard try hasFetchMarks() else { return [] }
        return try connection.rows(
            "SELECT source, request, etag, last_modified FROM sluice_fetch WHERE pipeline = ?", pipeline
        ) { row in
            FetchMark(
                source: row.text(0), request: row.text(1), etag: row.optionalText(2), lastModified: row.optionalText(3))
        }
    }

    /// Replaces what is known of the feeds of a pipeline, within the transaction of a run.
    package func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        if try hasFetchMarks() {
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

    private func hasFetchMarks() throws(Failure) -> Bool {
        try connection.hasTable("sluice_fetch")
    }
}
