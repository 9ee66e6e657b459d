import SluiceRecords

/// Columns whose values together are those of one object only, such as an identifier, and some of which take another
/// form.
package struct ChangingKey {
    package var changing: [FormColumn]
    /// The others, as they are called now.
    package var staying: [String]
    /// The name of the index of others that wants it so; nil: the columns identify the objects.
    var index: String?

    /// A query of the least and the greatest objectID of objects that would have the same values; no row: there are
    /// none.
    ///
    /// - Parameters:
    ///   - table: as SQL has it.
    ///   - converted: a value of a changing column in its new form, as SQL has it.
    package func query(of table: String, _ converted: (Int, String) -> String) -> String {
        let columns = changing.map { quoted($0.name) }
        let values = columns.enumerated().map { converted($0, $1) } + staying.map(quoted)
        // Null is equal to nothing.
        let given = (columns + staying.map(quoted)).map { "\($0) IS NOT NULL" }
        return """
            SELECT min("objectID"), max("objectID") FROM \(table) WHERE \(given.joined(separator: " AND "))
            GROUP BY \(values.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1 LIMIT 1
            """
    }
}

/// Two objects that would have the same values in a key whose columns take another form.
package struct FormTwins {
    /// Which of the changing columns.
    var column: Int
    package var objectIDs: [Int64]
    /// As they are now.
    var values: [StoredValue]

    /// - Parameter values: those of the changing columns, of each object.
    package init(objectIDs: [Int64], values: [[StoredValue?]]) {
        self.objectIDs = objectIDs
        let columns = values.first?.indices ?? 0..<0
        let column = columns.first { place in values.contains { $0[place] != values[0][place] } } ?? 0
        self.column = column
        self.values = values.compactMap { $0[column] }
    }
}

extension ChangingKey {
    /// The keys of an entity's table in which values may become one.
    ///
    /// - Parameter nameBefore: what a column is called now.
    static func all(
        _ entity: Entity, _ table: StoredTable, _ columns: [FormColumn], nameBefore: (String) -> String
    ) -> [ChangingKey] {
        func key(_ names: [String], index: String?) -> ChangingKey? {
            let names = names.map(nameBefore)
            let changing = columns.filter { column in names.contains { $0.isSameName(as: column.name) } }
            guard changing.contains(where: \.conversion.mayJoin) else { return nil }
            let staying = names.filter { name in !changing.contains { $0.name.isSameName(as: name) } }
            return ChangingKey(changing: changing, staying: staying, index: index)
        }
        let identifier = entity.identifier.map { entity.attributes[$0].name }
        let others = table.indexes.filter { index in
            index.isUnique && !index.isPartial && !index.columns.isEmpty
                && Set(index.columns.map(FoldedName.init)) != Set(identifier.map(FoldedName.init))
        }
        return [key(identifier, index: nil)].compactMap { $0 } + others.compactMap { key($0.columns, index: $0.name) }
    }
}
