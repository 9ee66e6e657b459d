import SluiceLoad
import SluiceRecords
import SluiceSchema

/// What an object was, or is, from one run to another.
package struct PastVersion: Sendable {
    package var objectID: Int64
    /// The run that made it so.
    package var from: Int
    /// The run that ended it; nil: it is still true.
    package var to: Int?
    /// By the names in `PastReader.names`: JSON; null is `null`.
    package var values: [String]
    /// Where the record stood that made it so; nil: no record did, or it is not known.
    package var at: PastPlace?
}

/// A place in what a run has read.
package struct PastPlace: Sendable {
    package var source: Int
    package var file: Int
    package var line: UInt64
    package var column: UInt64
    package var offset: UInt64
}

/// Reads what the objects of an entity have been.
struct PastReader {
    let connection: Connection
    private let entity: EntityDescription
    private let object: Int64
    private let shapes: [HistoryTable]
    private let links: [HistoryTable]
    private let view: EntityView
    private let query: String
    /// What `versions` gives of each: attributes and to-one relationships, in the order of the table, then to-many ones.
    let names: [String]
    /// How many of the names are of columns.
    private let columnCount: Int

    /// - Parameter name: the name of the entity.
    /// - Throws: `definition` where the store keeps no history of the entity.
    init(_ connection: Connection, entity name: String) throws(Failure) {
        let descriptions = EntityDescription.joined(try ModelTable(connection: connection).rows().map(\.description))
        let all = try HistoryTable.all(connection)
        guard let entity = descriptions.first(where: { $0.name.isIdentical(to: name) }),
            let current = all.last(where: {
                !$0.hasLinks && $0.until == nil && $0.nameNow.isSameName(as: entity.table)
            }),
            let table = try StoredTable(connection, entity.table)
        else { throw Failure(.definition, "the store \(connection.path) keeps no history of \(name)") }
        self.connection = connection
        self.entity = entity
        object = current.object
        shapes = all.filter { $0.object == current.object && !$0.hasLinks }
        links = all.filter { $0.object == current.object && $0.hasLinks }
        let past = PastViews.relations(table, current, all.filter { !$0.hasLinks })
        var view = EntityView(entity, among: descriptions, table, SQLiteDialect(), past: past)
        let query = view.query()
        (self.view, columnCount) = (view, query.names.count)
        let values = query.values + ["t.\"objectID\"", "t.\(PastRelations.from)", "t.\(PastRelations.to)"]
        self.query = "SELECT \(values.joined(separator: ", ")) FROM \(past.versions) t"
        names = query.names + view.toMany.map(\.name)
    }

    // MARK: Versions

    /// What an object has been, the oldest first.
    ///
    /// - Parameter identifier: each part of it as a text.
    func versions(_ identifier: [String]) throws(Failure) -> [PastVersion] {
        guard identifier.count == entity.identifier.count else { return [] }
        var versions: [PastVersion] = []
        for row in try rows(identifier) { versions += try withLinks(row) }
        versions.sort { ($0.from, $0.to ?? .max) < ($1.from, $1.to ?? .max) }
        versions = joined(versions)
        for index in versions.indices { versions[index].at = try place(versions[index]) }
        return versions
    }

    /// The names of what identifies the entity's objects.
    var identifier: [String] { entity.identifier }

    /// What the rows of an object were, without its links.
    private func rows(_ identifier: [String]) throws(Failure) -> [PastVersion] {
        let condition = entity.identifier.enumerated().map { part, name in
            // A value is compared as what it is: an attribute may have had another type.
            "t.\(quoted(name)) IN (?\(2 * part + 1), ?\(2 * part + 2))"
        }
        let statement = try connection.prepare("\(query) WHERE \(condition.joined(separator: " AND "))")
        statement.bind(identifier: identifier)
        var versions: [PastVersion] = []
        var arena = Arena()
        defer { arena.deallocate() }
        while try statement.step() {
            arena.reset()
            let values = (0..<columnCount).map { arena.json(of: statement.cell($0, in: &arena)) }
            versions.append(
                PastVersion(
                    objectID: statement.integer(columnCount), from: Int(statement.integer(columnCount + 1)),
                    to: statement.isNull(columnCount + 2) ? nil : Int(statement.integer(columnCount + 2)),
                    values: values))
        }
        return versions
    }

    /// A row with the links that its object had: as many versions as there were sets of them.
    private func withLinks(_ row: PastVersion) throws(Failure) -> [PastVersion] {
        var versions = [row]
        for name in names.dropFirst(columnCount) {
            let sets = try linkSets(name, of: row.objectID)
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

    /// The links of an object by a relationship, from one run to another, as JSON.
    private func linkSets(
        _ name: String, of objectID: Int64
    ) throws(Failure) -> [(from: Int, to: Int?, list: String)] {
        guard let relationship = entity.relationship(name) else { return [] }
        let table = entity.linkTable(of: relationship)
        var sets: [(from: Int, to: Int?, list: String)] = []
        for shape in links where shape.nameNow.isSameName(as: table) {
            let columns = zip(shape.columnsNow, shape.pastColumns).map { "\($1) AS \(quoted($0))" }
            let rows =
                "(SELECT \(columns.joined(separator: ", ")) FROM \(shape.past) WHERE r = h.r AND o = h.o AND n > 0)"
            let past = try connection.prepare(
                """
                SELECT h.f, h.r, \(view.list(relationship, of: rows)) FROM \(shape.past) h WHERE h.o = ?1 AND h.n = 0
                """)
            past.bind(1, objectID)
            while try past.step() { sets.append((Int(past.integer(0)), Int(past.integer(1)), past.text(2))) }
            guard shape.until == nil else { continue }
            let present = try connection.prepare(
                """
                SELECT \(HistoryTriggers(table: shape).from("", "?1")),
                \(view.list(relationship, of: "(SELECT * FROM \(quoted(table)) WHERE \"source\" = ?1)"))
                """)
            present.bind(1, objectID)
            while try present.step() { sets.append((Int(present.integer(0)), nil, present.text(1))) }
        }
        return sets
    }

    /// Versions that follow one another and say the same are one: a table got another shape, or links came back.
    private func joined(_ versions: [PastVersion]) -> [PastVersion] {
        var joined: [PastVersion] = []
        for version in versions {
            if let last = joined.last, last.to == version.from, last.objectID == version.objectID,
                last.values == version.values
            {
                joined[joined.count - 1].to = version.to
            } else {
                joined.append(version)
            }
        }
        return joined
    }

    private func place(_ version: PastVersion) throws(Failure) -> PastPlace? {
        let statement = try connection.prepare(
            """
            SELECT at, line, "column", "offset" FROM \(HistoryTables.place(object)) WHERE r = ? AND o = ?
            """)
        statement.bind(1, Int64(version.from))
        statement.bind(2, version.objectID)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        let number = { (column: Int) in UInt64(bitPattern: statement.integer(column)) }
        return PastPlace(
            source: Int(number(0) & 0xffff), file: Int(number(0) >> 16), line: number(1), column: number(2),
            offset: number(3))
    }
}

extension Statement {
    /// Binds the parts of an identifier, each as a text and as what it is else: two parameters each.
    func bind(identifier: [String]) {
        for (part, text) in identifier.enumerated() {
            bind(2 * part + 1, text)
            if let number = Int64(text) {
                bind(2 * part + 2, number)
            } else {
                bind(2 * part + 2, text)
            }
        }
    }
}
