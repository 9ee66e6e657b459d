import SluiceRecords

// What is worth telling, as lines of JSON.
extension SetPlan {
    /// All findings: the kind, where they stand in the order of the run, whether others are better examples, and the line.
    func addFindings() {
        var queries = [partFindings]
        for terms in entities {
            if terms.entity.duplicates == .reject {
                queries.append(rejectedDuplicates(terms))
            } else {
                queries.append(duplicates(terms))
            }
            if writer.has(terms.name("lacking")) { queries.append(lacking(terms)) }
            queries += terms.relations.map(unresolved)
        }
        writer.add(.findings, "findings", queries.joined(separator: " UNION ALL "))
        writer.add(
            .findings, "found", "SELECT kind, count(*) AS findings FROM \(dialect.name("findings")) GROUP BY kind")
        writer.add(
            .findings, "examples",
            """
            SELECT kind, n, line FROM (SELECT kind, line, row_number() OVER (PARTITION BY kind ORDER BY minor, s, f, o, line) \
            AS n FROM \(dialect.name("findings"))) WHERE n <= 20
            """)
        addLacking()
    }

    /// The targets that most references of a relationship lack.
    private func addLacking() {
        let queries = entities.flatMap { terms in
            terms.relations.map { relation in
                """
                SELECT \(dialect.text(terms.entity.name)) AS entity, CAST(\(terms.index) AS BIGINT) AS e, \
                \(dialect.text(relation.relationship.name)) AS relationship, CAST(\(relation.index) AS BIGINT) AS r, \
                \(relation.json("w")) AS value FROM \(relation.table("waiting")) w WHERE w.described
                """
            }
        }
        guard !queries.isEmpty else { return }
        writer.add(
            .findings, "lacking",
            """
            SELECT entity, relationship, value, missing, e, r, n FROM (SELECT entity, relationship, value, missing, e, r, \
            row_number() OVER (PARTITION BY e, r ORDER BY missing DESC, value) AS n FROM (\
            SELECT entity, relationship, value, e, r, count(*) AS missing FROM (\(queries.joined(separator: " UNION ALL "))) \
            GROUP BY entity, relationship, value, e, r)) WHERE n <= 5
            """)
    }

    // MARK: Each kind

    /// Where those records stand of which something is told.
    func addShown(_ terms: EntityTerms) {
        var told = terms.relations.map { "SELECT loc FROM \($0.table("waiting"))" }
        if terms.entity.duplicates == .reject {
            told.append("SELECT loc FROM \(terms.table("ranked")) WHERE n > 1")
        } else {
            told += ["loc", "fat"].map { "SELECT \($0) AS loc FROM \(terms.table("duplicates"))" }
        }
        if writer.has(terms.name("lacking")) { told.append("SELECT loc FROM \(terms.table("lacking"))") }
        writer.add(
            .findings, terms.name("shown"),
            """
            SELECT h.* FROM \(terms.table("stands")) h \
            WHERE EXISTS (SELECT 1 FROM (\(told.joined(separator: " UNION ALL "))) w WHERE w.loc = h.loc)
            """)
    }

    /// A row of the table of findings, with `at` where `h` stands, in the file of `p`.
    private func finding(
        _ kind: String, minor: String = "0", _ members: [(name: String, value: String)], _ rest: String
    ) -> String {
        let head = members.map { "\(dialect.text("\"\($0.name)\": ")), \($0.value), ', ', " }.joined()
        let place = """
            '"at": { ', p.shown, ', "record": ', CAST(h.record AS \(dialect.textType)), ', "line": ', \
            CAST(h.line AS \(dialect.textType)), ', "column": ', CAST(h.col AS \(dialect.textType)), \
            ', "offset": ', CAST(h.o AS \(dialect.textType)), ', "path": ', \(dialect.json(ofText: "h.path")), ' }'
            """
        return """
            SELECT \(dialect.text(kind)) AS kind, h.s AS s, h.f AS f, h.o AS o, \
            CAST(\(minor) AS BIGINT) AS minor, concat('{ "kind": "\(kind)", ', \(head)\(place)\(rest), ' }') AS line
            """
    }

    /// Where a record stands: `h` and `p`, or others.
    private func place(
        _ terms: EntityTerms, _ loc: String, _ row: String = "h", _ file: String = "p"
    ) -> String {
        """
         JOIN \(terms.table("shown")) \(row) ON \(row).loc = \(loc) \
        JOIN \(dialect.name("files")) \(file) ON \(file).source = \(row).s AND \(file).file = \(row).f
        """
    }

    private func entityMember(_ terms: EntityTerms) -> (name: String, value: String) {
        ("entity", dialect.text(JSONText.quoted(terms.entity.name)))
    }

    private func duplicates(_ terms: EntityTerms) -> String {
        let members =
            terms.others.sorted().map { ("d\($0)", terms.entity.attributes[$0].name) }
            + terms.relations.map { ("dr\($0.index)", $0.relationship.name) }
        // Each with a comma behind it; the last one goes.
        let names = members.map { flag, name in
            "CASE WHEN d.\(flag) THEN \(dialect.text(JSONText.quoted(name) + ", ")) ELSE '' END"
        }
        let all = names.isEmpty ? "''" : "concat(" + names.joined(separator: ", ") + ")"
        let differs =
            "concat('[', CASE WHEN length(\(all)) = 0 THEN '' ELSE substring(\(all), 1, length(\(all)) - 2) END, ']')"
        let first = """
            , ', "first": { ', q.shown, ', "record": ', CAST(i.record AS \(dialect.textType)), ', "offset": ', \
            CAST(i.o AS \(dialect.textType)), ' }'
            """
        let row = finding(
            "duplicate", minor: "CASE WHEN d.conflicting THEN 0 ELSE 1 END",
            [
                entityMember(terms), ("identifier", terms.json(ofIdentifier: "d")),
                ("conflicting", "CASE WHEN d.conflicting THEN 'true' ELSE 'false' END"), ("differs", differs),
            ], first)
        let told = terms.entity.repeats ? " WHERE d.conflicting" : ""
        return row + " FROM \(terms.table("duplicates")) d" + place(terms, "d.loc") + place(terms, "d.fat", "i", "q")
            + told
    }

    private func rejectedDuplicates(_ terms: EntityTerms) -> String {
        let attribute = terms.entity.attributes[terms.entity.identifier[0]].name
        let fault = JSONText.object([
            ("attribute", JSONText.quoted(attribute)),
            ("reason", JSONText.quoted("a record before has the same identifier")),
        ])
        let row = finding(
            "reject",
            [
                entityMember(terms), ("identifier", terms.json(ofIdentifier: "d")),
                ("faults", dialect.text("[\(fault)]")),
            ], "")
        return row + " FROM \(terms.table("ranked")) d" + place(terms, "d.loc") + " WHERE d.n > 1"
    }

    /// Each record that lacks what it needs is one finding, with all that it lacks.
    private func lacking(_ terms: EntityTerms) -> String {
        let names = terms.relations.filter { $0.relationship.missing == .reject }
        let cases = names.map { "WHEN \($0.index) THEN \(dialect.text(JSONText.quoted($0.relationship.name)))" }
        let reason = dialect.json(ofText: "concat('no ', targets, ' ', value, ' exists')")
        let fault = """
            concat('{ "attribute": ', CASE relation \(cases.joined(separator: " ")) END, ', "reason": ', \(reason), ' }')
            """
        let distinct = """
            SELECT loc, relation, min(position) AS position, fault FROM (SELECT loc, relation, position, \(fault) AS fault \
            FROM \(terms.table("lacking"))) GROUP BY loc, relation, fault
            """
        let faults = """
            (SELECT loc, \(dialect.joined("fault", by: ["relation", "position"])) AS faults FROM (\(distinct)) GROUP BY loc)
            """
        let row = finding(
            "reject",
            [
                entityMember(terms), ("identifier", terms.json(ofIdentifier: "c")),
                ("faults", "concat('[', g.faults, ']')"),
            ], "")
        return row + " FROM \(terms.table("copies")) c JOIN \(faults) g ON g.loc = c.loc" + place(terms, "c.loc")
    }

    private func unresolved(_ relation: RelationTerms) -> String {
        let terms = relation.owner
        let all = JSONText.array(relation.targets.map { JSONText.quoted($0.entity.name) })
        let targets =
            relation.relationship.selector == nil
            ? dialect.text(all) : "concat('[', \(dialect.json(ofText: "w.r\(relation.index)e")), ']')"
        let row = finding(
            "unresolved",
            [
                entityMember(terms), ("identifier", terms.json(ofIdentifier: "n")),
                ("relationship", dialect.text(JSONText.quoted(relation.relationship.name))), ("to", targets),
                ("value", relation.json("w")),
            ], "")
        return row + " FROM \(relation.table("waiting")) w JOIN \(terms.table("described")) n ON n.id = w.id"
            + place(terms, "w.loc")
    }

    /// The rejects of the parts, with lines and numbers of records of the whole.
    private var partFindings: String {
        let number = { (key: String) in dialect.number(behind: "\"\(key)\": ", in: "l.tail") }
        // Between the place and what is in it, nothing of a feed can look like it: in JSON, its quotation marks are escaped.
        let line = """
            concat(l.head, '"at": { ', p.shown, ', "record": ', CAST(\(number("record")) + n.earlier AS \(dialect.textType)), \
            ', "line": ', CAST(\(number("line")) + q.lines AS \(dialect.textType)), \
            substring(l.tail, \(dialect.find(", \"column\": ", in: "l.tail"))))
            """
        let split = """
            SELECT part, substring(line, 1, \(dialect.find("\"at\": { \"source\": ", in: "line")) - 1) AS head, \
            substring(line, \(dialect.find("\"at\": { \"source\": ", in: "line"))) AS tail FROM \(dialect.name("part_findings"))
            """
        let cases = entities.map { terms in
            let head = "{ \"kind\": \"reject\", \"entity\": \(JSONText.quoted(terms.entity.name)), "
            return "WHEN substring(head, 1, \(head.unicodeScalars.count)) = \(dialect.text(head)) "
                + "THEN \(dialect.text(terms.entity.name))"
        }
        return """
            SELECT 'reject' AS kind, q.source AS s, q.file AS f, \(number("offset")) AS o, CAST(0 AS BIGINT) AS minor, \(line) AS line \
            FROM (SELECT part, head, tail, CASE \(cases.joined(separator: " ")) END AS entity FROM (\(split))) l \
            JOIN \(dialect.name("places")) q ON q.part = l.part \
            JOIN \(dialect.name("numbers")) n ON n.part = l.part AND n.entity = l.entity \
            JOIN \(dialect.name("files")) p ON p.source = q.source AND p.file = q.file
            """
    }
}

extension SQLDialect {
    /// The texts of a group in an order, with commas between them.
    func joined(_ text: String, by order: [String]) -> String {
        switch self {
        case .duckdb: return "string_agg(\(text), ', ' ORDER BY \(order.joined(separator: ", ")))"
        case .spark:
            let sorted = "array_sort(collect_list(struct(\(order.joined(separator: ", ")), \(text))))"
            return "concat_ws(', ', transform(\(sorted), element -> element.\(text)))"
        }
    }

    /// Where a text stands in another one, from 1.
    func find(_ text: String, in other: String) -> String { "instr(\(other), \(self.text(text)))" }

    /// The whole number behind a text.
    func number(behind text: String, in other: String) -> String {
        let rest = "substring(\(other), \(find(text, in: other)) + \(text.unicodeScalars.count), 20)"
        return "CAST(regexp_extract(\(rest), '^([0-9]+)', 1) AS BIGINT)"
    }
}
