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
            SELECT name, description FROM \(dialect.own("sluice_history_model"))
            WHERE run = (SELECT min(run) FROM \(dialect.own("sluice_history_change")) WHERE run >= \(dialect.parameter(1)))
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

    /// The form that a column has now whose numbers a shape counted in other units, and the exponent of the power of
    /// ten by which they are to be multiplied; nil: the units are the same.
    ///
    /// - Parameter column: what the column is called now.
    func shift(of column: String, _ shape: HistoryTable) -> (exponent: Int, form: StoredForm)? {
        guard let (then, now) = forms(of: column, shape) else { return nil }
        let exponent = now.unitDigits - then.unitDigits
        return exponent == 0 ? nil : (exponent, now)
    }

    /// The digits of a second that a column has now, of which a shape had others; nil: it had no times, or the same.
    func digits(of column: String, _ shape: HistoryTable) -> Int? {
        guard let (then, now) = forms(of: column, shape), then.type == .datetime, now.type == .datetime else {
            return nil
        }
        return then.fraction == now.fraction ? nil : now.fraction ?? StoredForm.defaultFraction
    }

    /// The digits of a second that the times of a column had in a shape, or have now; nil: it held none.
    func fraction(of column: String, _ shape: HistoryTable) -> Int? {
        let form =
            shape.until == nil ? forms[FoldedName(shape.nameNow)]?[FoldedName(column)] : forms(of: column, shape)?.then
        return form?.type == .datetime ? form?.fraction ?? StoredForm.defaultFraction : nil
    }

    /// The form of the reals that a column holds now, and held not; nil: it holds none.
    func reals(of column: String, _ shape: HistoryTable) -> StoredForm? {
        guard let (then, now) = forms(of: column, shape), then.type != .real, now.type == .real else { return nil }
        return now
    }

    /// The digits behind the point of the decimal that a column is now, and was not, or with others; -1: as many as a
    /// value needs; nil: it is none.
    func scale(of column: String, _ shape: HistoryTable) -> Int? {
        guard let (then, now) = forms(of: column, shape), then != now, now.type == .decimal, !now.isInteger else {
            return nil
        }
        return now.scale ?? -1
    }

    /// The form that a column had, and the one that it has now, where it had another shape.
    private func forms(of column: String, _ shape: HistoryTable) -> (then: StoredForm, now: StoredForm)? {
        guard shape.until != nil, let now = forms[FoldedName(shape.nameNow)]?[FoldedName(column)],
            let place = shape.columnsNow.firstIndex(where: { $0.isSameName(as: column) }),
            let then = earlier[shape.number]?[FoldedName(shape.columns[place])]
        else { return nil }
        return (then, now)
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
