import SluiceRecords

/// The tables of objects, with all the shapes that each has had.
package struct PastShapes {
    private let dialect: any Dialect
    /// Of all tables of objects.
    private let shapes: [HistoryTable]
    /// Nil: the targets of references are not asked for.
    private let meanings: PastMeanings?
    /// What all pipelines say now; empty: likewise.
    private let descriptions: [EntityDescription]

    package init(
        _ tables: [HistoryTable], _ dialect: any Dialect, _ meanings: PastMeanings? = nil,
        _ descriptions: [EntityDescription] = []
    ) {
        self.dialect = dialect
        self.meanings = meanings
        self.descriptions = descriptions
        shapes = tables.filter { !$0.hasLinks }
    }

    /// The shape that a table has, of objects; nil: no past is kept of it.
    package func current(_ table: String) -> HistoryTable? {
        shapes.last { $0.until == nil && $0.nameNow.isSameName(as: table) }
    }

    /// All shapes of the same table, the present one last.
    ///
    /// SQLite gives all rows of a `UNION ALL` the affinity of the first part's columns. Those of an earlier shape have
    /// none where they are converted: so a past integer of 16 digits is not rounded to the real that the column is now.
    package func all(of current: HistoryTable) -> [HistoryTable] {
        let own = shapes.filter { $0.object == current.object }
        return own.filter { $0.until != nil } + own.filter { $0.until == nil }
    }

    /// What views of the past read.
    package func relations(_ table: StoredTable, _ current: HistoryTable) -> PastRelations {
        PastRelations(
            view: Entity.pastView(of: table.name), versions: versions(table, current), targets: targets())
    }

    // MARK: Columns

    /// A column of a table as it is now.
    package struct Column {
        package var name: String
        /// Nil: the type has changed, or the values of the database carry their own types.
        package var type: String?
        /// The type that the table declares; nil: it is not asked for.
        package var declared: String?
    }

    /// The columns of a table but objectID.
    package func columns(_ table: StoredTable, _ current: HistoryTable) -> [Column] {
        table.columns.filter { !$0.name.isSameName(as: "objectID") }.map { column in
            Column(name: column.name, type: type(of: column.name, all(of: current)), declared: column.type)
        }
    }

    private func type(of column: String, _ shapes: [HistoryTable]) -> String? {
        // Numbers of other units are no numbers of this type where they have no equal.
        if shapes.contains(where: { meanings?.change(of: column, $0)?.isOfNumbers == true }) { return nil }
        let types = shapes.compactMap { $0.pastColumn(now: column)?.type }
        return types.allSatisfy { $0.isIdentical(to: types.last ?? "") } ? types.last : nil
    }

    /// A column of what a table holds, as all shapes have it: with the type, or as a text.
    func value(_ column: Column, of row: String, _ current: HistoryTable) -> String {
        let value = "\(row).\(quoted(column.name))"
        guard column.type == nil, let own = current.pastColumn(now: column.name)?.type else { return value }
        return dialect.plainText(value, of: own, meanings?.form(of: column.name, current))
    }

    /// Likewise, of a shape's past rows. Values of an earlier shape are converted to the form that the column has now,
    /// where that loses nothing: so an object whose identifier has another type is the same object.
    func past(_ column: Column, _ shape: HistoryTable) -> String {
        guard let kept = shape.pastColumn(now: column.name) else { return dialect.null(column.type ?? dialect.text) }
        if let change = meanings?.change(of: column.name, shape),
            let value = dialect.converted(kept.name, of: kept.type, change)
        {
            return value
        }
        let value = meanings?.translated(kept.name, of: column.name, shape) ?? kept.name
        if column.type == nil, let own = kept.type {
            return dialect.plainText(value, of: own, meanings?.form(of: column.name, shape))
        }
        guard shape.until != nil, let declared = column.declared,
            meanings?.keepsForm(of: column.name, shape) != true
        else { return value }
        return dialect.converted(value, to: declared)
    }

    /// All that a shape's past rows hold of columns, with objectID, and when it was true, for a query.
    package func rows(
        _ columns: [Column], of shape: HistoryTable, where condition: String = ""
    ) -> String {
        let values = columns.map { ", \(past($0, shape)) AS \(quoted($0.name))" }.joined()
        let (from, to) = (PastRelations.from, PastRelations.to)
        let table = dialect.ownTable(shape.past)
        return "SELECT o AS \"objectID\"\(values), f AS \(from), r AS \(to) FROM \(table)\(condition)"
    }

    /// Likewise, of what the table holds.
    package func present(
        _ columns: [Column], of current: HistoryTable, where condition: String = ""
    ) -> String {
        let values = columns.map { ", \(value($0, of: "t", current)) AS \(quoted($0.name))" }.joined()
        let from = current.from("t", "t.\"objectID\"", dialect)
        return """
            SELECT t."objectID"\(values), \(from) AS \(PastRelations.from), \
            \(dialect.null(dialect.objectID)) AS \(PastRelations.to) FROM \(dialect.table(current.nameNow)) t\(condition)
            """
    }

    /// The past links of a shape that belong to a row `h` of it, with the names that their columns have now.
    func links(of shape: HistoryTable) -> String {
        let columns = zip(shape.columnsNow, shape.pastColumns).map { now, past in
            "\(meanings?.translated(past, of: now, shape) ?? past) AS \(quoted(now))"
        }
        return """
            (SELECT \(columns.joined(separator: ", ")) FROM \(dialect.ownTable(shape.past)) WHERE r = h.r AND o = h.o AND n > 0)
            """
    }

    // MARK: Relations

    /// The versions of the objects of a table: those that are true, and those that were, in all shapes of the table.
    private func versions(_ table: StoredTable, _ current: HistoryTable) -> String {
        let columns = columns(table, current)
        // A version that began and ended with the same run was never true after a run.
        let ended = all(of: current).map { rows(columns, of: $0, where: " WHERE f < r") }
        return "(\(PastShapes.union(ended + [present(columns, of: current)])))"
    }

    /// The rows of several queries. SQLite takes 500 of them behind one another, and a table may have had more shapes.
    private static func union(_ queries: [String]) -> String {
        let most = 400
        if queries.count <= most { return queries.joined(separator: "\n  UNION ALL ") }
        let parts = stride(from: 0, to: queries.count, by: most).map { first in
            "SELECT * FROM (\(union(Array(queries[first..<min(first + most, queries.count)])))) part"
        }
        return union(parts)
    }

    /// By table: where objects are found by their objectIDs.
    private func targets() -> [FoldedName: PastRelations.Target] {
        var targets: [FoldedName: PastRelations.Target] = [:]
        for current in shapes where current.until == nil && !current.identifier.isEmpty {
            let all = all(of: current)
            let columns = current.identifier.map { name in
                Column(name: name, type: type(of: name, all), declared: declared(name, of: current))
            }
            let texts = columns.filter { $0.type == nil && !current.types.isEmpty }.map { FoldedName($0.name) }
            targets[FoldedName(current.nameNow)] = .init(
                relations: [currentRows(columns, current, hasTexts: !texts.isEmpty)] + gone(columns, all),
                texts: Set(texts))
        }
        return targets
    }

    /// The type that the column of an attribute is declared with.
    private func declared(_ column: String, of current: HistoryTable) -> String? {
        let entity = descriptions.first { $0.table.isSameName(as: current.nameNow) }
        return entity?.attributes.first { $0.name.isSameName(as: column) }.flatMap(\.form).map(dialect.type)
    }

    private func currentRows(
        _ columns: [Column], _ current: HistoryTable, hasTexts: Bool
    ) -> String {
        if !hasTexts { return dialect.table(current.nameNow) }
        let values = columns.map { ", \(value($0, of: "p", current)) AS \(quoted($0.name))" }
        return "(SELECT p.\"objectID\"\(values.joined()) FROM \(dialect.table(current.nameNow)) p)"
    }

    private func gone(_ columns: [Column], _ shapes: [HistoryTable]) -> [String] {
        shapes.map { shape in
            let values = columns.map { ", \(past($0, shape)) AS \(quoted($0.name))" }
            return "(SELECT o AS \"objectID\"\(values.joined()) FROM \(dialect.ownTable(shape.past)) WHERE d = 1)"
        }
    }

    /// Likewise, of one table: the last identifiers of its deleted objects.
    package func gone(of current: HistoryTable) -> [String] {
        let all = all(of: current)
        return gone(current.identifier.map { Column(name: $0, type: type(of: $0, all)) }, all)
    }
}
