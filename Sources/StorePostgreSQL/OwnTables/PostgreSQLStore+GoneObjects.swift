import SluiceRecords
import SluiceSchema

extension PostgreSQLStore {
    /// Forgets what sluice's own tables say of objects that programs have deleted since the last run: nothing waits for a
    /// target any more, and whoever gets an objectID anew is no stub.
    func forgetGoneObjects() throws(Failure) {
        for (index, entity) in model.entities.enumerated() where !check.missing.tables.contains(index) {
            for own in OwnRows.tables {
                try connection.write(
                    OwnRows.deletionOfGone(from: named(own), of: entity.name, in: named(entity.table)))
            }
        }
    }
}
