import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite
import TestSupport

/// Reads what a store holds, as `ModelStore.rows` gives it.
struct StoreRows {
    private let definition: TestDefinition
    private let connection: Connection
    private let path: String

    init(_ definition: TestDefinition, _ path: String) throws {
        self.definition = definition
        self.path = path
        connection = try Connection(path: path, access: .read)
        // As readers' programs do that have not been told otherwise: views call functions of JSON.
        connection.trustSchema()
    }

    func isSound() throws -> Bool {
        try rows("PRAGMA integrity_check") == [["ok"]] && rows("PRAGMA foreign_key_check").isEmpty && areWordsSound()
    }

    /// Whether all indexes of words say what the texts say, and nothing else.
    private func areWordsSound() throws -> Bool {
        let indexes = try rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'").map { $0[0] }
        if indexes.isEmpty { return true }
        // FTS5 looks for that only where it could write.
        let writer = try Connection(path: path, access: .write)
        defer { writer.close() }
        try writer.execute("BEGIN")
        defer { try? writer.execute("ROLLBACK") }
        for index in indexes {
            let name = quoted(index.description)
            do { try writer.execute("INSERT INTO \(name) (\(name), rank) VALUES ('integrity-check', 1)") } catch {
                return false
            }
        }
        return true
    }

    /// What the definition wants to find objects by, and the store does not have.
    func lackingSearches() throws -> [String] {
        let names = try Set(rows("SELECT name FROM sqlite_schema").map { $0[0] })
        return definition.entities.flatMap { entity -> [String] in
            let table = entity.table ?? entity.name
            let search = entity.searched.isEmpty ? [] : ["sluice_\(table)_search", "sluice_search_update_\(table)"]
            return search + (entity.place == nil ? [] : ["sluice_\(table)_near"])
        }.filter { !names.contains(Text($0)) }
    }

    func rows(of index: Int) throws -> [[Text]] {
        let entity = definition.entities[index]
        let mark = entity.absent == .mark ? ["t.deleted_at IS NOT NULL"] : []
        let attributes = entity.attributes.map { shown("t.\(quoted($0.name))") }
        let references = entity.relationships.map { $0.isMany ? links(entity, $0) : reference($0) }
        let columns = (mark + attributes + references).joined(separator: ", ")
        return try rows("SELECT \(columns) FROM \(table(entity)) t")
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The attributes of the objects as they were when a run had ended, by the view of all versions; nil: there is
    /// none.
    func past(of index: Int, at run: Int) throws -> [[Text]]? {
        let entity = definition.entities[index]
        let view = quoted((entity.table ?? entity.name) + "_history")
        guard
            try rows(
                "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = \(text((entity.table ?? entity.name) + "_history"))"
            ).count == 1
        else { return nil }
        let columns = entity.attributes.map { shown("t.\(quoted($0.name))") }.joined(separator: ", ")
        return try rows(
            """
            SELECT \(columns) FROM \(view) t WHERE from_run <= \(run) AND (to_run IS NULL OR to_run > \(run))
            """
        ).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func rows(_ sql: String) throws -> [[Text]] {
        let statement = try connection.prepare(sql)
        var rows: [[Text]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.isNull($0) ? "∅" : Text(statement.text($0)) })
        }
        return rows
    }

    private func shown(_ column: String) -> String {
        "CASE typeof(\(column)) WHEN 'blob' THEN 'x' || hex(\(column)) ELSE \(column) END"
    }

    private func table(_ entity: TestDefinition.Entity) -> String { quoted(entity.table ?? entity.name) }

    private func text(_ name: String) -> String { "'" + name.replacingExactly("'", with: "''") + "'" }

    private func identifier(_ target: TestDefinition.Entity) -> String {
        target.identifier.map { shown("x.\(quoted(target.attributes[$0].name))") }.joined(separator: " || ',' || ")
    }

    /// How many references wait, by entity, relationship and identifier, sorted.
    func waiting() throws -> [[Text]] {
        try definition.entities.flatMap { entity in
            try rows(
                """
                SELECT \(text(entity.name)), w.relationship, \(identifier(entity)), count(*) FROM sluice_unresolved w
                JOIN \(table(entity)) x USING (objectID) WHERE w.entity = \(text(entity.name)) GROUP BY 1, 2, x.objectID
                """)
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// How many rows there are in lists of what waits, and of stubs, whose object is not there.
    func strayCount() throws -> Int {
        let there = definition.entities.map { entity in
            "SELECT \(text(entity.name)), objectID FROM \(table(entity))"
        }.joined(separator: " UNION ALL ")
        return try ["sluice_unresolved", "sluice_stub"].reduce(0) { sum, list in
            let names = definition.entities.map { text($0.name) }.joined(separator: ", ")
            let sql = "SELECT 1 FROM \(list) WHERE entity NOT IN (\(names)) OR (entity, objectID) NOT IN (\(there))"
            return sum + (try rows(sql).count)
        }
    }

    /// Entity and identifier of the objects of which only that is known, sorted.
    func stubs() throws -> [[Text]] {
        try definition.entities.flatMap { entity in
            try rows(
                """
                SELECT \(text(entity.name)), \(identifier(entity)) FROM sluice_stub s JOIN \(table(entity)) x USING (objectID)
                WHERE s.entity = \(text(entity.name))
                """)
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func reference(_ relationship: TestDefinition.Relationship) -> String {
        let parts = relationship.to.map { target in
            let entity = definition.entities[target]
            let condition =
                relationship.to.count > 1
                ? "AND t.\(quoted(relationship.name + "_entity")) = \(text(entity.name))" : ""
            return """
                (SELECT \(text(entity.name)) || '/' || \(identifier(entity)) || '@0' FROM \(table(entity)) x
                WHERE x.objectID = t.\(quoted(relationship.name)) \(condition))
                """
        }
        return "coalesce(\(parts.joined(separator: ", ")), '')"
    }

    private func links(_ entity: TestDefinition.Entity, _ relationship: TestDefinition.Relationship) -> String {
        let parts = relationship.to.map { index in
            let target = definition.entities[index]
            let condition = relationship.to.count > 1 ? "AND l.target_entity = \(text(target.name))" : ""
            let values = relationship.values.map { "coalesce(l.\(quoted($0.name)), '∅')" }.joined(separator: "||','||")
            let own = values.isEmpty ? "" : "|| '(' || \(values) || ')'"
            return """
                SELECT \(text(target.name)) || '/' || \(identifier(target)) || '@' || l.position\(own) AS text,
                l.position AS p
                FROM \(quoted((entity.table ?? entity.name) + "_" + relationship.name)) l
                JOIN \(table(target)) x ON x.objectID = l.target WHERE l.source = t.objectID \(condition)
                """
        }
        return
            "coalesce((SELECT group_concat(text, ' ') FROM (\(parts.joined(separator: " UNION ALL ")) ORDER BY p)), '')"
    }
}
