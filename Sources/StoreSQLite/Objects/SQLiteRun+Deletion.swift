import SluiceLoad
import SluiceRecords
import SluiceSchema

// Which objects a store has, who refers to them, and how they go. Deletions are rare beside all else: a statement is
// prepared for each chunk, which costs little against the chunk itself.
extension SQLiteRun {
    package func objectCount(entity: Int, upTo highest: Int64) throws(Failure) -> Int {
        // SQLite counts all rows by their pages, but tests a condition for each of them.
        let all = "(SELECT count(*) FROM \(table(entity)))"
        let mark = quoted(Entity.deletedAt)
        let isMarked = model.entities[entity].marksAbsent ? " OR \(mark) IS NOT NULL" : ""
        let statement = try connection.prepare(
            "SELECT \(all) - count(*) FROM \(table(entity)) WHERE \"objectID\" > ?1\(isMarked)")
        statement.bind(1, highest)
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    package func objects(
        entity: Int, upTo highest: Int64, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure) {
        // The plus lets SQLite read the smallest index instead of the table.
        let statement = try objects(entity, relationship, where: "+\"objectID\" <= ?")
        statement.bind(1, highest)
        while try statement.step() { each(try statement.objectID(0), statement.integer(1)) }
    }

    package func objects(
        _ objectIDs: [Int64], entity: Int, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure) {
        let statement = try objects(entity, relationship, where: "\"objectID\" IN \(SQLiteRun.chunk)")
        statement.bind(1, SQLiteRun.list(objectIDs))
        while try statement.step() { each(try statement.objectID(0), statement.integer(1)) }
    }

    private func objects(_ entity: Int, _ relationship: Int?, where condition: String) throws(Failure) -> Statement {
        let reference = relationship.map { quoted(model.entities[entity].relationships[$0].name) } ?? "0"
        return try connection.prepare(
            "SELECT \"objectID\", \(reference) FROM \(table(entity)) WHERE \(condition)\(unmarked(entity))")
    }

    package func appendIdentifiers(
        of objectIDs: [Int64], entity: Int, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) {
        let (definition, keys) = (model.entities[entity], tables[entity].layout.keyAttributes)
        let names = keys.map { quoted(definition.attributes[$0].name) }.joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \"objectID\", \(names) FROM \(table(entity)) WHERE \"objectID\" IN \(SQLiteRun.chunk)")
        statement.bind(1, SQLiteRun.list(objectIDs))
        try append(keys, from: statement, entity, section, batch, work)
    }

    /// Appends a row for each of a statement's, which has the objectID and some attributes.
    func append(
        _ attributes: [Int], from statement: Statement, _ entity: Int, _ section: EntityRecords, _ batch: RecordBatch,
        _ work: RowScratch
    ) throws(Failure) {
        let types = attributes.map { model.entities[entity].attributes[$0].conversion.column }
        while try statement.step() {
            let row = work.appendRow(to: section, try statement.objectID(0))
            for (part, attribute) in attributes.enumerated() {
                section.typed[row * section.width + attribute] = statement.cell(1 + part, as: types[part], in: batch)
            }
        }
    }

    package func unreferenced(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        if objectIDs.isEmpty { return [] }
        // No table of a user's is called so.
        let stub = "sluice_stub.value"
        let text = quotedText(model.entities[entity].name)
        for source in model.entities.indices { try indexes.restoreIndexes(of: source, identifiers: false) }
        var conditions = model.places(ofReferencesTo: entity).map { relationship, place in
            let isTarget = relationship.isPolymorphic ? " AND \(place.targetEntity) = \(text)" : ""
            return "NOT EXISTS (SELECT 1 FROM \(quoted(place.table)) WHERE \(place.target) = \(stub)\(isTarget))"
        }
        for reference in try unknownReferences(to: entity) where reference.column != "source" {
            let isReferrer = reference.condition("= \(stub)", entity: text)
            conditions.append("NOT EXISTS (SELECT 1 FROM \(quoted(reference.table)) WHERE \(isReferrer))")
        }
        for reference in try foreignReferences(to: entity) {
            let (columns, targets) = (reference.columns.map(quoted), reference.targets.map(quoted))
            let key = "(SELECT \(targets.joined(separator: ", ")) FROM \(table(entity)) WHERE \"objectID\" = \(stub))"
            let row = "(\(columns.joined(separator: ", ")))"
            conditions.append("NOT EXISTS (SELECT 1 FROM \(quoted(reference.table)) WHERE \(row) IN \(key))")
        }
        let statement = try connection.prepare(
            "SELECT \(stub) FROM json_each(?1) sluice_stub WHERE \((["true"] + conditions).joined(separator: " AND "))")
        statement.bind(1, SQLiteRun.list(objectIDs))
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        return found
    }

    package func referrers(
        to objectIDs: [Int64], target: Int, entity: Int, relationship: Int, _ values: LinkValues?, limit: Int
    ) throws(Failure) -> [Referrer] {
        try indexes.restoreIndexes(of: entity, identifiers: false)
        let definition = model.entities[entity].relationships[relationship]
        let place = ReferencePlace(definition, of: model.entities[entity])
        let isTarget = definition.isPolymorphic ? " AND \(place.targetEntity) = ?3" : ""
        let statement = try connection.prepare(
            """
            SELECT \(place.source), \(place.target), \(place.position ?? "0")\(place.values) FROM \(quoted(place.table))
            WHERE \(place.target) IN \(SQLiteRun.chunk)\(isTarget) LIMIT ?2
            """)
        statement.bind(1, SQLiteRun.list(objectIDs))
        statement.bind(2, Int64(limit))
        if definition.isPolymorphic { statement.bind(3, model.entities[target].name) }
        var referrers: [Referrer] = []
        while try statement.step() {
            referrers.append(
                Referrer(
                    objectID: try statement.objectID(0), target: try statement.objectID(1),
                    position: try statement.position(2), values: values.map { statement.number($0, from: 3) } ?? 0))
        }
        return referrers
    }

    package func nullify(
        _ referrers: [Referrer], target: Int, entity: Int, relationship: Int
    ) throws(Failure) {
        let definition = model.entities[entity].relationships[relationship]
        let name = quoted(definition.name)
        let sql: String
        if definition.isMany {
            let isTarget =
                (definition.isPolymorphic ? " AND target_entity = ?3" : "")
                + (definition.isSet ? "" : " AND position = ?4")
            sql = "DELETE FROM \(references(entity, definition)) WHERE source = ?1 AND target = ?2\(isTarget)"
        } else {
            let named = definition.isPolymorphic ? ", \(quoted(definition.entityColumn)) = NULL" : ""
            sql = "UPDATE \(table(entity)) SET \(name) = NULL\(named) WHERE \"objectID\" = ?1 AND \(name) = ?2"
        }
        if !definition.isMany {
            try history.keep(SQLiteRun.list(referrers.map(\.objectID)), entity: entity, areGoing: false)
        }
        let statement = try connection.prepare(sql)
        for referrer in referrers {
            statement.bind(1, referrer.objectID)
            statement.bind(2, referrer.target)
            if definition.isMany, definition.isPolymorphic { statement.bind(3, model.entities[target].name) }
            if definition.isMany, !definition.isSet { statement.bind(4, referrer.position) }
            try statement.run()
            // The caller looks for referrers again, until there are no more: without this check it could loop for ever.
            if connection.changes == 0 { throw connection.damage("a reference is in an index, and not in its table") }
        }
    }

    package func delete(_ objectIDs: [Int64], entity: Int) throws(Failure) {
        let definition = model.entities[entity]
        let list = SQLiteRun.list(objectIDs)
        for relationship in definition.relationships where relationship.isMany {
            try deleteRows(
                of: references(entity, relationship), where: "source", objectIDs, list,
                hasTriggers: history.scope.isWanted(of: definition))
        }
        try clearForeignReferences(list, entity)
        let edits = edits[entity] == nil ? [] : ["sluice_edit"]
        for own in OwnRows.tables + edits {
            try change(
                "DELETE FROM \(own) WHERE objectID IN \(SQLiteRun.chunk) AND entity = ?2", list, definition.name)
        }
        try words?.begin(definition.table)
        try history.keep(list, entity: entity, areGoing: true)
        let hasTriggers = history.scope.isWanted(of: definition) && !history.keepsRows(of: entity)
        try deleteRows(of: table(entity), where: "\"objectID\"", objectIDs, list, hasTriggers: hasTriggers)
    }

    /// Deletes the rows of objects: with one statement, or, where triggers keep the rows, with one for each object. A
    /// statement that deletes several rows through triggers has a journal of its own, which SQLite writes to a
    /// temporary file.
    private func deleteRows(
        of table: String, where column: String, _ objectIDs: [Int64], _ list: String, hasTriggers: Bool
    ) throws(Failure) {
        guard hasTriggers else {
            return try change("DELETE FROM \(table) WHERE \(column) IN \(SQLiteRun.chunk)", list)
        }
        let statement = try connection.prepare("DELETE FROM \(table) WHERE \(column) = ?1")
        for objectID in objectIDs {
            statement.bind(1, objectID)
            try statement.run()
        }
    }

    package func mark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        try setMark("?2", of: objectIDs, entity, where: "IS NULL")
    }

    package func unmark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        try setMark("NULL", of: objectIDs, entity, where: "IS NOT NULL")
    }

    /// Sets the mark of those of some objects that are in a state: to the start of this run (`?2`), or to null.
    private func setMark(
        _ mark: String, of objectIDs: [Int64], _ entity: Int, where state: String
    ) throws(Failure) -> [Int64] {
        let (column, list) = (quoted(Entity.deletedAt), SQLiteRun.list(objectIDs))
        let condition = "WHERE \"objectID\" IN \(SQLiteRun.chunk) AND \(column) \(state)"
        try history.keep(of: model.entities[entity].table, condition, list, areGoing: false)
        let statement = try connection.prepare(
            "UPDATE \(table(entity)) SET \(column) = \(mark) \(condition) RETURNING \"objectID\"")
        statement.bind(1, list)
        if mark == "?2" { statement.bind(2, started) }
        var changed: [Int64] = []
        while try statement.step() { changed.append(statement.integer(0)) }
        return changed
    }

    // MARK: SQL

    /// The objectIDs of a chunk, from the first parameter.
    static let chunk = "(SELECT value FROM json_each(?1))"

    private static func list(_ objectIDs: [Int64]) -> String {
        "[" + objectIDs.map { String($0) }.joined(separator: ",") + "]"
    }

    func table(_ entity: Int) -> String { quoted(model.entities[entity].table) }

    /// The table that holds the references of a relationship.
    private func references(_ entity: Int, _ relationship: Relationship) -> String {
        quoted(
            relationship.isMany
                ? model.entities[entity].linkTable(of: relationship) : model.entities[entity].table)
    }

    private func unmarked(_ entity: Int) -> String {
        model.entities[entity].marksAbsent ? " AND \(quoted(Entity.deletedAt)) IS NULL" : ""
    }

    func change(_ sql: String, _ list: String, _ second: String? = nil) throws(Failure) {
        let statement = try connection.prepare(sql)
        statement.bind(1, list)
        if let second { statement.bind(2, second) }
        try statement.run()
    }
}
