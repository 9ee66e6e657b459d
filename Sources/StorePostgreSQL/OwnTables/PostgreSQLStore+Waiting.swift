import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

// The table `sluice_unresolved`: references that wait for their target.
extension PostgreSQLStore {
    private static let columns =
        "position, value, target, run, source, file, record, line, \"column\", \"offset\", path, keys, \"with\""

    private var list: String { named("sluice_unresolved") }

    /// Begins the parameters of a statement with the relationship.
    private func begin(_ entity: Int, _ relationship: Int) {
        parameters.removeAll()
        parameters.add(model.entities[entity].name)
        parameters.add(model.entities[entity].relationships[relationship].name)
    }

    package func waitingObjects(entity: Int, relationship: Int) throws(Failure) -> SeenObjects {
        let definition = model.entities[entity]
        if let waiting = beginning.waiting?.take(definition.name, definition.relationships[relationship].name) {
            return waiting
        }
        return try seenObjects { last in
            begin(entity, relationship)
            parameters.add(last)
            return
                "SELECT DISTINCT \"objectID\" FROM \(list) WHERE entity = $1 AND relationship = $2 AND \"objectID\" > $3"
        }
    }

    package func waits(
        of objectIDs: [Int64], entity: Int, relationship: Int, each: (_ objectID: Int64, _ waiting: Waiting) -> Void
    ) throws(Failure) {
        if objectIDs.isEmpty { return }
        let found = try rows(of: .waits(entity: entity, relationship: relationship, objectIDs: objectIDs))
        for row in 0..<found.count {
            let value = WaitingValue(
                json: found.text(row, 2), target: found.optionalText(row, 3), keys: found.optionalText(row, 12))
            let hasPosition = found.integer(row, 4) == Int64(run) && !found.isNull(row, 5)
            each(
                found.integer(row, 0),
                Waiting(
                    position: found.integer(row, 1), value: value, with: found.optionalText(row, 13),
                    at: hasPosition ? found.feedPosition(row, from: 5) : nil))
        }
    }

    func askForWaits(_ objectIDs: [Int64], _ entity: Int, _ relationship: Int) throws(Failure) -> ServerAnswer {
        begin(entity, relationship)
        parameters.addList(objectIDs)
        return try connection.ask(
            """
            SELECT "objectID", \(PostgreSQLStore.columns) FROM \(list)
            WHERE entity = $1 AND relationship = $2 AND "objectID" = ANY($3) ORDER BY "objectID", position
            """, parameters)
    }

    /// Reads the objectIDs that a query gives behind the last one, some at a time: there may be many.
    func seenObjects(_ query: (_ last: Int64) -> String) throws(Failure) -> SeenObjects {
        let objects = SeenObjects()
        var last: Int64 = 0
        while true {
            let found = try connection.query(
                query(last) + " ORDER BY \"objectID\" LIMIT \(PostgreSQLStore.chunk)", parameters)
            for row in 0..<found.count {
                last = try found.objectID(row, 0, connection)
                _ = objects.insert(last)
            }
            if found.count < PostgreSQLStore.chunk { return objects }
        }
    }

    // MARK: Entries

    package func wait(_ entries: [NewWaiting], entity: Int, relationship: Int) throws(Failure) {
        // One statement cannot write the same entry twice, and treats all its entries alike.
        var chunk: [NewWaiting] = []
        var keys: Set<[Int64]> = []
        for entry in entries {
            let isNew = keys.insert([entry.objectID, entry.position]).inserted
            if !isNew || chunk.last.map({ $0.isMoved != entry.isMoved }) ?? false {
                try write(chunk, entity, relationship)
                chunk.removeAll(keepingCapacity: true)
                keys = [[entry.objectID, entry.position]]
            }
            chunk.append(entry)
        }
        try write(chunk, entity, relationship)
    }

    private func write(_ entries: [NewWaiting], _ entity: Int, _ relationship: Int) throws(Failure) {
        guard let first = entries.first else { return }
        begin(entity, relationship)
        parameters.add(Int64(run))
        parameters.addList(entries.map(\.objectID))
        parameters.addList(entries.map(\.position))
        parameters.addList(entries.map(\.value.json))
        parameters.addList(entries.map(\.value.target))
        parameters.addList(entries.map(\.value.keys))
        addPositions(entries.map(\.at))
        parameters.addList(entries.map(\.with))
        // An entry that waits for the same target as before stays as it was: it waits since the earlier run.
        let condition =
            first.isMoved
            ? ""
            : " WHERE w.value <> excluded.value OR w.target IS DISTINCT FROM excluded.target"
                + " OR w.keys IS DISTINCT FROM excluded.keys"
        try connection.write(
            """
            INSERT INTO \(list) AS w (entity, relationship, run, "objectID", position, value, target, keys,
            source, file, record, line, "column", "offset", path, "with")
            SELECT $1, $2, $3, k.* FROM unnest($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) k
            ON CONFLICT (entity, relationship, "objectID", position) DO UPDATE SET value = excluded.value,
            target = excluded.target, keys = excluded.keys, run = excluded.run, source = excluded.source,
            file = excluded.file, record = excluded.record, line = excluded.line, "column" = excluded."column",
            "offset" = excluded."offset", path = excluded.path, "with" = excluded."with"\(condition)
            """, parameters)
        if !first.isMoved { try keep(entries, entity, relationship) }
    }

    /// Sets the links' own values of entries that wait as before.
    private func keep(_ entries: [NewWaiting], _ entity: Int, _ relationship: Int) throws(Failure) {
        let entries = entries.filter { $0.with != nil }
        if entries.isEmpty { return }
        begin(entity, relationship)
        parameters.addList(entries.map(\.objectID))
        parameters.addList(entries.map(\.position))
        parameters.addList(entries.map(\.with))
        try connection.write(
            """
            UPDATE \(list) w SET "with" = k.own FROM unnest($3, $4, $5) k(o, position, own)
            WHERE w.entity = $1 AND w.relationship = $2 AND w."objectID" = k.o AND w.position = k.position
            AND w."with" IS DISTINCT FROM k.own
            """, parameters)
    }

    /// Seven lists.
    private func addPositions(_ positions: [FeedPosition?]) {
        func add(_ value: (FeedPosition) -> Int64) {
            parameters.addList(of: .bigint, positions.count) { buffer, index in
                if let at = positions[index] { buffer.appendField(value(at)) } else { buffer.appendNull() }
            }
        }
        add { Int64($0.position.source) }
        add { Int64($0.position.file) }
        add { Int64(clamping: $0.record) }
        add { Int64(clamping: $0.line) }
        add { Int64(clamping: $0.column) }
        add { Int64(clamping: $0.position.offset) }
        parameters.addList(positions.map { $0?.path })
    }

    package func positionWaiting(
        _ positions: [(objectID: Int64, at: FeedPosition)], entity: Int, relationship: Int
    ) throws(Failure) {
        if positions.isEmpty { return }
        begin(entity, relationship)
        parameters.add(Int64(run))
        parameters.addList(positions.map(\.objectID))
        addPositions(positions.map(\.at))
        try connection.write(
            """
            UPDATE \(list) w SET source = k.source, file = k.file, record = k.record, line = k.line,
            "column" = k."column", "offset" = k."offset", path = k.path
            FROM unnest($4, $5, $6, $7, $8, $9, $10, $11) k(o, source, file, record, line, "column", "offset", path)
            WHERE w.entity = $1 AND w.relationship = $2 AND w.run = $3 AND w."objectID" = k.o
            """, parameters)
    }

    package func stopWaiting(_ entries: [SettledWaiting], entity: Int, relationship: Int) throws(Failure) {
        if entries.isEmpty { return }
        begin(entity, relationship)
        parameters.addList(entries.map(\.objectID))
        parameters.addList(of: .bigint, entries.count) { buffer, index in
            if let position = entries[index].position { buffer.appendField(position) } else { buffer.appendNull() }
        }
        try connection.write(
            """
            DELETE FROM \(list) w USING unnest($3, $4) k(o, p) WHERE w.entity = $1 AND w.relationship = $2
            AND w."objectID" = k.o AND (k.p IS NULL OR w.position = k.p)
            """, parameters)
    }

    // MARK: Keys

    package func appendWaiting(
        entity: Int, relationship: Int, ofThisRun: Bool, after: (objectID: Int64, position: Int64), limit: Int,
        _ section: EntityRecords, _ batch: RecordBatch, _ work: RowWork
    ) throws(Failure) -> [Int64] {
        begin(entity, relationship)
        for value in [after.objectID, after.position, Int64(limit), ofThisRun ? Int64(run) : 0] {
            parameters.add(value)
        }
        let found = try connection.query(
            """
            SELECT "objectID", position, value, target, keys, "with" FROM \(list)
            WHERE entity = $1 AND relationship = $2 AND ("objectID", position) > ($3, $4) AND run >= $6
            ORDER BY "objectID", position LIMIT $5
            """, parameters)
        let key = WaitingKey(model, entity, relationship) { CellForm($1).isPlausible($0) }
        var positions: [Int64] = []
        for place in 0..<found.count {
            let row = section.appendTypedRow()
            for cell in 0..<section.width { section.typed[row * section.width + cell] = .absent }
            key.set(
                row, json: found.text(place, 2), target: found.text(place, 3), keys: found.optionalText(place, 4),
                section,
                batch)
            key.setValues(row, found.optionalText(place, 5), section, batch)
            work.ensure(row + 1)
            work.clearDifferences(row)
            work.objectIDs[row] = try found.objectID(place, 0, connection)
            positions.append(found.integer(place, 1))
        }
        return positions
    }
}
