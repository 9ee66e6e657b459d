import SluiceRecords
import SluiceSchema

/// A way to find objects of an entity on a server besides their identifiers: an index that the server itself keeps
/// right, and a function that uses it, so that queries need not repeat the expression of the index.
struct ServerSideIndex {
    /// The name of both: indexes and functions have separate name spaces.
    let name: String
    /// The entity's own.
    let table: String
    /// Columns of the entity's table that the index depends on.
    let columns: [String]
    let index: String
    let function: String

    /// The side indexes that pipelines want for their entities. Where several pipelines want one for the same table,
    /// the first counts.
    ///
    /// - Parameters:
    ///   - namespace: as SQL has it.
    ///   - trigrams: where pg_trgm is, as SQL has it; nil: nowhere.
    static func all(_ descriptions: [EntityDescription], in namespace: ServerNamespace, trigrams: String?)
        -> [ServerSideIndex]
    {
        var taken: Set<FoldedName> = []
        return descriptions.flatMap { description -> [ServerSideIndex] in
            let table = ServerSearchedTable(name: description.table, namespace: namespace)
            return [
                description.search.flatMap { ServerWords(table, $0)?.sideIndex(trigrams) },
                description.place.map { ServerPlaces(table: table, place: $0).sideIndex },
            ].compactMap(\.self)
        }.filter { taken.insert(FoldedName($0.name)).inserted }
    }
}

/// A table whose objects are looked for.
struct ServerSearchedTable {
    let name: String
    /// As SQL has it.
    let namespace: ServerNamespace

    /// A side index of it.
    ///
    /// - Parameters:
    ///   - index: what follows the name of the table.
    ///   - parameters: of the function, which refers to them by number, as columns may have their names.
    func sideIndex(
        _ sideName: String, _ columns: [String], index: String, parameters: String, results: String, body: String
    ) -> ServerSideIndex {
        let named = namespace.named(sideName)
        // However few objects the server thinks there are, to read all texts takes longer than the index. A function
        // that sets something is not merged into the query around it.
        return ServerSideIndex(
            name: sideName, table: name, columns: columns,
            index: "CREATE INDEX \(quoted(sideName)) ON \(namespace.named(name)) \(index)",
            function: """
                CREATE OR REPLACE FUNCTION \(named)(\(parameters)) RETURNS TABLE (\(results))
                LANGUAGE sql STABLE PARALLEL SAFE SET enable_seqscan = off AS \(quotedText(body))
                """)
    }
}
