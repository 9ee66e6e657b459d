import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// The columns of an entity's tables that a seed has: those that a definition knows. What all definitions have lost
/// stays in the store, and is nobody else's; neither is what somebody has added to a table.
struct PublishedColumns {
    let connection: Connection
    let entity: StoredEntity

    /// Drops all other columns from the tables of the entity, with the indexes on them.
    ///
    /// - Returns: what was dropped, for messages.
    func dropOthers() throws(Failure) -> [String] {
        var dropped = try dropOthers(from: entity.table, but: ownColumns)
        for relationship in entity.published where relationship.isMany {
            let links = Entity.linkTable(of: entity.table, relationship.name)
            dropped += try dropOthers(from: links, but: PublishedColumns.ofLinks + relationship.values)
        }
        return dropped
    }

    private static let ofLinks = ["source", "target", "target_entity", "position"]

    private var ownColumns: [String] {
        let attributes = entity.attributes.filter { !$0.isLost }.map(\.name)
        let references = entity.published.filter { !$0.isMany }.flatMap { [$0.name, $0.name + "_entity"] }
        return ["objectID", Entity.deletedAt] + attributes + references
    }

    private func dropOthers(from table: String, but kept: [String]) throws(Failure) -> [String] {
        let names = try connection.texts("SELECT name FROM pragma_table_xinfo(?) ORDER BY cid DESC", table)
        let others = names.filter { name in !kept.contains { $0.isSameName(as: name) } }
        for column in others {
            try dropIndexes(of: table, on: column)
            do throws(Failure) {
                try connection.execute("ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted(column))")
            } catch {
                throw Failure(
                    .definition,
                    "a seed has no column \(table).\(column), which no definition has, and the store's table cannot be"
                        + " without it (\(error.message)): drop the column, or what needs it")
            }
        }
        return others.map { "\(table).\($0)" }
    }

    private func dropIndexes(of table: String, on column: String) throws(Failure) {
        let names = try connection.texts(
            """
            SELECT DISTINCT i.name FROM pragma_index_list(?1) i, pragma_index_info(i.name) c
            WHERE i.origin = 'c' AND c.name = ?2 COLLATE NOCASE
            """, table, column)
        for name in names { try connection.execute("DROP INDEX \(quoted(name))") }
    }
}

extension StoredEntity {
    /// The relationships that a definition has.
    var published: [Relationship] { relationships.filter { !$0.isLost } }

    /// Its tables in a seed.
    var publishedTables: [String] {
        isLost ? [] : [table] + published.filter(\.isMany).map { Entity.linkTable(of: table, $0.name) }
    }
}
