import SluiceRecords

/// Reads the versions of the objects of an entity.
struct VersionReader {
    private let source: any HistorySource
    private let entity: EntityDescription
    private let object: Int64
    private let links: [HistoryTable]
    private let tables: PastShapes
    private let view: EntityView
    private let query: String
    private let valueColumns: [EntityView.Column]
    private let parts: [(name: String, type: String?)]
    /// What `versions` gives of each: attributes and to-one relationships, in the order of the table, then to-many
    /// ones, each with what its links have of their own.
    let names: [String]
    private let linkColumns: [LinkColumn]
    /// Where a query has the objectID of a version, and then its runs.
    private let objectIDColumn: Int

    /// - Parameter name: the name of the entity.
    /// - Throws: `definition` where the store keeps no history of the entity.
    init(_ source: any HistorySource, entity name: String) throws(Failure) {
        let descriptions = EntityDescription.joined(try source.descriptions())
        let (all, dialect) = (try source.historyTables(), source.dialect)
        let tables = PastShapes(all, dialect, try PastMeanings(source, all, descriptions), descriptions)
        guard let entity = descriptions.first(where: { $0.name.isIdentical(to: name) }),
            let current = tables.current(entity.table), let table = try source.table(entity.table)
        else { throw .noHistory(of: name, in: source.name) }
        self.source = source
        self.entity = entity
        object = current.object
        links = all.filter { $0.object == current.object && $0.hasLinks }
        self.tables = tables
        let past = tables.relations(table, current)
        var view = EntityView(entity, among: descriptions, table, dialect, past: past)
        let columns = view.query()
        (self.view, objectIDColumn) = (view, columns.expressions.count)
        valueColumns = columns
        let types = tables.columns(table, current)
        parts = entity.identifier.map { name in (name, types.first { $0.name.isSameName(as: name) }?.type) }
        let values = columns.expressions + ["t.\"objectID\"", "t.\(PastRelations.from)", "t.\(PastRelations.to)"]
        query = "SELECT \(values.joined(separator: ", ")) FROM \(past.versions) t"
        linkColumns = LinkColumn.all(view.toMany)
        names = columns.map(\.name) + linkColumns.map(\.name)
    }

    // MARK: Versions

    /// The versions of an object, the oldest first.
    ///
    /// - Parameter identifier: each part of it as a text.
    func versions(_ identifier: [String]) throws(Failure) -> [PastVersion] {
        guard identifier.count == entity.identifier.count else { return [] }
        var versions: [PastVersion] = []
        for var row in try rows(identifier) {
            // Of what is before, the row may be known, and the links not, or these alone.
            row.from = max(row.from, try firstKnown(row.objectID))
            if row.from < row.to ?? .max { versions += try withLinks(row) }
        }
        versions.sort { ($0.from, $0.to ?? .max) < ($1.from, $1.to ?? .max) }
        versions = joined(versions)
        for index in versions.indices {
            versions[index].at = try place(versions[index])
            versions[index].isMade = try isMade(versions[index])
            versions[index].isForgotten = try isForgotten(versions[index])
        }
        return versions
    }

    /// Whether the object begins with this version: the run, or a program, has made the object, or a program has given
    /// it this identifier.
    private func isMade(_ version: PastVersion) throws(Failure) -> Bool {
        let dialect = source.dialect
        let (made, given) = (dialect.ownTable("sluice_history_made"), dialect.ownTable("sluice_history_given"))
        let (owner, run) = (dialect.parameter(1), dialect.parameter(2))
        return try source.integer(
            """
            SELECT 1 FROM (SELECT 1) one WHERE EXISTS (
              SELECT 1 FROM \(made) WHERE object = \(object) AND run = \(run) AND \(owner) BETWEEN first AND last
            ) OR EXISTS (
              SELECT 1 FROM \(given) WHERE object = \(object) AND run = \(run) AND o = \(owner) AND is_new < \(HistoryTable.forgotten))
            """, [.integer(version.objectID), .integer(Int64(version.from))]) != nil
    }

    /// The run until which it is forgotten what an object was, or had as links; 0: there is none.
    private func firstKnown(_ objectID: Int64) throws(Failure) -> Int {
        let dialect = source.dialect
        return Int(
            try source.integer(
                """
                SELECT coalesce(max(run), 0) FROM \(dialect.ownTable("sluice_history_given")) WHERE object = \(object)
                AND o = \(dialect.parameter(1)) AND is_new >= \(HistoryTable.forgotten)
                """, [.integer(objectID)]) ?? 0)
    }

    /// Whether the versions before this one were erased on demand.
    private func isForgotten(_ version: PastVersion) throws(Failure) -> Bool {
        let dialect = source.dialect
        return try source.integer(
            """
            SELECT 1 FROM \(dialect.ownTable("sluice_history_given")) WHERE object = \(object) AND o = \(dialect.parameter(1))
            AND run = \(dialect.parameter(2)) AND is_new = \(HistoryTable.forgotten)
            """, [.integer(version.objectID), .integer(Int64(version.from))]) != nil
    }

    /// The names of what identifies the entity's objects.
    var identifier: [String] { entity.identifier }

    /// The parts of an identifier as texts; of several attributes, it is a JSON list.
    func parts(_ identifier: String) throws(Failure) -> [String] {
        if entity.identifier.count == 1 { return [identifier] }
        let parts = StoredJSON(identifier)?.elements?.compactMap(\.scalarText) ?? []
        guard parts.count == entity.identifier.count else {
            throw Failure(
                .missing,
                "\(entity.name) is identified by \(entity.identifier.joined(separator: ", ")): a JSON list of their values"
                    + " is needed, not \(identifier)")
        }
        return parts
    }

    /// The versions of an object's row, without its links.
    private func rows(_ identifier: [String]) throws(Failure) -> [PastVersion] {
        var values: [PastValue] = []
        var conditions: [String] = []
        for (part, text) in zip(parts, identifier) {
            conditions.append(source.condition("t.\(quoted(part.name))", type: part.type, is: text, &values))
        }
        var versions: [PastVersion] = []
        try source.rows("\(query) WHERE \(conditions.joined(separator: " AND "))", values) { row in
            versions.append(
                PastVersion(
                    objectID: row.integer(objectIDColumn), from: Int(row.integer(objectIDColumn + 1)),
                    to: row.isNull(objectIDColumn + 2) ? nil : Int(row.integer(objectIDColumn + 2)),
                    values: row.values(valueColumns, from: 0)))
        }
        return versions
    }

    /// A row with the links that its object had: as many versions as there were sets of them.
    private func withLinks(_ row: PastVersion) throws(Failure) -> [PastVersion] {
        var versions = [row]
        for column in linkColumns {
            let sets = try linkSets(column, of: row.objectID)
            versions = versions.flatMap { version in
                let ends = Set(sets.compactMap(\.to)).union(sets.map(\.from))
                    .filter { $0 > version.from && $0 < version.to ?? .max }
                let starts = [version.from] + ends.sorted()
                return starts.enumerated().map { place, start in
                    var part = version
                    part.from = start
                    part.to = place + 1 < starts.count ? starts[place + 1] : version.to
                    let set = sets.first { $0.from <= start && start < $0.to ?? .max }
                    part.values.append(set?.list ?? "[]")
                    return part
                }
            }
        }
        return versions
    }

    /// What is told of the links of an object by a relationship, from one run to another, as JSON.
    private func linkSets(
        _ column: LinkColumn, of objectID: Int64
    ) throws(Failure) -> [(from: Int, to: Int?, list: String)] {
        let table = entity.linkTable(of: column.relationship)
        var sets: [(from: Int, to: Int?, list: String)] = []
        let (dialect, owner) = (source.dialect, source.dialect.parameter(1))
        for shape in links where shape.nameNow.isSameName(as: table) {
            let (past, rows) = (dialect.ownTable(shape.past), tables.links(of: shape))
            let list = column.list(of: rows, with: shape.columnsNow, view, dialect)
            try source.rows(
                "SELECT h.f, h.r, \(list) FROM \(past) h WHERE h.o = \(owner) AND h.n = 0",
                [.integer(objectID)]
            ) { row in sets.append((Int(row.integer(0)), Int(row.integer(1)), row.list(2))) }
            guard shape.until == nil else { continue }
            let columns = try source.table(table)?.columns.map(\.name) ?? []
            let present = "(SELECT * FROM \(dialect.table(table)) WHERE \"source\" = \(owner))"
            try source.rows(
                "SELECT \(shape.from("", owner, dialect)), \(column.list(of: present, with: columns, view, dialect))",
                [.integer(objectID)]
            ) { row in sets.append((Int(row.integer(0)), nil, row.list(1))) }
        }
        return sets
    }

    /// Versions that follow one another and say the same are one: a table got another shape, or links came back.
    private func joined(_ versions: [PastVersion]) -> [PastVersion] {
        var joined: [PastVersion] = []
        for version in versions {
            if let last = joined.last, last.to == version.from, last.objectID == version.objectID,
                last.values.areIdentical(to: version.values)
            {
                joined[joined.count - 1].to = version.to
            } else {
                joined.append(version)
            }
        }
        return joined
    }

    private func place(_ version: PastVersion) throws(Failure) -> PastPlace? {
        let dialect = source.dialect
        var place: PastPlace?
        try source.rows(
            """
            SELECT at, line, "column", "offset" FROM \(dialect.ownTable(HistoryTable.place(object)))
            WHERE r = \(dialect.parameter(1)) AND o = \(dialect.parameter(2))
            """, [.integer(Int64(version.from)), .integer(version.objectID)]
        ) { row in
            let number = { (column: Int) in UInt64(bitPattern: row.integer(column)) }
            place = PastPlace(
                source: Int(number(0) & 0xffff), file: Int(number(0) >> 16), line: number(1), column: number(2),
                offset: number(3))
        }
        return place
    }
}
