import SluiceLoad
import SluiceRecords
import SluiceSchema

/// What programs have changed of the objects of a store, in the course of a run.
final class SQLiteEdits {
    private let connection: Connection
    /// By entity: what programs have changed, where there is anything and it is kept.
    private var layers: [Int: EditLayer] = [:]

    /// Reads which objects programs have changed. Of entities whose edits are replaced it is forgotten.
    init(_ store: SQLiteStore, _ tables: [SQLiteTable]) throws(Failure) {
        connection = store.connection
        guard try EditTable.isThere(connection) else { return }
        for (index, table) in tables.enumerated() {
            if !table.entity.edits.areKept {
                try EditTable.clear(table.entity.name, connection)
            } else {
                let layer = try EditLayer(connection, table)
                if !layer.objects.isEmpty { layers[index] = layer }
            }
        }
    }

    /// Nil: programs have changed no object of the entity.
    subscript(entity: Int) -> EditLayer? { layers[entity] }

    func forgetStatements() { layers = [:] }
}

extension SQLiteEdits: EditStore {
    package func edited(entity: Int) throws(Failure) -> EditedObjects {
        guard let layer = layers[entity] else { return EditedObjects() }
        return layer.objects
    }

    package func conflicts(
        _ row: Int, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) -> [Int] {
        guard let layer = layers[section.entity] else { return [] }
        return try unsafe layer.conflicts(row, UnsafePointer(section.typed.base) + row * section.width, arena, work)
    }

    package func recordImported(_ objectIDs: [Int64], entity: Int) throws(Failure) {
        guard let layer = layers[entity] else { return }
        for objectID in objectIDs { try layer.recordImported(objectID) }
    }

    package func forgetEqualEdits(entity index: Int) throws(Failure) {
        guard let layer = layers[index] else { return }
        let entity = layer.table.entity
        let values = layer.table.layout.otherAttributes.map { attribute in
            let name = entity.attributes[attribute].name
            return "WHEN \(quotedText(name)) THEN t.\(quoted(name))"
        }
        if values.isEmpty { return }
        let statement = try connection.prepare(
            """
            DELETE FROM sluice_edit WHERE entity = ? AND attribute <> '\(EditTable.object)' AND imported IS (
              SELECT CASE sluice_edit.attribute \(values.joined(separator: " ")) END FROM \(quoted(entity.table)) t
              WHERE t."objectID" = sluice_edit.objectID)
            """)
        statement.bind(1, entity.name)
        try statement.run()
    }

    package func conflicting(entity: Int) throws(Failure) -> ObjectIDSet {
        let objects = ObjectIDSet()
        guard let layer = layers[entity] else { return objects }
        let statement = try connection.prepare(
            "SELECT DISTINCT objectID FROM sluice_edit WHERE entity = ? AND base IS NOT imported")
        statement.bind(1, layer.table.entity.name)
        while try statement.step() { _ = objects.insert(try statement.objectID(0)) }
        return objects
    }

    package func conflicts(of objectID: Int64, entity: Int) throws(Failure) -> [Finding.Edit] {
        try layers[entity]?.conflicts(of: objectID) ?? []
    }
}
