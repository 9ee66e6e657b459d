import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Brings the values of a store on a server into the forms that the definition gives them, within a transaction. What
/// has no equal was refused before.
struct ServerFormMigration {
    let connection: ServerConnection
    let model: Model
    let changes: [FormChange]
    /// What `sluice_model` said before, and says from now on, of all pipelines; renamed already.
    let before: [EntityDescription]
    let after: [EntityDescription]
    /// As SQL has it.
    let namespace: ServerNamespace

    /// Entries of the waiting list that are in memory at a time.
    private static let chunk = 1000

    func perform() throws(Failure) {
        for (index, entity) in model.entities.enumerated() {
            let rewritten = changes.filter { $0.entity == index && $0.isRewritten(ServerDialect(namespace: namespace)) }
            if rewritten.isEmpty { continue }
            let table = namespace.named(entity.table)
            var corrections: [RealCorrections] = []
            for change in rewritten where change.conversion.from.type == .real {
                let column = quoted(entity.attributes[change.attribute].name)
                corrections.append(try RealCorrections(connection, table, column, change.conversion))
            }
            // All at once: the table is written anew for each statement.
            let columns = rewritten.map { column(entity.attributes[$0.attribute].name, $0.conversion) }
            try alter(table, columns.joined(separator: ", "), entity)
            for correction in corrections { try correction.write(connection) }
        }
        for conversion in WaitingConversion.all(changes, model, before: before, after: after) {
            try migrate(conversion)
        }
    }

    private func column(_ name: String, _ conversion: FormConversion) -> String {
        let type = ServerType(conversion.to)
        return "ALTER COLUMN \(quoted(name)) TYPE \(type.name)\(type == .text ? " COLLATE \"C\"" : "") USING"
            + " \(conversion.sql(of: quoted(name)))"
    }

    /// The SQLSTATEs by which the server refuses a new type: where a view or a generated column uses the column; and
    /// where an index or a check has a function or an operator that does not take the new type.
    private static let refusals = ["0A000", "42883", "42804", "42725"]

    private func alter(_ table: String, _ columns: String, _ entity: Entity) throws(Failure) {
        // Two values that differ may be one in another form: `1` and `1.0`.
        connection.explanation = { [name = connection.name] complaint in
            complaint.code == "23505" ? FormChange.refusal(ofTwins: entity.table, in: name, complaint.message) : nil
        }
        defer { connection.explanation = nil }
        try connection.remake(
            "the table \(entity.table)", refusals: ServerFormMigration.refusals, "ALTER TABLE \(table) \(columns)")
    }

    // MARK: The waiting list

    private func migrate(_ conversion: WaitingConversion) throws(Failure) {
        var last: WaitingConversion.Entry?
        repeat {
            let entries = try entries(conversion, after: last)
            var changed: [(entry: WaitingConversion.Entry, value: String, keys: String?)] = []
            for entry in entries {
                guard let new = try conversion.converted(entry) else { continue }
                changed.append((entry, new.value, new.keys))
            }
            try write(changed, conversion)
            last = entries.count < ServerFormMigration.chunk ? nil : entries.last
        } while last != nil
    }

    private func entries(
        _ conversion: WaitingConversion, after last: WaitingConversion.Entry?
    ) throws(Failure) -> [WaitingConversion.Entry] {
        let rows = try connection.query(
            """
            SELECT "objectID", position, value, target, keys FROM \(namespace).sluice_unresolved
            WHERE entity = $1 AND relationship = $2 AND ("objectID", position) > ($3, $4)
            ORDER BY "objectID", position LIMIT \(ServerFormMigration.chunk)
            """, .text(conversion.entity), .text(conversion.relationship), .integer(last?.objectID ?? 0),
            .integer(last?.position ?? 0))
        return (0..<rows.count).map { row in
            WaitingConversion.Entry(
                objectID: rows.integer(row, 0), position: rows.integer(row, 1), value: rows.text(row, 2),
                target: rows.optionalText(row, 3), keys: rows.optionalText(row, 4))
        }
    }

    private func write(
        _ changed: [(entry: WaitingConversion.Entry, value: String, keys: String?)], _ conversion: WaitingConversion
    ) throws(Failure) {
        if changed.isEmpty { return }
        try connection.query(
            """
            UPDATE \(namespace).sluice_unresolved w SET value = k.value, keys = k.keys
            FROM unnest($3, $4, $5, $6) k("objectID", position, value, keys)
            WHERE w.entity = $1 AND w.relationship = $2 AND w."objectID" = k."objectID" AND w.position = k.position
            """, .text(conversion.entity), .text(conversion.relationship), .integers(changed.map(\.entry.objectID)),
            .integers(changed.map(\.entry.position)), .texts(changed.map(\.value)), .texts(changed.map(\.keys)))
    }
}
