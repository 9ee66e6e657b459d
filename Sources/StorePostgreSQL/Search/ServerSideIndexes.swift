import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The side indexes of a store on a server: made, kept in step with what pipelines say, and removed.
///
/// The server does not keep what they were made with, so comments have its hash.
struct ServerSideIndexes {
    let connection: ServerConnection
    /// The schema, and as SQL has it.
    let schema: String
    let namespace: String
    /// What all pipelines say from now on; what one says comes before what those say that follow.
    let descriptions: [EntityDescription]

    /// What is there, with its comment.
    private struct Part {
        var type: String
        var name: String
        var comment: String
    }

    /// Removes what nobody wants any more, and indexes that are not as they are wanted. Functions are replaced later, as
    /// something may be made over them.
    func removeStale() throws(Failure) {
        let wanted = try wanted()
        let comments = try comments(of: wanted)
        for part in try parts() {
            let place = wanted.firstIndex { $0.name.isIdentical(to: part.name) }
            if let place, part.type == "FUNCTION" || comments[place].isIdentical(to: part.comment) { continue }
            try connection.remake(
                "the \(part.type.lowercased()) \(part.name)", refusal: "2BP01",
                "DROP \(part.type) \(named(part.name))")
        }
    }

    /// Makes those that are not there, as far as their tables are.
    func make() throws(Failure) {
        let catalog = ServerCatalog(connection, schema)
        let wanted = try wanted()
        let comments = try comments(of: wanted)
        let parts = try parts()
        for (side, comment) in zip(wanted, comments) {
            guard let table = try catalog.table(side.table), side.columns.allSatisfy({ table.column($0) != nil }) else {
                continue
            }
            let there = parts.filter { $0.name.isIdentical(to: side.name) && $0.comment.isIdentical(to: comment) }
            if !there.contains(where: { $0.type == "INDEX" }) { try makeIndex(side, comment) }
            if !there.contains(where: { $0.type == "FUNCTION" }) {
                try connection.write(side.function)
                try connection.execute("COMMENT ON FUNCTION \(named(side.name)) IS '\(comment)'")
            }
        }
    }

    private func makeIndex(_ side: ServerSideIndex, _ comment: String) throws(Failure) {
        // One that has lost its comment: names that begin so are sluice's own.
        try connection.execute("DROP INDEX IF EXISTS \(named(side.name))")
        try connection.write(side.index)
        try connection.execute("COMMENT ON INDEX \(named(side.name)) IS '\(comment)'")
    }

    private func named(_ name: String) -> String { namespace + "." + quoted(name) }

    private func wanted() throws(Failure) -> [ServerSideIndex] {
        let needs = ServerSearchNeeds(connection)
        return ServerSideIndex.all(descriptions, in: namespace, trigrams: try needs.trigrams(for: descriptions))
    }

    private func comments(of sides: [ServerSideIndex]) throws(Failure) -> [String] {
        var comments: [String] = []
        for side in sides { comments.append(try ServerMark.comment(side.index + side.function, connection)) }
        return comments
    }

    private func parts() throws(Failure) -> [Part] {
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.add(schema)
        parameters.add(ServerMark.prefix)
        let found = try connection.query(
            """
            SELECT p.type, p.name, p.comment FROM (
            SELECT 'INDEX', c.relname::text, obj_description(c.oid, 'pg_class')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'i'
            UNION ALL SELECT 'FUNCTION', f.proname::text, obj_description(f.oid, 'pg_proc')
            FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace WHERE n.nspname = $1 AND f.prokind = 'f'
            ) p (type, name, comment) WHERE starts_with(p.comment, $2)
            """, parameters)
        return (0..<found.count).map { row in
            Part(type: found.text(row, 0), name: found.text(row, 1), comment: found.text(row, 2))
        }
    }
}

extension PostgreSQLStore {
    /// Whether any pipeline finds objects by words or places, or has done so: otherwise nobody looks for what is there.
    private var hasSideIndexes: Bool {
        (check.modelRows.before + check.modelRows.descriptions).contains { $0.search != nil || $0.place != nil }
    }

    /// What the definition wants comes before what other pipelines want of the same tables.
    private var sideIndexes: ServerSideIndexes {
        ServerSideIndexes(
            connection: connection, schema: location.schema, namespace: namespace,
            descriptions: check.modelRows.descriptions.reversed())
    }

    /// Removes those that do not stay as they are, before anything is renamed or takes another form.
    func removeStaleSideIndexes() throws(Failure) {
        if hasSideIndexes { try sideIndexes.removeStale() }
    }

    /// Makes what lacks, and removes what nobody wants any more.
    func makeSideIndexes() throws(Failure) {
        guard hasSideIndexes else { return }
        // A table whose rows wait for their foreign keys to be checked takes no index, and loses none.
        try connection.write("SET CONSTRAINTS ALL IMMEDIATE")
        try sideIndexes.removeStale()
        try sideIndexes.make()
        try connection.write("SET CONSTRAINTS ALL DEFERRED")
    }
}
