import SluiceRecords
import SluiceSchema

/// One UPDATE for all objects of a query.
struct BatchUpdate<Object: StoredObject> {
    private let query: Query<Object>
    private var assignments: [Assignment<Object>]
    private let table = Object.columnList.table

    init(_ query: Query<Object>, _ assignments: [Assignment<Object>]) {
        self.query = query
        self.assignments = assignments
    }

    mutating func run(
        _ connection: StoreConnection, _ changes: ChangeNotes, _ kind: BatchResultKind
    ) throws(StoreError) -> BatchResult<Object> {
        guard query.seed == nil else { throw WriteView.isSeed }
        guard !assignments.isEmpty else { return kind.made([]) }
        try checkNames()
        for index in assignments.indices { try check(&assignments[index], connection) }
        try recordEdits(connection, changes)
        let references = referencesToAny
        let needsIDs = kind == .objectIDs || changes.keepsObjects(of: Object.entity) || !references.isEmpty
        let ids = try connection.objectIDs(needsIDs ? statement + " RETURNING \"objectID\"" : statement)
        let count = needsIDs ? ids.count : connection.changes
        changes.record(.updated, ids, count, Object.entity)
        for reference in references { changes.noteReference(reference, of: ids) }
        switch kind {
        case .status: return .status
        case .count: return .count(count)
        case .objectIDs: return .objectIDs(ids.map { ObjectID($0) })
        }
    }

    /// SQLite takes the last of two assignments to one column, silently.
    private func checkNames() throws(StoreError) {
        var names: Set<ExactText> = []
        for assignment in assignments where !names.insert(ExactText(assignment.column)).inserted {
            throw StoreError(.statement, "\(Object.entity).\(assignment.column) is set twice")
        }
    }

    /// Those that are set.
    private var referencesToAny: [ReferenceToAny] {
        Object.columnList.referencesToAny.filter { reference in
            assignments.contains { $0.beside != nil && $0.column.isIdentical(to: reference.column) }
        }
    }

    private var columns: [(name: String, value: Fragment)] {
        assignments.flatMap { assignment in
            [(assignment.column, assignment.value)] + (assignment.beside.map { [($0.column, $0.value)] } ?? [])
        }
    }

    private var statement: Fragment {
        let columns = columns
        // SQLite asks other rows row by row, and would see those that are updated already.
        let asksOthers = columns.contains { column in column.value.pieces.contains { $0.tables > 0 } }
        let set = columns.enumerated().map { index, column in
            "\(quoted(column.name)) = " + (asksOthers ? Fragment("sluice_new.v\(index)") : column.value)
        }
        let update =
            Fragment([.sql("UPDATE "), .table(table), .sql(" SET ")]) + Fragment(joining: set, ", ")
        guard asksOthers else { return update + " WHERE " + touched }
        let objectID = "\(quoted(table)).\"objectID\""
        let values = columns.enumerated().map { index, column in column.value + " AS v\(index)" }
        return update + " FROM (SELECT \(objectID) AS o, " + Fragment(joining: values, ", ") + " FROM "
            + Fragment(table: table) + " WHERE " + touched + ") sluice_new WHERE sluice_new.o = \(objectID)"
    }

    /// Notes what becomes an edit, while the objects still have what they had.
    private func recordEdits(_ connection: StoreConnection, _ changes: ChangeNotes) throws(StoreError) {
        guard let edits = changes.edits(of: Object.entity) else { return }
        for column in columns {
            let isTouched = "\(quoted(table)).\(quoted(column.name)) IS NOT " + column.value
            let objects = Fragment(table: table) + " WHERE " + chosen + " AND " + isTouched
            try edits.record(column.name, column.value, in: objects, table, connection)
        }
    }

    /// The objects of the query that do not have the values already.
    private var touched: Fragment {
        let differences = columns.map { column in
            "\(quoted(table)).\(quoted(column.name)) IS NOT " + column.value
        }
        return chosen + " AND (" + Fragment(joining: differences, " OR ") + ")"
    }

    private var chosen: Fragment {
        if query.isUnlimited { return query.condition?.fragment ?? Fragment("1") }
        return "\(quoted(table)).\"objectID\" IN (" + query.objectIDs + ")"
    }

    /// Values are looked at before anything is touched, and lists are written as runs write them; what is calculated is
    /// looked at in the rows that would be.
    private func check(_ assignment: inout Assignment<Object>, _ connection: StoreConnection) throws(StoreError) {
        guard let column = Object.columnList.columns.first(where: { $0.name.isIdentical(to: assignment.column) }) else {
            throw StoreError(.statement, "\(Object.entity).\(assignment.column) is not set by programs")
        }
        let bounds = BoundsCheck(column: column)
        if let constant = assignment.constant {
            let given = try constant.stored(as: column.form)
            let value = try bounds.checked(given)
            if value != given { assignment.value = Fragment(value: value, column.form) }
            return
        }
        guard let violation = try bounds.violation(of: assignment.value) else { return }
        let select = Fragment([.sql("SELECT \"objectID\", ")]) + assignment.value + " FROM "
        let found =
            select + Fragment(table: table) + " WHERE " + touched + " AND " + violation
            + (column.elements == nil ? " LIMIT 1" : "")
        try connection.run(found) { row throws(StoreError) in
            let objectID: Int = try row.value(0)
            do throws(StoreError) {
                let value = try row.any(1)
                if try bounds.checked(value) == value, column.elements != nil { return true }
            } catch {
                throw StoreError(.invalid, "\(error.message) (object \(objectID))")
            }
            throw StoreError(.invalid, "\(Object.entity).\(column.name) must not be set so (object \(objectID))")
        }
    }
}
