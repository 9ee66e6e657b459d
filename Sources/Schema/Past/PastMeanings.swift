import SluiceRecords

/// What past rows mean: they name the entities of their targets by the names of their time, and count durations, and
/// decimals that are stored as integers, in the units of their time.
package struct PastMeanings {
    /// By the number of a shape: the names of then, with those of now.
    private var names: [Int64: [(then: String, now: String)]] = [:]
    /// By table: the columns that hold names of entities. All are called as they are now.
    private var columns: [FoldedName: Set<FoldedName>] = [:]
    /// By the number of an earlier shape: the forms of its columns, as they were called then.
    private var earlier: [Int64: [FoldedName: StoredForm]] = [:]
    /// By table: the forms that its columns have now.
    private var forms: [FoldedName: [FoldedName: StoredForm]] = [:]

    /// - Parameters:
    ///   - tables: those whose past is kept, in all their shapes.
    ///   - descriptions: what all pipelines say now.
    package init(
        _ source: any HistorySource, _ tables: [HistoryTable], _ descriptions: [EntityDescription]
    ) throws(Failure) {
        for description in descriptions {
            for attribute in description.attributes {
                forms[FoldedName(description.table), default: [:]][FoldedName(attribute.name)] = attribute.form
            }
            for relationship in description.relationships where relationship.isPolymorphic {
                let table = relationship.isMany ? description.linkTable(of: relationship) : description.table
                let column = relationship.isMany ? "target_entity" : relationship.entityColumn
                columns[FoldedName(table), default: []].insert(FoldedName(column))
            }
        }
        // A renamed entity, and one with another type, had another shape before the run that changed it.
        for until in Set(tables.compactMap(\.until)) {
            let before = try PastMeanings.descriptions(source, before: until)
            let renamed = columns.isEmpty ? [] : PastMeanings.names(before, until, tables, descriptions)
            for shape in tables where shape.until == until {
                if !renamed.isEmpty { names[shape.number] = renamed }
                if !shape.hasLinks { earlier[shape.number] = PastMeanings.forms(before, shape) }
            }
        }
    }

    /// What the pipelines said of their entities before a run.
    private static func descriptions(
        _ source: any HistorySource, before until: Int64
    ) throws(Failure) -> [EntityDescription] {
        let dialect = source.dialect
        var before: [EntityDescription] = []
        try source.rows(
            """
            SELECT name, description FROM \(dialect.ownTable("sluice_history_model"))
            WHERE run = (SELECT min(run) FROM \(dialect.ownTable("sluice_history_change")) WHERE run >= \(dialect.parameter(1)))
            """, [.integer(until)]
        ) { row in
            let (name, json) = (row.text(0), StoredJSON(row.text(1)))
            if let entity = json.flatMap({ EntityDescription(name, $0) }) { before.append(entity) }
        }
        return before
    }

    private static func forms(_ before: [EntityDescription], _ shape: HistoryTable) -> [FoldedName: StoredForm] {
        var forms: [FoldedName: StoredForm] = [:]
        for attribute in before.filter({ $0.table.isSameName(as: shape.name) }).flatMap(\.attributes) {
            forms[FoldedName(attribute.name)] = attribute.form
        }
        return forms
    }

    /// The entities that were called otherwise before a run.
    private static func names(
        _ before: [EntityDescription], _ until: Int64, _ tables: [HistoryTable], _ descriptions: [EntityDescription]
    ) -> [(then: String, now: String)] {
        var names: [(then: String, now: String)] = []
        for entity in before where !names.contains(where: { $0.then.isIdentical(to: entity.name) }) {
            guard
                let table = tables.first(where: {
                    !$0.hasLinks && $0.isValid(at: until - 1) && $0.name.isSameName(as: entity.table)
                }),
                let now = descriptions.first(where: { $0.table.isSameName(as: table.nameNow) })?.name,
                !now.isIdentical(to: entity.name)
            else { continue }
            names.append((entity.name, now))
        }
        return names
    }

    /// The other form that a column has now; nil: a shape had the same, or none is known.
    ///
    /// - Parameter column: what the column is called now.
    func change(of column: String, _ shape: HistoryTable) -> FormPair? {
        guard shape.until != nil, let then = form(of: column, shape), let now = present(column, shape) else {
            return nil
        }
        return then == now ? nil : FormPair(from: then, to: now)
    }

    /// Whether a column has the same form now as in an earlier shape, as far as both are known.
    func keepsForm(of column: String, _ shape: HistoryTable) -> Bool {
        guard let then = form(of: column, shape), let now = present(column, shape) else { return false }
        return then == now
    }

    /// The form that a column has in a shape; nil: it is not known.
    func form(of column: String, _ shape: HistoryTable) -> StoredForm? {
        if shape.until == nil { return present(column, shape) }
        let place = shape.columnsNow.firstIndex { $0.isSameName(as: column) }
        return place.flatMap { earlier[shape.number]?[FoldedName(shape.columns[$0])] }
    }

    private func present(_ column: String, _ shape: HistoryTable) -> StoredForm? {
        forms[FoldedName(shape.nameNow)]?[FoldedName(column)]
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
