import CSluiceSQLite
import Glibc
import SluicePosix
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// What a store holds at one moment, without what is its builder's own, as the file that will be published.
struct SeedSnapshot {
    /// The tables of sluice that a seed has: with them, who installs it may go on importing.
    private static let kept = ["sluice_model", "sluice_unresolved", "sluice_stub"]

    let store: String
    /// A file that nobody else knows.
    let path: String
    let stop: Stop

    /// What the snapshot holds.
    struct Content {
        var model: SeedModel
        var modelHash: String
        var hash: String
        /// The hash of what waits and of the stubs; nil: there are none.
        var waiting: String?
        var counts: [Int]
        /// Tables, and columns of tables, that belong to no entity that a definition has, and are left out.
        var leftOut: [String]

        func isThat(of manifest: SeedManifest) -> Bool {
            manifest.content == hash && manifest.modelHash == modelHash && manifest.waiting == waiting
        }
    }

    /// Copies the store, cleans the copy, and looks at what it holds.
    func take() throws(Failure) -> (connection: Connection, content: Content) {
        try copy()
        let connection = try SeedDatabase.openPrivate(path, stop)
        let all = try StoredEntity.all(connection)
        let entities = all.filter { !$0.isOfPrograms }
        let model = try SeedModel.described(by: entities)
        guard !model.entities.isEmpty else {
            throw Failure(.definition, "the store \(store) has no entities: a seed is built from what a run has loaded")
        }
        let leftOut = try clean(connection, entities, programs: all.filter(\.isOfPrograms))
        let content = Content(
            model: model, modelHash: try model.hash(), hash: try ContentHash.digest(of: connection, stop),
            waiting: try ContentHash.digestOfWaiting(connection, stop), counts: try model.counts(connection),
            leftOut: leftOut
        )
        return (connection, content)
    }

    /// Runs and readers go on meanwhile.
    private func copy() throws(Failure) {
        guard unsafe access(store, F_OK) == 0 else {
            if PathFault(errno: errno) != .missing {
                throw Failure(.io, "the store \(store) cannot be read", errno: errno)
            }
            throw Failure(.missing, "the store \(store) does not exist: run the pipeline first")
        }
        let reader = try StoreReader(store, patience: 30_000)
        defer { reader.close() }
        try reader.read { connection throws(Failure) in
            connection.isForeign = true
            stop.attach(to: connection)
            try SeedSnapshot.vacuum(connection, into: path)
        }
    }

    /// - Parameter path: a file that is not there, or is empty.
    static func vacuum(_ connection: Connection, into path: String) throws(Failure) {
        // It is another database that is written to.
        try connection.execute("PRAGMA query_only = OFF")
        let statement = try connection.prepare("VACUUM main INTO ?")
        statement.bind(1, path)
        do throws(Failure) {
            try statement.run()
        } catch {
            throw failure(connection, path) ?? error
        }
    }

    /// What is wrong with the copy, and not with what is copied; nil: nothing. SQLite's error is of the connection.
    private static func failure(_ connection: Connection, _ path: String) -> Failure? {
        let message = unsafe String(cString: sqlite3_errmsg(connection.handle))
        switch unsafe sqlite3_errcode(connection.handle) & 0xff {
        case SQLITE_FULL: return Failure(.io, "\(path), where the seed is made, cannot grow: \(message)")
        case SQLITE_CANTOPEN:
            return Failure(.uncreatable, "\(path), where the seed is made, cannot be written: \(message)")
        case SQLITE_IOERR:
            // Of reading or of writing: SQLite does not say.
            let reason = Failure.reason(errno: unsafe sqlite3_system_errno(connection.handle))
            return Failure(.io, "\(connection.path) cannot be copied to \(path): \(message) (\(reason))")
        default: return nil
        }
    }

    // MARK: What is the builder's own

    private func clean(
        _ connection: Connection, _ entities: [StoredEntity], programs: [StoredEntity]
    ) throws(Failure) -> [String] {
        try connection.execute("BEGIN")
        var drops = try connection.rows(
            "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY type = 'view'"
        ) { actor in
            "DROP \(actor.text(0)) IF EXISTS \(quoted(actor.text(1)))"
        }
        let published = Set(entities.flatMap(\.publishedTables).map { ExactText($0.asciiLowercase) })
        // That these are left out is what they are for.
        let known = Set(programs.flatMap(\.tables).map { ExactText($0.asciiLowercase) })
        var leftOut: [String] = []
        let tables = try connection.texts(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        for table in tables {
            let name = table.asciiLowercase
            if published.contains(ExactText(name)) || SeedSnapshot.kept.contains(name) { continue }
            if !name.hasPrefix("sluice_"), !known.contains(ExactText(name)) { leftOut.append(table) }
            drops.append("DROP TABLE IF EXISTS \(quoted(table))")
        }
        for drop in drops { try connection.execute(drop) }
        for entity in entities where !entity.isLost {
            leftOut += try PublishedColumns(connection: connection, entity: entity).dropOthers()
            for lost in entity.relationships where lost.isLost { try forget(entity, lost.name, connection) }
        }
        for entity in programs + entities.filter(\.isLost) { try forget(entity, connection) }
        try forgetPlaces(connection)
        try connection.execute(SeedRow.create)
        // Made anew, they are the same bytes for the same content.
        try SideIndexes(connection).make(SideIndex.all(entities), isLast: true)
        try connection.execute("COMMIT")
        return leftOut
    }

    /// What objects wait for by a relationship that all definitions have lost.
    private func forget(_ entity: StoredEntity, _ relationship: String, _ connection: Connection) throws(Failure) {
        guard try connection.hasTable("sluice_unresolved") else { return }
        let deletion = try connection.prepare("DELETE FROM sluice_unresolved WHERE entity = ?1 AND relationship = ?2")
        deletion.bind(1, entity.name)
        deletion.bind(2, relationship)
        try deletion.run()
    }

    /// Neither what the entity is, nor what its objects wait for.
    private func forget(_ entity: StoredEntity, _ connection: Connection) throws(Failure) {
        for table in SeedSnapshot.kept where try connection.hasTable(table) {
            let deletion = try connection.prepare("DELETE FROM \(table) WHERE entity = ?")
            deletion.bind(1, entity.name)
            try deletion.run()
        }
    }

    /// Where in which feed something stood is nobody else's business.
    private func forgetPlaces(_ connection: Connection) throws(Failure) {
        let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        if tables.contains("sluice_model") { try connection.execute("UPDATE sluice_model SET run = 0") }
        guard tables.contains("sluice_unresolved") else { return }
        try connection.execute(
            """
            UPDATE sluice_unresolved SET run = 0, source = NULL, file = NULL, record = NULL, line = NULL, "column" = NULL,
            "offset" = NULL, path = NULL
            """)
    }
}

extension String {
    /// As SQLite compares names.
    var asciiLowercase: String {
        String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
