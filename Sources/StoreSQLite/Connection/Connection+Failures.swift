import CSluiceSQLite
import SluiceRecords

extension Connection {
    /// SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_ROWID, macros that Swift does not import.
    private static let keyConstraints: [Int32] = [SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8]

    /// SQLITE_CONSTRAINT_FOREIGNKEY, likewise.
    private static let referenceConstraint = SQLITE_CONSTRAINT | 3 << 8

    /// The run refers to objects that are not there any more. Its connection lets SQLite look for them only where
    /// another program has written between two batches.
    package var lostObjects: Failure {
        Failure(
            .io,
            "another program has deleted objects of the store \(path) to which the run refers, between two of its"
                + " batches; run again")
    }

    /// What an SQLite error means to the user. An error that a full disk or another program cannot have caused comes
    /// with the extended code and the statement, for those who look for its cause.
    ///
    /// - Parameter sql: the statement, where there is one. Its text does not contain its values.
    package func failure(_ code: Int32, doing: String, _ sql: String? = nil) -> Failure {
        let message = message(code)
        let origin = " (SQLite error \(code)\(sql.map { " in: \(shown($0))" } ?? ""))"
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return Failure(.busy, "the store \(path) is locked by another program; try again later")
        case SQLITE_INTERRUPT:
            return Connection.ended
        case SQLITE_NOTADB:
            return Failure(.definition, "the store \(path) is not an SQLite database")
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return Failure(.uncreatable, "the store \(path) cannot be \(doing): \(message)")
        case SQLITE_FULL:
            return Failure(.io, "the store \(path) cannot grow: \(message)")
        case SQLITE_CORRUPT:
            return Failure(.io, "the store \(path) is damaged: \(message)\(origin)")
        case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL:
            return Failure(.io, "the store \(path) cannot be read or written: \(message)\(origin)")
        case SQLITE_CONSTRAINT where code == Connection.referenceConstraint: return lostObjects
        case SQLITE_CONSTRAINT where !Connection.keyConstraints.contains(code):
            return Failure(
                .definition,
                "a trigger or a constraint of the store \(path) refuses what is written: \(message)\(origin)")
        default: return unexpected(message + origin)
        }
    }

    private func message(_ code: Int32) -> String {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        // The error of the last system call, if there was one: SQLite calls a file that may not grow just an I/O error.
        let systemError = unsafe sqlite3_system_errno(handle)
        guard [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff), systemError != 0 else { return message + note }
        return "\(message) (\(Failure.reason(errno: systemError)))\(note)"
    }

    /// The beginning of a statement, in one line.
    private func shown(_ sql: String) -> String {
        let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }

    /// An error that no statement of sluice makes by itself: the schema of a store that was there before is whatever
    /// others have made of it.
    private func unexpected(_ message: String) -> Failure {
        guard isForeign else { return Failure(.defect, "SQLite refused a statement on \(path): \(message)") }
        if hasTriggers {
            return Failure(
                .definition,
                "SQLite refused a statement on the store \(path), which has triggers or views of its own: \(message)")
        }
        return damage("SQLite says: \(message)")
    }

    /// What a store that was there before holds cannot be what sluice has written.
    package func damage(_ what: String) -> Failure { Failure(.io, "the store \(path) is damaged: \(what)") }

    private var hasTriggers: Bool {
        // `prepare` is not used here: where it fails because the schema is damaged, it makes a failure, which asks this
        // again.
        var statement: OpaquePointer?
        let query = """
            SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')
            AND name NOT LIKE '\(ToolTables.names)' ESCAPE '\\' LIMIT 1
            """
        defer { _ = unsafe sqlite3_finalize(statement) }
        return unsafe sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK
            && sqlite3_step(statement) == SQLITE_ROW
    }
}
