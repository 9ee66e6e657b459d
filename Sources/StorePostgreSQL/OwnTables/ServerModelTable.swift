import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The table `sluice_model`: what each pipeline that writes to the store says of its entities.
struct ServerModelTable {
    let connection: ServerConnection
    /// As SQL has it.
    let table: String

    init(_ connection: ServerConnection, _ table: String) {
        self.connection = connection
        self.table = table
    }

    /// Makes the table hold these rows, and no others of those that were read. What is the same is not written.
    func write(_ rows: [ModelRow], dropping dropped: [ModelRow], run: Int) throws(Failure) {
        let changed = rows.filter(\.isChanged)
        let old = (dropped + changed).filter { $0.stored != nil }
        if !old.isEmpty {
            try connection.write(
                """
                DELETE FROM \(table) m USING unnest($1, $2) k(pipeline, entity)
                WHERE m.pipeline = k.pipeline AND m.entity = k.entity
                """, .texts(old.map(\.pipeline)), .texts(old.map { $0.stored?.entity }))
        }
        if changed.isEmpty { return }
        try connection.write(
            """
            INSERT INTO \(table) (pipeline, entity, description, run)
            SELECT pipeline, entity, description, $4 FROM unnest($1, $2, $3) k(pipeline, entity, description)
            """, .texts(changed.map(\.pipeline)), .texts(changed.map(\.description.name)),
            .texts(changed.map(\.description.json)), .integer(Int64(run)))
    }
}
