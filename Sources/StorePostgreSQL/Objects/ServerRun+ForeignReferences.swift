import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// References that the model does not know, to the objects of its entities.
extension ServerRun {
    /// A foreign key of others.
    struct ForeignReference {
        var key: String
        /// With its schema, for messages and as SQL has it.
        var table: (name: String, sql: String)
        /// How a row `x` of the table refers to an object `t`.
        var condition: String
        /// Whether the server refuses to delete an object that such a row refers to.
        var refuses: Bool
        /// Whether its rows may be read.
        var isReadable: Bool
    }

    /// Sets sluice's own references that the model does not know to null; they wait for nothing. The server enforces
    /// the foreign keys of others: it refuses the deletion, or does what they were declared to do.
    func clearForeignReferences(_ objectIDs: [Int64], _ entity: Int) throws(Failure) {
        if isDry {
            for reference in try foreignReferences(to: entity) { try foresee(reference, objectIDs, entity) }
            return
        }
        let name = quotedText(model.entities[entity].name)
        for reference in try unknownReferences(to: entity) {
            let (table, values) = (stored(reference.table), reference.columns.map { "\(quoted($0)) = NULL" })
            let condition = reference.condition("= ANY($1)", entity: name)
            if store.keepsChanges, !reference.leadsToOwner { try recordLoss(reference, condition, objectIDs) }
            try change(
                reference.isLink
                    ? "DELETE FROM \(table) WHERE \(condition)"
                    : "UPDATE \(table) SET \(values.joined(separator: ", ")) WHERE \(condition)", objectIDs)
        }
    }

    /// A dry run writes to its own tables alone, of which no foreign key knows.
    private func foresee(_ reference: ForeignReference, _ objectIDs: [Int64], _ entity: Int) throws(Failure) {
        guard reference.refuses, reference.isReadable else { return }
        let found = try connection.query(rows(reference, entity, where: "= ANY($1)") + " LIMIT 1", .integers(objectIDs))
        guard found.count > 0 else { return }
        throw connection.foreignKeyFailure(
            reference.key, of: reference.table.name,
            "rows of it refer to objects of \(model.entities[entity].name) that a run deletes")
    }

    /// The rows that refer to some objects.
    func rows(_ reference: ForeignReference, _ entity: Int, where condition: String) -> String {
        "SELECT 1 FROM \(reference.table.sql) x JOIN \(stored(nameNow(model.entities[entity].table))) t"
            + " ON \(reference.condition) WHERE t.\"objectID\" \(condition)"
    }

    /// The references of sluice's own that the model does not know, as far as they are still there.
    func unknownReferences(to entity: Int) throws(Failure) -> [UnknownReference] {
        var found: [UnknownReference] = []
        for reference in schema.unknownReferences(to: entity, check.modelRows.descriptions) {
            let columns = try connection.query(
                ServerRun.columnsThatAreThere, .text(location.schema), .text(nameNow(reference.table)),
                .texts(reference.columns))
            if columns.integer(0, 0) == Int64(reference.columns.count) { found.append(reference) }
        }
        return found
    }

    /// What the store calls a table while the run goes on: a dry run renames its own tables alone.
    func nameNow(_ table: String) -> String { isDry ? check.renaming.nameBefore(table: table) : table }

    func entityNow(_ name: String) -> String { isDry ? check.renaming.nameBefore(entity: name) : name }

    private func nameNow(_ column: String, of table: String) -> String {
        isDry ? check.renaming.nameBefore(column: column, of: table) : column
    }

    private static let columnsThatAreThere = """
        SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2 AND a.attname = ANY($3) AND NOT a.attisdropped
        """

    /// The foreign keys of others.
    func foreignReferences(to entity: Int) throws(Failure) -> [ForeignReference] {
        let own = Set(
            (check.modelRows.descriptions.flatMap(\.referenceColumns) + schema.referenceColumns)
                .map { ExactText("\(nameNow($0.table))/\(nameNow($0.column, of: $0.table))") })
        let found = try connection.query(
            ServerRun.foreignKeys, .text(location.schema), .text(nameNow(model.entities[entity].table)))
        return (0..<found.count).compactMap { row in
            let (namespace, table, column) = (found.text(row, 1), found.text(row, 2), found.text(row, 3))
            let isHere = namespace.isIdentical(to: location.schema) && found.integer(row, 4) == 1
            if isHere, own.contains(ExactText("\(table)/\(column)")) { return nil }
            return ForeignReference(
                key: found.text(row, 0), table: ("\(namespace).\(table)", ServerNamespace(namespace).named(table)),
                condition: found.text(row, 5), refuses: found.boolean(row, 6), isReadable: found.boolean(row, 7))
        }
    }

    private static let foreignKeys = """
        SELECT k.conname::text, n.nspname::text, c.relname::text, p.first, p.count, p.condition,
        k.confdeltype IN ('a', 'r'), has_table_privilege(c.oid, 'SELECT')
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_class r ON r.oid = k.confrelid JOIN pg_namespace m ON m.oid = r.relnamespace
        CROSS JOIN LATERAL (
          SELECT min(a.attname::text) AS first, count(*) AS count,
          string_agg(format('x.%I = t.%I', a.attname, b.attname), ' AND ') AS condition
          FROM unnest(k.conkey, k.confkey) u(x, t)
          JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.x
          JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.t) p
        WHERE k.contype = 'f' AND k.conparentid = 0 AND m.nspname = $1 AND r.relname = $2
        """
}
