import SluiceRecords

/// A table of a model whose rows of before the run the questions ask for.
package struct PreviousTable {
    package let name: String
    /// Its columns but objectID, with their types where they are those of an entity.
    package let columns: [(name: String, type: String?)]
    /// Whether it is that of an entity, and so has a column `objectID`.
    package let hasObjectIDs: Bool

    private init(_ name: String, _ columns: [(name: String, type: String?)], hasObjectIDs: Bool) {
        (self.name, self.columns, self.hasObjectIDs) = (name, columns, hasObjectIDs)
    }

    /// All columns, as SQL names them.
    package var columnList: String {
        ((hasObjectIDs ? ["objectID"] : []) + columns.map(\.name)).map(quoted).joined(separator: ", ")
    }

    /// All that a model has: of entities, and of links.
    package static func all(_ schema: Schema) -> [PreviousTable] {
        schema.model.entities.flatMap { entity in
            let own = PreviousTable(
                entity.table, schema.columns(of: entity).map { ($0.name, $0.declared) }, hasObjectIDs: true)
            let links = schema.linkTables(of: entity).map { table in
                PreviousTable(
                    table.name, (table.columnNames + table.values.map(\.name)).map { ($0, nil) }, hasObjectIDs: false)
            }
            return [own] + links
        }
    }

    /// Those that questions name.
    ///
    /// - Parameter isMeant: whether a name as it is written is that of a table.
    package static func named(
        by questions: [Question], _ schema: Schema, isMeant: (QuestionText.Name, String) -> Bool
    ) -> [PreviousTable] {
        let names = questions.flatMap { QuestionText($0.sql).previous }
        return all(schema).filter { table in names.contains { isMeant($0, table.name) } }
    }
}
