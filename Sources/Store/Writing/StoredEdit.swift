import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// An attribute of an object that a program has changed, where the definition keeps it (`edits`).
public struct StoredEdit<Object: StoredObject>: Sendable, Hashable {
    /// The object.
    public var objectID: ObjectID<Object>
    /// The name of the attribute.
    public var attribute: String
    /// Whether the feed says something else than when the program changed it, and not what the program says.
    public var isConflict: Bool
    /// What the feed said when the program changed it, what the program says, and what the feed says now: as SQLite
    /// writes these values as texts, bytes as hexadecimal digits; nil is null.
    public var before: String?
    /// See `before`.
    public var stored: String?
    /// See `before`.
    public var feed: String?
}

/// What becomes of an edit.
public enum EditDecision: Sendable {
    /// The object gets what the feed says, and there is no edit any more.
    case takeFeed
    /// The edit stays, and what the feed says now is no conflict any more.
    case keepEdit
}

extension Store {
    /// What programs have changed of the objects of a query, by objectID and attribute; nothing where the definition
    /// does not keep it. Objects that a program has created are not among them until a feed holds them.
    public func edits<Object>(of query: Query<Object>) async throws(StoreError) -> [StoredEdit<Object>] {
        try await read { view throws(StoreError) in
            // A server keeps none.
            guard let connection = view.connection as? StoreConnection else { return [] }
            return try EditReading(query).edits(connection)
        }
    }

    /// Decides what becomes of the edits of the objects of a query.
    ///
    /// - Returns: how many edits were decided.
    @discardableResult
    public func settleEdits<Object>(
        of query: Query<Object>, _ decision: EditDecision
    ) async throws(StoreError) -> Int {
        try await write { view throws(StoreError) in
            try EditReading(query).settle(decision, view.connection, view.changes)
        }
    }
}

/// Reads and settles the edits of the objects of a query.
private struct EditReading<Object: StoredObject> {
    let query: Query<Object>
    private let table = Object.columnList.table
    private let entity = Fragment(value: .text(Object.entity))

    init(_ query: Query<Object>) { self.query = query }

    /// SQL that is true of the edits `e` that are meant.
    private var chosen: Fragment {
        "e.entity = " + entity + " AND e.objectID IN (" + query.objectIDs + ") AND NOT EXISTS (SELECT 1 FROM"
            + " main.sluice_edit o WHERE o.entity = e.entity AND o.objectID = e.objectID AND o.attribute = '"
            + EditTable.object + "')"
    }

    private func isThere(_ connection: StoreConnection) throws(StoreError) -> Bool {
        try connection.first("SELECT 1 FROM main.sqlite_schema WHERE name = 'sluice_edit'") != nil
    }

    /// The columns that may be edited.
    private var columns: [String] {
        Object.columnList.columns.filter { $0.relationship == nil }.map(\.name)
    }

    func edits(_ connection: StoreConnection) throws(StoreError) -> [StoredEdit<Object>] {
        guard query.seed == nil, try isThere(connection) else { return [] }
        let values = columns.map { "WHEN \(quotedText($0)) THEN t.\(quoted($0))" }
        let stored = "CASE e.attribute \(values.joined(separator: " ")) END"
        let select: Fragment =
            "SELECT e.objectID, e.attribute, e.base IS NOT e.imported AND e.imported IS NOT \(stored),"
            + " \(text("e.base")), \(text(stored)), \(text("e.imported")) FROM main.sluice_edit e"
            + " JOIN main.\(quoted(table)) t ON t.\"objectID\" = e.objectID WHERE " + chosen
            + " ORDER BY e.objectID, e.attribute"
        var edits: [StoredEdit<Object>] = []
        try connection.run(select) { row throws(StoreError) in
            edits.append(
                StoredEdit(
                    objectID: try row.objectID(0), attribute: try row.value(1), isConflict: try row.value(2),
                    before: try row.value(3), stored: try row.value(4), feed: try row.value(5)))
            return true
        }
        return edits
    }

    /// A value as a text; bytes as hexadecimal digits.
    private func text(_ value: String) -> String {
        "CASE typeof(\(value)) WHEN 'blob' THEN lower(hex(\(value))) ELSE CAST(\(value) AS TEXT) END"
    }

    func settle(
        _ decision: EditDecision, _ connection: StoreConnection, _ changes: ChangeNotes
    ) throws(StoreError) -> Int {
        guard query.seed == nil else { throw WriteView.isSeed }
        guard try isThere(connection) else { return 0 }
        let ids = try connection.objectIDs("SELECT e.objectID FROM main.sluice_edit e WHERE " + chosen)
        if ids.isEmpty { return 0 }
        let list = Fragment(objectIDs: Set(ids).sorted())
        let these = " WHERE entity = " + entity + " AND objectID IN " + list
        switch decision {
        case .keepEdit: try run("UPDATE main.sluice_edit SET base = imported" + these, connection)
        case .takeFeed:
            for column in columns { try takeBack(column, list, connection) }
            try run("DELETE FROM main.sluice_edit" + these, connection)
            changes.record(.updated, Set(ids).sorted(), Object.entity)
        }
        return ids.count
    }

    private func takeBack(_ column: String, _ list: Fragment, _ connection: StoreConnection) throws(StoreError) {
        let edits =
            "FROM main.sluice_edit e WHERE e.entity = " + entity + " AND e.attribute = "
            + Fragment(value: .text(column)) + " AND e.objectID"
        try run(
            "UPDATE main.\(quoted(table)) AS t SET \(quoted(column)) = (SELECT e.imported " + edits
                + " = t.\"objectID\") WHERE t.\"objectID\" IN (SELECT e.objectID " + edits + " IN " + list + ")",
            connection)
    }

    private func run(_ fragment: Fragment, _ connection: StoreConnection) throws(StoreError) {
        try connection.run(fragment) { _ throws(StoreError) in true }
    }
}
