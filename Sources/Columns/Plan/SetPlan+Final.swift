import SluiceRecords

// What the objects are in the end.
extension SetPlan {
    /// All objects, with what they hold and refer to, and whether that is what they held and referred to before; links to
    /// several objects aside.
    func addFinal(_ terms: EntityTerms) {
        addOrphans(terms)
        let toOne = terms.relations.filter { !$0.isMany }
        var queries = [described(terms, toOne), undescribed(terms, toOne)]
        if writer.has(terms.name("stubs")) { queries.append(stubs(terms, toOne)) }
        let columns = terms.list(["id", "stub", "gone", "described", "was"] + terms.attributes, of: "o")
        let targets = toOne.flatMap { relation in
            held(relation).map { "\($0.now) AS \($0.name)" }
        }
        let moved = toOne.flatMap { relation in held(relation).map { SQLText.differ($0.now, "o.\($0.before)") } }
        let changed = "o.differs OR o.was AND \(SQLText.any(moved)) AS changed"
        let joins = toOne.map { relation in
            " LEFT JOIN \(relation.table("resolved")) l\(relation.index) ON l\(relation.index).id = o.id"
                + " AND l\(relation.index).target IS NOT NULL" + gone(relation)
        }
        writer.add(
            .snapshot, terms.name("final"),
            """
            SELECT \(columns), \((targets + [changed]).joined(separator: ", ")) \
            FROM (\(queries.joined(separator: " UNION ALL "))) o\(joins.joined())
            """)
    }

    /// What an object refers to, by a record of this run, or as before: the columns.
    private func held(_ relation: RelationTerms) -> [(name: String, before: String, now: String)] {
        let index = relation.index
        let goes = relation.targets.indices.filter { deletability.deletes[relation.targets[$0].index] }
        let stays = SQLText.all(["NOT o.states\(index)"] + goes.map { "gone\(index)x\($0).id IS NULL" })
        func column(_ name: String, _ found: String) -> (name: String, before: String, now: String) {
            let before = "before\(name)"
            let found = "l\(index).\(found)"
            return (name, before, "CASE WHEN \(found) IS NOT NULL THEN \(found) WHEN \(stays) THEN o.\(before) END")
        }
        return [column("t\(index)", "target")]
            + (relation.relationship.isPolymorphic ? [column("e\(index)", "te")] : [])
    }

    /// The targets that go of what an object referred to before.
    private func gone(_ relation: RelationTerms) -> String {
        let index = relation.index
        return relation.targets.indices.filter { deletability.deletes[relation.targets[$0].index] }.map { place in
            let target = relation.targets[place]
            let kind =
                relation.relationship.isPolymorphic
                ? " AND o.beforee\(index) = \(dialect.text(target.entity.name))" : ""
            let name = "gone\(index)x\(place)"
            return " LEFT JOIN \(target.table("absent")) \(name) ON \(name).id = o.beforet\(index)\(kind)"
        }.joined()
    }

    /// The objects that records of this run describe.
    private func described(_ terms: EntityTerms, _ toOne: [RelationTerms]) -> String {
        let attributes = terms.entity.attributes.indices.map { index in
            terms.entity.identifier.contains(index)
                ? "n.a\(index)" : "CASE WHEN n.g\(index) THEN n.a\(index) ELSE k.a\(index) END AS a\(index)"
        }
        let stated = terms.others.map { "n.g\($0) AND \(SQLText.differ("n.a\($0)", "k.a\($0)"))" }
        let differs = SQLText.any(["k.stub", "k.gone IS NOT NULL"] + stated)
        let columns =
            attributes + ["k.id IS NOT NULL AS was", "k.id IS NOT NULL AND \(differs) AS differs"]
            + toOne.flatMap { before($0, states: "n.gr\($0.index)") }
        return """
            SELECT n.id, FALSE AS stub, CAST(NULL AS \(dialect.textType)) AS gone, TRUE AS described, \
            \(columns.joined(separator: ", ")) FROM \(terms.table("numbered")) n \
            LEFT JOIN \(terms.table("known")) k ON k.id = n.bid
            """
    }

    /// What no record describes has not changed, as far as counts go.
    private static let unchanged = ["FALSE AS was", "FALSE AS differs"]

    /// What an object referred to before, and whether a record of this run says something else.
    private func before(_ relation: RelationTerms, states: String) -> [String] {
        let index = relation.index
        return ["\(states) AS states\(index)", "k.t\(index) AS beforet\(index)"]
            + (relation.relationship.isPolymorphic ? ["k.e\(index) AS beforee\(index)"] : [])
    }

    /// The objects that stay without a record.
    private func undescribed(_ terms: EntityTerms, _ toOne: [RelationTerms]) -> String {
        let entity = terms.entity
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
        let columns =
            terms.attributes.map { "k.\($0)" } + SetPlan.unchanged + toOne.flatMap { before($0, states: "FALSE") }
        return """
            SELECT k.id, k.stub, \(gone) AS gone, FALSE AS described, \(columns.joined(separator: ", ")) \
            FROM \(terms.table("known")) k\(marked)\(run) WHERE NOT EXISTS (\
            SELECT 1 FROM \(terms.table("numbered")) n WHERE n.bid = k.id)\(stays(terms, "k.id"))\(leaves)
            """
    }

    private func stubs(_ terms: EntityTerms, _ toOne: [RelationTerms]) -> String {
        let attributes = terms.entity.attributes.indices.map { index in
            terms.entity.identifier.contains(index)
                ? "a\(index)" : "CAST(NULL AS \(dialect.type(terms.kinds[index]))) AS a\(index)"
        }
        let nothing = toOne.flatMap { relation in
            let index = relation.index
            let kind = "CAST(NULL AS \(dialect.textType)) AS beforee\(index)"
            return ["FALSE AS states\(index)", "CAST(NULL AS BIGINT) AS beforet\(index)"]
                + (relation.relationship.isPolymorphic ? [kind] : [])
        }
        let columns = attributes + SetPlan.unchanged + nothing
        return """
            SELECT id, TRUE AS stub, CAST(NULL AS \(dialect.textType)) AS gone, FALSE AS described, \
            \(columns.joined(separator: ", ")) FROM \(terms.table("stubs"))
            """
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
}
