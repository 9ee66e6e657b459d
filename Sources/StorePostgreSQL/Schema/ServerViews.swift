import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The views of a store on a server that are sluice's own: made, kept in step with the tables, and removed.
///
/// The server does not keep what a view was made with, so a comment has its hash.
struct ServerViews {
    let connection: ServerConnection
    /// The schema, and as SQL has it.
    let schema: String
    let namespace: ServerNamespace
    /// What all pipelines say from now on.
    let descriptions: [EntityDescription]
    /// The rights on views that go, where others take their places; nil: none do.
    var grants: ViewGrants?

    /// A view that is there.
    private struct Existing {
        var comment: String?
        var grants: [ViewGrant]
    }

    /// Removes views, so that none keeps a table from being changed.
    func remove(_ names: [String]) throws(Failure) {
        for name in names {
            guard let existing = try existing(name) else { continue }
            grants?.note(existing.grants, on: name)
            try drop(name)
        }
    }

    /// Makes those that lack, or are not in step, as far as all of their tables are there. Returns whether there were
    /// any.
    @discardableResult
    func make() throws(Failure) -> Bool {
        let entities = EntityDescription.viewed(descriptions)
        if entities.isEmpty { return false }
        var hasMade = false
        let catalog = ServerCatalog(connection, schema)
        for entity in entities {
            guard let table = try catalog.table(entity.table) else { continue }
            var view = EntityView(entity, among: descriptions, table, ServerDialect(namespace: namespace))
            guard try areThere(view.tables, catalog) else { continue }
            if try make(Entity.view(of: entity.table), view.sql()) { hasMade = true }
        }
        return hasMade
    }

    /// Whether a view of that name was made by sluice.
    func isOwn(_ name: String) throws(Failure) -> Bool {
        try existing(name)?.comment?.hasPrefix(ServerMark.prefix) == true
    }

    /// Whether a view of sluice's own can have that name.
    func isFree(_ name: String) throws(Failure) -> Bool {
        if try isOwn(name) { return true }
        return try ServerCatalog(connection, schema).kind(of: name) == nil
    }

    func areThere(_ tables: [String], _ catalog: ServerCatalog) throws(Failure) -> Bool {
        for name in tables where try catalog.table(name) == nil { return false }
        return true
    }

    /// Makes a view unless it is there. Returns whether it was not.
    @discardableResult
    func make(_ name: String, _ sql: String) throws(Failure) -> Bool {
        let comment = try ServerMark.comment(sql, connection)
        let existing = try existing(name)
        if existing?.comment?.isIdentical(to: comment) == true { return false }
        if existing != nil { try drop(name) }
        try connection.execute(sql)
        try connection.execute("COMMENT ON VIEW \(namespace.named(name)) IS '\(comment)'")
        // Roles that could read the view can still do so.
        for grant in existing?.grants ?? grants?.inherited(by: name) ?? [] {
            try connection.execute("GRANT \(grant.privilege) ON \(namespace.named(name)) TO \(grant.grantee)")
        }
        return true
    }

    private func drop(_ name: String) throws(Failure) {
        try connection.remake("the view \(name)", refusals: ["2BP01"], "DROP VIEW \(namespace.named(name))")
    }

    // MARK: The server

    /// The names of those in a schema whose comment says that sluice has made them.
    static func marked(_ connection: ServerConnection, _ schema: String) throws(Failure) -> [String] {
        let found = try connection.query(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind = 'v' AND starts_with(obj_description(c.oid, 'pg_class'), $2)
            ORDER BY c.relname COLLATE "C"
            """, .text(schema), .text(ServerMark.prefix))
        return (0..<found.count).map { found.text($0, 0) }
    }

    private func existing(_ name: String) throws(Failure) -> Existing? {
        let found = try connection.query(
            """
            SELECT obj_description(c.oid, 'pg_class'), (SELECT a.privilege_type WHERE a.grantee <> c.relowner),
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
            || CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN LATERAL aclexplode(c.relacl) a ON true
            WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'v'
            """, .text(schema), .text(name))
        if found.count == 0 { return nil }
        let grants = (0..<found.count).compactMap { row in
            found.optionalText(row, 1).map { ViewGrant(privilege: $0, grantee: found.text(row, 2)) }
        }
        return Existing(comment: found.optionalText(0, 0), grants: grants)
    }
}
