import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Erases the past of an object from a store: its past versions, its past links, where its records stood, and what is
/// left of these in free pages.
package struct PastErasure {
    private let connection: Connection
    private let entity: EntityDescription
    private let current: HistoryTable
    private let shapes: [HistoryTable]
    private let links: [HistoryTable]
    private let identifier: [String]

    /// Erases the past, and notes that in the ledger as a run of its own, without the identifier. The object as it is
    /// now stays.
    ///
    /// - Parameters:
    ///   - identifier: each part of it as a text.
    ///   - time: RFC 3339, UTC.
    /// - Returns: how many versions were erased; 0: there was nothing to erase, and nothing has changed.
    /// - Throws: `missing` where there is no store, or neither the store nor its history knows the object; `definition`
    ///   where the store keeps no history of the entity.
    package static func perform(
        _ path: String, of entity: String, _ identifier: String, pipeline: String, time: String, version: String
    ) throws(Failure) -> Int {
        let parts = try PastFile(path).parts(of: entity, identifier)
        let connection = try Connection(path: path, access: .write)
        defer { connection.close() }
        connection.isForeign = true
        connection.listen(to: Interruption(patience: SQLiteStore.lockPatience, isCancelled: { false }))
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("BEGIN IMMEDIATE")
        // Nil: neither the store nor its history knows the object.
        let erased: Int?
        do throws(Failure) {
            erased = try PastErasure(connection, entity, parts).erase()
            if erased ?? 0 > 0 {
                try SideIndexes(connection).fillAgain()
                let ledger = Ledger(connection, pipeline: pipeline)
                try ledger.start(RunStart(started: time, version: version))
                try ledger.finish(status: HistoryTable.forgot, at: time)
                try StoreHistory(connection, isWanted: false)?.settle(run: ledger.run)
            }
        } catch {
            try connection.execute("ROLLBACK")
            throw error
        }
        let count = erased ?? 0
        try connection.execute(count > 0 ? "COMMIT" : "ROLLBACK")
        // Rows that were deleted before are still in free pages, and in parts of other pages.
        if count > 0 { try connection.execute("VACUUM") }
        // An earlier call may have failed to empty the log: a repeated call empties it, even with nothing left to
        // erase.
        try emptyLog(connection)
        if erased == nil { throw Failure.unknownObject(identifier, of: entity, path) }
        return count
    }

    /// A reader of an earlier state of the store keeps the pages of that state: until the reader has ended, they are in
    /// the file, or in its log.
    private static func emptyLog(_ connection: Connection) throws(Failure) {
        guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") ?? 0 != 0 else { return }
        throw Failure(
            .busy,
            """
            what was forgotten is gone from the history, but not yet from the files of the store \(connection.path): another \
            program still reads what was before; when that has ended, forget it once more
            """)
    }

    private init(_ connection: Connection, _ name: String, _ identifier: [String]) throws(Failure) {
        let descriptions = EntityDescription.joined(try ModelTable(connection: connection).rows().map(\.description))
        let all = try HistoryTable.all(connection)
        guard let entity = descriptions.first(where: { $0.name.isIdentical(to: name) }),
            let current = PastShapes(all, SQLiteDialect()).current(entity.table)
        else { throw Failure(.definition, "the store \(connection.path) keeps no history of \(name)") }
        self.connection = connection
        self.entity = entity
        self.current = current
        self.identifier = identifier
        shapes = all.filter { $0.object == current.object && !$0.hasLinks }
        links = all.filter { $0.object == current.object && $0.hasLinks }
    }

    /// How many versions were erased; nil: neither the store nor its history knows the object.
    private func erase() throws(Failure) -> Int? {
        var objects = try integers(
            "SELECT \"objectID\" FROM \(quoted(entity.table)) t WHERE \(isObject { "t.\(quoted($0))" })")
        let present = objects.first
        for shape in shapes {
            objects += try integers(
                "SELECT DISTINCT o FROM \(shape.past) WHERE \(isObject { shape.pastColumn(now: $0)?.name })")
        }
        if objects.isEmpty { return nil }
        let list = Set(objects).map(String.init).joined(separator: ", ")
        if let present { try keepBeginning(of: present) }
        var count = 0
        for shape in shapes {
            try bound("DELETE FROM \(shape.past) WHERE \(isObject { shape.pastColumn(now: $0)?.name })").run()
            count += connection.changes
        }
        for shape in links {
            try connection.execute("DELETE FROM \(shape.past) WHERE o IN (\(list))")
            count += connection.changes
        }
        let isPresent = present.map { " AND NOT (o = \($0) AND r = \(beginning($0)))" } ?? ""
        try connection.execute(
            "DELETE FROM \(HistoryTable.place(current.object)) WHERE o IN (\(list))\(isPresent)")
        return count
    }

    /// Notes from which run on the present version holds, so that it is not taken for the object's past.
    private func keepBeginning(of objectID: Int64) throws(Failure) {
        try connection.execute(
            """
            INSERT OR IGNORE INTO sluice_history_given (object, o, run, is_new)
            SELECT \(current.object), \(objectID), \(beginning(objectID)), \(HistoryTable.forgotten)
            """)
    }

    /// The run since which the object is as it is now.
    private func beginning(_ objectID: Int64) -> String {
        let from = current.from("t", "t.\"objectID\"", SQLiteDialect())
        return "(SELECT \(from) FROM \(quoted(entity.table)) t WHERE t.\"objectID\" = \(objectID))"
    }

    // MARK: SQL

    /// Whether a row is of the object.
    private func isObject(_ column: (String) -> String?) -> String {
        entity.identifier.enumerated().map { part, name in
            IdentifierText(text: identifier[part]).condition(column(name) ?? "NULL", first: 2 * part + 1)
        }.joined(separator: " AND ")
    }

    private func bound(_ sql: String) throws(Failure) -> Statement {
        let statement = try connection.prepare(sql)
        statement.bind(identifier: identifier)
        return statement
    }

    private func integers(_ sql: String) throws(Failure) -> [Int64] {
        let statement = try bound(sql)
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}

extension Statement {
    /// Binds the parts of an identifier, as `IdentifierText` has them: two parameters each.
    fileprivate func bind(identifier: [String]) {
        for (part, text) in identifier.enumerated() {
            bind(2 * part + 1, text)
            if let number = IdentifierText(text: text).number {
                bind(2 * part + 2, number)
            } else {
                bind(2 * part + 2, text)
            }
        }
    }
}
