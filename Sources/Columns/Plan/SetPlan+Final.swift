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
        let references = toOne.flatMap { relation in
            let index = relation.index
            return ["l\(index).target AS t\(index)"]
                + (relation.relationship.isPolymorphic ? ["l\(index).te AS e\(index)"] : [])
        }
        let moved = toOne.flatMap { relation in
            let index = relation.index
            return [SQLText.differ("l\(index).target", "o.before\(index)")]
                + (relation.relationship.isPolymorphic ? [SQLText.differ("l\(index).te", "o.kind\(index)")] : [])
        }
        let changed = "o.differs OR o.was AND \(SQLText.any(moved)) AS changed"
        let joins = toOne.map { " LEFT JOIN \($0.table("links")) l\($0.index) ON l\($0.index).id = o.id" }
        writer.add(
            .snapshot, terms.name("final"),
            """
            SELECT \(columns), \((references + [changed]).joined(separator: ", ")) \
            FROM (\(queries.joined(separator: " UNION ALL "))) o\(joins.joined())
            """)
    }

    /// The objects that records of this run describe.
    private func described(_ terms: EntityTerms, _ toOne: [RelationTerms]) -> String {
        let attributes = terms.entity.attributes.indices.map { index in
            terms.entity.identifier.contains(index)
                ? "n.a\(index)" : "CASE WHEN n.g\(index) THEN n.a\(index) ELSE k.a\(index) END AS a\(index)"
        }
        let stated = terms.others.map { "n.g\($0) AND \(SQLText.differ("n.a\($0)", "k.a\($0)"))" }
        let differs = SQLText.any(["k.stub", "k.gone IS NOT NULL"] + stated)
        let before = toOne.flatMap { relation in
            let index = relation.index
            return ["k.t\(index) AS before\(index)"]
                + (relation.relationship.isPolymorphic ? ["k.e\(index) AS kind\(index)"] : [])
        }
        let columns = attributes + ["k.id IS NOT NULL AS was", "k.id IS NOT NULL AND \(differs) AS differs"] + before
        return """
            SELECT n.id, FALSE AS stub, CAST(NULL AS \(dialect.textType)) AS gone, TRUE AS described, \
            \(columns.joined(separator: ", ")) FROM \(terms.table("numbered")) n \
            LEFT JOIN \(terms.table("known")) k ON k.id = n.bid
            """
    }

    /// What no record describes has not changed, as far as counts go.
    private func unchanged(_ toOne: [RelationTerms]) -> [String] {
        let before = toOne.flatMap { relation in
            let kind = "CAST(NULL AS \(dialect.textType)) AS kind\(relation.index)"
            return ["CAST(NULL AS BIGINT) AS before\(relation.index)"]
                + (relation.relationship.isPolymorphic ? [kind] : [])
        }
        return ["FALSE AS was", "FALSE AS differs"] + before
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
        let columns = terms.attributes.map { "k.\($0)" } + unchanged(toOne)
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
        let columns = attributes + unchanged(toOne)
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
