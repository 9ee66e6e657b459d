import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// The table `sluice_unresolved`: references that wait for their target.
struct ServerWaitingList {
    private let store: PostgreSQLStore
    private let run: Int

    init(_ store: PostgreSQLStore, run: Int) { (self.store, self.run) = (store, run) }

    private var model: Model { store.model }
    private var connection: ServerConnection { store.connection }
    private static let columns =
        "position, value, target, run, source, file, record, line, \"column\", \"offset\", path, keys, \"with\""

    private var list: String { store.named("sluice_unresolved") }

    /// The relationship, with which the values of a statement begin.
    private func owner(_ entity: Int, _ relationship: Int) -> [ServerValue] {
        [.text(model.entities[entity].name), .text(model.entities[entity].relationships[relationship].name)]
    }

    func objects(_ entity: Int, _ relationship: Int) throws(Failure) -> ObjectIDSet {
        try connection.objectIDSet(
            "SELECT DISTINCT \"objectID\" FROM \(list) WHERE entity = $1 AND relationship = $2 AND \"objectID\" > $3",
            owner(entity, relationship))
    }

    /// Reads the rows of the query that `sendQuery` sends.
    func read(_ found: ServerRows, _ each: (_ objectID: Int64, _ waiting: WaitingReference) -> Void) {
        for row in 0..<found.count {
            let value = WaitingValue(
                json: found.text(row, 2), target: found.optionalText(row, 3), keys: found.optionalText(row, 12))
            let hasPosition = found.integer(row, 4) == Int64(run) && !found.isNull(row, 5)
            each(
                found.integer(row, 0),
                WaitingReference(
                    position: found.integer(row, 1), value: value, with: found.optionalText(row, 13),
                    at: hasPosition ? found.feedPosition(row, from: 5) : nil))
        }
    }

    /// Asks what objects wait for.
    func sendQuery(_ objectIDs: [Int64], _ entity: Int, _ relationship: Int) throws(Failure) -> ServerAnswer {
        try connection.sendQuery(
            """
            SELECT "objectID", \(ServerWaitingList.columns) FROM \(list)
            WHERE entity = $1 AND relationship = $2 AND "objectID" = ANY($3) ORDER BY "objectID", position
            """, values: owner(entity, relationship) + [.integers(objectIDs)])
    }

    // MARK: Entries

    func add(_ entries: [NewWaitingReference], _ entity: Int, _ relationship: Int) throws(Failure) {
        // One statement cannot write the same entry twice, and treats all its entries alike.
        var chunk: [NewWaitingReference] = []
        var keys: Set<[Int64]> = []
        for entry in entries {
            let isNew = keys.insert([entry.objectID, entry.waiting.position]).inserted
            if !isNew || chunk.last.map({ $0.isMoved != entry.isMoved }) ?? false {
                try write(chunk, entity, relationship)
                chunk.removeAll(keepingCapacity: true)
                keys = [[entry.objectID, entry.waiting.position]]
            }
            chunk.append(entry)
        }
        try write(chunk, entity, relationship)
    }

    private func write(_ entries: [NewWaitingReference], _ entity: Int, _ relationship: Int) throws(Failure) {
        guard let first = entries.first else { return }
        let waiting = entries.map(\.waiting)
        let values: [ServerValue] = [
            .integer(Int64(run)), .integers(entries.map(\.objectID)), .integers(waiting.map(\.position)),
            .texts(waiting.map(\.value.json)), .texts(waiting.map(\.value.target)), .texts(waiting.map(\.value.keys)),
        ]
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
            """,
            values: owner(entity, relationship) + values + lists(of: waiting.map(\.at)) + [.texts(waiting.map(\.with))])
        if !first.isMoved { try keep(entries, entity, relationship) }
    }

    /// Sets the links' own values of entries that wait as before.
    private func keep(_ entries: [NewWaitingReference], _ entity: Int, _ relationship: Int) throws(Failure) {
        let entries = entries.filter { $0.waiting.with != nil }
        if entries.isEmpty { return }
        let waiting = entries.map(\.waiting)
        let lists: [ServerValue] = [
            .integers(entries.map(\.objectID)), .integers(waiting.map(\.position)), .texts(waiting.map(\.with)),
        ]
        try connection.write(
            """
            UPDATE \(list) w SET "with" = k.own FROM unnest($3, $4, $5) k(o, position, own)
            WHERE w.entity = $1 AND w.relationship = $2 AND w."objectID" = k.o AND w.position = k.position
            AND w."with" IS DISTINCT FROM k.own
            """, values: owner(entity, relationship) + lists)
    }

    /// Seven lists.
    private func lists(of positions: [FeedPosition?]) -> [ServerValue] {
        let numbers = FeedPosition.columns.map { column in
            ServerValue.optionalIntegers(positions.map { $0.map(column) })
        }
        return numbers + [.texts(positions.map { $0?.path })]
    }

    func setPositions(
        _ positions: [(objectID: Int64, at: FeedPosition)], _ entity: Int, _ relationship: Int
    ) throws(Failure) {
        if positions.isEmpty { return }
        let values: [ServerValue] = [.integer(Int64(run)), .integers(positions.map(\.objectID))]
        try connection.write(
            """
            UPDATE \(list) w SET source = k.source, file = k.file, record = k.record, line = k.line,
            "column" = k."column", "offset" = k."offset", path = k.path
            FROM unnest($4, $5, $6, $7, $8, $9, $10, $11) k(o, source, file, record, line, "column", "offset", path)
            WHERE w.entity = $1 AND w.relationship = $2 AND w.run = $3 AND w."objectID" = k.o
            """, values: owner(entity, relationship) + values + lists(of: positions.map(\.at)))
    }

    func remove(_ entries: [SettledWaitingReference], _ entity: Int, _ relationship: Int) throws(Failure) {
        if entries.isEmpty { return }
        let lists: [ServerValue] = [
            .integers(entries.map(\.objectID)), .optionalIntegers(entries.map(\.position)),
        ]
        try connection.write(
            """
            DELETE FROM \(list) w USING unnest($3, $4) k(o, p) WHERE w.entity = $1 AND w.relationship = $2
            AND w."objectID" = k.o AND (k.p IS NULL OR w.position = k.p)
            """, values: owner(entity, relationship) + lists)
    }

    // MARK: Keys

    func append(
        _ range: WaitingRange, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> [Int64] {
        let (entity, relationship) = (range.entity, range.relationship)
        var last = range.last
        let numbers = [last.objectID, last.position, Int64(range.limit), range.ofThisRun ? Int64(run) : 0]
        let found = try connection.query(
            """
            SELECT "objectID", position, value, target, keys, "with" FROM \(list)
            WHERE entity = $1 AND relationship = $2 AND ("objectID", position) > ($3, $4) AND run >= $6
            ORDER BY "objectID", position LIMIT $5
            """, values: owner(entity, relationship) + numbers.map { .integer($0) })
        let key = WaitingKey(model, entity, relationship) { CellForm($1).isPlausible($0) }
        var positions: [Int64] = []
        for place in 0..<found.count {
            let entry = WaitingKey.Entry(
                objectID: try found.objectID(place, 0, connection), position: found.integer(place, 1),
                json: found.text(place, 2), target: found.text(place, 3), keys: found.optionalText(place, 4),
                with: found.optionalText(place, 5))
            guard key.append(entry, after: &last, section, batch, work) else {
                throw connection.damage("sluice_unresolved is not in the order of its objects")
            }
            positions.append(last.position)
        }
        return positions
    }
}
