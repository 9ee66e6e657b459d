import SluiceRecords
import SluiceSchema

// References that the model does not know, to the objects of its entities. SQLite looks after foreign keys where it is
// told to, and not here: a run checks references itself.
extension SQLiteStore {
    /// A foreign key that the model does not know.
    struct ForeignReference {
        var table: String
        /// The columns that refer, and those that they refer to.
        var columns: [String]
        var targets: [String]
        /// What is to be done when their object goes, as SQLite has it: `CASCADE`, `SET NULL` …
        var action: String
        /// Whether the model knows it.
        var isKnown: Bool
        /// Whether sluice has made it: it is another pipeline's, or the definition has lost it.
        var isOwn: Bool
    }

    /// What becomes of a row whose object goes.
    private enum Fate { case removed, nullified, kept }

    /// References of sluice's own that the model does not know are null from now on, and wait for nothing. Those of others
    /// become what they were declared to become, or keep the objects from going.
    func clearForeignReferences(_ list: String, _ entity: Int) throws(Failure) {
        for reference in try foreignReferences(to: entity) {
            let keys = reference.targets.map(quoted).joined(separator: ", ")
            let condition =
                "WHERE (\(reference.columns.map(quoted).joined(separator: ", "))) IN"
                + " (SELECT \(keys) FROM \(table(entity)) WHERE \"objectID\" IN \(SQLiteStore.chunk))"
            let fate = try fate(of: reference)
            if fate != .kept { try keepPast(of: reference.table, condition, list, areGoing: fate == .removed) }
            switch fate {
            case .removed: try change("DELETE FROM \(quoted(reference.table)) \(condition)", list)
            case .nullified:
                let columns = reference.columns.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
                try change("UPDATE \(quoted(reference.table)) SET \(columns) \(condition)", list)
            case .kept: try refuse(reference, condition, list, entity)
            }
        }
    }

    private func fate(of reference: ForeignReference) throws(Failure) -> Fate {
        if reference.isOwn {
            return try StoredTable(connection, reference.table)?.column("objectID") == nil ? .removed : .nullified
        }
        switch reference.action {
        // What would have to go with such rows is not followed.
        case "CASCADE": return try isReferredTo(reference.table) ? .kept : .removed
        case "SET NULL": return .nullified
        default: return .kept
        }
    }

    private func isReferredTo(_ table: String) throws(Failure) -> Bool {
        let statement = try connection.prepare(
            """
            SELECT 1 FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
            WHERE t.type = 'table' AND lower(k."table") = lower(?) LIMIT 1
            """)
        statement.bind(1, table)
        return try statement.step()
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

    func foreignReferences(to entity: Int) throws(Failure) -> [ForeignReference] {
        let known = Set(schema.referenceColumns.map { FoldedName("\($0.table)/\($0.column)") })
        let own = Set(
            check.modelRows.descriptions.flatMap(\.referenceColumns).map { FoldedName("\($0.table)/\($0.column)") })
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
                let place = FoldedName("\(statement.text(0))/\(column.0)")
                references.append(
                    ForeignReference(
                        table: statement.text(0), columns: [column.0], targets: [column.1], action: statement.text(4),
                        isKnown: known.contains(place), isOwn: own.contains(place)))
            }
        }
        return references.filter { !$0.isKnown || $0.columns.count > 1 }
    }
}
