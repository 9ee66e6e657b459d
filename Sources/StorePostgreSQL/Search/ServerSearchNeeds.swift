import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// What a server must have for searches.
struct ServerSearchNeeds {
    let connection: ServerConnection

    init(_ connection: ServerConnection) { self.connection = connection }

    /// The parts of a definition that the server cannot do.
    func contradictions(_ model: Model) throws(Failure) -> [SchemaContradiction] {
        // Other tokenizers are refused in any case.
        let searching = model.entities.filter { $0.search.flatMap { ServerTokenizer($0.tokenizer) } != nil }
        if searching.isEmpty { return [] }
        let lacksLetters = try !hasCollation()
        let wantsTrigrams = searching.contains { ServerSearchNeeds.wantsTrigrams($0.search) }
        let lacksTrigrams = wantsTrigrams ? try trigrams() == nil : false
        return searching.compactMap { entity in
            let keys = ["entities", entity.name, "search"]
            if lacksLetters {
                let message =
                    "the server \(connection.name) has no collation \(ServerWords.collation), by which words are told:"
                    + " it was built without ICU"
                return SchemaContradiction(message: message, keys: keys)
            }
            guard lacksTrigrams, ServerSearchNeeds.wantsTrigrams(entity.search) else { return nil }
            return SchemaContradiction(
                message: "the server \(connection.name) lacks what finds trigrams: CREATE EXTENSION pg_trgm",
                keys: keys + ["tokenize"])
        }
    }

    /// Where pg_trgm is, if one of the descriptions wants it.
    func trigrams(for descriptions: [EntityDescription]) throws(Failure) -> String? {
        descriptions.contains { ServerSearchNeeds.wantsTrigrams($0.search) } ? try trigrams() : nil
    }

    private static func wantsTrigrams(_ search: SearchIndex?) -> Bool {
        if case .trigrams? = search.flatMap({ ServerTokenizer($0.tokenizer) }) { return true }
        return false
    }

    /// The schema in which pg_trgm is, as SQL has it.
    private func trigrams() throws(Failure) -> String? {
        let found = try connection.query(
            """
            SELECT quote_ident(n.nspname) FROM pg_opclass o JOIN pg_namespace n ON n.oid = o.opcnamespace
            WHERE o.opcname = 'gin_trgm_ops' ORDER BY o.oid LIMIT 1
            """)
        return found.count > 0 ? found.text(0, 0) : nil
    }

    private func hasCollation() throws(Failure) -> Bool {
        try connection.query(
            """
            SELECT 1 FROM pg_collation WHERE collname = '\(ServerWords.collation)'
            AND collnamespace = 'pg_catalog'::regnamespace
            """
        ).count > 0
    }
}
