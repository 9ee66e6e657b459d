import Glibc
import SluiceLoad
import SluicePosix
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The table `sluice_fingerprint`: by pipeline, which file of fingerprints belongs to the store as its last run left
/// it. The file is on the machine that runs the pipeline: in the database, each night would send it there and back.
extension PostgreSQLStore: FingerprintStore {
    package var fingerprintStore: (any FingerprintStore)? { self }

    package func fingerprints() throws(Failure) -> FingerprintRow? {
        guard found.ownTables.contains("sluice_fingerprint") else { return nil }
        let found = try connection.query(
            "SELECT secret, identity FROM \(stored("sluice_fingerprint")) WHERE pipeline = $1", .text(pipeline))
        return found.count > 0 ? FingerprintRow(secret: found.text(0, 0), identity: found.text(0, 1)) : nil
    }

    package func replaceFingerprints(_ row: FingerprintRow?) throws(Failure) {
        let table = named("sluice_fingerprint")
        try connection.write("DELETE FROM \(table) WHERE pipeline = $1", .text(pipeline))
        guard let row else {
            // Without the row, the file belongs to no store.
            if let fingerprintPath { _ = unsafe unlink(fingerprintPath) }
            return
        }
        try connection.write(
            "INSERT INTO \(table) VALUES ($1, $2, $3)", .text(pipeline), .text(row.secret), .text(row.identity))
    }

    package var fingerprintPath: String? {
        use.stateFolder.map { $0 + "/fingerprints-" + FingerprintRow.digits(of: "\(location)\n\(pipeline)") }
    }

    // MARK: Whether others write

    /// The watch begins with the run, not here: it takes a while, and a feed may hold nothing new.
    package func watch() {}

    package func mayHave(_ stamp: StoreStamp) -> Bool { true }

    package func isUntouched(since stamp: StoreStamp?) throws(Failure) -> Bool {
        let others = try ServerWatch(connection, watchedTables, since: stamp, isDry: isDry)
        watched.watch = others
        return others.isUntouched
    }

    package func hasTwin(_ search: TwinSearch) throws(Failure) -> Bool {
        try connection.query(
            schema.twins(
                of: search.new.entity, search.new.attributes, above: search.highest, among: search.other.entity,
                search.other.attributes, named: named)
        ).count > 0
    }

    package var stamp: StoreStamp? { watched.stamp }

    package func watchEnd() throws(Failure) { watched.stamp = try watched.watch?.end() }

    package var hidesWritesBeside: Bool { true }

    /// The tables that hold what a run reads, as SQL has them; a dry run has made none.
    private var watchedTables: [String] {
        let new = Set(check.missing.tables.map { model.entities[$0].table } + check.missing.linkTables.map(\.name))
        let tables = model.entities.flatMap { [$0.table] + schema.linkTables(of: $0).map(\.name) }
        let own = OwnRows.tables.filter { !isDry || found.ownTables.contains($0) }
        return (tables.filter { !isDry || !new.contains($0) } + own).map(stored)
    }

    package func retract() throws(Failure) {
        connection.disarm()
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        if !isDry, entry.isForGood {
            try connection.execute("DELETE FROM \(stored("sluice_run")) WHERE run = \(entry.number)")
        }
        try connection.execute("SELECT pg_advisory_unlock_all()")
    }
}

/// The watch over writes of others to a store while a run goes on.
struct WatchedWrites {
    /// Nil: it has not begun.
    var watch: ServerWatch?
    /// What the run leaves for the next one to see whether others have written since.
    var stamp: StoreStamp?
}
