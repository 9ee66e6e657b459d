import SluiceRecords

// What has become of objects and references.
extension SetPlan {
    /// What is counted in each entity: a row for each count and table in which it is counted.
    func addCounts(_ terms: EntityTerms) {
        addMoved(terms)
        var tally = Tally(terms)
        let part = "(SELECT * FROM \(dialect.name("part_records")) WHERE entity = \(dialect.text(terms.entity.name)))"
        tally.add("records", part, "coalesce(sum(records), 0)")
        tally.add("rejected", part, "coalesce(sum(rejects), 0)")
        for name in ["skipped", "identical", "conflicting", "deleted", "stubs"] { tally.add(name, part, "0") }
        let (final, ranked) = (terms.table("final"), terms.table("ranked"))
        if writer.has(terms.name("lacking")) {
            tally.add("rejected", terms.table("lacking"), "count(DISTINCT loc)")
        }
        if terms.entity.mode != .upsert {
            tally.add("skipped", taken(terms), "count(*)")
            tally.add("skipped", final, "-\(count("described"))")
            tally.add("skipped", ranked, "-\(count("n > 1"))")
        }
        tally.add("created", final, count("described AND NOT was"))
        tally.add("unchanged", final, count("was"))
        let changed = changed(terms)
        tally.add("updated", changed, count("changed"))
        tally.add("unchanged", changed, "-\(count("changed"))")
        if terms.entity.duplicates == .reject {
            tally.add("rejected", ranked, count("n > 1"))
        } else {
            tally.add("identical", terms.table("duplicates"), count("NOT conflicting"))
            tally.add("conflicting", terms.table("duplicates"), count("conflicting"))
        }
        for gone in ["absent", "orphans"] where writer.has(terms.name(gone)) {
            tally.add("deleted", terms.table(gone), "count(*)")
        }
        if writer.has(terms.name("stubs")) { tally.add("stubs", terms.table("stubs"), "count(*)") }
        // What comes back counts, too.
        tally.add("existing", terms.table("known"), "count(*)")
        tally.add("existing", terms.table("unmet"), "-\(count("gone IS NOT NULL"))")
        for relation in terms.relations { add(relation, to: &tally) }
        writer.add(.counts, terms.name("counts"), view: true, tally.sql)
    }

    private func count(_ condition: String) -> String { "count(CASE WHEN \(condition) THEN 1 END)" }

    private func add(_ relation: RelationTerms, to tally: inout Tally) {
        let (links, waiting) = (relation.table("links"), relation.table("waiting"))
        func name(_ count: String) -> String { "\(relation.relationship.name).\(count)" }
        guard relation.isMany else {
            // Of one reference, one of the three is so.
            let (final, looks) = (relation.owner.table("final"), "k\(relation.index) IS NOT NULL")
            let (isFound, isNull) = ("t\(relation.index) IS NOT NULL", "t\(relation.index) IS NULL")
            tally.add(name("resolved"), final, count("described AND \(isFound)"))
            tally.add(name("unresolved"), final, count("described AND \(isNull) AND \(looks)"))
            tally.add(name("null"), final, count("described AND \(isNull) AND NOT \(looks)"))
            tally.add(name("late"), final, count("NOT described AND \(isFound) AND \(looks)"))
            return
        }
        tally.add(name("unresolved"), waiting, count("described"))
        tally.add(name("late"), relation.table("late"), "count(*)")
        let described = relation.owner.table("numbered")
        let linked = "(SELECT n.id FROM \(links) l JOIN \(described) n ON n.id = l.id)"
        tally.add(name("resolved"), linked, "count(*)")
        let without = [links, waiting].map { "NOT EXISTS (SELECT 1 FROM \($0) l WHERE l.id = n.id)" }
        tally.add(
            name("null"), "(SELECT n.id FROM \(described) n WHERE \(SQLText.all(without)))", "count(*)")
    }

    /// All objects, with whether they were there, had a record in this run, and are not what they were.
    private func changed(_ terms: EntityTerms) -> String {
        let moved = terms.relations.filter(\.isMany).map { $0.table("moved") }
        guard !moved.isEmpty else { return terms.table("final") }
        let joins = moved.enumerated().map { " LEFT JOIN \($1) m\($0) ON m\($0).id = f.id" }
        let isMoved = SQLText.any(moved.indices.map { "m\($0).id IS NOT NULL" })
        return "(SELECT f.changed OR f.was AND \(isMoved) AS changed FROM \(terms.table("final")) f\(joins.joined()))"
    }

    /// The objects whose links to several objects are not what they were.
    private func addMoved(_ terms: EntityTerms) {
        for relation in terms.relations where relation.isMany {
            writer.add(
                .counts, relation.name("moved"), view: true,
                """
                SELECT DISTINCT id FROM (SELECT id FROM (SELECT id, te, target, position FROM \(relation.table("held")) \
                UNION ALL SELECT id, te, target, position FROM \(relation.table("links"))) \
                GROUP BY id, te, target, position HAVING count(*) = 1)
                """)
        }
    }

    func addAllCounts() {
        let tables = entities.map { "SELECT entity, name, value FROM \($0.table("counts"))" }
        writer.add(
            .counts, "counts",
            """
            SELECT entity, name, CAST(sum(value) AS BIGINT) AS value FROM (\(tables.joined(separator: " UNION ALL "))) \
            GROUP BY entity, name
            """)
    }
}

/// Counts of an entity, each the sum of what is counted in some tables; a table is looked through once.
private struct Tally {
    private let terms: EntityTerms
    private var tables: [(rows: String, counts: [(name: String, value: String)])] = []

    init(_ terms: EntityTerms) { self.terms = terms }

    mutating func add(_ name: String, _ rows: String, _ value: String) {
        let count = (name: name, value: value)
        if let place = tables.firstIndex(where: { $0.rows == rows }) {
            tables[place].counts.append(count)
        } else {
            tables.append((rows, [count]))
        }
    }

    var sql: String {
        let dialect = terms.dialect
        let queries = tables.map { rows, counts in
            let names = dialect.list(counts.map { dialect.text($0.name) })
            let values = dialect.list(counts.map { "CAST(\($0.value) AS BIGINT)" })
            let row = "\(dialect.text(terms.entity.name)) AS entity, \(names) AS name, \(values) AS value"
            let lists = [("name", "name"), ("value", "value")]
            return dialect.elements(of: "(SELECT \(row) FROM \(rows) counted)", ["entity"], lists)
        }
        return queries.map { "SELECT entity, name, value FROM (\($0))" }.joined(separator: " UNION ALL ")
    }
}
