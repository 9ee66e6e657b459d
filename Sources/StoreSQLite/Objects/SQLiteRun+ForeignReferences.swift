import SluiceLoad
import SluiceRecords
import SluiceSchema

// References that the model does not know, to the objects of its entities. SQLite enforces foreign keys only on
// connections that ask for it, and this one does not: a run checks references itself.
extension SQLiteRun {
    /// A foreign key of others.
    struct ForeignReference {
        var table: String
        /// The columns that refer, and those that they refer to.
        var columns: [String]
        var targets: [String]
        /// What is to be done when their object goes, as SQLite has it: `CASCADE`, `SET NULL` …
        var action: String
        /// Whether sluice has made it.
        var isOwn: Bool
    }

    /// What becomes of a row whose object is deleted.
    private enum Fate { case removed, nullified, kept }

    /// Sets sluice's own references that the model does not know to null; they wait for nothing. Foreign keys of others
    /// do what they were declared to do, or keep the objects from being deleted.
    func clearForeignReferences(_ list: String, _ entity: Int) throws(Failure) {
        let name = quotedText(model.entities[entity].name)
        for reference in try unknownReferences(to: entity) {
            let condition = "WHERE \(reference.condition("IN \(SQLiteRun.chunk)", entity: name))"
            if use.keptChanges > 0, !reference.leadsToOwner { try recordLoss(reference, condition, list) }
            try clear(
                reference.table, reference.columns, condition, list, reference.isLink ? .removed : .nullified)
        }
        for reference in try foreignReferences(to: entity) {
            let keys = reference.targets.map(quoted).joined(separator: ", ")
            let condition =
                "WHERE (\(reference.columns.map(quoted).joined(separator: ", "))) IN"
                + " (SELECT \(keys) FROM \(table(entity)) WHERE \"objectID\" IN \(SQLiteRun.chunk))"
            let fate = try fate(of: reference)
            if fate == .kept { try refuse(reference, condition, list, entity) }
            try clear(reference.table, reference.columns, condition, list, fate)
        }
    }

    /// Records the objects that lose references: no pass of a run knows of these.
    private func recordLoss(_ reference: UnknownReference, _ condition: String, _ list: String) throws(Failure) {
        let objects = "SELECT DISTINCT \(quoted(reference.ownerColumn)) FROM \(quoted(reference.table)) \(condition)"
        let changed = try connection.rows(objects, list) { row throws(Failure) in
            ChangedObjects(updated: try row.objectID(0))
        }
        try ChangeTable(connection: connection).record(changed, reference.owner, run: number)
    }

    private func clear(
        _ table: String, _ columns: [String], _ condition: String, _ list: String, _ fate: Fate
    ) throws(Failure) {
        if fate == .kept { return }
        try history.keep(of: table, condition, list, areGoing: fate == .removed)
        if fate == .removed { return try change("DELETE FROM \(quoted(table)) \(condition)", list) }
        let values = columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
        try change("UPDATE \(quoted(table)) SET \(values) \(condition)", list)
    }

    private func fate(of reference: ForeignReference) throws(Failure) -> Fate {
        switch reference.action {
        // Rows that refer to such rows in turn are not followed.
        case "CASCADE": return try isReferredTo(reference.table) ? .kept : .removed
        case "SET NULL": return .nullified
        default: return .kept
        }
    }

    private func isReferredTo(_ table: String) throws(Failure) -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
            WHERE t.type = 'table' AND lower(k."table") = lower(?) LIMIT 1
            """, table) != nil
    }

    private func refuse(
        _ reference: ForeignReference, _ condition: String, _ list: String, _ entity: Int
    ) throws(Failure) {
        let statement = try connection.prepare("SELECT 1 FROM \(quoted(reference.table)) \(condition) LIMIT 1")
        statement.bind(1, list)
        guard try statement.step() else { return }
        throw Failure(
            .definition,
            "the foreign key of \(reference.table).\(reference.columns.joined(separator: ", ")) does not let the store"
                + " \(connection.path) change: rows of that table refer to objects of \(model.entities[entity].name) that go."
                + " Delete these rows first, or declare the key ON DELETE CASCADE or ON DELETE SET NULL")
    }

    /// The references of sluice's own that the model does not know, as far as they are still there.
    func unknownReferences(to entity: Int) throws(Failure) -> [UnknownReference] {
        var found: [UnknownReference] = []
        for reference in schema.unknownReferences(to: entity, check.modelRows.descriptions) {
            guard let table = try StoredTable(connection, reference.table) else { continue }
            if reference.columns.allSatisfy({ table.column($0) != nil }) { found.append(reference) }
        }
        return found
    }

    /// The foreign keys of others.
    func foreignReferences(to entity: Int) throws(Failure) -> [ForeignReference] {
        let own = Set(
            (check.modelRows.descriptions.flatMap(\.referenceColumns) + schema.referenceColumns)
                .map { FoldedName("\($0.table)/\($0.column)") })
        let statement = try connection.prepare(
            """
            SELECT t.name, k.seq, k."from", coalesce(k."to", 'objectID'), k.on_delete
            FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
            WHERE t.type = 'table' AND lower(k."table") = lower(?) ORDER BY t.name, k.id, k.seq
            """)
        statement.bind(1, model.entities[entity].table)
        var references: [ForeignReference] = []
        while try statement.step() {
            let column = (statement.text(2), statement.text(3))
            if statement.integer(1) > 0, let last = references.indices.last {
                references[last].columns.append(column.0)
                references[last].targets.append(column.1)
                references[last].isOwn = false
            } else {
                references.append(
                    ForeignReference(
                        table: statement.text(0), columns: [column.0], targets: [column.1], action: statement.text(4),
                        isOwn: own.contains(FoldedName("\(statement.text(0))/\(column.0)"))))
            }
        }
        return references.filter { !$0.isOwn }
    }
}
