import SluiceRecords

// What the objects are in the end, and what has become of them.
extension SetPlan {
    /// All objects, with what they hold and refer to.
    func addFinal(_ terms: EntityTerms) {
        addOrphans(terms)
        let entity = terms.entity
        let toOne = terms.relations.filter { !$0.isMany }
        let described = entity.attributes.indices.map { index in
            entity.identifier.contains(index)
                ? "n.a\(index)" : "CASE WHEN n.g\(index) THEN n.a\(index) ELSE k.a\(index) END AS a\(index)"
        }
        let known = entity.attributes.indices.map { "k.a\($0)" }
        let stubs = entity.attributes.indices.map { index in
            entity.identifier.contains(index)
                ? "a\(index)" : "CAST(NULL AS \(dialect.type(terms.kinds[index]))) AS a\(index)"
        }
        let nothing = "CAST(NULL AS \(dialect.textType))"
        let marks = ["absent", "orphans"].filter { entity.absent == .mark && writer.has(terms.name($0)) }
        // Joined, as Spark fails with subqueries in what a union selects (4.3).
        let marked = marks.map { " LEFT JOIN \(terms.table($0)) \($0) ON \($0).id = k.id" }.joined()
        let isMarked = SQLText.any(marks.map { "\($0).id IS NOT NULL" })
        let gone =
            marks.isEmpty
            ? "k.gone"
            : "CASE WHEN k.gone IS NULL AND \(isMarked) THEN run.started ELSE k.gone END"
        let run = marks.isEmpty ? "" : " CROSS JOIN \(dialect.name("run")) run"
        let leaves =
            entity.absent != .mark && hasOrphans(terms)
            ? " AND NOT EXISTS (SELECT 1 FROM \(terms.table("orphans")) d WHERE d.id = k.id)" : ""
        var queries = [
            """
            SELECT n.id, FALSE AS stub, \(nothing) AS gone, TRUE AS described, \(described.joined(separator: ", ")) \
            FROM \(terms.table("numbered")) n LEFT JOIN \(terms.table("known")) k ON k.id = n.bid
            """,
            """
            SELECT k.id, k.stub, \(gone) AS gone, FALSE AS described, \(known.joined(separator: ", ")) \
            FROM \(terms.table("known")) k\(marked)\(run) WHERE NOT EXISTS (\
            SELECT 1 FROM \(terms.table("numbered")) n WHERE n.bid = k.id)\(stays(terms, "k.id"))\(leaves)
            """,
        ]
        if writer.has(terms.name("stubs")) {
            queries.append(
                """
                SELECT id, TRUE AS stub, \(nothing) AS gone, FALSE AS described, \(stubs.joined(separator: ", ")) \
                FROM \(terms.table("stubs"))
                """)
        }
        let references = toOne.map { ", l\($0.index).target AS t\($0.index), l\($0.index).te AS e\($0.index)" }
        let joins = toOne.map { " LEFT JOIN \($0.table("links")) l\($0.index) ON l\($0.index).id = o.id" }
        writer.add(
            .snapshot, terms.name("final"),
            """
            SELECT o.*\(references.joined()) FROM (\(queries.joined(separator: " UNION ALL "))) o\(joins.joined())
            """)
    }

    // MARK: Orphans

    func hasOrphans(_ terms: EntityTerms) -> Bool { terms.entity.orphans == .delete }

    /// Stubs of earlier runs that nothing refers to any more.
    private func addOrphans(_ terms: EntityTerms) {
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
            SELECT k.id FROM \(terms.table("known")) k WHERE k.stub AND k.gone IS NULL AND NOT EXISTS (\
            SELECT 1 FROM \(terms.table("present")) p WHERE p.id = k.id)\(referring.joined())\(stays(terms, "k.id"))
            """)
    }

    // MARK: Counts

    /// What has become of the objects and references of an entity: a row for each count.
    func addCounts(_ terms: EntityTerms) {
        addChanged(terms)
        var counts: [(String, String)] = []
        let name = dialect.text(terms.entity.name)
        func add(_ count: String, _ from: String) {
            counts.append((count, "(SELECT count(*) FROM \(from))"))
        }
        let part = "FROM \(dialect.name("part_records")) WHERE entity = \(name)"
        counts.append(("records", "(SELECT coalesce(sum(records), 0) \(part))"))
        var rejected = "(SELECT coalesce(sum(rejects), 0) \(part))"
        if writer.has(terms.name("lacking")) {
            rejected += " + (SELECT count(DISTINCT loc) FROM \(terms.table("lacking")))"
        }
        if terms.entity.duplicates == .reject {
            rejected += " + (SELECT count(*) FROM \(terms.table("ranked")) WHERE n > 1)"
        }
        counts.append(("rejected", rejected))
        let later = "(SELECT count(*) FROM \(terms.table("ranked")) WHERE n > 1)"
        let accepted = "(SELECT count(*) FROM \(terms.table("numbered"))) - \(later)"
        let skips = terms.entity.mode != .upsert
        counts.append(("skipped", skips ? "(SELECT count(*) FROM \(taken(terms))) - \(accepted)" : "0"))
        add("created", "\(terms.table("numbered")) WHERE bid IS NULL")
        add("updated", terms.table("changed"))
        counts.append(
            (
                "unchanged",
                """
                (SELECT count(*) FROM \(terms.table("numbered")) WHERE bid IS NOT NULL) - \
                (SELECT count(*) FROM \(terms.table("changed")))
                """
            ))
        for (count, isConflicting) in [("identical", "NOT conflicting"), ("conflicting", "conflicting")] {
            if terms.entity.duplicates == .reject {
                counts.append((count, "0"))
            } else {
                add(count, "\(terms.table("duplicates")) WHERE \(isConflicting)")
            }
        }
        let gone = ["absent", "orphans"].filter { writer.has(terms.name($0)) }
        counts.append(
            ("deleted", (["0"] + gone.map { "(SELECT count(*) FROM \(terms.table($0)))" }).joined(separator: " + ")))
        if writer.has(terms.name("stubs")) { add("stubs", terms.table("stubs")) } else { counts.append(("stubs", "0")) }
        add("existing", terms.table("known"))
        for relation in terms.relations { counts += self.counts(of: relation) }
        let queries = counts.map { count, value in
            "SELECT \(name) AS entity, \(dialect.text(count)) AS name, CAST(\(value) AS BIGINT) AS value"
        }
        writer.add(.counts, terms.name("counts"), queries.joined(separator: " UNION ALL "))
    }

    private func counts(of relation: RelationTerms) -> [(String, String)] {
        let described = relation.owner.table("numbered")
        let (links, waiting) = (relation.table("links"), relation.table("waiting"))
        func has(_ table: String, _ more: String = "") -> String {
            "EXISTS (SELECT 1 FROM \(table) l WHERE l.id = n.id\(more))"
        }
        let unresolved = "(SELECT count(*) FROM \(waiting) WHERE described)"
        let final = relation.owner.table("final")
        // Of one reference, one of the three is so.
        let one = "(SELECT count(*) FROM \(final) WHERE described AND t\(relation.index) IS"
        return [
            (
                "resolved",
                relation.isMany
                    ? "(SELECT count(*) FROM \(links) l JOIN \(described) n ON n.id = l.id)" : "\(one) NOT NULL)"
            ),
            ("unresolved", unresolved),
            (
                "null",
                relation.isMany
                    ? "(SELECT count(*) FROM \(described) n WHERE NOT \(has(links)) AND NOT \(has(waiting)))"
                    : "\(one) NULL) - \(unresolved)"
            ),
            ("late", "(SELECT count(*) FROM \(relation.table("late")))"),
        ].map { ("\(relation.relationship.name).\($0.0)", $0.1) }
    }

    /// Objects that were there, had a record in this run, and are not what they were.
    private func addChanged(_ terms: EntityTerms) {
        let attributes = terms.others.map { SQLText.differ("f.a\($0)", "k.a\($0)") }
        var differs = ["k.stub", "k.gone IS NOT NULL"] + attributes
        for relation in terms.relations {
            let index = relation.index
            guard relation.isMany else {
                differs += [
                    SQLText.differ("f.t\(index)", "k.t\(index)"), SQLText.differ("f.e\(index)", "k.e\(index)"),
                ]
                continue
            }
            writer.add(
                .counts, relation.name("moved"), view: true,
                """
                SELECT DISTINCT id FROM (SELECT id FROM (SELECT id, te, target, position FROM \(relation.table("held")) \
                UNION ALL SELECT id, te, target, position FROM \(relation.table("links"))) \
                GROUP BY id, te, target, position HAVING count(*) = 1)
                """)
            differs.append("EXISTS (SELECT 1 FROM \(relation.table("moved")) m WHERE m.id = f.id)")
        }
        writer.add(
            .counts, terms.name("changed"),
            """
            SELECT f.id FROM \(terms.table("final")) f JOIN \(terms.table("known")) k ON k.id = f.id \
            WHERE f.described AND \(SQLText.any(differs))
            """)
    }

    func addAllCounts() {
        let tables = entities.map { "SELECT entity, name, value FROM \($0.table("counts"))" }
        writer.add(.counts, "counts", tables.joined(separator: " UNION ALL "))
    }
}
