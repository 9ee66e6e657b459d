import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Renames what is in a store on a server, within a transaction. Indexes keep the names that the server gave them, and
/// what others have made over the tables follows by itself.
struct ServerRenaming {
    let connection: ServerConnection
    let renaming: Renaming
    /// As SQL has it.
    let namespace: ServerNamespace
    /// Those of the tool's own tables that are there.
    let ownTables: Set<String>

    /// The tool's own tables that name entities, with what else identifies a row there.
    private static let keys = [
        "sluice_unresolved": ["relationship", "objectID", "position"], "sluice_stub": ["objectID"],
        "sluice_changed": ["number", "first", "last"],
    ]

    func perform() throws(Failure) {
        if renaming.isEmpty { return }
        for move in Renaming.Move.inSteps(renaming.tables) { try rename(move) }
        for move in Renaming.Move.inSteps(renaming.linkTables) { try rename(move) }
        for move in renaming.columns {
            try connection.execute(
                "ALTER TABLE \(namespace.named(move.table)) RENAME COLUMN \(quoted(move.from)) TO \(quoted(move.to))")
        }
        for move in renaming.entities { try renameEntity(move) }
        for move in renaming.relationships { try renameRelationship(move) }
        guard ownTables.contains("sluice_unresolved") else { return }
        for move in renaming.waitingLabels { try rename(move, in: "keys") }
        for move in renaming.waitingValues { try rename(move, in: "with") }
    }

    // MARK: Tables

    private func rename(_ move: Renaming.Move) throws(Failure) {
        try connection.execute("ALTER TABLE \(namespace.named(move.from)) RENAME TO \(quoted(move.to))")
    }

    // MARK: Values

    private func renameEntity(_ move: Renaming.Move) throws(Failure) {
        for (table, column) in renaming.entityColumns { try replace(table, column, move) }
        for (table, keys) in ServerRenaming.keys where ownTables.contains(table) {
            try removeOld(table, "entity", keys, [move.from, move.to])
            try replace(table, "entity", move)
        }
        if ownTables.contains("sluice_unresolved") { try replace("sluice_unresolved", "target", move) }
    }

    private func renameRelationship(_ move: Renaming.RelationshipMove) throws(Failure) {
        let table = "sluice_unresolved"
        guard ownTables.contains(table) else { return }
        let names = [move.from, move.to, move.entity]
        try removeOld(table, "relationship", ["entity", "objectID", "position"], names, " AND o.entity = $3")
        try change(
            "UPDATE \(namespace.named(table)) SET relationship = $2 WHERE relationship = $1 AND entity = $3", names)
    }

    private func rename(_ move: Renaming.LabelMove, in name: String) throws(Failure) {
        let column = quoted(name)
        try change(
            """
            UPDATE \(namespace.named("sluice_unresolved")) SET \(column) = replace(\(column), $1, $2)
            WHERE entity = $3 AND relationship = $4 AND strpos(\(column), $1) > 0
            """, [move.members.from, move.members.to, move.entity, move.relationship])
    }

    private func replace(_ table: String, _ column: String, _ move: Renaming.Move) throws(Failure) {
        let column = quoted(column)
        try change("UPDATE \(namespace.named(table)) SET \(column) = $2 WHERE \(column) = $1", [move.from, move.to])
    }

    /// Removes rows that an earlier bearer of the new name has left, where the renamed rows take their place.
    private func removeOld(
        _ table: String, _ column: String, _ keys: [String], _ names: [String], _ condition: String = ""
    ) throws(Failure) {
        let same = keys.map { "o.\(quoted($0)) = n.\(quoted($0))" }.joined(separator: " AND ")
        try change(
            """
            DELETE FROM \(namespace.named(table)) n USING \(namespace.named(table)) o
            WHERE n.\(column) = $2 AND o.\(column) = $1 AND \(same)\(condition)
            """, names)
    }

    /// - Parameter names: the old one, the new one, and what else the statement asks for.
    private func change(_ sql: String, _ names: [String]) throws(Failure) {
        try connection.query(sql, values: names.map { .text($0) })
    }
}
