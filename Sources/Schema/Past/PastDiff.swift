import SluiceRecords

/// The differences in the objects of an entity between two runs: the rows that ended after the one and until the other,
/// and those that began in between.
struct PastDiff {
    private let source: any HistorySource
    private let queries: PastDiffQueries
    private let identifiers: PastIdentifiers
    /// Whether the difference goes back from the later to the earlier run.
    private let isBackwards: Bool
    /// Attributes and references, then to-many relationships, each with what its links have of their own.
    let names: [String]
    private let columnCount: Int
    /// The first run at which it is known what the table held.
    let since: Int
    /// Those of an object's own row.
    private let valueColumns: [EntityView.Column]
    private let linkColumns: [LinkColumn]

    /// Nil: the store keeps no history of the entity.
    init?(
        _ source: any HistorySource, _ entity: EntityDescription, among descriptions: [EntityDescription], from: Int,
        to: Int
    ) throws(Failure) {
        let all = try source.historyTables()
        let tables = PastShapes(all, source.dialect, try PastMeanings(source, all, descriptions), descriptions)
        guard let current = tables.current(entity.table), let table = try source.table(entity.table) else { return nil }
        let shapes = tables.all(of: current)
        let columns = tables.columns(table, current)
        self.source = source
        queries = PastDiffQueries(
            source: source, entity: entity, descriptions: descriptions, table: table, current: current, shapes: shapes,
            links: all.filter { $0.object == current.object && $0.hasLinks }, tables: tables, columns: columns,
            lower: min(from, to), upper: max(from, to))
        identifiers = PastIdentifiers(source, entity, table, current, shapes, columns, tables)
        isBackwards = from > to
        since = shapes.first.map { $0.isBorn ? 0 : Int($0.since) } ?? 0
        var view = EntityView(
            entity, among: descriptions, table, source.dialect, past: tables.relations(table, current))
        valueColumns = view.query()
        linkColumns = LinkColumn.all(view.toMany)
        columnCount = valueColumns.count
        names = valueColumns.map(\.name) + linkColumns.map(\.name)
    }

    // MARK: Differences

    /// Hands out what differs, those objects first of which more than links differs, by identifier.
    func differences(_ each: (ObjectDifference) throws(Failure) -> Void) throws(Failure) {
        var linked = try linkDifferences()
        let forgotten = try forgotten()
        let keys = identifiers.forms.count
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
        try source.rows(queries.rows, []) { row throws(Failure) in
            let next = row.key(1..<(1 + keys), identifiers.forms)
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
        var objects: [Int64] = []
        try source.rows(queries.forgotten, []) { row in objects.append(row.integer(0)) }
        var keys: Set<ExactText> = []
        for object in objects {
            if let key = try identifiers.identifier(of: object, at: queries.upper) { keys.insert(ExactText(key)) }
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
        let nothing = Array(repeating: "null", count: linkColumns.count)
        for (place, column) in linkColumns.enumerated() {
            for (isAfter, query) in try queries.links(column) {
                try source.rows(query, []) { row throws(Failure) in
                    let run = isAfter ? queries.upper : queries.lower
                    guard let identifier = try identifiers.identifier(of: row.integer(0), at: run) else { return }
                    let key = ExactText(identifier)
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
}
