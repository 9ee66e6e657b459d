import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Which objects a store has, who refers to them, and how they go.
extension ServerRun {
    private func table(_ entity: Int) -> String { named(model.entities[entity].table) }

    private func unmarked(_ entity: Int) -> String {
        model.entities[entity].marksAbsent ? " AND \(quoted(Entity.deletedAt)) IS NULL" : ""
    }

    package func objectCount(entity: Int, upTo highest: Int64) throws(Failure) -> Int {
        // The table was counted when the run began.
        let definition = model.entities[entity]
        if !definition.marksAbsent, let rows = store.watched.watch?.rows(of: stored(definition.table)) {
            return Int(rows)
        }
        return Int(
            try connection.query(
                "SELECT count(*) FROM \(table(entity)) WHERE \"objectID\" <= $1\(unmarked(entity))", .integer(highest)
            ).integer(0, 0))
    }

    package func objects(
        entity: Int, upTo highest: Int64, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure) {
        var last: Int64 = 0
        while true {
            let found = try connection.query(
                objects(entity, relationship, where: "\"objectID\" > $1 AND \"objectID\" <= $2")
                    + " ORDER BY \"objectID\" LIMIT \(ServerConnection.chunk)", .integer(last), .integer(highest))
            for row in 0..<found.count {
                last = try found.objectID(row, 0, connection)
                each(last, found.integer(row, 1))
            }
            if found.count < ServerConnection.chunk { return }
        }
    }

    package func objects(
        _ objectIDs: [Int64], entity: Int, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure) {
        let found = try connection.query(
            objects(entity, relationship, where: "\"objectID\" = ANY($1)"), .integers(objectIDs))
        for row in 0..<found.count { each(try found.objectID(row, 0, connection), found.integer(row, 1)) }
    }

    private func objects(_ entity: Int, _ relationship: Int?, where condition: String) -> String {
        let reference = relationship.map { quoted(model.entities[entity].relationships[$0].name) } ?? "0::bigint"
        return "SELECT \"objectID\", \(reference) FROM \(table(entity)) WHERE \(condition)\(unmarked(entity))"
    }

    package func appendIdentifiers(
        of objectIDs: [Int64], entity: Int, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) {
        try append(
            tables[entity].layout.keyAttributes, entity, where: "\"objectID\" = ANY($1)", [.integers(objectIDs)],
            section, batch, work)
    }

    package func appendIdentifiers(
        after first: Int64, upTo last: Int64, entity: Int, limit: Int, _ section: EntityRecords, _ batch: RecordBatch,
        _ work: RowScratch
    ) throws(Failure) {
        try append(
            model.entities[entity].identifier, entity,
            where: "\"objectID\" > $1 AND \"objectID\" <= $2 ORDER BY \"objectID\" LIMIT $3",
            [.integer(first), .integer(last), .integer(Int64(limit))], section, batch, work)
    }

    /// Appends a row for each object, with some attributes.
    private func append(
        _ attributes: [Int], _ entity: Int, where condition: String, _ values: [ServerValue],
        _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) {
        let definition = model.entities[entity]
        let names = attributes.map { quoted(definition.attributes[$0].name) }.joined(separator: ", ")
        let found = try connection.query(
            "SELECT \"objectID\", \(names) FROM \(table(entity)) WHERE \(condition)", values: values)
        for place in 0..<found.count {
            let row = work.appendRow(to: section, try found.objectID(place, 0, connection))
            for (part, attribute) in attributes.enumerated() {
                if found.isNull(place, 1 + part) {
                    section.typed[row * section.width + attribute] = .null
                    continue
                }
                let form = tables[entity].forms[attribute]
                guard let cell = unsafe form.cell(found.bytes(place, 1 + part), in: &batch.arena) else {
                    throw connection.damage(
                        "\(definition.table).\(definition.attributes[attribute].name) has a value that sluice has not"
                            + " written")
                }
                section.typed[row * section.width + attribute] = cell
            }
        }
    }

    // MARK: Who refers

    package func unreferenced(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        if objectIDs.isEmpty { return [] }
        // No table of a user's is called so.
        let stub = "sluice_stub.o"
        var conditions = ["$2::text IS NOT NULL"]
        for (relationship, place) in model.places(ofReferencesTo: entity) {
            let isTarget = relationship.isPolymorphic ? " AND \(place.targetEntity) = $2" : ""
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM \(named(place.table)) WHERE \(place.target) = \(stub)\(isTarget))")
        }
        for reference in try unknownReferences(to: entity) where reference.column != "source" {
            let isReferrer = reference.condition(
                "= \(stub)", entity: quotedText(entityNow(model.entities[entity].name)))
            conditions.append("NOT EXISTS (SELECT 1 FROM \(stored(nameNow(reference.table))) WHERE \(isReferrer))")
        }
        let others = try foreignReferences(to: entity)
        for other in others {
            conditions.append("NOT EXISTS (\(rows(other, entity, where: "= \(stub)")))")
        }
        let found = try connection.query(
            "SELECT \(stub) FROM unnest($1) sluice_stub(o) WHERE \(conditions.joined(separator: " AND "))",
            .integers(objectIDs),
            .text(model.entities[entity].name))
        return (0..<found.count).map { found.integer($0, 0) }
    }

    /// The table that holds the references of a relationship.
    private func references(_ entity: Entity, _ relationship: Relationship) -> String {
        named(relationship.isMany ? entity.linkTable(of: relationship) : entity.table)
    }

    package func referrers(
        to objectIDs: [Int64], target: Int, entity: Int, relationship: Int, _ values: LinkValues?, limit: Int
    ) throws(Failure) -> [Referrer] {
        let definition = model.entities[entity].relationships[relationship]
        let place = ReferencePlace(definition, of: model.entities[entity])
        let name: [ServerValue] = definition.isPolymorphic ? [.text(model.entities[target].name)] : []
        let found = try connection.query(
            """
            SELECT \(place.source), \(place.target), \(place.position ?? "0::bigint")\(place.values)
            FROM \(named(place.table))
            WHERE \(place.target) = ANY($1)\(definition.isPolymorphic ? " AND \(place.targetEntity) = $3" : "") LIMIT $2
            """, values: [.integers(objectIDs), .integer(Int64(limit))] + name)
        var referrers: [Referrer] = []
        for row in 0..<found.count {
            referrers.append(
                Referrer(
                    objectID: try found.objectID(row, 0, connection), target: try found.objectID(row, 1, connection),
                    position: found.integer(row, 2),
                    values: try values?.number(in: found, row, from: 3, connection) ?? 0))
        }
        return referrers
    }

    package func nullify(
        _ referrers: [Referrer], target: Int, entity: Int, relationship: Int
    ) throws(Failure) {
        if referrers.isEmpty { return }
        forgetWhatIsReadAhead()
        let definition = model.entities[entity].relationships[relationship]
        let table = references(model.entities[entity], definition)
        var values: [ServerValue] = [
            .integers(referrers.map(\.objectID)), .integers(referrers.map(\.target)),
            .integers(referrers.map(\.position)),
        ]
        let list = "unnest($1, $2, $3) k(source, target, position)"
        let sql: String
        if definition.isMany {
            if definition.isPolymorphic { values.append(.text(model.entities[target].name)) }
            let isTarget =
                (definition.isPolymorphic ? " AND t.target_entity = $4" : "")
                + (definition.isSet ? "" : " AND t.position = k.position")
            sql =
                "DELETE FROM \(table) t USING \(list) WHERE t.source = k.source AND t.target = k.target\(isTarget)"
        } else {
            let name = quoted(definition.name)
            let named = definition.isPolymorphic ? ", \(quoted(definition.entityColumn)) = NULL" : ""
            sql =
                "UPDATE \(table) t SET \(name) = NULL\(named) FROM \(list)"
                + " WHERE t.\"objectID\" = k.source AND t.\(name) = k.target"
        }
        // The caller looks for referrers again, until there are no more: without this check it could loop for ever.
        if try connection.query(sql, values: values).changed == 0 {
            throw connection.damage("references are in an index, and not in their table")
        }
    }

    // MARK: How they go

    package func delete(_ objectIDs: [Int64], entity: Int) throws(Failure) {
        if objectIDs.isEmpty { return }
        forgetWhatIsReadAhead()
        let definition = model.entities[entity]
        for relationship in definition.relationships where relationship.isMany {
            try change("DELETE FROM \(references(definition, relationship)) WHERE source = ANY($1)", objectIDs)
        }
        try clearForeignReferences(objectIDs, entity)
        for own in OwnRows.tables {
            try change(
                "DELETE FROM \(named(own)) WHERE \"objectID\" = ANY($1) AND entity = $2", objectIDs, definition.name)
        }
        try connection.write(
            "DELETE FROM \(table(entity)) WHERE \"objectID\" = ANY($1)", .integers(objectIDs),
            check: connection.changing(objectIDs, in: definition.table))
    }

    package func mark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        try setMark("$2::text::timestamptz", entity, where: "IS NULL", [.integers(objectIDs), .text(started)])
    }

    package func unmark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64] {
        try setMark("NULL", entity, where: "IS NOT NULL", [.integers(objectIDs)])
    }

    /// Sets the mark of those of the objects of the first value that are in a state.
    private func setMark(
        _ mark: String, _ entity: Int, where state: String, _ values: [ServerValue]
    ) throws(Failure) -> [Int64] {
        forgetWhatIsReadAhead()
        let column = quoted(Entity.deletedAt)
        let found = try connection.query(
            """
            UPDATE \(table(entity)) SET \(column) = \(mark)
            WHERE "objectID" = ANY($1) AND \(column) \(state) RETURNING "objectID"
            """, values: values)
        return (0..<found.count).map { found.integer($0, 0) }
    }

    /// Objects that were asked for before these were changed are asked for again.
    private func forgetWhatIsReadAhead() {
        for table in tables { table.sequence.forget() }
    }

    func change(_ sql: String, _ objectIDs: [Int64], _ second: String? = nil) throws(Failure) {
        try connection.write(sql, values: [.integers(objectIDs)] + (second.map { [.text($0)] } ?? []))
    }
}
