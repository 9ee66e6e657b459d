import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Deletes objects as a run does: what refers to them is nullified, and waits for them from then on; or it goes with
/// them.
struct Deletion {
    private let connection: StoreConnection
    private let changes: ChangeNotes
    private let entities: [StoredEntity]
    private let hasWaitingList: Bool

    init(_ connection: StoreConnection, _ changes: ChangeNotes) throws(StoreError) {
        self.connection = connection
        self.changes = changes
        entities = try connection.withConnection { connection throws(Failure) in try StoredEntity.all(connection) }
        hasWaitingList = try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'sluice_unresolved'") != nil
    }

    /// Deletes objects of an entity, and those that go with them.
    func delete(_ objectIDs: [Int64], of entity: String) throws(StoreError) {
        var queue = [(entity: entity, objectIDs: objectIDs)]
        while let (name, ids) = queue.popLast() {
            guard !ids.isEmpty else { continue }
            let entity = try find(name)
            // What no definition has any more keeps its references, too.
            for source in entities {
                for relationship in source.relationships
                where relationship.targets.contains(where: { $0.isIdentical(to: name) }) {
                    let reference = Reference(source: source, relationship: relationship, target: entity)
                    guard try isThere(reference) else { continue }
                    let cascading = try release(ids, reference)
                    if !cascading.isEmpty { queue.append((source.name, cascading)) }
                }
            }
            try remove(ids, entity)
        }
    }

    /// Whether the store has what holds a reference: of what is lost, somebody may have dropped it.
    private func isThere(_ reference: Reference) throws(StoreError) -> Bool {
        guard reference.isLost else { return true }
        let columns = reference.columns
        return try connection.first(
            "SELECT 1 FROM pragma_table_info(?, 'main') WHERE name = ? COLLATE NOCASE",
            [.value(.text(columns.table)), .value(.text(columns.target))]) != nil
    }

    private func find(_ name: String) throws(StoreError) -> StoredEntity {
        guard let entity = entities.first(where: { $0.name.isIdentical(to: name) }) else {
            throw StoreError(.incompatible, "the store does not know the entity \(name)")
        }
        return entity
    }

    // MARK: What refers to them

    /// A relationship by which objects may refer to those that go.
    private struct Reference {
        var source: StoredEntity
        var relationship: StoredEntity.Relationship
        var target: StoredEntity

        var isPolymorphic: Bool { relationship.targets.count > 1 }
        /// Whether no definition has it any more.
        var isLost: Bool { source.isLost || relationship.isLost }

        /// The table that holds the references; its columns for the object that refers, for what it refers to, and for
        /// the name of the entity.
        var columns: (table: String, source: String, target: String, position: String, entity: String) {
            relationship.isMany
                ? (
                    Entity.linkTable(of: source.table, relationship.name), "source", "target", "position",
                    "target_entity"
                )
                : (source.table, "objectID", relationship.name, "", relationship.name + "_entity")
        }

        /// SQL that is true of a reference to objects of a list.
        func leads(to ids: [Int64]) -> Fragment {
            let columns = columns
            let isOne = "r.\(quoted(columns.target)) IN " + Fragment(objectIDs: ids)
            guard isPolymorphic else { return isOne }
            return isOne + " AND r.\(quoted(columns.entity)) = " + Fragment(value: .text(target.name))
        }
    }

    /// Takes the references to objects away; gives the objects that go with them.
    private func release(_ ids: [Int64], _ reference: Reference) throws(StoreError) -> [Int64] {
        let columns = reference.columns
        let referring = "FROM main.\(quoted(columns.table)) r WHERE " + reference.leads(to: ids)
        // What no definition has any more goes with nothing, and waits for nothing.
        if reference.relationship.isCascading, !reference.isLost {
            return try connection.objectIDs("SELECT DISTINCT r.\(quoted(columns.source)) " + referring)
        }
        if !reference.source.isOfPrograms, !reference.isLost, hasWaitingList { try wait(ids, reference) }
        if reference.relationship.isMany {
            try recordReferring("SELECT DISTINCT r.source " + referring, reference)
            // SQLite takes the alias of a table in DELETE.
            try run("DELETE FROM main.\(quoted(columns.table)) AS r WHERE " + reference.leads(to: ids))
        } else {
            let entity = reference.isPolymorphic ? ", \(quoted(columns.entity)) = NULL" : ""
            let set = "UPDATE main.\(quoted(columns.table)) AS r SET \(quoted(columns.target)) = NULL\(entity) WHERE "
            try recordReferring("SELECT r.\"objectID\" " + referring, reference)
            try run(set + reference.leads(to: ids))
        }
        return []
    }

    private func recordReferring(_ select: Fragment, _ reference: Reference) throws(StoreError) {
        let ids = try connection.objectIDs(select)
        changes.record(.updated, ids, reference.source.name)
    }

    /// Puts references on the waiting list, as a run does that deletes: a later one that brings the target links it.
    private func wait(_ ids: [Int64], _ reference: Reference) throws(StoreError) {
        let columns = reference.columns
        let identifier = reference.target.identifier.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let position = reference.relationship.isMany ? "r.position" : "0"
        let values = reference.relationship.values
        let own = values.map { "r.\(quoted($0)), " }.joined()
        let query: Fragment =
            "SELECT r.\(quoted(columns.source)), \(position), \(own)\(identifier) FROM main.\(quoted(columns.table)) r "
            + "JOIN main.\(quoted(reference.target.table)) t ON t.\"objectID\" = r.\(quoted(columns.target)) WHERE "
            + reference.leads(to: ids)
        var waiting: [[StatementValue]] = []
        try connection.run(query) { row throws(StoreError) in
            var parts: [String] = []
            var members: [(String, String)] = []
            for (index, name) in values.enumerated() {
                members.append((name, Deletion.json(try row.any(2 + index))))
            }
            for column in 2 + values.count..<row.count { parts.append(Deletion.json(try row.any(column))) }
            let value = JSONText.oneOrArray(parts)
            waiting.append(
                [
                    .value(.text(reference.source.name)), .value(.text(reference.relationship.name)),
                    .value(try row.any(0)), .value(try row.any(1)), .value(.text(value)),
                    .value(reference.isPolymorphic ? .text(reference.target.name) : .null),
                ] + (values.isEmpty ? [] : [.value(.text(JSONText.object(members)))]))
            return true
        }
        // Where links have values of their own, the waiting list has a column for these.
        let (column, parameter) = values.isEmpty ? ("", "") : (", \"with\"", "?, ")
        let insert = """
            INSERT OR REPLACE INTO main.sluice_unresolved (entity, relationship, objectID, position, value, target\(column), run)
            VALUES (?, ?, ?, ?, ?, ?, \(parameter)(SELECT coalesce(max(run), 0) FROM main.sluice_run))
            """
        for values in waiting { try connection.execute(insert, values) }
    }

    /// A part of an identifier, or what a link has of its own, as the waiting list has it.
    private static func json(_ value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .blob(let bytes): JSONText.quoted(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): JSONText.quoted(text)
        }
    }

    // MARK: The objects

    private func remove(_ ids: [Int64], _ entity: StoredEntity) throws(StoreError) {
        let list = Fragment(objectIDs: ids)
        for relationship in entity.relationships where relationship.isMany {
            try run(
                "DELETE FROM main.\(quoted(Entity.linkTable(of: entity.table, relationship.name))) WHERE source IN "
                    + list)
        }
        for table in ["sluice_unresolved", "sluice_stub"] where hasWaitingList {
            try run(
                "DELETE FROM main.\(table) WHERE objectID IN " + list + " AND entity = "
                    + Fragment(value: .text(entity.name)))
        }
        try changes.edits(of: entity.name)?.forget(ids, connection)
        let own = "FROM main.\(quoted(entity.table)) WHERE \"objectID\" IN " + list
        let found = try connection.objectIDs("SELECT \"objectID\" " + own)
        try run("DELETE " + own)
        changes.record(.deleted, found, entity.name)
    }

    private func run(_ fragment: Fragment) throws(StoreError) {
        try connection.run(fragment) { _ throws(StoreError) in true }
    }
}
