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
        for value in list.values {
            let columns = list.columns[value]
            let (given, before) = (try columns.stored(of: object), try columns.stored(of: original))
            let there = Array(stored[value])
            if given == before || there == given { continue }
            var wanted: [SQLValue] = []
            for (column, value) in zip(columns, given) {
                wanted.append(try BoundsCheck(column: column).checked(value))
            }
            if there == wanted { continue }
            if there != before {
                conflicts.append(list.columns[value.lowerBound].name)
                if policy == .keepStored { continue }
            }
            sets += columns.map { "\(quoted($0.name)) = ?" }
            values += wanted.map { .value($0) }
            edited += zip(columns, wanted).map { ($0.name, $1) }
            changes.noteReference(list.referenceToAny(at: value), of: [object.objectID.number])
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

extension ArraySlice {
    /// What an object has in some columns.
    fileprivate func stored<Object: StoredObject>(of object: Object) throws(StoreError) -> [SQLValue]
    where Element == ColumnList<Object>.Entry {
        var found: [SQLValue] = []
        for column in self { found.append(try column.value(object).stored(as: column.form)) }
        return found
    }
}
