import SluiceRecords

// The views that show all versions of objects, one in each row: made, kept in step with the tables, and removed.
extension HistoryKeeper {
    /// The names of those that sluice has made.
    package func viewNames() throws(Failure) -> [String] {
        guard try store.keepsPast() else { return [] }
        var names: [String] = []
        try store.fewRows("SELECT view FROM \(ownTable("sluice_history_object")) WHERE view IS NOT NULL", []) { row in
            names.append(row.text(0))
        }
        return names
    }

    /// Removes all, so that none keeps a table from being changed or renamed, or from going.
    package func removeViews() throws(Failure) {
        for name in try viewNames() { try store.removeView(name) }
        try store.write("UPDATE \(ownTable("sluice_history_object")) SET view = NULL")
    }

    /// Makes those that lack, or are not in step.
    ///
    /// - Parameter descriptions: what all pipelines say from now on.
    package func makeViews(_ descriptions: [EntityDescription]) throws(Failure) {
        let (entities, all) = (EntityDescription.joined(descriptions), try store.historyTables())
        let shapes = PastShapes(all, dialect, try PastMeanings(store, all, entities), entities)
        let kept = entities.compactMap { entity in shapes.current(entity.table).map { (entity, $0) } }
        let tables = try store.tables(kept.map(\.0.table))
        for ((entity, current), table) in zip(kept, tables) {
            guard let table else { continue }
            let past = shapes.relations(table, current)
            var view = EntityView(entity, among: descriptions, table, dialect, past: past)
            let sql = view.sql()
            let before = try viewName(current.object)
            guard try store.makeView(past.view, sql, of: view.tables, insteadOf: before) else { continue }
            if before?.isIdentical(to: past.view) == true { continue }
            try store.write(
                """
                UPDATE \(ownTable("sluice_history_object")) SET view = \(dialect.parameter(1))
                WHERE number = \(current.object)
                """, [.text(past.view)])
        }
    }

    /// What the view of a table of objects is called; nil: there is none.
    private func viewName(_ object: Int64) throws(Failure) -> String? {
        var name: String?
        try store.fewRows("SELECT view FROM \(ownTable("sluice_history_object")) WHERE number = \(object)", []) { row in
            name = row.isNull(0) ? nil : row.text(0)
        }
        return name
    }
}
