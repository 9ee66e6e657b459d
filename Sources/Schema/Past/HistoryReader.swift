import SluiceRecords

/// The past of a store, to be read.
package protocol HistoryReader {
    /// The store, for messages.
    var name: String { get }

    /// Reads it as it is at one moment.
    func read<Result>(_ body: (any HistorySource) throws(Failure) -> Result) throws(Failure) -> Result
}

extension Failure {
    /// The failure which says that a store keeps no past of an entity.
    static func noHistory(of entity: String, in store: String) -> Failure {
        Failure(
            .definition,
            "the store \(store) keeps no history of \(entity): with \"history\": true, of the entity or of the pipeline,"
                + " the next run begins one")
    }
}

extension HistoryReader {
    /// The failure which says that a store keeps no past.
    package static func noHistory(_ name: String) -> Failure {
        Failure(
            .definition,
            "the store \(name) keeps no history: no run has begun one, as a run does whose definition has"
                + " \"history\": true")
    }

    /// The last run, after another one, that has erased the past of an object; nil: there is none.
    package func lastForgetting(after run: Int) throws(Failure) -> Int? {
        try read { source throws(Failure) in
            let ledger = source.dialect.ownTable("sluice_run")
            return try source.integer(
                "SELECT max(run) FROM \(ledger) WHERE status = '\(HistoryTable.forgot)' AND run > \(run)"
            ).map { Int($0) }
        }
    }

    // MARK: Objects

    /// The versions of an object, the oldest first; `names` has the names of the values, and `identifier` is JSON.
    ///
    /// - Parameter identifier: as the store has it; of several attributes, a JSON list.
    package func versions(
        of entity: String, _ identifier: String
    ) throws(Failure) -> (names: [String], identifier: String, versions: [PastVersion]) {
        try read { source throws(Failure) in
            let past = try VersionReader(source, entity: entity)
            let parts = try past.parts(identifier)
            let versions = try past.versions(parts)
            let shown = past.identifier.compactMap { name in
                past.names.firstIndex { $0.isSameName(as: name) }.flatMap { versions.last?.values[$0] }
            }
            return (past.names, JSONText.oneOrArray(shown), versions)
        }
    }

    /// The parts of an identifier as texts.
    package func parts(of entity: String, _ identifier: String) throws(Failure) -> [String] {
        try read { source throws(Failure) in try VersionReader(source, entity: entity).parts(identifier) }
    }

    // MARK: Runs

    /// Refuses a run of which it is not known, or not known any more, what it left of an entity.
    package func refuse(_ run: Int, of entity: String) throws(Failure) {
        try read { source throws(Failure) in
            try source.refuse(run)
            let descriptions = EntityDescription.joined(try source.descriptions())
            try source.refuse(Int64(run), where: descriptions.filter { $0.name.isIdentical(to: entity) })
        }
    }

    /// The last run that had ended by a time; 0: there was none.
    ///
    /// - Parameter time: RFC 3339, UTC, or the beginning of one.
    package func lastRun(endedBy time: String) throws(Failure) -> Int {
        try read { source throws(Failure) in
            try lastRun(source, endedBy: source.dialect.parameter(1), [.text(time)])
        }
    }

    /// The last run that had ended when a day began, so many before today; 0: there was none.
    package func lastRun(endedBeforeDay days: Int) throws(Failure) -> Int {
        try read { source throws(Failure) in try lastRun(source, endedBy: source.dialect.dayBefore(days), []) }
    }

    private func lastRun(
        _ source: any HistorySource, endedBy moment: String, _ values: [PastValue]
    ) throws(Failure) -> Int {
        let ledger = source.dialect.ownTable("sluice_run")
        return Int(
            try source.integer(
                "SELECT coalesce(max(run), 0) FROM \(ledger) WHERE coalesce(finished, started) <= \(moment)", values)
                ?? 0)
    }

    /// The last run of which the history knows.
    package func lastRun() throws(Failure) -> Int {
        try read { source throws(Failure) in try source.lastRun() }
    }

    // MARK: Differences

    /// The entities of which the store keeps no history, though it keeps one of others.
    package func withoutHistory() throws(Failure) -> [String] {
        try read { source throws(Failure) in try source.withoutHistory().map(\.name) }
    }

    /// Hands out what differs in the store between two runs, entity by entity; 0: before the first run.
    ///
    /// - Parameter only: the name of the only entity; nil: all of which a history is kept.
    /// - Throws: `missing` where it is not known any more what one of the runs left; `definition` where no history is
    ///   kept of the entity.
    package func differences(
        from: Int, to: Int, of only: String?,
        each: (_ entity: String, _ names: [String], ObjectDifference) throws(Failure) -> Void
    ) throws(Failure) {
        try read { source throws(Failure) in
            let descriptions = EntityDescription.joined(try source.descriptions())
            for run in [from, to] { try source.refuse(run) }
            if let only { try source.refuse(only) }
            for description in descriptions where only.map(description.name.isIdentical) ?? true {
                guard let diff = try PastDiff(source, description, among: descriptions, from: from, to: to) else {
                    continue
                }
                guard min(from, to) >= diff.since else {
                    throw Failure(
                        .missing,
                        "the history of \(description.name) in the store \(name) begins with run \(diff.since)")
                }
                try diff.differences { difference throws(Failure) in
                    try each(description.name, diff.names, difference)
                }
            }
        }
    }
}

extension Failure {
    /// An object that neither a store nor its history knows.
    package static func unknownObject(_ identifier: String, of entity: String, _ store: String) -> Failure {
        Failure(.missing, "the history of \(entity) in the store \(store) knows no object \(identifier)")
    }
}

extension HistoryReader {
    /// Hands out the statements of SQL that bring the tables from what one run left to what another one did.
    ///
    /// - Parameter only: the name of the only entity; nil: all of which a history is kept.
    /// - Throws: as `differences`, and `definition` where a table is not the same at both runs.
    package func script(
        from: Int, to: Int, of only: String?, each: (String) throws(Failure) -> Void
    ) throws(Failure) {
        try read { source throws(Failure) in
            for run in [from, to] { try source.refuse(run) }
            let descriptions = EntityDescription.joined(try source.descriptions())
            if let only { try source.refuse(only) } else { try source.refuseReferences() }
            try PastScript(source, descriptions, from: from, to: to, of: only).statements(each)
        }
    }
}

extension HistorySource {
    func lastRun() throws(Failure) -> Int {
        Int(try integer("SELECT run - 1 FROM \(dialect.ownTable("sluice_history"))") ?? 0)
    }

    /// Refuses a run of which it is not known, or not known any more, what it left.
    package func refuse(_ run: Int) throws(Failure) {
        guard run <= (try lastRun()) else {
            throw Failure(.missing, "the store \(name) knows of no run \(run) that has ended")
        }
        if let floor = try integer("SELECT floor FROM \(dialect.ownTable("sluice_history"))"), run < floor {
            throw Failure(.missing, "the store \(name) has forgotten what it was before run \(floor)")
        }
    }

    /// Those of which no history is kept.
    func withoutHistory() throws(Failure) -> [EntityDescription] {
        let shapes = PastShapes(try historyTables(), dialect)
        return EntityDescription.joined(try descriptions()).filter { shapes.current($0.table) == nil }
    }

    /// Refuses a script where an entity without a history refers to objects with one: its references would stay as they
    /// are, whatever becomes of these objects.
    func refuseReferences() throws(Failure) {
        let silent = try withoutHistory()
        for entity in silent {
            for target in entity.relationships.flatMap(\.targets)
            where !silent.contains(where: { $0.name.isIdentical(to: target) }) {
                throw Failure(
                    .definition,
                    "the store \(name) keeps no history of \(entity.name), which refers to \(target): a script would leave"
                        + " its references as they are; name the one entity that it is to be about")
            }
        }
    }

    /// Refuses an entity of which no history is kept.
    func refuse(_ entity: String) throws(Failure) {
        guard try withoutHistory().contains(where: { $0.name.isIdentical(to: entity) }) else { return }
        throw .noHistory(of: entity, in: name)
    }

    /// Refuses a run before the history of an entity begins.
    package func refuse(_ run: Int64, where descriptions: [EntityDescription]) throws(Failure) {
        let all = try historyTables()
        for row in descriptions {
            let object = all.last { !$0.hasLinks && $0.nameNow.isSameName(as: row.table) }?.object
            guard let first = all.first(where: { !$0.hasLinks && $0.object == object }) else {
                throw .noHistory(of: row.name, in: name)
            }
            guard first.isBorn || run >= first.since else {
                throw Failure(
                    .missing, "the history of \(row.name) in the store \(name) begins with run \(first.since)")
            }
        }
    }
}
