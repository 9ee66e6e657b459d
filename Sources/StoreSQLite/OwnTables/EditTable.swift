import SluiceRecords
import SluiceSchema

/// The table `sluice_edit`: attributes that programs have changed, where the definition keeps that (`edits`). A
/// program's value is in the object's own column; this table has the value of the feed when the program changed it
/// (`base`), and the present value of the feed (`imported`). Where the two differ, and neither equals the program's
/// value, they conflict.
///
/// An object that a program has created has a row for each of its values, none of which comes from a feed, and a row
/// for itself, until a feed holds the object.
package enum EditTable {
    /// Stands for the object itself: no attribute has this name.
    package static let object = "objectID"

    package static let create = """
        CREATE TABLE IF NOT EXISTS main.sluice_edit (
          entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL, base ANY, imported ANY,
          PRIMARY KEY (entity, objectID, attribute)
        ) STRICT, WITHOUT ROWID
        """

    static func isThere(_ connection: Connection) throws(Failure) -> Bool { try connection.hasTable("sluice_edit") }

    /// Renames attributes, whose entities have their new names already.
    static func rename(_ moves: [(entity: String, from: String, to: String)], _ connection: Connection) throws(Failure)
    {
        guard !moves.isEmpty, try isThere(connection) else { return }
        for move in moves {
            let statement = try connection.prepare(
                "UPDATE OR REPLACE sluice_edit SET attribute = ?1 WHERE entity = ?2 AND attribute = ?3")
            statement.bind(1, move.to)
            statement.bind(2, move.entity)
            statement.bind(3, move.from)
            try statement.run()
        }
    }

    /// Lets edits follow attributes of which a definition writes the same name with other capital letters: the columns
    /// keep theirs, as SQLite reads either.
    static func followCase(_ model: Model, _ connection: Connection) throws(Failure) {
        guard try isThere(connection) else { return }
        let edited = try connection.rows("SELECT DISTINCT entity, attribute FROM sluice_edit") { row in
            (entity: row.text(0), attribute: row.text(1))
        }
        let moves = edited.compactMap { edit -> (entity: String, from: String, to: String)? in
            let entity = model.entities.first { $0.name.isIdentical(to: edit.entity) }
            let now = entity?.attributes.first { $0.name.isSameName(as: edit.attribute) }?.name
            return now.flatMap { $0.isIdentical(to: edit.attribute) ? nil : (edit.entity, edit.attribute, $0) }
        }
        try rename(moves, connection)
    }

    /// Brings what was imported of an attribute into another form.
    static func convert(
        _ entity: String, _ attribute: String, _ conversion: FormConversion, _ connection: Connection
    ) throws(Failure) {
        let rows = try connection.prepare(
            """
            SELECT objectID, base, imported FROM sluice_edit WHERE entity = ?1 AND attribute = ?2 AND objectID > ?3
            ORDER BY objectID LIMIT \(chunkSize)
            """)
        let update = try connection.prepare(
            "UPDATE sluice_edit SET base = ?4, imported = ?5 WHERE entity = ?1 AND objectID = ?2 AND attribute = ?3")
        for statement in [rows, update] { statement.bind(1, entity) }
        rows.bind(2, attribute)
        update.bind(3, attribute)
        var last = Int64.min
        while true {
            // A row that is changed while rows are read may come once more.
            var chunk: [(objectID: Int64, values: [StoredValue?])] = []
            rows.bind(3, last)
            while try rows.step() {
                chunk.append((rows.integer(0), [1, 2].map { rows.storedValue($0).flatMap { conversion.convert($0) } }))
            }
            rows.reset()
            for (objectID, values) in chunk {
                update.bind(2, objectID)
                for (column, value) in values.enumerated() { update.bind(4 + column, stored: value) }
                try update.run()
            }
            guard chunk.count == chunkSize, let end = chunk.last else { return }
            last = end.objectID
        }
    }

    /// Edits that are in memory together.
    private static let chunkSize = 1000

    /// Forgets all edits of an entity: its `edits` are replaced.
    static func clear(_ entity: String, _ connection: Connection) throws(Failure) {
        let statement = try connection.prepare("DELETE FROM sluice_edit WHERE entity = ?")
        statement.bind(1, entity)
        try statement.run()
    }
}
