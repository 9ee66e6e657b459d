import SluiceRecords
import SluiceSchema

/// Brings what waits by one relationship into the forms that the identifiers of its targets have from now on.
struct WaitingListMigration {
    private typealias Entry = WaitingConversion.Entry

    let connection: Connection
    let conversion: WaitingConversion

    /// So many entries are in memory at a time.
    private static let chunk = 1000

    func perform() throws(Failure) {
        let hasKeys = try StoredTable(connection, "sluice_unresolved")?.column("keys") != nil
        let update = try connection.prepare(
            """
            UPDATE sluice_unresolved SET value = ?5\(hasKeys ? ", keys = ?6" : "")
            WHERE entity = ?1 AND relationship = ?2 AND objectID = ?3 AND position = ?4
            """)
        var last: Entry?
        repeat {
            let entries = try entries(after: last, hasKeys)
            for entry in entries {
                guard let changed = try conversion.converted(entry) else { continue }
                update.bind(1, conversion.entity)
                update.bind(2, conversion.relationship)
                update.bind(3, entry.objectID)
                update.bind(4, entry.position)
                update.bind(5, changed.value)
                if hasKeys { update.bind(6, changed.keys) }
                try update.run()
            }
            last = entries.count < WaitingListMigration.chunk ? nil : entries.last
        } while last != nil
    }

    private func entries(after last: Entry?, _ hasKeys: Bool) throws(Failure) -> [Entry] {
        let statement = try connection.prepare(
            """
            SELECT objectID, position, value, target, \(hasKeys ? "keys" : "NULL") FROM sluice_unresolved
            WHERE entity = ?1 AND relationship = ?2 AND (objectID, position) > (?3, ?4)
            ORDER BY objectID, position LIMIT \(WaitingListMigration.chunk)
            """)
        statement.bind(1, conversion.entity)
        statement.bind(2, conversion.relationship)
        statement.bind(3, last?.objectID ?? 0)
        statement.bind(4, last?.position ?? 0)
        var entries: [Entry] = []
        while try statement.step() {
            entries.append(
                Entry(
                    objectID: statement.integer(0), position: statement.integer(1), value: statement.text(2),
                    target: statement.optionalText(3),
                    keys: statement.optionalText(4)))
        }
        return entries
    }
}
