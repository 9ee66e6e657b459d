import SluiceLoad
import SluiceRecords
import SluiceSchema

// What is read of a whole table, in its order.
extension SQLiteRun: DigestStore {
    package var digestStore: (any DigestStore)? { self }

    package func digests(
        of entity: Int, after first: Int64, upTo last: Int64, _ hash: RowHash,
        each: (RowDigest) throws(Failure) -> Void
    ) throws(Failure) {
        let (table, edits) = (tables[entity], edits[entity])
        let statement = try table.range()
        statement.bind(1, first)
        statement.bind(2, last)
        let (values, relationshipCount) = (hash.values, table.entity.relationships.count)
        while try statement.step() {
            // No record can be equal to a marked object, or to one that a program has changed.
            let isMarked = table.layout.markPlace.map { !statement.isNull(1 + $0) } ?? false
            let objectID = try statement.objectID(0)
            var (name, content, known): (UInt64, UInt64, UInt64) = (0, 0, 0)
            for attribute in hash.identifier {
                name = values.joined(name, statement.hash(1 + attribute, values, attribute))
            }
            for attribute in hash.others {
                content = values.joined(content, statement.hash(1 + attribute, values, attribute))
            }
            for relationship in 0..<relationshipCount {
                let reference = try table.reference(statement, relationship, from: 1)
                if reference.isKnown { known |= 1 << UInt64(relationship) }
                content = values.joined(content, values.reference(reference, relationship))
            }
            try each(
                RowDigest(
                    identifier: name, content: isMarked || edits?.contains(objectID) == true ? nil : content,
                    known: known,
                    number: objectID))
        }
    }

    package func appendIdentifiers(
        after first: Int64, upTo last: Int64, entity: Int, limit: Int, _ section: EntityRecords, _ batch: RecordBatch,
        _ work: RowScratch
    ) throws(Failure) {
        let definition = model.entities[entity]
        let names = schema.identifier(of: definition).map(quoted).joined(separator: ", ")
        let statement = try connection.prepare(
            """
            SELECT "objectID", \(names) FROM \(quoted(definition.table))
            WHERE "objectID" > ? AND "objectID" <= ? ORDER BY "objectID" LIMIT ?
            """)
        statement.bind(1, first)
        statement.bind(2, last)
        statement.bind(3, Int64(limit))
        try append(definition.identifier, from: statement, entity, section, batch, work)
    }
}
