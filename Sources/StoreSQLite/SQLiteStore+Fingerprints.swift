import CSluiceSQLite
import Glibc
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceSchema

// Which items of its feed the next run knows, and whether others write to the store.
extension SQLiteStore: FingerprintStore {
    package var fingerprintStore: (any FingerprintStore)? { self }

    package func fingerprints() throws(Failure) -> FingerprintRow? {
        exists ? try FingerprintTable(connection: connection).row(of: pipeline) : nil
    }

    package func replaceFingerprints(_ row: FingerprintRow?) throws(Failure) {
        try FingerprintTable(connection: connection).replace(row, of: pipeline)
        // Without the row, the file belongs to no store.
        if row == nil, !file.isCopy, let path = fingerprintPath { _ = unsafe unlink(path) }
    }

    /// Pipelines of one store have a file each.
    package var fingerprintPath: String? {
        file.path + ".fingerprints-" + FingerprintRow.digits(of: pipeline)
    }

    package func watch() throws(Failure) { watched = try foreignWrites() }

    package func mayHave(_ stamp: StoreStamp) -> Bool {
        currentStamp == stamp && (try? connection.hasForeignTriggers()) == false
    }

    package func isUntouched(since stamp: StoreStamp?) throws(Failure) -> Bool {
        if stamp == nil { return false }
        guard try foreignWrites() == watched else {
            throw Failure(.busy, "another program has written to the store while the run began")
        }
        return true
    }

    package func hasTwin(_ search: TwinSearch) throws(Failure) -> Bool {
        let query = try connection.prepare(
            schema.twins(
                of: search.new.entity, search.new.attributes, above: search.highest, among: search.other.entity,
                search.other.attributes, named: quoted))
        return try query.step()
    }

    /// Nothing is to be done: the file itself shows writes when the run is saved.
    package func watchEnd() {}

    package var stamp: StoreStamp? {
        // The number of foreign writes is read last: a later write changes the file after the time in the stamp.
        guard let stamp = currentStamp else { return nil }
        guard let watched else { return stamp }
        return (try? foreignWrites()) == watched ? stamp : nil
    }

    /// A program's own connection can only write to a file once the log has been moved there.
    package var hidesWritesBeside: Bool { false }

    /// Nil where what others have written is in the log, and not yet in the file.
    private var currentStamp: StoreStamp? {
        StoreLogs(file.path).hasEntries ? nil : StoreStamp(file: file.path)
    }

    /// A number that changes when anyone but this run writes to the store; nil: nobody else can, since a store that is
    /// built has no name yet.
    private func foreignWrites() throws(Failure) -> Int64? {
        if file.isBuilt || file.isCopy { return nil }
        return try connection.integer("PRAGMA data_version")
    }
}
