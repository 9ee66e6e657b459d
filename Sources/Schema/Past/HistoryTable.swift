import SluiceRecords

/// A table whose past is kept, in one shape: a row of `sluice_history_table`.
package struct HistoryTable {
    /// The value of `is_new` in `sluice_history_given` where the past of an object until a run was erased on demand.
    package static let forgotten = 2
    /// The value where `keep` has forgotten what the object was, or had as links, until that run.
    package static let trimmed = 3
    /// The status in the ledger of a run that has erased the past of an object.
    package static let forgot = "forgot"

    package var number: Int64
    /// The number of the table of its objects, or of the objects whose links it has.
    package var object: Int64
    package var name: String
    package var hasLinks: Bool
    /// All columns of the table that hold something, as it was.
    package var columns: [String]
    /// Their types, as SQL has them; none in a database whose values carry their own types.
    package var types: [String] = []
    /// Those by which objects are known; none for links.
    package var identifier: [String]
    /// What made it and its indexes.
    package var sql: String
    /// The first run of which it is known what the table held when it ended.
    package var since: Int64
    /// Whether there was no table before that run.
    package var isBorn: Bool
    /// The run in which the table got another shape; nil: it has this one.
    package var until: Int64?
    /// What the table and its columns are called now.
    package var nameNow: String
    package var columnsNow: [String]

    /// The table with the past rows.
    package var past: String { "sluice_history_\(number)" }
    /// The names of its columns in the table of past rows, which no name of a user can collide with. The column of the
    /// object has its own place there.
    package var pastColumns: [String] {
        columns.enumerated().map { $1.isSameName(as: ownerName) ? "o" : "c\($0 + 1)" }
    }
    /// Its columns, and what they are called there, but for that of the object.
    package var keptColumns: [(name: String, past: String)] {
        zip(columns, pastColumns).filter { $1 != "o" }.map { (name: $0, past: $1) }
    }
    /// The columns there by which objects are known.
    package var pastIdentifier: [String] {
        identifier.compactMap { name in columns.firstIndex { $0.isSameName(as: name) }.map { pastColumns[$0] } }
    }
    /// The column that names the object.
    private var ownerName: String { hasLinks ? "source" : "objectID" }
    /// Likewise, quoted.
    package var owner: String { quoted(ownerName) }

    /// Where records stood, of the table of objects with a number.
    package static func place(_ object: Int64) -> String { "sluice_history_place_\(object)" }

    /// Whether it had this shape when a run ended.
    package func isValid(at run: Int64) -> Bool { since <= run && run < until ?? .max }

    /// The column there that holds what is called so now, with its type; nil: there was none.
    package func pastColumn(now name: String) -> (name: String, type: String?)? {
        columnsNow.firstIndex { $0.isSameName(as: name) }.map { place in
            (pastColumns[place], types.indices.contains(place) ? types[place] : nil)
        }
    }

    /// Takes the names that a store gives the table and its columns.
    package mutating func rename(_ renaming: Renaming) {
        let name = nameNow
        nameNow = (renaming.tables + renaming.linkTables).first { $0.from.isSameName(as: name) }?.to ?? name
        columnsNow = columnsNow.map { [nameNow] column in
            renaming.columns.first { $0.table.isSameName(as: nameNow) && $0.from.isSameName(as: column) }?.to ?? column
        }
    }

    /// The type of one of its columns, as it was; nil: a value says itself what it is.
    private func type(of column: String) -> String? {
        columns.firstIndex { $0.isSameName(as: column) }.flatMap { types.indices.contains($0) ? types[$0] : nil }
    }

    // MARK: SQL

    /// The run from which a row of the table is true: the last one in which the object was changed or made.
    ///
    /// - Parameters:
    ///   - row: what the row is called, with the identifier.
    ///   - owner: its objectID.
    ///   - isGiven: whether programs may have given out objectIDs, or objects other identifiers.
    package func from(_ row: String, _ owner: String, _ dialect: any Dialect, isGiven: Bool = true) -> String {
        let past = dialect.ownTable(past)
        let isSame: String
        if hasLinks {
            isSame = "o = \(owner) AND n = 0"
        } else if pastIdentifier.isEmpty {
            isSame = "o = \(owner)"
        } else {
            let same = zip(pastIdentifier, identifier).map { past, name in
                "\(past) = \(dialect.compared("\(row).\(quoted(name))", type(of: name)))"
            }
            isSame = same.joined(separator: " AND ")
        }
        let last = dialect.greatest("r", of: past, where: isSame)
        // A changed identifier does not affect the links of an object.
        let isNew = hasLinks ? " AND is_new > 0" : ""
        let made = """
            SELECT run FROM \(dialect.ownTable("sluice_history_made")) WHERE object = \(object) AND first <= \(owner)
                  ORDER BY first DESC LIMIT 1
            """
        let given = """
            SELECT max(run) FROM \(dialect.ownTable("sluice_history_given")) WHERE object = \(object) AND o = \(owner)\(isNew)
            """
        let byPrograms = isGiven ? ",\n    coalesce((\(given)), 0)" : ""
        return """
            \(dialect.greatest)(\(since), coalesce((\(last)), 0),
                coalesce((\(made)), 0)\(byPrograms))
            """
    }
}

extension [HistoryTable] {
    /// What an entity of the time at which these tables had their shape is called now, by its table.
    ///
    /// - Parameter present: what all pipelines say now.
    package func nameNow(of entity: EntityDescription, among present: [EntityDescription]) -> String {
        let table = first { !$0.hasLinks && $0.name.isSameName(as: entity.table) }
        return table.flatMap { table in present.first { $0.table.isSameName(as: table.nameNow) } }?.name ?? entity.name
    }
}
