import SluiceRecords

/// The differences in the objects of an entity between two runs: the rows that ended after the one and until the other,
/// and those that began in between.
struct PastDiff {
    private let source: any HistorySource
    private let dialect: any Dialect
    let entity: EntityDescription
    private let descriptions: [EntityDescription]
    private let table: StoredTable
    private let current: HistoryTable
    private let shapes: [HistoryTable]
    private let links: [HistoryTable]
    private let tables: PastShapes
    private let columns: [PastShapes.Column]
    /// The runs, the earlier one first, and whether the difference goes back from the later to the earlier one.
    private let (lower, upper): (Int, Int)
    private let isBackwards: Bool
    /// Attributes and references, then to-many relationships, each with what its links have of their own.
    private(set) var names: [String] = []
    private(set) var columnCount = 0
    private let linkColumns: [LinkColumn]

    /// Those of an object's own row.
    private let valueColumns: [EntityView.Column]

    /// Nil: the store keeps no history of the entity.
    init?(
        _ source: any HistorySource, _ entity: EntityDescription, among descriptions: [EntityDescription], from: Int,
        to: Int
    ) throws(Failure) {
        let (all, dialect) = (try source.historyTables(), source.dialect)
        tables = PastShapes(all, dialect, try PastMeanings(source, all, descriptions), descriptions)
        guard let current = tables.current(entity.table), let table = try source.table(entity.table) else { return nil }
        self.source = source
        self.dialect = dialect
        self.entity = entity
        self.descriptions = descriptions
        self.table = table
        self.current = current
        shapes = tables.all(of: current)
        links = all.filter { $0.object == current.object && $0.hasLinks }
        columns = tables.columns(table, current)
        (lower, upper) = (min(from, to), max(from, to))
        isBackwards = from > to
        let past = tables.relations(table, current)
        var view = EntityView(entity, among: descriptions, table, dialect, past: past)
        let query = view.query()
        linkColumns = LinkColumn.all(view.toMany)
        columnCount = query.count
        valueColumns = query
        names = query.map(\.name) + linkColumns.map(\.name)
    }

    /// How the parts of the identifier have their values.
    private var keyForms: [StoredForm?] {
        entity.identifier.map { name in
            let isText = columns.first { $0.name.isSameName(as: name) }?.type == nil && !current.types.isEmpty
            return isText ? nil : entity.attributes.first { $0.name.isSameName(as: name) }?.form
        }
    }

    /// The first run at which it is known what the table held.
    var since: Int { shapes.first.map { $0.isBorn ? 0 : Int($0.since) } ?? 0 }

    // MARK: Differences

    /// Hands out what differs, those objects first of which more than links differs, by identifier.
    func differences(_ each: (ObjectDifference) throws(Failure) -> Void) throws(Failure) {
        var linked = try linkDifferences()
        let forgotten = try forgotten()
        let (keys, keyForms) = (entity.identifier.count, keyForms)
        var (key, before, after): (String, [String]?, [String]?) = ("", nil, nil)
        func end() throws(Failure) {
            guard before != nil || after != nil else { return }
            let name = ExactText(key)
            if var found = difference(key, before, after, linked.removeValue(forKey: name)) {
                found.isForgotten = before == nil && forgotten.contains(name)
                try each(found)
            }
            (before, after) = (nil, nil)
        }
        try source.rows(rows, []) { row throws(Failure) in
            let next = row.key(1..<(1 + keys), keyForms)
            if !next.isIdentical(to: key) {
                try end()
                key = next
            }
            let values = row.values(valueColumns, from: 1 + keys)
            if row.integer(0) == 0 { before = values } else { after = values }
        }
        try end()
        let nulls = Array(repeating: "null", count: columnCount)
        for key in linked.keys.sorted() {
            if let found = difference(key.string, nulls, nulls, linked[key]) { try each(found) }
        }
    }

    private func difference(
        _ key: String, _ old: [String]?, _ new: [String]?, _ sets: LinkSets?
    ) -> ObjectDifference? {
        // Links that have not changed are left out. An object that was created or deleted without changed links had
        // none.
        let isOneSided = old == nil || new == nil
        let told = { (lists: [String]?) in
            (lists ?? Array(repeating: "null", count: linkColumns.count)).map { isOneSided && $0 == "null" ? "[]" : $0 }
        }
        let before = old.map { $0 + told(sets?.before) }
        let after = new.map { $0 + told(sets?.after) }
        var difference = ObjectDifference(
            identifier: key, before: isBackwards ? after : before, after: isBackwards ? before : after)
        if let before, let after {
            difference.changed = names.indices.filter { !before[$0].isIdentical(to: after[$0]) }
            if difference.changed.isEmpty { return nil }
        }
        return difference
    }

    /// The identifiers, at the later run, of the objects of which is forgotten on demand what they were at the earlier
    /// one.
    private func forgotten() throws(Failure) -> Set<ExactText> {
        let made = dialect.ownTable("sluice_history_made")
        let query = """
            SELECT o FROM \(given) g WHERE object = \(current.object) AND is_new = \(HistoryTable.forgotten)
              AND run > \(lower) AND run <= \(upper)
              AND NOT EXISTS (SELECT 1 FROM \(made) m WHERE m.object = g.object AND m.run = g.run AND g.o BETWEEN m.first AND m.last)
              AND NOT EXISTS (SELECT 1 FROM \(given) n WHERE n.object = g.object AND n.o = g.o AND n.run = g.run AND n.is_new < g.is_new)
            """
        var objects: [Int64] = []
        try source.rows(query, []) { row in objects.append(row.integer(0)) }
        if objects.isEmpty { return [] }
        let identify = try identifiers()
        var keys: Set<ExactText> = []
        for object in objects {
            if let key = try identify(object, upper) { keys.insert(ExactText(key)) }
        }
        return keys
    }

    // MARK: Links

    /// By relationship: the links of an object, as JSON; `null` where they have not changed.
    private struct LinkSets {
        var before: [String]
        var after: [String]
    }

    /// By identifier: what differs in the links of objects.
    private func linkDifferences() throws(Failure) -> [ExactText: LinkSets] {
        var found: [ExactText: LinkSets] = [:]
        let identify = try identifiers()
        let nothing = Array(repeating: "null", count: linkColumns.count)
        for (place, column) in linkColumns.enumerated() {
            for (isAfter, query) in try linkQueries(column) {
                try source.rows(query, []) { row throws(Failure) in
                    let key = try identify(row.integer(0), isAfter ? upper : lower)
                    guard let key = key.map({ ExactText($0) }) else { return }
                    var sets = found[key] ?? LinkSets(before: nothing, after: nothing)
                    if isAfter { sets.after[place] = row.list(1) } else { sets.before[place] = row.list(1) }
                    found[key] = sets
                }
            }
            // An object with links at only one of the two runs had none at the other.
            for (key, sets) in found where (sets.before[place] == "null") != (sets.after[place] == "null") {
                if sets.before[place] == "null" { found[key]?.before[place] = "[]" }
                if sets.after[place] == "null" { found[key]?.after[place] = "[]" }
            }
        }
        return found
    }

    private func linkQueries(_ column: LinkColumn) throws(Failure) -> [(isAfter: Bool, sql: String)] {
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

    /// A function that gives the identifier of an object at a run, as JSON.
    private func identifiers() throws(Failure) -> (_ objectID: Int64, _ run: Int) throws(Failure) -> String? {
        let (owner, run) = (dialect.parameter(1), dialect.parameter(2))
        let parts = columns.filter { column in entity.identifier.contains { column.name.isSameName(as: $0) } }
        let ordered = entity.identifier.compactMap { name in parts.first { $0.name.isSameName(as: name) } }
        var queries: [(sql: String, isOfRun: Bool)] = []
        // Only objects to which programs gave their objectID, or another identifier, have had several identifiers. They
        // are few, so they are found first: past versions are in the order of the runs, and finding those of one object
        // takes long.
        let isGiven = "SELECT 1 FROM \(given) WHERE object = \(current.object) AND o = \(owner) LIMIT 1"
        for shape in shapes {
            let values = ordered.map { tables.past($0, shape) }.joined(separator: ", ")
            let past = dialect.ownTable(shape.past)
            queries.append(("SELECT \(values) FROM \(past) WHERE r > \(run) AND f <= \(run) AND o = \(owner)", true))
        }
        let present = ordered.map { tables.value($0, of: "t", current) }.joined(separator: ", ")
        queries.append(("SELECT \(present) FROM \(dialect.table(table.name)) t WHERE t.\"objectID\" = \(owner)", false))
        let names = entity.identifier.map(quoted).joined(separator: ", ")
        queries += tables.gone(of: current).map { gone in
            ("SELECT \(names) FROM \(gone) t WHERE t.\"objectID\" = \(owner)", false)
        }
        let (forms, count) = (keyForms, entity.identifier.count)
        return { [queries, source] objectID, run throws(Failure) in
            let wasGiven = try source.integer(isGiven, [.integer(objectID)]) != nil
            for query in queries where wasGiven || !query.isOfRun {
                var found: String?
                let values: [PastValue] = [.integer(objectID)] + (query.isOfRun ? [.integer(Int64(run))] : [])
                try source.rows(query.sql, values) { row in
                    if found == nil { found = row.key(0..<count, forms) }
                }
                if let found { return found }
            }
            return nil
        }
    }

    // MARK: Rows

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

    /// All of them: on which side, what identifies the object, and what it is; those of one object behind one another.
    private var rows: String {
        let keys = entity.identifier.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let sides = [ended, begun].enumerated().map { side, rows in
            var view = pastView("(\(rows))")
            return "SELECT \(side), \(keys), \(view.query().expressions.joined(separator: ", ")) FROM (\(rows)) t"
        }
        let order = (2..<(2 + entity.identifier.count)).map(String.init).joined(separator: ", ")
        return "SELECT * FROM (\(sides[0])) a UNION ALL SELECT * FROM (\(sides[1])) b ORDER BY \(order), 1"
    }

    private func pastView(_ rows: String) -> EntityView {
        var past = tables.relations(table, current)
        past.versions = rows
        return EntityView(entity, among: descriptions, table, dialect, past: past)
    }
}
