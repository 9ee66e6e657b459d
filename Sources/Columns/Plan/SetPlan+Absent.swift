import SluiceRecords

// What goes, and which records lack what they need.
extension SetPlan {
    /// The objects that were there before, and are made by no record.
    func addUnmet(_ terms: EntityTerms) {
        let made = terms.table(isReadEarly(terms) ? "numbered" : "described")
        writer.add(
            .absent, terms.name("unmet"),
            """
            SELECT \(columnsOfLacked(terms)) FROM \(terms.table("known")) k \
            WHERE NOT EXISTS (SELECT 1 FROM \(made) n WHERE n.id = k.id)
            """)
    }

    /// The objects that the feed does not hold, not even by a record that is a reject.
    func addLacked(_ terms: EntityTerms) {
        let columns = terms.identifier.joined(separator: ", ")
        let rejected = terms.entity.identifier.map { index in
            "r.\(dialect.name(terms.entity.attributes[index].name)) AS a\(index)"
        }
        let rejects = "SELECT \(rejected.joined(separator: ", ")) FROM \(terms.table("rejects")) r"
        // What has been made from records need not be sought among them.
        let (objects, records) =
            takesAll(terms)
            ? (terms.table("unmet"), rejects)
            : (terms.table("known"), "SELECT \(columns) FROM \(terms.table("copies")) UNION ALL \(rejects)")
        writer.add(
            .absent, terms.name("lacked"),
            """
            SELECT \(columnsOfLacked(terms)) FROM \(objects) k \
            WHERE NOT EXISTS (SELECT 1 FROM (\(records)) c WHERE \(terms.isSame("k", "c")))
            """)
    }

    private func columnsOfLacked(_ terms: EntityTerms) -> String {
        let bound = terms.entity.within.map { ["t\($0)"] } ?? []
        return terms.list(["id", "stub", "gone"] + terms.identifier + bound, of: "k")
    }

    /// The objects that go: those that the feed lacks, and those that are bound to others that go.
    func addAbsent(_ terms: EntityTerms) {
        let entity = terms.entity
        let columns = "k.id, " + terms.list(terms.identifier, of: "k")
        var queries: [String] = []
        if entity.absent != .keep, !entity.records.isEmpty {
            var bound = ""
            if let within = entity.within {
                let lacked = terms.relations[within].targets[0].table("lacked")
                bound =
                    " AND k.t\(within) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(lacked) w WHERE w.id = k.t\(within))"
            }
            queries.append(
                "SELECT \(columns) FROM \(terms.table("lacked")) k WHERE NOT k.stub AND k.gone IS NULL\(bound)")
        }
        for relation in terms.relations where relation.relationship.onDelete == .cascade {
            for target in relation.targets where deletability.deletes[target.index] {
                // Several of its targets may go.
                queries.append(
                    """
                    SELECT DISTINCT \(columns) FROM \(relation.table("held")) h \
                    JOIN \(target.table("absent")) d ON d.id = h.target AND h.te = \(dialect.text(target.entity.name)) \
                    JOIN \(terms.table("lacked")) k ON k.id = h.id WHERE k.gone IS NULL
                    """)
            }
        }
        if queries.isEmpty { queries.append("SELECT \(columns) FROM \(terms.table("known")) k WHERE 1 = 0") }
        writer.add(.absent, terms.name("absent"), queries.joined(separator: " UNION "))
    }

    /// `AND` a row's object is not one that is deleted.
    func stays(_ terms: EntityTerms, _ objectID: String) -> String {
        guard deletability.deletes[terms.index] else { return "" }
        return " AND NOT EXISTS (SELECT 1 FROM \(terms.table("absent")) gone WHERE gone.id = \(objectID))"
    }

    /// The records of an entity that lack a target which they need. Those that bring what they need are asked before.
    func addNeeds(_ terms: EntityTerms) {
        var lacking: [String] = []
        for relation in terms.relations where relation.relationship.missing == .reject {
            for target in relation.targets { addBrought(target) }
            var table = terms.table("copies")
            var position = "CAST(0 AS BIGINT)"
            if relation.isMany {
                let lists = relation.names.map { (column: $0, name: $0) }
                writer.add(
                    .needs, relation.name("needed"), view: true,
                    dialect.elements(of: terms.table("copies"), ["loc"], lists))
                (table, position) = (relation.table("needed"), "c.position")
            }
            let isThere = relation.targets.indices.map { target in
                let brought = relation.targets[target].table("brought")
                return "EXISTS (SELECT 1 FROM \(brought) b WHERE \(relation.leads("c", to: target, "b")))"
            }
            lacking.append(
                """
                SELECT c.loc, CAST(\(relation.index) AS BIGINT) AS relation, \(position) AS position, \
                \(shownTargets(relation, "c")) AS targets, \(relation.json("c")) AS value \
                FROM \(table) c WHERE \(relation.refers("c")) AND NOT \(SQLText.any(isThere))
                """)
        }
        writer.add(.needs, terms.name("lacking"), lacking.joined(separator: " UNION ALL "))
        writer.add(
            .needs, terms.name("taken"), view: true,
            """
            SELECT c.* FROM \(terms.table("copies")) c \
            WHERE NOT EXISTS (SELECT 1 FROM \(terms.table("lacking")) l WHERE l.loc = c.loc)
            """)
    }

    /// The records that may become objects.
    func taken(_ terms: EntityTerms) -> String {
        terms.table(writer.has(terms.name("taken")) ? "taken" : "copies")
    }

    /// The identifiers of the objects that records may need.
    private func addBrought(_ terms: EntityTerms) {
        guard !writer.has(terms.name("brought")) else { return }
        let columns = terms.identifier.joined(separator: ", ")
        let stored = "SELECT \(columns) FROM \(terms.table("known")) k WHERE TRUE\(stays(terms, "k.id"))"
        let new = terms.entity.mode == .update ? "" : " UNION SELECT \(columns) FROM \(taken(terms))"
        writer.add(.needs, terms.name("brought"), stored + new)
    }

    /// The names of the entities that a reference may lead to, as findings have them.
    func shownTargets(_ relation: RelationTerms, _ row: String) -> String {
        if relation.relationship.selector != nil { return "\(row).r\(relation.index)e" }
        return dialect.text(relation.targets.map(\.entity.name).joined(separator: " or "))
    }
}
