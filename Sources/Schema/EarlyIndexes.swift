import SluiceRecords

/// Columns that get their index before all objects are there, since objects are looked for by them.
package struct EarlyIndexes {
    private var built: Set<Column> = []

    private struct Column: Hashable {
        var entity: Int
        var name: ExactText
    }

    package init() {}

    /// The columns of attributes by which objects of an entity are looked for that lack their index; from then on they
    /// count as indexed.
    package mutating func lacking(
        _ attributes: [Int], of entity: Int, in model: Model, _ missing: MissingParts
    ) -> [String] {
        attributes.map { model.entities[entity].attributes[$0] }.filter { attribute in
            let isLacking =
                missing.tables.contains(entity)
                || missing.indexes.contains { $0.entity == entity && $0.columns == [attribute.name] }
            return attribute.isIndexed && isLacking
                && built.insert(Column(entity: entity, name: ExactText(attribute.name))).inserted
        }.map(\.name)
    }

    /// The columns of a new table that are to be indexed when all objects are there.
    package func left(of entity: Int, _ schema: Schema) -> [String] {
        schema.columns(of: schema.model.entities[entity]).filter(\.isIndexed).map(\.name)
            .filter { !has([$0], of: entity) }
    }

    package func has(_ columns: [String], of entity: Int) -> Bool {
        columns.count == 1 && built.contains(Column(entity: entity, name: ExactText(columns[0])))
    }
}
