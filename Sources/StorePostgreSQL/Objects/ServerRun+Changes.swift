import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Which objects a run has changed.
extension ServerRun: ChangeStore {
    /// A dry run changes nothing.
    package var changeStore: (any ChangeStore)? { store.keepsChanges ? self : nil }

    private func changes() throws(Failure) -> ServerChangeTable {
        try ServerChangeTable(connection, named("sluice_changed"), run: number)
    }

    package func recordChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure) {
        try changes().record(objects, model.entities[entity].name, run: number)
    }

    package func finishChanges() throws(Failure) {
        try changes().finish(number, keep: store.use.keptChanges, areAll: convertedAttributes.isEmpty)
    }

    /// Records the objects that lose references which the model does not know: no pass of a run knows of these.
    func recordLoss(_ reference: UnknownReference, _ condition: String, _ objectIDs: [Int64]) throws(Failure) {
        let table = stored(reference.table)
        let owners = try connection.query(
            "SELECT DISTINCT \(quoted(reference.ownerColumn)) FROM \(table) WHERE \(condition)",
            .integers(objectIDs))
        let changed = (0..<owners.count).map { ChangedObjects(updated: owners.integer($0, 0)) }
        try changes().record(changed, reference.owner, run: number)
    }
}
