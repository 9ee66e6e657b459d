import SluiceRecords
import SluiceStoreSQLite

/// What a transaction of a program has changed; written within the transaction, so that later readers of the changes
/// find it.
final class ChangeNotes {
    enum Kind: String {
        case created, updated, deleted
    }

    /// Transactions of programs that are remembered.
    private static let kept = 1000

    private let connection: StoreConnection
    private let keepsObjects: Bool
    /// By entity, where the store keeps edits.
    private let edits: [ExactText: EditNotes]
    private var counts: [ExactText: [Kind: Int]] = [:]
    private var objects: [ExactText: [Int64: Kind]] = [:]
    /// References that were set and no foreign key looks after, with the objects that have them.
    private var references: [ReferenceToAny: Set<Int64>] = [:]

    init(_ connection: StoreConnection) throws(StoreError) {
        self.connection = connection
        edits = try EditNotes.all(connection)
        keepsObjects = try connection.first("SELECT 1 FROM main.sqlite_schema WHERE name = 'sluice_changed'") != nil
    }

    /// What notes the edits of an entity; nil: its edits are not kept.
    func edits(of entity: String) -> EditNotes? { edits[ExactText(entity)] }

    var isEmpty: Bool { counts.isEmpty }

    /// Whether the store keeps which objects were changed, as its pipeline says (`changes`).
    func keepsObjects(of entity: String) -> Bool { keepsObjects }

    func record(_ kind: Kind, _ ids: [Int64], _ entity: String) { record(kind, ids, ids.count, entity) }

    /// - Parameter ids: all of them, where objects are kept.
    func record(_ kind: Kind, _ ids: [Int64], _ count: Int, _ entity: String) {
        guard count > 0 else { return }
        let entity = ExactText(entity)
        counts[entity, default: [:]][kind, default: 0] += count
        guard keepsObjects else { return }
        for id in ids { record(kind, id, entity) }
    }

    /// What an object has become in all: what is created and then updated is created.
    private func record(_ kind: Kind, _ id: Int64, _ entity: ExactText) {
        let before = objects[entity, default: [:]][id]
        objects[entity, default: [:]][id] = before == .created && kind == .updated ? .created : kind
    }

    /// Notes that objects have got another reference; nil: it is one that a foreign key looks after.
    func noteReference(_ reference: ReferenceToAny?, of ids: [Int64]) {
        guard let reference, !ids.isEmpty else { return }
        references[reference, default: []].formUnion(ids)
    }

    /// Writes them; to be called at the end of the transaction.
    ///
    /// - Throws: `reference` where a reference leads to no object.
    func write() throws(StoreError) {
        try ReferenceCheck(connection: connection).check(references)
        guard !isEmpty else { return }
        try connection.execute(ChangeTables.changes)
        let next = try connection.first("SELECT coalesce(max(change), 0) + 1 FROM main.sluice_change") ?? .integer(1)
        for (entity, counts) in counts {
            let numbers = [Kind.created, .updated, .deleted].map {
                StatementValue.value(.integer(Int64(counts[$0] ?? 0)))
            }
            try connection.execute(
                """
                INSERT INTO main.sluice_change (change, entity, at, run, created, updated, deleted)
                VALUES (?, ?, ?, (SELECT coalesce(max(run), 0) FROM main.sluice_run), ?, ?, ?)
                """,
                [.value(next), .value(.text(entity.string)), .value(.text(Instant.now.text(digits: 0)))] + numbers)
        }
        if keepsObjects { try writeObjects(next) }
        try forget(next)
    }

    private func writeObjects(_ change: SQLValue) throws(StoreError) {
        let insert =
            "INSERT INTO main.sluice_changed VALUES (?, 0, ?, ?, ?, ?, ?)"
        let number = try connection.first(ChangeTable.next) ?? .integer(1)
        for (entity, objects) in objects {
            for (id, kind) in objects {
                try connection.execute(
                    insert,
                    [number, change, .text(entity.string), .integer(id), .integer(id), .text(kind.rawValue)].map {
                        .value($0)
                    }
                )
            }
        }
        try connection.execute(
            insert, [number, change, .text(""), .integer(0), .integer(0), .text("all")].map { .value($0) })
    }

    private func forget(_ last: SQLValue) throws(StoreError) {
        let old: [StatementValue] = [.value(last), .value(.integer(Int64(ChangeNotes.kept)))]
        // The last write of each entity stays: it tells the next run that the store is not as the last one left it.
        try connection.execute(
            """
            DELETE FROM main.sluice_change WHERE change <= ? - ? AND EXISTS (
              SELECT 1 FROM main.sluice_change o WHERE o.entity = sluice_change.entity AND o.change > sluice_change.change)
            """, old)
        if keepsObjects {
            try connection.execute("DELETE FROM main.sluice_changed WHERE run = 0 AND change <= ? - ?", old)
        }
    }
}

/// The tables that say what was changed.
enum ChangeTables {
    /// A row for each entity of each transaction of a program. What runs have changed, the ledger says.
    static let changes = """
        CREATE TABLE IF NOT EXISTS main.sluice_change (
          change INTEGER NOT NULL, entity TEXT NOT NULL, at TEXT NOT NULL, run INTEGER NOT NULL,
          created INTEGER NOT NULL, updated INTEGER NOT NULL, deleted INTEGER NOT NULL,
          PRIMARY KEY (change, entity)
        ) STRICT, WITHOUT ROWID
        """
}
