import SluiceLoad
import SluiceRecords
import SluiceSchema

// What programs have changed.
extension SQLiteStore: EditStore {
    package var editStore: (any EditStore)? { self }

    package func edited(entity: Int) throws(Failure) -> EditedObjects {
        guard let layer = editLayers[entity] else { return EditedObjects() }
        return layer.objects
    }

    /// Lets edits follow their attributes.
    func renameEdits(_ moves: [Renaming.ColumnMove]) throws(Failure) {
        let renamed = moves.compactMap { move in
            model.entities.first { $0.table.isSameName(as: move.table) }.map { ($0.name, move.from, move.to) }
        }
        try EditTable.rename(renamed, connection)
    }

    /// Reads which objects programs have changed. Of entities whose edits are replaced it is forgotten.
    func readEdits() throws(Failure) {
        guard try EditTable.isThere(connection) else { return }
        for (index, entity) in model.entities.enumerated() {
            if entity.edits == .replace {
                try EditTable.clear(entity.name, connection)
            } else {
                let layer = try EditLayer(connection, tables[index])
                if !layer.objects.isEmpty { editLayers[index] = layer }
            }
        }
    }

    package func conflicts(
        _ row: Int, _ section: EntityRecords, _ arena: Arena, _ work: RowWork
    ) throws(Failure) -> [Int] {
        guard let layer = editLayers[section.entity] else { return [] }
        return try unsafe layer.conflicts(row, UnsafePointer(section.typed.base) + row * section.width, arena, work)
    }

    package func takeOver(_ objectIDs: [Int64], entity: Int) throws(Failure) {
        guard let layer = editLayers[entity] else { return }
        for objectID in objectIDs { try layer.takeOver(objectID) }
    }

    package func settleEdits(entity index: Int) throws(Failure) {
        guard editLayers[index] != nil else { return }
        let entity = model.entities[index]
        let values = tables[index].otherAttributes.map { attribute in
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

    package func conflicting(entity: Int) throws(Failure) -> SeenObjects {
        let objects = SeenObjects()
        guard editLayers[entity] != nil else { return objects }
        let statement = try connection.prepare(
            "SELECT DISTINCT objectID FROM sluice_edit WHERE entity = ? AND base IS NOT imported")
        statement.bind(1, model.entities[entity].name)
        while try statement.step() { _ = objects.insert(try statement.objectID(0)) }
        return objects
    }

    package func conflicts(of objectID: Int64, entity: Int) throws(Failure) -> [Finding.Edit] {
        try editLayers[entity]?.conflicts(of: objectID) ?? []
    }
}
