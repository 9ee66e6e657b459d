import SluiceRecords
import SluiceSchema

extension StoredEntity {
    /// Reads what the store says of its entities, by name; none where no run has written to it.
    ///
    /// - Parameter schema: what the connection calls the store.
    package static func all(_ connection: Connection, in schema: String = "main") throws(Failure) -> [StoredEntity] {
        all(try ModelTable(connection: connection, schema: quoted(schema)).rows().map(\.description))
    }
}
