import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Compares a database with what is said of it.
struct SeedCheck {
    let connection: Connection
    let stop: Stop

    /// What is wrong with an installed seed.
    func faults(_ row: SeedRow) throws(Failure) -> [String] {
        var faults = try structure()
        if try ContentHash.digest(of: connection, stop) != row.content {
            faults.append("the content is not that of version \(row.version): it was changed")
        }
        return faults
    }

    /// What is wrong with a seed that is published.
    func faults(_ manifest: SeedManifest) throws(Failure) -> [String] {
        var faults = try structure()
        faults += try identity(manifest)
        if try ContentHash.digest(of: connection, stop) != manifest.content {
            faults.append("the content has another hash than the manifest names")
        }
        let model = try SeedModel.described(by: StoredEntity.all(connection))
        if try model.hash() != manifest.modelHash { faults.append("the model is not the one that the manifest has") }
        for (entity, expected) in zip(manifest.model.entities, manifest.objects) {
            let table = quoted(entity.table)
            let count = Int((try? connection.integer("SELECT count(*) FROM \(table)")) ?? -1)
            if count != expected {
                faults.append("\(entity.name) has \(count) objects, and the manifest names \(expected)")
            }
        }
        return faults
    }

    /// Whether the database says of itself what the manifest does.
    func identity(_ manifest: SeedManifest) throws(Failure) -> [String] {
        guard let row = try SeedRow.read(connection) else { return ["it has no table sluice_seed with one row"] }
        var faults: [String] = []
        if !row.name.isIdentical(to: manifest.name) || row.version != manifest.version
            || row.model != manifest.modelHash
            || row.content != manifest.content
        {
            faults.append("its table sluice_seed says something else than the manifest")
        }
        if try connection.integer("PRAGMA application_id") != SeedMark.application {
            faults.append("its application_id is not that of seeds")
        }
        return faults
    }

    private func structure() throws(Failure) -> [String] {
        var faults: [String] = []
        do throws(Failure) {
            try SeedDatabase.refuseActors(connection)
        } catch {
            guard error.kind == .data else { throw error }
            faults.append(error.message)
        }
        for line in try connection.texts("PRAGMA integrity_check(10)") where line != "ok" {
            faults.append("integrity_check: \(line)")
        }
        let keys = try connection.prepare("PRAGMA foreign_key_check")
        var lost = 0
        while try keys.step() { lost += 1 }
        if lost > 0 { faults.append("foreign_key_check: \(lost) references lead nowhere") }
        return faults
    }
}
