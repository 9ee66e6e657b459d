import SluiceRecords

// What the parts hold, in the order of the run, and what the last version holds.
extension SetPlan {
    /// The tables that come from files.
    func addInputs(_ terms: EntityTerms) {
        let entity = terms.entity
        func column(_ column: ParquetColumn) -> (String, String) {
            (column.name, dialect.type(column.kind, isList: column.isList))
        }
        writer.input(terms.name("parts"), RecordColumns(entity, model: model).columns.map(column))
        writer.input(terms.name("rejects"), RejectColumns(entity, model: model).columns.map(column))
        writer.input(terms.name("before"), snapshotColumns(terms).map { ($0.name, dialect.type($0.kind)) })
        for relation in terms.relations {
            if relation.isMany {
                writer.input(relation.name("before"), linkColumns(relation).map { ($0.name, dialect.type($0.kind)) })
            }
            writer.input(relation.name("waited"), waitingColumns(relation).map { ($0.name, dialect.type($0.kind)) })
        }
    }

    /// Where parts begin: lines of the file, and records of the source, before each.
    func addPositions() {
        let before = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
        let (parts, records) = (dialect.name("parts"), dialect.name("part_records"))
        writer.add(
            .positions, "places",
            """
            SELECT part, source, file, CAST(coalesce(sum(newlines) OVER (PARTITION BY source, file ORDER BY first \
            \(before)), 0) AS BIGINT) AS lines FROM \(parts)
            """)
        writer.add(
            .positions, "numbers",
            """
            SELECT r.part, r.entity, CAST(coalesce(sum(r.records) OVER (PARTITION BY r.entity, p.source \
            ORDER BY p.file, p.first \(before)), 0) AS BIGINT) AS earlier, \
            CAST(coalesce(sum(r.records) OVER (PARTITION BY r.entity ORDER BY p.source, p.file, p.first \(before)), 0) \
            AS BIGINT) AS before_all FROM \(records) r JOIN \(parts) p ON p.part = r.part
            """)
        let (source, file) = (dialect.json(ofText: "source_name"), dialect.json(ofText: "file_name"))
        writer.add(
            .positions, "files",
            """
            SELECT DISTINCT source, source_name, file, file_name, concat('"source": ', \(source), \
            CASE WHEN file_name IS NULL THEN '' ELSE concat(', "file": ', \(file)) END) AS shown FROM \(parts)
            """)
    }

    /// All records, each copy, with `loc`, its number among all of the entity, by which they are in order; and where each
    /// stands, which is asked of few.
    func addCopies(_ terms: EntityTerms) {
        let entity = terms.entity
        let extracted = RecordColumns(entity, model: model)
        let marks = entity.attributes.count + entity.relationships.count
        func place(_ place: RecordColumns.Place) -> String { "c.\(dialect.name(extracted.name(place)))" }
        func absent(_ member: Int, _ name: String) -> String {
            let bit = Int64(1) << Int64(member % RecordColumns.marks)
            return "(c.\(dialect.name(extracted.mark(member))) & \(bit)) <> 0 AS \(name)"
        }
        let keys = zip(terms.relations, extracted.relationships).flatMap { relation, cells in
            zip(relation.names, extracted.cells[cells]).map { "c.\(dialect.name($1.column.name)) AS \($0)" }
        }
        let columns =
            entity.attributes.enumerated().map { "c.\(dialect.name($0.element.name)) AS a\($0.offset)" } + keys
            + (0..<marks).map { member in
                let relationship = member - entity.attributes.count
                return absent(member, relationship < 0 ? "x\(member)" : "y\(relationship)")
            }
        let numbered = """
            JOIN \(dialect.name("numbers")) n ON n.part = \(place(.part)) AND n.entity = \(dialect.text(entity.name))
            """
        writer.add(
            .copies, terms.name("copies"), view: true,
            """
            SELECT \(place(.record)) + n.before_all AS loc, \(columns.joined(separator: ", ")) \
            FROM \(terms.table("parts")) c \(numbered)
            """)
        writer.add(
            .copies, terms.name("stands"), view: true,
            """
            SELECT \(place(.record)) + n.before_all AS loc, p.source AS s, p.file AS f, \(place(.offset)) AS o, \
            \(place(.record)) + n.earlier AS record, \(place(.line)) + p.lines AS line, \(place(.column)) AS col, \
            \(place(.path)) AS path \
            FROM \(terms.table("parts")) c JOIN \(dialect.name("places")) p ON p.part = \(place(.part)) \(numbered)
            """)
    }

    /// The objects that were there before, and what they held.
    func addFound(_ terms: EntityTerms) {
        let entity = terms.entity
        let references = terms.relations.filter { !$0.isMany }.flatMap { relation -> [String] in
            let name = relation.relationship.name
            let target =
                relation.relationship.isPolymorphic
                ? "b.\(dialect.name(relation.relationship.entityColumn))"
                : dialect.text(relation.targets[0].entity.name)
            let column = "b.\(dialect.name(name))"
            return [
                "\(column) AS t\(relation.index)",
                "CASE WHEN \(column) IS NULL THEN NULL ELSE \(target) END AS e\(relation.index)",
            ]
        }
        let columns =
            ["b.\(dialect.name("objectID")) AS id", "b.sluice_stub AS stub"]
            + ["\(entity.absent == .mark ? "b.\(Entity.deletedAt)" : "CAST(NULL AS \(dialect.textType))") AS gone"]
            + entity.attributes.enumerated().map { "b.\(dialect.name($0.element.name)) AS a\($0.offset)" } + references
        writer.add(
            .found, terms.name("known"), view: true,
            "SELECT \(columns.joined(separator: ", ")) FROM \(terms.table("before")) b")
        for relation in terms.relations {
            let index = relation.index
            let held =
                relation.isMany
                ? """
                SELECT source AS id, target, \(relation.relationship.isPolymorphic ? "target_entity" : dialect.text(relation.targets[0].entity.name)) AS te, \
                position FROM \(relation.table("before"))
                """
                : """
                SELECT id, t\(index) AS target, e\(index) AS te, CAST(0 AS BIGINT) AS position \
                FROM \(terms.table("known")) WHERE t\(index) IS NOT NULL
                """
            writer.add(.found, relation.name("held"), view: true, held)
        }
    }
}
