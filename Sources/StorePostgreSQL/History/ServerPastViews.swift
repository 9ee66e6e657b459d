import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The views of a store on a server that show all versions of objects, one in each row: made, kept in step with the
/// tables, and removed.
struct ServerPastViews {
    let history: ServerHistory
    /// What all pipelines say from now on.
    let descriptions: [EntityDescription]

    private var connection: ServerConnection { history.connection }
    private var objects: String { history.named("sluice_history_object") }

    private var views: ServerViews {
        ServerViews(
            connection: connection, schema: history.schema, namespace: history.namespace, descriptions: descriptions)
    }

    /// The names of those that sluice has made.
    static func names(_ connection: ServerConnection, _ namespace: String) throws(Failure) -> [String] {
        let tables = ServerHistoryTables(connection: connection, namespace: namespace)
        guard try tables.areThere() else { return [] }
        let found = try connection.query(
            "SELECT view FROM \(tables.named("sluice_history_object")) WHERE view IS NOT NULL")
        return (0..<found.count).map { found.text($0, 0) }
    }

    /// Removes all, so that none keeps a table from being changed, or from going.
    func remove() throws(Failure) {
        for name in try ServerPastViews.names(connection, history.namespace) where try views.isOwn(name) {
            try views.remove([name])
        }
        try connection.write("UPDATE \(objects) SET view = NULL")
    }

    /// Makes those that lack, or are not in step, as far as all of their tables are there.
    func make() throws(Failure) {
        let (entities, all) = (EntityDescription.joined(descriptions), try history.tables.all())
        let names = try PastNames(ServerPastSource(connection, history.schema), all, entities)
        let shapes = PastShapes(all, history.dialect, names)
        let catalog = ServerCatalog(connection, history.schema)
        for entity in entities {
            guard let current = shapes.current(entity.table), let table = try catalog.table(entity.table) else {
                continue
            }
            let past = shapes.relations(table, current)
            var view = EntityView(entity, among: descriptions, table, history.dialect, past: past)
            // Another program may have given the name to something else.
            guard try views.areThere(view.tables, catalog), try views.isFree(past.view) else { continue }
            try views.make(past.view, view.sql())
            try note(past.view, current.object)
        }
    }

    private func note(_ name: String, _ object: Int64) throws(Failure) {
        let before = try connection.query("SELECT view FROM \(objects) WHERE number = \(object)")
        let old = before.count > 0 ? before.optionalText(0, 0) : nil
        if let old {
            if old.isIdentical(to: name) { return }
            if try views.isOwn(old) { try views.remove([old]) }
        }
        try connection.write("UPDATE \(objects) SET view = $1 WHERE number = \(object)", .text(name))
    }
}
