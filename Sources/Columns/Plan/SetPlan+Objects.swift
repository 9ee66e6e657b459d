import SluiceRecords

// What the copies of each object make together, and which of them are duplicates.
extension SetPlan {
    /// The records that count, with the objects that were there before; those of objects that come several times are
    /// numbered within these. Most come once, and nothing is sorted for them.
    func addRanked(_ terms: EntityTerms) {
        let filter =
            switch terms.entity.mode {
            case .upsert: ""
            case .insert: " WHERE k.id IS NULL OR k.stub"
            case .update: " WHERE k.id IS NOT NULL"
            }
        let columns = terms.identifier.joined(separator: ", ")
        writer.add(
            .objects, terms.name("several"),
            "SELECT \(columns) FROM \(taken(terms)) GROUP BY \(columns) HAVING count(*) > 1")
        let before =
            ["k.id AS bid", "k.stub AS bstub", "k.gone AS bgone"] + terms.others.map { "k.a\($0) AS b\($0)" }
            + terms.toOne.flatMap { relation in relation.heldColumns.map { "k.\($0) AS b\($0)" } }
        func accepted(_ known: String) -> String {
            """
            SELECT c.*, \(before.joined(separator: ", ")) FROM \(taken(terms)) c \
            LEFT JOIN \(known) k ON \(terms.isSame("c", "k"))\(filter)
            """
        }
        writer.add(.objects, terms.name("accepted"), view: true, accepted(terms.table("known")))
        // Few objects come several times: the others need not be looked for.
        let known = "(SELECT * FROM \(terms.table("known")) b WHERE \(comesAgain(terms, "b")))"
        let window = "PARTITION BY \(terms.list(terms.identifier, of: "a"))"
        // Rejects and what is skipped are counted in it.
        let isReadOnce = terms.entity.duplicates != .reject && terms.entity.mode == .upsert
        writer.add(
            .objects, terms.name("ranked"), view: isReadOnce,
            """
            SELECT a.*, row_number() OVER (\(window) ORDER BY a.loc) AS n, count(*) OVER (\(window)) AS copies \
            FROM (\(accepted(known))) a WHERE \(comesAgain(terms, "a"))
            """)
    }

    /// Whether there are several records of a row's object.
    private func comesAgain(_ terms: EntityTerms, _ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(terms.table("several")) v WHERE \(terms.isSame(row, "v")))"
    }

    /// Later copies beside what those before them said together (`last`), or the first one (`first`).
    ///
    /// A value that a copy states stands in a row of its own: so it is known whether one was stated that is null.
    func addDuplicates(_ terms: EntityTerms) {
        guard terms.entity.duplicates != .reject else { return }
        let window = "PARTITION BY \(terms.list(terms.identifier, of: "r")) ORDER BY r.n"
        func before(_ isStated: String, _ fields: [(name: String, value: String)]) -> String {
            terms.entity.duplicates == .first
                ? "first_value(\(dialect.row(fields))) OVER (\(window))"
                : dialect.lastBefore("CASE WHEN \(isStated) THEN \(dialect.row(fields)) END", window)
        }
        let attributes = terms.others.map { index in
            before(terms.states(index, "r"), [("v", "r.a\(index)")]) + " AS l\(index)"
        }
        let references = terms.relations.map { relation in
            let fields = [("loc", "r.loc")] + relation.names.map { ($0, "r.\($0)") }
            return before("NOT r.y\(relation.index)", fields) + " AS lr\(relation.index)"
        }
        let first = "first_value(r.loc) OVER (\(window)) AS fat"
        let columns = (["r.*", first] + attributes + references).joined(separator: ", ")
        writer.add(
            .objects, terms.name("repeated"),
            "SELECT \(columns) FROM \(terms.table("ranked")) r")
        for relation in terms.relations where relation.isMany { addDifferingLinks(relation) }
        addCompared(terms)
    }

    /// The later copies that name other links than those before them, or at other positions; a link that is named twice
    /// counts at its first.
    private func addDifferingLinks(_ relation: RelationTerms) {
        let (owner, index) = (relation.owner, relation.index)
        let lists = relation.names.map { (column: $0, name: $0) }
        writer.add(
            .objects, relation.name("listed"), view: true,
            dialect.elements(of: owner.table("repeated"), ["loc"], lists))
        let keys = relation.names.joined(separator: ", ")
        writer.add(
            .objects, relation.name("named"),
            """
            SELECT loc, \(keys), min(position) AS position FROM \(relation.table("listed")) GROUP BY loc, \(keys)
            """)
        let columns = "s.position, " + relation.names.map { "s.\($0)" }.joined(separator: ", ")
        let later = "r.n > 1 AND NOT r.y\(index)"
        writer.add(
            .objects, relation.name("differing"),
            """
            SELECT DISTINCT loc FROM (SELECT loc FROM (\
            SELECT s.loc, \(columns) FROM \(owner.table("repeated")) r JOIN \(relation.table("named")) s ON s.loc = r.loc \
            WHERE \(later) UNION ALL \
            SELECT r.loc, \(columns) FROM \(owner.table("repeated")) r \
            JOIN \(relation.table("named")) s ON s.loc = r.lr\(index).loc WHERE \(later)) \
            GROUP BY loc, position, \(keys) HAVING count(*) = 1)
            """)
    }

    /// In what each later copy differs: `d0`, … for attributes, `dr0`, … for relationships.
    private func addCompared(_ terms: EntityTerms) {
        let attributes = terms.others.map { index in
            let differs = SQLText.differ("r.a\(index)", "r.l\(index).v")
            return ("d\(index)", "(\(terms.states(index, "r")) AND \(differs))")
        }
        let references = terms.relations.map { relation in
            let index = relation.index
            let differs =
                relation.isMany
                ? "EXISTS (SELECT 1 FROM \(relation.table("differing")) s WHERE s.loc = r.loc)"
                : SQLText.any(relation.names.map { SQLText.differ("r.\($0)", "r.lr\(index).\($0)") })
            return ("dr\(index)", "(NOT r.y\(index) AND \(differs))")
        }
        let all = attributes + references
        let columns = ["r.loc", "r.fat"] + terms.identifier.map { "r.\($0)" } + all.map { "\($0.1) AS \($0.0)" }
        writer.add(
            .objects, terms.name("flagged"), view: true,
            "SELECT \(columns.joined(separator: ", ")) FROM \(terms.table("repeated")) r WHERE r.n > 1")
        writer.add(
            .objects, terms.name("duplicates"),
            "SELECT f.*, \(SQLText.any(all.map { "f.\($0.0)" })) AS conflicting FROM \(terms.table("flagged")) f")
    }

    /// Each object once, with all that the records of this run say of it, and what they leave as it was; whether that
    /// differs from what it was. `gr0`, … say whether they say anything of a relationship, and `ar0`, … where, if that is
    /// not `fat`; `bt0`, … what it referred to before.
    func addObjects(_ terms: EntityTerms) {
        var query = """
            SELECT r.loc AS fat, FALSE AS several, \(columnsOfOne(terms)) FROM \(terms.table("accepted")) r \
            WHERE NOT \(comesAgain(terms, "r")) UNION ALL 
            """
        query +=
            terms.entity.duplicates == .last
            ? """
            SELECT r.fat, TRUE AS several, \(columnsOfSeveral(terms)) FROM \(terms.table("repeated")) r \
            WHERE r.n = r.copies
            """
            : """
            SELECT r.loc AS fat, FALSE AS several, \(columnsOfOne(terms)) FROM \(terms.table("ranked")) r WHERE r.n = 1
            """
        writer.add(.objects, terms.name("objects"), view: true, query)
    }

    private func columnsOfOne(_ terms: EntityTerms) -> String {
        let references = terms.relations.flatMap { relation in
            relation.names.map { "r.\($0)" }
                + ["NOT r.y\(relation.index) AS gr\(relation.index)", "CAST(NULL AS BIGINT) AS ar\(relation.index)"]
        }
        return columns(terms, references) { index in
            let states = terms.states(index, "r")
            return (
                states, states == "TRUE" ? "r.a\(index)" : "CASE WHEN \(states) THEN r.a\(index) ELSE r.b\(index) END"
            )
        }
    }

    private func columnsOfSeveral(_ terms: EntityTerms) -> String {
        let references = terms.relations.flatMap { relation -> [String] in
            let index = relation.index
            func chosen(_ name: String, _ as: String) -> String {
                "CASE WHEN NOT r.y\(index) THEN r.\(name) ELSE r.lr\(index).\(name) END AS \(`as`)"
            }
            return relation.names.map { chosen($0, $0) }
                + ["(NOT r.y\(index) OR r.lr\(index) IS NOT NULL) AS gr\(index)", chosen("loc", "ar\(index)")]
        }
        return columns(terms, references) { index in
            let (states, said) = (terms.states(index, "r"), "r.l\(index) IS NOT NULL")
            let cases = "WHEN \(states) THEN r.a\(index) WHEN \(said) THEN r.l\(index).v ELSE r.b\(index)"
            return ("(\(states) OR \(said))", "CASE \(cases) END")
        }
    }

    /// - Parameter value: whether an attribute is stated, and what it is then, or was.
    private func columns(
        _ terms: EntityTerms, _ references: [String], _ value: (Int) -> (isStated: String, value: String)
    ) -> String {
        let stated = terms.others.map { index in
            value(index).isStated + " AND " + SQLText.differ(value(index).value, "r.b\(index)")
        }
        let differs = SQLText.any(["r.bstub", "r.bgone IS NOT NULL"] + stated)
        let before = terms.toOne.flatMap { relation in relation.heldColumns.map { "r.b\($0)" } }
        let columns =
            ["r.bid"] + terms.identifier.map { "r.\($0)" } + terms.others.map { "\(value($0).value) AS a\($0)" }
            + ["(r.bid IS NOT NULL AND \(differs)) AS differs"] + references + before
        return columns.joined(separator: ", ")
    }

    /// The objects with their own keys: those of the store keep theirs, new ones get theirs from the numbers of their
    /// first records. So some are left out, and nothing is sorted.
    func addObjectIDs(_ terms: EntityTerms) {
        writer.add(
            .objectIDs, terms.name("numbered"), view: !isReadEarly(terms),
            """
            SELECT o.*, CASE WHEN o.bid IS NOT NULL THEN o.bid ELSE \
            (SELECT coalesce(max(id), 0) FROM \(terms.table("known"))) + o.fat + 1 END AS id \
            FROM \(terms.table("objects")) o
            """)
    }

    /// Whether objects are looked for before it is known what they refer to: as targets, for their lists, or since stubs
    /// are made for them.
    func isReadEarly(_ terms: EntityTerms) -> Bool {
        terms.relations.contains { $0.isMany || $0.relationship.missing == .stub }
            || entities.flatMap(\.relations).contains { relation in
                relation.targets.contains { $0.index == terms.index }
            }
    }

    /// Whether each record that is taken makes an object, or is a copy of one that does.
    func takesAll(_ terms: EntityTerms) -> Bool {
        terms.entity.mode == .upsert && !terms.relations.contains { $0.relationship.missing == .reject }
    }

    /// The objects that references may lead to, stubs of this run aside.
    func addThere(_ terms: EntityTerms) {
        guard isReadEarly(terms) else { return }
        let columns = terms.list(["id"] + terms.identifier, of: "k")
        writer.add(
            .objectIDs, terms.name("there"), view: true,
            """
            SELECT \(columns) FROM \(terms.table("known")) k WHERE TRUE\(stays(terms, "k.id")) UNION ALL \
            SELECT \(columns) FROM \(terms.table("numbered")) k WHERE k.bid IS NULL
            """)
    }
}
