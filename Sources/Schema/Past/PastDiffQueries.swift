import SluiceRecords

/// The queries for the differences in the objects of an entity between two runs.
struct PastDiffQueries {
    let source: any HistorySource
    let entity: EntityDescription
    let descriptions: [EntityDescription]
    let table: StoredTable
    let current: HistoryTable
    /// The tables of the past, those of objects and those of links.
    let shapes: [HistoryTable]
    let links: [HistoryTable]
    let tables: PastShapes
    let columns: [PastShapes.Column]
    /// The earlier run, and the later one.
    let lower: Int
    let upper: Int

    private var dialect: any Dialect { source.dialect }

    // MARK: Objects

    /// What differs: on which side, what identifies the object, and what it is; the rows of one object stand behind one
    /// another.
    var rows: String {
        let keys = entity.identifier.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let sides = [ended, begun].enumerated().map { side, rows in
            var view = pastView("(\(rows))")
            return "SELECT \(side), \(keys), \(view.query().expressions.joined(separator: ", ")) FROM (\(rows)) t"
        }
        let order = (2..<(2 + entity.identifier.count)).map(String.init).joined(separator: ", ")
        return "SELECT * FROM (\(sides[0])) a UNION ALL SELECT * FROM (\(sides[1])) b ORDER BY \(order), 1"
    }

    /// The objects, at the later run, of which is forgotten on demand what they were at the earlier one.
    var forgotten: String {
        let made = dialect.ownTable("sluice_history_made")
        return """
            SELECT o FROM \(given) g WHERE object = \(current.object) AND is_new = \(HistoryTable.forgotten)
              AND run > \(lower) AND run <= \(upper)
              AND NOT EXISTS (SELECT 1 FROM \(made) m WHERE m.object = g.object AND m.run = g.run AND g.o BETWEEN m.first AND m.last)
              AND NOT EXISTS (SELECT 1 FROM \(given) n WHERE n.object = g.object AND n.o = g.o AND n.run = g.run AND n.is_new < g.is_new)
            """
    }

    /// What was true at the earlier run, and ended until the later one.
    private var ended: String {
        let condition = " WHERE r > \(lower) AND r <= \(upper) AND f <= \(lower)"
        return shapes.map { tables.rows(columns, of: $0, where: condition) }.joined(separator: "\n  UNION ALL ")
    }

    /// What began after the earlier run, and was true at the later one.
    private var begun: String {
        let condition = " WHERE r > \(upper) AND f > \(lower) AND f <= \(upper)"
        let all = tables.present(columns, of: current, where: " WHERE t.\"objectID\" IN (\(touched))")
        let present = """
            SELECT * FROM (\(all)) p WHERE \(PastRelations.from) > \(lower) AND \(PastRelations.from) <= \(upper)
            """
        return (shapes.map { tables.rows(columns, of: $0, where: condition) } + [present])
            .joined(separator: "\n  UNION ALL ")
    }

    /// The objects of which something ended or began between the runs.
    private var touched: String {
        let isBetween = { (run: String) in "\(run) > \(lower) AND \(run) <= \(upper)" }
        let ended = (shapes + links).map { "SELECT o FROM \(dialect.ownTable($0.past)) WHERE \(isBetween("r"))" }
        let made = """
            SELECT t."objectID" FROM \(dialect.ownTable("sluice_history_made")) m JOIN \(dialect.table(table.name)) t
            ON t."objectID" BETWEEN m.first AND m.last WHERE m.object = \(current.object) AND \(isBetween("m.run"))
            """
        let given = "SELECT o FROM \(given) WHERE object = \(current.object) AND \(isBetween("run"))"
        // A table that got another shape has all of its objects in both shapes; a new table of links has none in the
        // earlier one.
        let isShaped = (shapes + links).contains { $0.since > lower && $0.since <= upper }
        let shaped = isShaped ? ["SELECT \"objectID\" FROM \(dialect.table(table.name))"] : []
        return (ended + [made, given] + shaped).joined(separator: " UNION ")
    }

    private func pastView(_ rows: String) -> EntityView {
        var past = tables.relations(table, current)
        past.versions = rows
        return EntityView(entity, among: descriptions, table, dialect, past: past)
    }

    // MARK: Links

    /// The queries for the links of a relationship that differ: each gives objects of the earlier or of the later run,
    /// with their links.
    func links(_ column: LinkColumn) throws(Failure) -> [(isAfter: Bool, sql: String)] {
        let view = pastView("")
        let name = entity.linkTable(of: column.relationship)
        var queries: [(isAfter: Bool, sql: String)] = []
        for shape in links where shape.nameNow.isSameName(as: name) {
            let (name, rows) = (dialect.ownTable(shape.past), tables.links(of: shape))
            let list = column.list(of: rows, with: shape.columnsNow, view, dialect)
            let past = "SELECT h.o, \(list) FROM \(name) h WHERE h.n = 0 AND "
            queries.append(
                (false, past + "h.f <= \(lower) AND h.r > \(lower) AND (h.r <= \(upper) OR h.o IN (\(renamed)))"))
            queries.append(
                (true, past + "h.f <= \(upper) AND h.r > \(upper) AND (h.f > \(lower) OR h.o IN (\(renamed)))"))
            guard shape.until == nil else { continue }
            let from = shape.from("", "t.\"objectID\"", dialect)
            let links = "(SELECT * FROM \(dialect.table(shape.nameNow)) WHERE \"source\" = t.o)"
            let present = try source.table(shape.nameNow)?.columns.map(\.name) ?? []
            let query = """
                SELECT t.o, \(column.list(of: links, with: present, view, dialect)) FROM (
                  SELECT t."objectID" AS o, \(from) AS f FROM \(dialect.table(table.name)) t
                  WHERE t."objectID" IN (\(touched))) t WHERE
                """
            queries.append(
                (true, query + " t.f <= \(upper) AND (t.f > \(lower) OR t.o IN (\(renamed)))"))
            queries.append((false, query + " t.f <= \(lower) AND t.o IN (\(renamed))"))
        }
        return queries
    }

    /// The objects to which programs gave another identifier between the runs: their links are those of another object.
    private var renamed: String {
        """
        SELECT o FROM \(given) WHERE object = \(current.object) AND run > \(lower) AND run <= \(upper) AND is_new = 0
        """
    }

    private var given: String { dialect.ownTable("sluice_history_given") }
}
