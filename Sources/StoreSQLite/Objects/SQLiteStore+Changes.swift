import SluiceLoad
import SluiceRecords

// Which objects a run has changed.
extension SQLiteStore: ChangeStore {
    package var changeStore: (any ChangeStore)? { use.keptChanges > 0 ? self : nil }

    package func noteChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure) {
        try ChangeTable(connection: connection).note(objects, model.entities[entity].name, run: ledger.run)
    }

    package var convertedAttributes: [(entity: Int, attribute: Int)] { check.convertedAttributes }

    package func finishChanges() throws(Failure) {
        try ChangeTable(connection: connection).finish(
            ledger.run, keep: use.keptChanges, areAll: convertedAttributes.isEmpty)
    }
}
