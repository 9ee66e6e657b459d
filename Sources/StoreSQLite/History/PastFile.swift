import SluiceRecords
import SluiceSchema

/// A store that keeps its history, to be read.
package struct PastFile {
    private let path: String
    private let reader: StoreReader

    /// - Throws: `missing` where there is no store; `definition` where it keeps no history.
    package init(_ path: String) throws(Failure) {
        guard try StoreFile.exists(path) else { throw Failure(.missing, "the store \(path) does not exist") }
        self.path = path
        reader = try StoreReader(path, patience: SQLiteStore.lockPatience)
        try reader.read { connection throws(Failure) in
            guard try HistoryTables.areThere(connection) else { throw PastFile.noHistory(path) }
        }
    }

    static func noHistory(_ path: String) -> Failure {
        Failure(.definition, "the store \(path) keeps no history: its definition needs \"history\": true")
    }

    // MARK: Objects

    /// What an object has been, the oldest first; `names` says of what the values are, and `identifier` is JSON.
    ///
    /// - Parameter identifier: as the store has it; of several attributes, a JSON list.
    package func versions(
        of entity: String, _ identifier: String
    ) throws(Failure) -> (names: [String], identifier: String, versions: [PastVersion]) {
        try reader.read { connection throws(Failure) in
            let past = try PastReader(connection, entity: entity)
            let parts = try parts(identifier, of: past, entity, connection)
            let versions = try past.versions(parts)
            let shown = past.identifier.compactMap { name in
                past.names.firstIndex { $0.isSameName(as: name) }.flatMap { versions.last?.values[$0] }
            }
            return (past.names, shown.count == 1 ? shown[0] : JSONText.array(shown), versions)
        }
    }

    /// The parts of an identifier as texts.
    func parts(of entity: String, _ identifier: String) throws(Failure) -> [String] {
        try reader.read { connection throws(Failure) in
            try parts(identifier, of: PastReader(connection, entity: entity), entity, connection)
        }
    }

    private func parts(
        _ identifier: String, of past: PastReader, _ entity: String, _ connection: Connection
    ) throws(Failure) -> [String] {
        if past.identifier.count == 1 { return [identifier] }
        let parts = try connection.parts(ofList: identifier)
        guard parts.count == past.identifier.count else {
            throw Failure(
                .missing,
                "\(entity) is identified by \(past.identifier.joined(separator: ", ")): a JSON list of their values is"
                    + " needed, not \(identifier)")
        }
        return parts
    }

    // MARK: Runs

    /// The last run that had ended by a time; 0: there was none.
    ///
    /// - Parameters:
    ///   - time: RFC 3339, UTC, or the beginning of one.
    ///   - days: not the time counts, but the beginning of a day so many before it.
    package func lastRun(endedBy time: String, daysBefore days: Int? = nil) throws(Failure) -> Int {
        let moment = days.map { "date(?1, '-\($0) days')" } ?? "?1"
        return try reader.read { connection throws(Failure) in
            Int(
                try connection.integer(
                    "SELECT coalesce(max(run), 0) FROM sluice_run WHERE coalesce(finished, started) <= \(moment)", time)
                    ?? 0)
        }
    }

    /// The last run of which the history knows.
    package func lastRun() throws(Failure) -> Int {
        try reader.read { connection throws(Failure) in try PastFile.lastRun(connection) }
    }

    private static func lastRun(_ connection: Connection) throws(Failure) -> Int {
        Int(try connection.integer("SELECT run - 1 FROM sluice_history") ?? 0)
    }

    // MARK: Differences

    /// Hands out what differs in the store between two runs, entity by entity; 0: before the first run.
    ///
    /// - Parameter only: the name of the only entity; nil: all of which a history is kept.
    /// - Throws: `missing` where it is not known any more what one of the runs left; `definition` where no history is kept
    ///   of the entity.
    package func differences(
        from: Int, to: Int, of only: String?,
        each: (_ entity: String, _ names: [String], ObjectDifference) throws(Failure) -> Void
    ) throws(Failure) {
        try reader.read { connection throws(Failure) in
            let descriptions = EntityDescription.joined(
                try ModelTable(connection: connection).rows().map(\.description))
            for run in [from, to] { try refuse(run, connection) }
            for description in descriptions where only.map(description.name.isIdentical) ?? true {
                guard let diff = try PastDiff(connection, description, among: descriptions, from: from, to: to) else {
                    continue
                }
                guard min(from, to) >= diff.since else {
                    throw Failure(
                        .missing,
                        "the history of \(description.name) in the store \(path) begins with run \(diff.since)")
                }
                try diff.differences { difference throws(Failure) in
                    try each(description.name, diff.names, difference)
                }
            }
        }
    }

    private func refuse(_ run: Int, _ connection: Connection) throws(Failure) {
        guard run <= (try PastFile.lastRun(connection)) else {
            throw Failure(.missing, "the store \(path) knows of no run \(run) that has ended")
        }
        if let floor = try connection.integer("SELECT floor FROM sluice_history"), run < floor {
            throw Failure(.missing, "the store \(path) has forgotten what it was before run \(floor)")
        }
    }
}

extension Connection {
    /// The elements of a JSON list as texts; none where it is no list.
    fileprivate func parts(ofList text: String) throws(Failure) -> [String] {
        let statement = try prepare(
            "SELECT value FROM json_each(CASE WHEN json_valid(?1) AND json_type(?1) = 'array' THEN ?1 ELSE '[]' END)")
        statement.bind(1, text)
        var parts: [String] = []
        while try statement.step() { parts.append(statement.text(0)) }
        return parts
    }
}
