import SluiceRecords

/// The earlier names of renamed entities: past rows name the entities of their targets by the names of that time.
package struct PastNames {
    /// By the number of a shape: the names of then, with those of now.
    private var names: [Int64: [(then: String, now: String)]] = [:]
    /// By table: the columns that hold names of entities. All are called as they are now.
    private var columns: [FoldedName: Set<FoldedName>] = [:]

    /// - Parameters:
    ///   - tables: those whose past is kept, in all their shapes.
    ///   - descriptions: what all pipelines say now.
    package init(
        _ source: any HistorySource, _ tables: [HistoryTable], _ descriptions: [EntityDescription]
    ) throws(Failure) {
        for description in descriptions {
            for relationship in description.relationships where relationship.isPolymorphic {
                let table = relationship.isMany ? description.linkTable(of: relationship) : description.table
                let column = relationship.isMany ? "target_entity" : relationship.entityColumn
                columns[FoldedName(table), default: []].insert(FoldedName(column))
            }
        }
        if columns.isEmpty { return }
        // A renamed entity had another shape before the run that renamed it.
        for until in Set(tables.compactMap(\.until)) {
            let renamed = try PastNames.names(source, until, tables, descriptions)
            if renamed.isEmpty { continue }
            for shape in tables where shape.until == until { names[shape.number] = renamed }
        }
    }

    /// The entities that were called otherwise before a run.
    private static func names(
        _ source: any HistorySource, _ until: Int64, _ tables: [HistoryTable], _ descriptions: [EntityDescription]
    ) throws(Failure) -> [(then: String, now: String)] {
        let dialect = source.dialect
        var before: [(name: String, json: String)] = []
        try source.rows(
            """
            SELECT name, description FROM \(dialect.own("sluice_history_model"))
            WHERE run = (SELECT min(run) FROM \(dialect.own("sluice_history_change")) WHERE run >= \(dialect.parameter(1)))
            """, [.integer(until)]
        ) { row in before.append((row.text(0), row.text(1))) }
        var names: [(then: String, now: String)] = []
        for (name, json) in before where !names.contains(where: { $0.then.isIdentical(to: name) }) {
            guard let value = StoredJSON(json), let entity = EntityDescription(name, value),
                let table = tables.first(where: {
                    !$0.hasLinks && $0.isValid(at: until - 1) && $0.name.isSameName(as: entity.table)
                }),
                let now = descriptions.first(where: { $0.table.isSameName(as: table.nameNow) })?.name,
                !now.isIdentical(to: name)
            else { continue }
            names.append((name, now))
        }
        return names
    }

    /// A value of a past row, which names an entity as it is called now.
    ///
    /// - Parameters:
    ///   - column: what the column is called now.
    ///   - shape: that of the row.
    func translated(_ value: String, of column: String, _ shape: HistoryTable) -> String {
        guard let renamed = names[shape.number],
            columns[FoldedName(shape.nameNow)]?.contains(FoldedName(column)) == true
        else { return value }
        let cases = renamed.map { "WHEN \($0.then.inQuotes("'")) THEN \($0.now.inQuotes("'"))" }
        return "CASE \(value) \(cases.joined(separator: " ")) ELSE \(value) END"
    }
}
