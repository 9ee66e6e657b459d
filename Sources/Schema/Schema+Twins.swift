import SluiceRecords

extension Schema {
    /// A query that has a row where an object with a greater objectID than `highest` has the values of another object.
    ///
    /// - Parameters:
    ///   - attributes: none: any object with such an objectID will do.
    ///   - named: the table of a name as the store's SQL has it.
    package func twins(
        of entity: Int, _ attributes: [Int], above highest: Int64, among other: Int, _ others: [Int],
        named: (String) -> String
    ) -> String {
        let isAbove = #"n."objectID" > \#(highest)"#
        let (new, old) = (model.entities[entity], model.entities[other])
        if attributes.isEmpty { return "SELECT 1 FROM \(named(new.table)) n WHERE \(isAbove) LIMIT 1" }
        let same = zip(attributes, others).map { one, two in
            "n.\(quoted(new.attributes[one].name)) = o.\(quoted(old.attributes[two].name))"
        }
        let others = entity == other ? [#"n."objectID" <> o."objectID""#] : []
        return """
            SELECT 1 FROM \(named(new.table)) n JOIN \(named(old.table)) o
            ON \((same + others).joined(separator: " AND "))
            WHERE \(isAbove) LIMIT 1
            """
    }
}
