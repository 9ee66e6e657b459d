import SluiceRecords

// What the objects are in the end.
extension SetPlan {
    /// The objects that records of this run make, with what they hold and refer to, and whether that is what they held and
    /// referred to before; links to several objects aside.
    func addDescribed(_ terms: EntityTerms) {
        let columns =
            ["FALSE AS stub", "CAST(NULL AS \(dialect.textType)) AS gone", "TRUE AS described"]
            + ["n.bid IS NOT NULL AS was"]
        let objects = "SELECT n.*, \(columns.joined(separator: ", ")) FROM \(terms.table("numbered")) n"
        writer.add(.snapshot, terms.name("described"), referring(terms, objects))
    }

    /// All objects, orphans too.
    func addFinal(_ terms: EntityTerms) {
        let others = [kept(terms)] + (writer.has(terms.name("stubs")) ? [stubs(terms)] : [])
        writer.add(.snapshot, terms.name("kept"), referring(terms, others.joined(separator: " UNION ALL ")))
        writer.add(
            .snapshot, terms.name("final"), view: true,
            "SELECT * FROM \(terms.table("described")) UNION ALL SELECT * FROM \(terms.table("kept"))")
        for relation in terms.toOne { addReferences(relation) }
    }

    /// Objects with what they refer to in the end: `t0`, … and `e0`, … By `k0`, … it is known what was looked for in vain
    /// (as kinds of what is sought); what that is, and where it stands, is in `r0…` and `at0`, … Of objects without a
    /// record, it is known of what was found, too.
    private func referring(_ terms: EntityTerms, _ objects: String) -> String {
        let own = terms.list(["id", "stub", "gone", "described", "was"] + terms.attributes, of: "s")
        let found = terms.toOne.map { ($0, target($0)) }
        let lacks = found.map { relation, target in "(s.k\(relation.index) IS NOT NULL AND \(target.id) IS NULL)" }
        let references = zip(found, lacks).flatMap { found, lacks -> [String] in
            let (relation, index) = (found.0, found.0.index)
            let told = "CASE WHEN \(found.1.id) IS NULL OR NOT s.described THEN s.k\(index) END AS k\(index)"
            return now(relation, found.1).map { "\($0.value) AS \($0.name)" } + [told]
                + relation.names.map { "CASE WHEN \(lacks) THEN s.\($0) END AS \($0)" }
                + ["CASE WHEN \(lacks) THEN coalesce(s.ar\(index), s.fat) END AS at\(index)"]
        }
        let moved = found.flatMap { now($0.0, $0.1) }.map { SQLText.differ($0.value, "s.b\($0.name)") }
        let columns =
            references + ["CASE WHEN \(SQLText.any(lacks)) THEN s.several ELSE FALSE END AS several"]
            + ["(s.differs OR s.was AND \(SQLText.any(moved))) AS changed"]
        return """
            SELECT \(own), \(columns.joined(separator: ", ")) FROM (\(seeking(terms, objects))) s\
            \(found.map(\.1.joins).joined())
            """
    }

    /// What an object refers to, by what was found, or as before: the columns.
    private func now(
        _ relation: RelationTerms, _ found: (id: String, entity: String, joins: String)
    ) -> [(name: String, value: String)] {
        let index = relation.index
        let stays = "s.k\(index) IS NULL AND NOT s.gr\(index)"
        return zip(relation.heldColumns, [found.id, found.entity]).map { name, value in
            (name, "CASE WHEN \(found.id) IS NOT NULL THEN \(value) WHEN \(stays) THEN s.b\(name) END")
        }
    }

    /// Objects with what their references look for: what a record states, what waits since an earlier run, or what
    /// identified a target that goes.
    private func seeking(_ terms: EntityTerms, _ objects: String) -> String {
        let ends = terms.toOne.map { relation in (relation: relation, lost: lost(relation)) }
        let references = ends.flatMap { relation, lost -> [String] in
            let index = relation.index
            let waits = "w\(index).\(dialect.name("objectID")) IS NOT NULL"
            let kinds = ["WHEN \(waits) THEN 1"] + lost.map { "WHEN \($0.row).id IS NOT NULL THEN 2" }
            let states = "WHEN o.gr\(index) THEN CASE WHEN \(relation.refers("o")) THEN 0 END"
            let keys = zip(relation.keys, relation.waitingKeys.names).map { key, waited in
                let gone = lost.map { end in
                    "WHEN \(end.row).id IS NOT NULL THEN \(lostKey(relation, key.name, key.kind, end.place, end.row))"
                }
                let waiting = "WHEN \(waits) THEN w\(index).\(dialect.name(waited))"
                let cases = ["WHEN o.gr\(index) THEN o.\(key.name)", waiting] + gone
                return "CASE \(cases.joined(separator: " ")) END AS \(key.name)"
            }
            return ["o.gr\(index)", "o.ar\(index)"] + relation.heldColumns.map { "o.b\($0)" } + keys
                + ["CAST(CASE \(([states] + kinds).joined(separator: " ")) END AS BIGINT) AS k\(index)"]
        }
        let joins = ends.flatMap { relation, lost in
            let index = relation.index
            let waited = "w\(index).\(dialect.name("objectID")) = o.id AND NOT o.gr\(index)"
            return [" LEFT JOIN \(relation.table("waited")) w\(index) ON \(waited)"]
                + lost.map { " LEFT JOIN \($0.table) \($0.row) ON \($0.condition) AND NOT o.gr\(index)" }
        }
        let own = ["id", "stub", "gone", "described", "was", "differs", "several", "fat"] + terms.attributes
        return """
            SELECT \((own.map { "o.\($0)" } + references).joined(separator: ", ")) FROM (\(objects)) o\(joins.joined())
            """
    }

    /// The targets that go of what an object referred to before.
    private func lost(_ relation: RelationTerms) -> [(place: Int, row: String, table: String, condition: String)] {
        let index = relation.index
        return relation.targets.indices.filter { deletability.deletes[relation.targets[$0].index] }.map { place in
            let target = relation.targets[place]
            let row = "g\(index)x\(place)"
            let kind =
                relation.relationship.isPolymorphic ? " AND o.be\(index) = \(dialect.text(target.entity.name))" : ""
            return (place, row, target.table("absent"), "\(row).id = o.bt\(index)\(kind)")
        }
    }

    // MARK: Without a record

    /// The columns of objects that no record describes: these have not changed, as far as counts go.
    private func undescribed(_ terms: EntityTerms, _ before: (String, ParquetColumn.Kind) -> String) -> [String] {
        let nothing = [
            "FALSE AS described", "FALSE AS was", "FALSE AS differs", "FALSE AS several", "CAST(NULL AS BIGINT) AS fat",
        ]
        return nothing
            + terms.toOne.flatMap { relation -> [String] in
                let index = relation.index
                let keys = relation.keys.map { "CAST(NULL AS \(dialect.type($0.kind))) AS \($0.name)" }
                let held = zip(relation.heldColumns, [ParquetColumn.Kind.integer, .text]).map { name, kind in
                    "\(before(name, kind)) AS b\(name)"
                }
                return ["FALSE AS gr\(index)", "CAST(NULL AS BIGINT) AS ar\(index)"] + keys + held
            }
    }

    /// The objects that stay without a record.
    private func kept(_ terms: EntityTerms) -> String {
        let isMarking = terms.entity.absent == .mark && writer.has(terms.name("absent"))
        // Joined, as Spark fails with subqueries in what a union selects (4.3).
        let (joins, gone) =
            isMarking
            ? (
                " LEFT JOIN \(terms.table("absent")) d ON d.id = k.id CROSS JOIN \(dialect.name("run")) run",
                "CASE WHEN d.id IS NOT NULL THEN run.started ELSE k.gone END"
            ) : ("", "k.gone")
        let columns =
            ["k.id", "k.stub", "\(gone) AS gone"] + terms.attributes.map { "k.\($0)" }
            + undescribed(terms) { name, _ in "k.\(name)" }
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(terms.table("known")) k\(joins) \
            WHERE EXISTS (SELECT 1 FROM \(terms.table("unmet")) u WHERE u.id = k.id)\(stays(terms, "k.id"))
            """
    }

    private func stubs(_ terms: EntityTerms) -> String {
        let attributes = terms.entity.attributes.indices.map { index in
            terms.entity.identifier.contains(index)
                ? "a\(index)" : "CAST(NULL AS \(dialect.type(terms.kinds[index]))) AS a\(index)"
        }
        let columns =
            ["id", "TRUE AS stub", "CAST(NULL AS \(dialect.textType)) AS gone"] + attributes
            + undescribed(terms) { _, kind in "CAST(NULL AS \(dialect.type(kind)))" }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(terms.table("stubs"))"
    }

    // MARK: What references come to

    /// Of one object, those that lead to objects, and those that wait.
    private func addReferences(_ relation: RelationTerms) {
        let (final, index) = (relation.owner.table("final"), relation.index)
        let te =
            relation.relationship.isPolymorphic ? "e\(index)" : dialect.text(relation.targets[0].entity.name)
        writer.add(
            .links, relation.name("links"), view: true,
            "SELECT id, \(te) AS te, t\(index) AS target FROM \(final) WHERE t\(index) IS NOT NULL")
        let columns =
            ["id", "CAST(0 AS BIGINT) AS position", "k\(index) AS kind", "described", "several", "at\(index) AS loc"]
            + relation.names
        writer.add(
            .waiting, relation.name("waiting"),
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(final) WHERE k\(index) IS NOT NULL AND t\(index) IS NULL
            """)
    }

    // MARK: Orphans

    func hasOrphans(_ terms: EntityTerms) -> Bool { terms.entity.orphans == .delete }

    /// Stubs of earlier runs that nothing refers to any more.
    func addOrphans(_ terms: EntityTerms) {
        guard hasOrphans(terms) else { return }
        let referring = entities.flatMap(\.relations).filter { relation in
            relation.targets.contains { $0.index == terms.index }
        }.map { relation in
            """
             AND NOT EXISTS (SELECT 1 FROM \(relation.table("links")) l \
            WHERE l.target = k.id AND l.te = \(dialect.text(terms.entity.name)))
            """
        }
        writer.add(
            .absent, terms.name("orphans"),
            """
            SELECT k.id FROM \(terms.table("lacked")) k \
            WHERE k.stub AND k.gone IS NULL\(referring.joined())\(stays(terms, "k.id"))
            """)
    }

    /// All objects without orphans, or with marks on these.
    func addStaying(_ terms: EntityTerms) {
        let (final, orphans) = (terms.table("final"), terms.table("orphans"))
        let query: String
        if !hasOrphans(terms) {
            query = "SELECT f.*, f.gone AS mark FROM \(final) f"
        } else if terms.entity.absent == .mark {
            query = """
                SELECT f.*, CASE WHEN d.id IS NOT NULL THEN run.started ELSE f.gone END AS mark FROM \(final) f \
                LEFT JOIN \(orphans) d ON d.id = f.id CROSS JOIN \(dialect.name("run")) run
                """
        } else {
            query = """
                SELECT f.*, f.gone AS mark FROM \(final) f \
                WHERE NOT EXISTS (SELECT 1 FROM \(orphans) d WHERE d.id = f.id)
                """
        }
        writer.add(.snapshot, terms.name("staying"), view: true, query)
    }
}
