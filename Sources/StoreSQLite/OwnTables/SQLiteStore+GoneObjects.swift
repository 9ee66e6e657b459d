import SluiceRecords
import SluiceSchema

extension SQLiteStore {
    /// Forgets what sluice's own tables say of objects that programs have deleted since the last run: these objects no
    /// longer wait for targets, and a new object that gets the objectID of one of them is no stub.
    func forgetGoneObjects() throws(Failure) {
        for (index, entity) in model.entities.enumerated() where !check.missing.tables.contains(index) {
            for own in OwnRows.tables {
                try connection.execute(OwnRows.deletionOfGone(from: own, of: entity.name, in: table(index)))
            }
        }
    }
}
