import SluiceRecords
import SluiceSchema

/// The table `sluice_model`: what each pipeline that writes to the store says of its entities.
struct ModelTable {
    let connection: Connection
    /// What the connection calls the store.
    var schema = "main"

    private var isThere: Bool {
        get throws(Failure) { try connection.hasTable("sluice_model", in: schema) }
    }

    // MARK: Reading

    func rows() throws(Failure) -> [ModelRow] {
        guard try isThere else { return [] }
        return try connection.rows(
            "SELECT pipeline, entity, description FROM \(schema).sluice_model ORDER BY pipeline, entity"
        ) { row throws(Failure) in
            try ModelRow(row.text(0), row.text(1), row.text(2), in: connection.path)
        }
    }

    // MARK: Writing

    /// Makes the table hold these rows, and no others of those that were read. What is the same is not written.
    func write(_ rows: [ModelRow], dropping dropped: [ModelRow], run: Int) throws(Failure) {
        let changed = rows.filter(\.isChanged)
        guard !changed.isEmpty || !dropped.isEmpty else { return }
        if try !isThere { try connection.create(.model) }
        // First all old rows go: the name of one may be that of another from now on.
        for row in dropped + changed { try delete(row) }
        let insertion = try connection.prepare(
            "INSERT INTO sluice_model (pipeline, entity, description, run) VALUES (?, ?, ?, ?)")
        for row in changed {
            insertion.bind(1, row.pipeline)
            insertion.bind(2, row.description.name)
            insertion.bind(3, row.description.json)
            insertion.bind(4, Int64(run))
            try insertion.run()
        }
    }

    private func delete(_ row: ModelRow) throws(Failure) {
        guard let stored = row.stored else { return }
        let deletion = try connection.prepare("DELETE FROM sluice_model WHERE pipeline = ? AND entity = ?")
        deletion.bind(1, row.pipeline)
        deletion.bind(2, stored.entity)
        try deletion.run()
    }
}
