import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

// Which objects a run has changed.
extension PostgreSQLStore: ChangeStore {
    /// A dry run changes nothing.
    package var changeStore: (any ChangeStore)? { keepsChanges ? self : nil }

    var keepsChanges: Bool { use.keptChanges > 0 && !isDry }

    private func changes() throws(Failure) -> ServerChangeTable {
        try ServerChangeTable(connection, named("sluice_changed"), run: run)
    }

    package func noteChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure) {
        try changes().note(objects, model.entities[entity].name, run: run)
    }

    package func finishChanges() throws(Failure) { try changes().finish(run, keep: use.keptChanges) }
}
