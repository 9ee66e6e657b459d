import SluiceLoad
import SluiceRecords

// Which objects a run has changed.
extension SQLiteRun: ChangeStore {
    package var changeStore: (any ChangeStore)? { use.keptChanges > 0 ? self : nil }

    package func recordChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure) {
        try ChangeTable(connection: connection).record(objects, model.entities[entity].name, run: number)
    }

    package func finishChanges() throws(Failure) {
        try ChangeTable(connection: connection).finish(
            number, keep: use.keptChanges, areAll: convertedAttributes.isEmpty)
    }
}
