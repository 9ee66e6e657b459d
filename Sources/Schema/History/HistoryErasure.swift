import SluiceRecords

/// Erases the past of an object: its past versions, its past links, where its records stood, and what reports in the
/// ledger say of it. The object as it is now stays.
package struct HistoryErasure {
    private let store: any HistoryDatabase
    private let entity: EntityDescription
    private let current: HistoryTable
    private let shapes: [HistoryTable]
    private let links: [HistoryTable]
    private let identifier: [String]

    /// - Parameters:
    ///   - name: that of the entity.
    ///   - identifier: each part of it as a text.
    /// - Throws: `definition` where the store keeps no history of the entity.
    package init(_ store: any HistoryDatabase, of name: String, _ identifier: [String]) throws(Failure) {
        let all = try store.historyTables()
        let tables = PastShapes(all, store.dialect)
        guard
            let entity = EntityDescription.joined(try store.descriptions())
                .first(where: { $0.name.isIdentical(to: name) }),
            let current = tables.current(entity.table)
        else { throw Failure(.definition, "the store \(store.name) keeps no history of \(name)") }
        self.store = store
        self.entity = entity
        self.current = current
        self.identifier = identifier
        shapes = tables.all(of: current)
        links = all.filter { $0.object == current.object && $0.hasLinks }
    }

    private func ownTable(_ table: String) -> String { store.dialect.ownTable(table) }
    private var table: String { store.dialect.table(current.nameNow) }

    /// The tables from which something was erased, as SQL has them: the ledger is one of them only where a report of
    /// it had a finding.
    package func tables(of past: ErasedPast) -> [String] {
        (shapes + links).map { ownTable($0.past) } + [ownTable(HistoryTable.place(current.object))]
            + (past.findings > 0 ? [ownTable("sluice_run")] : [])
    }

    /// What was erased; nil: neither the store nor its history knows the object.
    package func perform() throws(Failure) -> ErasedPast? {
        var values: [PastValue] = []
        let isObject = condition(current, &values) { "t.\(quoted($0))" }
        var objects = try store.integers("SELECT t.\"objectID\" FROM \(table) t WHERE \(isObject)", values)
        let present = objects.first
        for shape in shapes {
            var values: [PastValue] = []
            let isObject = condition(shape, &values) { shape.pastColumn(now: $0)?.name }
            objects += try store.integers("SELECT DISTINCT o FROM \(ownTable(shape.past)) WHERE \(isObject)", values)
        }
        if objects.isEmpty { return nil }
        if let present { try keepBeginning(of: present) }
        let versions = try erase(Set(objects).sorted().map(String.init).joined(separator: ", "), present)
        let ledger = LedgerErasure(store: store, entity: entity.name, identifier: identifier)
        return ErasedPast(versions: versions, findings: try ledger.perform())
    }

    private func erase(_ objects: String, _ present: Int64?) throws(Failure) -> Int {
        var count = 0
        for shape in shapes {
            var values: [PastValue] = []
            let isObject = condition(shape, &values) { shape.pastColumn(now: $0)?.name }
            count += try store.change("DELETE FROM \(ownTable(shape.past)) WHERE \(isObject)", values)
        }
        for shape in links {
            count += try store.change("DELETE FROM \(ownTable(shape.past)) WHERE o IN (\(objects))", [])
        }
        let isPresent = present.map { " AND NOT (o = \($0) AND r = \(beginning($0)))" } ?? ""
        try store.write(
            "DELETE FROM \(ownTable(HistoryTable.place(current.object))) WHERE o IN (\(objects))\(isPresent)")
        return count
    }

    /// Records from which run on the present version holds, so that it is not taken for the object's past.
    private func keepBeginning(of objectID: Int64) throws(Failure) {
        try store.write(
            """
            INSERT INTO \(ownTable("sluice_history_given")) (object, o, run, is_new)
            SELECT \(current.object), \(objectID), \(beginning(objectID)), \(HistoryTable.forgotten) WHERE true
            ON CONFLICT DO NOTHING
            """)
    }

    /// The run since which the object, with its links, is as it is now.
    private func beginning(_ objectID: Int64) -> String {
        let owner = "t.\"objectID\""
        let runs =
            [current.from("t", owner, store.dialect)]
            + links.filter { $0.until == nil }.map { $0.from("", owner, store.dialect) }
        let last = runs.count == 1 ? runs[0] : "\(store.dialect.greatest)(\(runs.joined(separator: ", ")))"
        return "(SELECT \(last) FROM \(table) t WHERE \(owner) = \(objectID))"
    }

    /// Whether a row is of the object.
    ///
    /// - Parameters:
    ///   - shape: that of the row.
    ///   - column: where it has a part of the identifier.
    private func condition(
        _ shape: HistoryTable, _ values: inout [PastValue], _ column: (String) -> String?
    ) -> String {
        let conditions = zip(entity.identifier, identifier).map { name, text in
            guard let column = column(name) else { return "false" }
            return store.condition(column, type: shape.pastColumn(now: name)?.type, is: text, &values)
        }
        return conditions.joined(separator: " AND ")
    }
}
