import SluiceRecords
import SluiceSchema

/// Writes what a program has changed in an object.
struct ObjectSave<Object: StoredObject> {
    let object: Object
    let original: Object
    let policy: ConflictPolicy

    func run(_ connection: StoreConnection, _ changes: ChangeNotes) throws(StoreError) -> SaveOutcome {
        guard object.objectID == original.objectID else {
            throw StoreError(
                .statement,
                "\(Object.entity): object \(object.objectID.number) is no other state of object \(original.objectID.number)"
            )
        }
        let list = Object.columnList
        guard let stored = try stored(connection) else { return .gone }
        var (sets, values, conflicts) = ([String](), [StatementValue](), [String]())
        var edited: [(name: String, value: SQLValue)] = []
        for (index, column) in list.columns.enumerated() {
            let given = try column.value(object).stored(as: column.form)
            let before = try column.value(original).stored(as: column.form)
            if given == before || stored[index] == given { continue }
            let wanted = try BoundsCheck(column: column).checked(given)
            if stored[index] == wanted { continue }
            if stored[index] != before {
                if !column.isEntityName { conflicts.append(column.name) }
                if policy == .keepStored { continue }
            }
            sets.append("\(quoted(column.name)) = ?")
            values.append(.value(wanted))
            edited.append((column.name, wanted))
        }
        if policy == .fail, !conflicts.isEmpty {
            throw StoreError(
                .conflict,
                "\(Object.entity): object \(object.objectID.number) was changed meanwhile: \(conflicts.joined(separator: ", "))"
            )
        }
        if !sets.isEmpty {
            try changes.edits(of: Object.entity)?.record(edited, of: object.objectID.number, list.table, connection)
            values.append(.value(.integer(object.objectID.number)))
            try connection.execute(
                "UPDATE main.\(quoted(list.table)) SET \(sets.joined(separator: ", ")) WHERE \"objectID\" = ?", values)
            changes.record(.updated, [object.objectID.number], Object.entity)
        }
        if !conflicts.isEmpty { return .merged(conflicts: conflicts) }
        return sets.isEmpty ? .unchanged : .saved
    }

    /// What the store has now.
    private func stored(_ connection: StoreConnection) throws(StoreError) -> [SQLValue]? {
        var values: [SQLValue]?
        let list = Object.columnList
        let id = StatementValue.value(.integer(object.objectID.number))
        let sql = "SELECT \(list.selected) FROM main.\(quoted(list.table)) WHERE \"objectID\" = ?"
        try connection.run(sql, [id]) { row throws(StoreError) in
            var found: [SQLValue] = []
            for index in list.columns.indices { found.append(try row.any(index + 1)) }
            values = found
            return false
        }
        return values
    }
}
