import SluiceLoad
import SluiceRecords

// Which objects a run has changed.
extension SQLiteStore {
    package var keepsChanges: Bool { changesKeep > 0 }

    package func noteChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure) {
        try ChangeTable(connection: connection).note(objects, model.entities[entity].name, run: ledger.run)
    }

    package func finishChanges() throws(Failure) {
        try ChangeTable(connection: connection).finish(ledger.run, keep: changesKeep)
    }
}
