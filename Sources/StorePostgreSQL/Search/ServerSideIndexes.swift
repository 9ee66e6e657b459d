import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The side indexes of a store on a server: made, kept in step with what pipelines say, and removed.
///
/// The server does not keep what they were made with, so comments have its hash.
struct ServerSideIndexes {
    private let connection: ServerConnection
    /// The schema, and as SQL has it.
    private let (schema, namespace): (String, ServerNamespace)
    /// Each with its comment.
    private let wanted: [(side: ServerSideIndex, comment: String)]
    private let parts: [Part]

    /// What is there, with its comment.
    private struct Part {
        var type: String
        var name: String
        var comment: String
    }

    /// Reads what is there.
    ///
    /// - Parameter descriptions: what all pipelines say from now on; what one says comes before what those say that
    ///   follow.
    init(
        _ connection: ServerConnection, schema: String, namespace: ServerNamespace, _ descriptions: [EntityDescription]
    ) throws(Failure) {
        self.connection = connection
        (self.schema, self.namespace) = (schema, namespace)
        let trigrams = try ServerSearchNeeds(connection).trigrams(for: descriptions)
        let sides = ServerSideIndex.all(descriptions, in: namespace, trigrams: trigrams)
        let comments = try ServerMark.comments(sides.map { $0.index + $0.function }, connection)
        wanted = Array(zip(sides, comments))
        parts = try ServerSideIndexes.parts(connection, schema)
    }

    /// The parts that no pipeline wants any more, and the indexes that differ from what is wanted. Functions are
    /// replaced later, as others may have made something over them.
    private var stale: [Part] {
        parts.filter { part in
            let same = wanted.first { $0.side.name.isIdentical(to: part.name) }
            guard let same else { return true }
            return part.type != "FUNCTION" && !same.comment.isIdentical(to: part.comment)
        }
    }

    private func isThere(_ type: String, _ name: String, _ comment: String) -> Bool {
        parts.contains {
            $0.type == type && $0.name.isIdentical(to: name) && $0.comment.isIdentical(to: comment)
        }
    }

    /// Whether there is nothing to remove, and nothing to make.
    var areInStep: Bool {
        stale.isEmpty
            && wanted.allSatisfy { side, comment in
                ["INDEX", "FUNCTION"].allSatisfy { isThere($0, side.name, comment) }
            }
    }

    func removeStale() throws(Failure) {
        for part in stale {
            try connection.remake(
                "the \(part.type.lowercased()) \(part.name)", refusals: ["2BP01"],
                "DROP \(part.type) \(namespace.named(part.name))")
        }
    }

    /// Makes those that are not there, as far as their tables are.
    func make() throws(Failure) {
        let catalog = ServerCatalog(connection, schema)
        for (side, comment) in wanted {
            guard let table = try catalog.table(side.table), side.columns.allSatisfy({ table.column($0) != nil }) else {
                continue
            }
            if !isThere("INDEX", side.name, comment) {
                // Drops an index that has lost its comment: names that begin so are sluice's own.
                try connection.execute("DROP INDEX IF EXISTS \(namespace.named(side.name))")
                try make("INDEX", side.name, side.index, comment)
                // No plan uses these statistics, and each ANALYZE would split the texts of a sample into words.
                try connection.execute("ALTER INDEX \(namespace.named(side.name)) ALTER COLUMN 1 SET STATISTICS 0")
            }
            if !isThere("FUNCTION", side.name, comment) { try make("FUNCTION", side.name, side.function, comment) }
        }
    }

    /// Makes the functions alone, as far as their tables are there: without an index they find the same.
    func makeFunctions() throws(Failure) {
        let catalog = ServerCatalog(connection, schema)
        for (side, comment) in wanted where !isThere("FUNCTION", side.name, comment) {
            guard let table = try catalog.table(side.table), side.columns.allSatisfy({ table.column($0) != nil }) else {
                continue
            }
            try connection.write(side.function)
        }
    }

    private func make(_ type: String, _ name: String, _ sql: String, _ comment: String) throws(Failure) {
        try connection.write(sql)
        try connection.execute("COMMENT ON \(type) \(namespace.named(name)) IS '\(comment)'")
    }

    private static func parts(_ connection: ServerConnection, _ schema: String) throws(Failure) -> [Part] {
        let found = try connection.query(
            """
            SELECT p.type, p.name, p.comment FROM (
            SELECT 'INDEX', c.relname::text, obj_description(c.oid, 'pg_class')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'i'
            UNION ALL SELECT 'FUNCTION', f.proname::text, obj_description(f.oid, 'pg_proc')
            FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace WHERE n.nspname = $1 AND f.prokind = 'f'
            ) p (type, name, comment) WHERE starts_with(p.comment, $2)
            """, .text(schema), .text(ServerMark.prefix))
        return (0..<found.count).map { row in
            Part(type: found.text(row, 0), name: found.text(row, 1), comment: found.text(row, 2))
        }
    }
}
