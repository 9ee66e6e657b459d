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
    private let tables: PastShapes
    private let meanings: PastMeanings
    /// Where the table of now has the parts of the identifier.
    private let parts: [PastShapes.Column]

    /// - Parameters:
    ///   - name: that of the entity.
    ///   - identifier: each part of it as a text.
    /// - Throws: `definition` where the store keeps no history of the entity.
    package init(_ store: any HistoryDatabase, of name: String, _ identifier: [String]) throws(Failure) {
        let (all, descriptions) = (try store.historyTables(), EntityDescription.joined(try store.descriptions()))
        meanings = try PastMeanings(store, all, descriptions)
        tables = PastShapes(all, store.dialect, meanings, descriptions)
        guard let entity = descriptions.first(where: { $0.name.isIdentical(to: name) }),
            let current = tables.current(entity.table), let table = try store.table(entity.table)
        else { throw Failure(.definition, "the store \(store.name) keeps no history of \(name)") }
        self.store = store
        self.entity = entity
        self.current = current
        self.identifier = identifier
        let columns = tables.columns(table, current)
        parts = entity.identifier.map { name in
            columns.first { $0.name.isSameName(as: name) } ?? PastShapes.Column(name: name)
        }
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
        let isObject = condition(&values) { tables.value($0, of: "t", current) }
        var objects = try store.integers("SELECT t.\"objectID\" FROM \(table) t WHERE \(isObject)", values)
        let present = objects.first
        var earlier: [[String]] = []
        for shape in shapes {
            var values: [PastValue] = []
            let isObject = condition(&values) { tables.past($0, shape) }
            earlier += try earlierIdentifiers(shape, isObject, values)
            objects += try store.integers("SELECT DISTINCT o FROM \(ownTable(shape.past)) WHERE \(isObject)", values)
        }
        if objects.isEmpty { return nil }
        if let present { try keepBeginning(of: present) }
        let versions = try erase(Set(objects).sorted().map(String.init).joined(separator: ", "), present)
        let ledger = LedgerErasure(
            store: store, names: try names(), identifiers: [identifier] + earlier, isWrittenPlainly: isWrittenPlainly)
        return ErasedPast(versions: versions, findings: try ledger.perform())
    }

    private func erase(_ objects: String, _ present: Int64?) throws(Failure) -> Int {
        var count = 0
        for shape in shapes {
            var values: [PastValue] = []
            let isObject = condition(&values) { tables.past($0, shape) }
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
        let last = NestedCall.of(store.dialect.greatest, runs)
        return "(SELECT \(last) FROM \(table) t WHERE \(owner) = \(objectID))"
    }

    /// What the entity is called, and what it was called while its table had one of its shapes.
    private func names() throws(Failure) -> [String] {
        var names = [entity.name]
        try store.fewRows("SELECT DISTINCT name, description FROM \(ownTable("sluice_history_model"))", []) { row in
            let name = row.text(0)
            guard let then = StoredJSON(row.text(1)).flatMap({ EntityDescription(name, $0) }),
                shapes.contains(where: { $0.name.isSameName(as: then.table) })
            else { return }
            names.append(name)
        }
        return names
    }

    /// Whether feeds write the identifier as the store has it, but for space around it and how numbers are written.
    private var isWrittenPlainly: Bool {
        parts.allSatisfy { part in
            let form = meanings.form(of: part.name, current)
            return form.map { [.text, .integer, .boolean, .real, .decimal].contains($0.type) && !$0.isInteger } ?? false
        }
    }

    /// What reports called the object while its identifier had the form that it has in a shape.
    private func earlierIdentifiers(
        _ shape: HistoryTable, _ isObject: String, _ values: [PastValue]
    ) throws(Failure) -> [[String]] {
        let columns = parts.compactMap { shape.pastColumn(now: $0.name)?.name }
        guard shape.until != nil, columns.count == parts.count else { return [] }
        var found: [[String]] = []
        try store.fewRows(
            "SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(ownTable(shape.past)) WHERE \(isObject)", values
        ) { row in
            found.append(
                parts.enumerated().map { place, part in
                    let json = row.json(place, meanings.form(of: part.name, shape))
                    return StoredJSON(json)?.scalarText ?? json
                })
        }
        return found
    }

    /// Whether a row is of the object, whatever form its identifier had.
    ///
    /// - Parameter value: what the row has of a part of the identifier, in the form that it has now.
    private func condition(_ values: inout [PastValue], _ value: (PastShapes.Column) -> String) -> String {
        zip(parts, identifier).map { part, text in
            store.condition(value(part), type: part.type, is: text, &values)
        }.joined(separator: " AND ")
    }
}
