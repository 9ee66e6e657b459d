import SluiceRecords

// What references look for, what is made for them, and what they find.
extension SetPlan {
    /// What references look for, of links, and where stubs are made: those that records of this run state (`kind` 0),
    /// those that wait since an earlier run (1), and those whose target goes (2).
    func addSought(_ terms: EntityTerms) {
        for relation in terms.relations where relation.isMany || relation.relationship.missing == .stub {
            addStated(relation)
            let queries = [stated(relation), waited(relation)] + lost(relation)
            // Who makes stubs asks twice.
            let isView = !relation.isMany || relation.relationship.missing != .stub
            writer.add(.links, relation.name("sought"), view: isView, queries.joined(separator: " UNION ALL "))
        }
    }

    /// The keys that records of this run state.
    private func addStated(_ relation: RelationTerms) {
        let (terms, index) = (relation.owner, relation.index)
        let keys = relation.names.map { "n.\($0)" }.joined(separator: ", ")
        guard relation.isMany else {
            writer.add(
                .links, relation.name("stated"), view: true,
                """
                SELECT n.id, CAST(0 AS BIGINT) AS position, coalesce(n.ar\(index), n.fat) AS loc, n.several, \(keys) \
                FROM \(terms.table("numbered")) n WHERE n.gr\(index) AND \(relation.refers("n"))
                """)
            return
        }
        writer.add(
            .links, relation.name("lists"), view: true,
            """
            SELECT n.id, coalesce(n.ar\(index), n.fat) AS loc, n.several, \(keys) FROM \(terms.table("numbered")) n WHERE n.gr\(index)
            """)
        let lists = relation.names.map { (column: $0, name: $0) }
        writer.add(
            .links, relation.name("elements"), view: true,
            dialect.elements(of: relation.table("lists"), ["id", "loc", "several"], lists))
        let names = relation.names.joined(separator: ", ")
        writer.add(
            .links, relation.name("stated"), view: true,
            """
            SELECT id, min(position) AS position, loc, several, \(names) FROM \(relation.table("elements")) \
            GROUP BY id, loc, several, \(names)
            """)
    }

    private func stated(_ relation: RelationTerms) -> String {
        let keys = relation.names.map { "r.\($0)" }.joined(separator: ", ")
        return """
            SELECT r.id, r.position, \(keys), r.loc, CAST(0 AS BIGINT) AS kind, TRUE AS described, r.several \
            FROM \(relation.table("stated")) r
            """
    }

    private func waited(_ relation: RelationTerms) -> String {
        let keys = zip(relation.names, relation.waitingKeys.names).map { "w.\(dialect.name($1)) AS \($0)" }
        return """
            SELECT w.\(dialect.name("objectID")) AS id, w.position, \(keys.joined(separator: ", ")), n.fat AS loc, \
            CAST(1 AS BIGINT) AS kind, n.id IS NOT NULL AS described, FALSE AS several \
            FROM \(relation.table("waited")) w \(unstated(relation, "w.\(dialect.name("objectID"))"))
            """
    }

    /// The objects that no record of this run states a relationship of, and that stay.
    private func unstated(_ relation: RelationTerms, _ objectID: String) -> String {
        """
        LEFT JOIN \(relation.owner.table("numbered")) n ON n.id = \(objectID) \
        WHERE NOT coalesce(n.gr\(relation.index), FALSE)\(stays(relation.owner, objectID))
        """
    }

    /// References to what goes wait for what identified it, in each entity in which they are searched.
    private func lost(_ relation: RelationTerms) -> [String] {
        relation.targets.enumerated().filter { deletability.deletes[$0.element.index] }.map { place, target in
            let keys = relation.keys.map { "\(lostKey(relation, $0.name, $0.kind, place, "d")) AS \($0.name)" }
            return """
                SELECT h.id, h.position, \(keys.joined(separator: ", ")), n.fat AS loc, CAST(2 AS BIGINT) AS kind, \
                n.id IS NOT NULL AS described, FALSE AS several FROM \(relation.table("held")) h \
                JOIN \(target.table("absent")) d ON d.id = h.target AND h.te = \(dialect.text(target.entity.name)) \
                \(unstated(relation, "h.id"))
                """
        }
    }

    /// A column of the key of a reference whose target goes: what identified that.
    func lostKey(
        _ relation: RelationTerms, _ name: String, _ kind: ParquetColumn.Kind, _ place: Int, _ gone: String
    ) -> String {
        let target = relation.targets[place]
        if name == "r\(relation.index)e" { return dialect.text(target.entity.name) }
        let known = relation.targets.indices.flatMap { other in
            relation.targets[other].identifier.indices.map { (relation.key(other, $0), other, $0) }
        }.first { $0.0 == name }
        let isMeant = known.map { relation.relationship.selector == nil || $0.1 == place } ?? false
        let value = known.map { isMeant ? "\(gone).\(target.identifier[$0.2])" : "NULL" } ?? "NULL"
        return "CAST(\(value) AS \(dialect.type(kind)))"
    }

    // MARK: Stubs

    /// Objects of which only the identifier is known, since references name them and say `stub`.
    func addStubs(_ terms: EntityTerms) {
        var wanted: [String] = []
        for owner in entities {
            for relation in owner.relations where relation.relationship.missing == .stub {
                for (place, target) in relation.targets.enumerated() where target.index == terms.index {
                    wanted.append(self.wanted(relation, place))
                }
            }
        }
        guard !wanted.isEmpty else { return }
        let columns = terms.identifier.joined(separator: ", ")
        let order = "w.owner, w.id, w.relation, w.position"
        writer.add(.stubs, terms.name("wanted"), wanted.joined(separator: " UNION ALL "))
        writer.add(
            .stubs, terms.name("stubs"),
            """
            SELECT (SELECT coalesce(max(id), 0) FROM (SELECT id FROM \(terms.table("known")) UNION ALL \
            SELECT id FROM \(terms.table("numbered")))) + row_number() OVER (ORDER BY \(order)) AS id, \(columns) \
            FROM (SELECT w.*, row_number() OVER (PARTITION BY \(columns) ORDER BY \(order)) AS n \
            FROM \(terms.table("wanted")) w) w WHERE w.n = 1
            """)
    }

    private func wanted(_ relation: RelationTerms, _ place: Int) -> String {
        let target = relation.targets[place]
        let columns = target.identifier.enumerated().map { "s.\(relation.key(place, $0.offset)) AS \($0.element)" }
        // Of links that no record states, those that wait are looked at last, when all stubs are there.
        let kinds = relation.isMany ? " AND s.kind <> 1" : ""
        return """
            SELECT \(columns.joined(separator: ", ")), CAST(\(relation.owner.index) AS BIGINT) AS owner, s.id, \
            CAST(\(relation.index) AS BIGINT) AS relation, s.position FROM \(relation.table("sought")) s \
            WHERE s.described\(kinds) AND \(relation.isPossible("s", place)) AND NOT EXISTS (\
            SELECT 1 FROM \(target.table("there")) o WHERE \(relation.leads("s", to: place, "o")))
            """
    }

    /// The objects that there are in the end, orphans aside.
    func all(_ terms: EntityTerms) -> String {
        guard writer.has(terms.name("stubs")) else { return terms.table("there") }
        let columns = (["id"] + terms.identifier).joined(separator: ", ")
        return """
            (SELECT \(columns) FROM \(terms.table("there")) UNION ALL SELECT \(columns) FROM \(terms.table("stubs")))
            """
    }

    // MARK: Links

    /// The links that lead to objects, and those that wait.
    func addLinks(_ terms: EntityTerms) {
        for relation in terms.relations where relation.isMany {
            // Of what is found, little is asked: the rest is null, which costs nothing.
            let ifTold = relation.names.map { "CASE WHEN target IS NULL OR NOT described THEN \($0) END AS \($0)" }
            let columns =
                ["id", "te", "target", "position", "kind", "described", "several"]
                + ["CASE WHEN target IS NULL THEN loc END AS loc"] + ifTold
            let target = self.target(relation)
            writer.add(
                .links, relation.name("resolved"),
                """
                SELECT \(columns.joined(separator: ", ")) FROM (\
                SELECT s.*, \(target.entity) AS te, \(target.id) AS target \
                FROM \(relation.table("sought")) s\(target.joins))
                """)
            let kept = relation.targets.filter { deletability.deletes[$0.index] }.map { target in
                """
                 AND NOT (h.te = \(dialect.text(target.entity.name)) AND EXISTS (\
                SELECT 1 FROM \(target.table("absent")) d WHERE d.id = h.target))
                """
            }
            let held = """
                SELECT h.id, h.te, h.target, h.position FROM \(relation.table("held")) h \
                \(unstated(relation, "h.id"))\(kept.joined()) UNION ALL \
                SELECT id, te, target, position FROM \(relation.table("resolved")) WHERE target IS NOT NULL
                """
            writer.add(
                .links, relation.name("links"),
                "SELECT id, te, target, min(position) AS position FROM (\(held)) GROUP BY id, te, target")
            addWaiting(relation)
        }
    }

    /// What a reference finds, of the key in the row `s`: the first target that has it.
    func target(_ relation: RelationTerms) -> (id: String, entity: String, joins: String) {
        let names = relation.targets.indices.map { "f\(relation.index)x\($0)" }
        let joins = zip(relation.targets.indices, names).map { place, name in
            " LEFT JOIN \(all(relation.targets[place])) \(name) ON \(relation.leads("s", to: place, name))"
        }
        let cases = zip(relation.targets, names).map { target, name in
            "WHEN \(name).id IS NOT NULL THEN \(dialect.text(target.entity.name))"
        }
        let found = names.map { "\($0).id" }
        let id = found.count == 1 ? found[0] : "coalesce(\(found.joined(separator: ", ")))"
        return (id, "CASE \(cases.joined(separator: " ")) END", joins.joined())
    }

    private func addWaiting(_ relation: RelationTerms) {
        let keys = relation.names.map { "r.\($0)" }.joined(separator: ", ")
        writer.add(
            .waiting, relation.name("waiting"),
            """
            SELECT * FROM (SELECT r.*, row_number() OVER (PARTITION BY r.id, \(keys) ORDER BY r.position, r.kind) AS copy \
            FROM \(relation.table("resolved")) r WHERE r.target IS NULL) WHERE copy = 1
            """)
        let names = relation.names.joined(separator: ", ")
        writer.add(
            .waiting, relation.name("late"), view: true,
            """
            SELECT DISTINCT id, \(names) FROM \(relation.table("resolved")) WHERE target IS NOT NULL AND NOT described
            """)
    }
}
