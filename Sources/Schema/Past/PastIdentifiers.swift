import SluiceRecords

/// What identified the objects of an entity at a run.
struct PastIdentifiers {
    private let source: any HistorySource
    /// How the parts of the identifier have their values.
    let forms: [StoredForm?]
    /// Finds out whether programs gave an object its objectID, or another identifier.
    private let isGiven: String
    /// The queries for the identifier of an object, and whether they name the run.
    private let queries: [(sql: String, isOfRun: Bool)]

    /// - Parameters:
    ///   - shapes: the tables of the past of the entity.
    ///   - columns: those of its table.
    init(
        _ source: any HistorySource, _ entity: EntityDescription, _ table: StoredTable, _ current: HistoryTable,
        _ shapes: [HistoryTable], _ columns: [PastShapes.Column], _ tables: PastShapes
    ) {
        self.source = source
        let dialect = source.dialect
        forms = entity.identifier.map { name in
            let isText = columns.first { $0.name.isSameName(as: name) }?.type == nil && !current.types.isEmpty
            return isText ? nil : entity.attributes.first { $0.name.isSameName(as: name) }?.form
        }
        let (owner, run) = (dialect.parameter(1), dialect.parameter(2))
        let given = dialect.ownTable("sluice_history_given")
        isGiven = "SELECT 1 FROM \(given) WHERE object = \(current.object) AND o = \(owner) LIMIT 1"
        let parts = entity.identifier.compactMap { name in columns.first { $0.name.isSameName(as: name) } }
        let names = entity.identifier.map(quoted).joined(separator: ", ")
        let past = shapes.map { shape in
            let values = parts.map { tables.past($0, shape) }.joined(separator: ", ")
            let table = dialect.ownTable(shape.past)
            return "SELECT \(values) FROM \(table) WHERE r > \(run) AND f <= \(run) AND o = \(owner)"
        }
        let values = parts.map { tables.value($0, of: "t", current) }.joined(separator: ", ")
        let present = "SELECT \(values) FROM \(dialect.table(table.name)) t WHERE t.\"objectID\" = \(owner)"
        let gone = tables.gone(of: current).map { "SELECT \(names) FROM \($0) t WHERE t.\"objectID\" = \(owner)" }
        queries = past.map { ($0, true) } + ([present] + gone).map { ($0, false) }
    }

    /// The identifier of an object, as JSON; nil: the object is not known.
    func identifier(of objectID: Int64, at run: Int) throws(Failure) -> String? {
        // Only objects to which programs gave their objectID, or another identifier, have had several identifiers. They
        // are few, so they are found first: past versions are in the order of the runs, and finding those of one object
        // takes long.
        let wasGiven = try source.integer(isGiven, [.integer(objectID)]) != nil
        for query in queries where wasGiven || !query.isOfRun {
            var found: String?
            let values: [PastValue] = [.integer(objectID)] + (query.isOfRun ? [.integer(Int64(run))] : [])
            try source.rows(query.sql, values) { row in
                if found == nil { found = row.key(0..<forms.count, forms) }
            }
            if let found { return found }
        }
        return nil
    }
}
