import SluiceRecords

// What a version of the state holds: the tables of the store, as Parquet.
extension SetPlan {
    /// A column of a file.
    typealias Column = (name: String, kind: ParquetColumn.Kind)

    /// Where a reference stood that waits.
    private static let waitingPlaces: [Column] = [
        ("run", .integer), ("source", .text), ("file", .text), ("record", .integer), ("line", .integer),
        ("column", .integer), ("offset", .integer), ("path", .text),
    ]
    /// The columns of each waiting list, the keys of its references aside.
    static var waitingNames: [String] { ["objectID", "position", "value"] + waitingPlaces.map(\.name) }

    /// The keys in the waiting list of a relationship, if some are called otherwise there than in parts: earlier versions
    /// had two columns of one name.
    package static func renamedKeys(_ model: Model, _ entity: Int, _ relationship: Int) -> [String]? {
        let owner = EntityTerms(model: model, index: entity, dialect: .duckdb)
        let keys = RelationTerms(owner: owner, index: relationship).waitingKeys
        return keys.areOther ? keys.names : nil
    }

    func snapshotColumns(_ terms: EntityTerms) -> [Column] {
        let entity = terms.entity
        let references = entity.relationships.filter { !$0.isMany }.flatMap { relationship -> [Column] in
            [(relationship.name, .integer)] + (relationship.isPolymorphic ? [(relationship.entityColumn, .text)] : [])
        }
        return [("objectID", .integer)] + zip(entity.attributes, terms.kinds).map { ($0.name, $1) } + references
            + (entity.absent == .mark ? [(Entity.deletedAt, .text)] : []) + [("sluice_stub", .boolean)]
    }

    func linkColumns(_ relation: RelationTerms) -> [Column] {
        [("source", .integer), ("target", .integer)]
            + (relation.relationship.isPolymorphic ? [("target_entity", .text)] : []) + [("position", .integer)]
    }

    /// The waiting list of one relationship.
    func waitingColumns(_ relation: RelationTerms) -> [Column] {
        [("objectID", .integer), ("position", .integer)]
            + zip(relation.waitingKeys.names, relation.keys).map { ($0, $1.kind) }
            + [("value", .text)] + SetPlan.waitingPlaces
    }

    /// The tables that are written: `after/` and the name of a folder.
    func addSnapshot() {
        for terms in entities {
            let entity = terms.entity
            var sources = ["f.id"] + entity.attributes.indices.map { "f.a\($0)" }
            for relation in terms.relations where !relation.isMany {
                sources.append("f.t\(relation.index)")
                if relation.relationship.isPolymorphic { sources.append("f.e\(relation.index)") }
            }
            if entity.absent == .mark { sources.append("f.mark") }
            sources.append("f.stub")
            writer.add(
                .snapshot, terms.name("after"), view: true,
                "SELECT \(named(sources, snapshotColumns(terms))) FROM \(terms.table("staying")) f")
            for relation in terms.relations { addSnapshot(relation) }
        }
    }

    private func addSnapshot(_ relation: RelationTerms) {
        // What belongs to objects that go, goes with them.
        if relation.isMany {
            let target = relation.relationship.isPolymorphic ? ["l.te"] : []
            writer.add(
                .snapshot, relation.name("after"), view: true,
                """
                SELECT \(named(["l.id", "l.target"] + target + ["l.position"], linkColumns(relation))) \
                FROM \(relation.table("links")) l
                """)
        }
        let places = [
            "(SELECT number FROM \(dialect.name("run")))", "p.source_name", "p.file_name", "h.record", "h.line",
            "h.col", "h.o", "h.path",
        ]
        // What waits for the same as before stays as it was: it waits since then.
        let isOld = "(w.kind = 1 OR q.position IS NOT NULL AND NOT w.several)"
        let columns = waitingColumns(relation)
        let stored = zip(SetPlan.waitingPlaces, places).map { column, new in
            "CASE WHEN \(isOld) THEN q.\(dialect.name(column.name)) ELSE \(new) END"
        }
        let same = zip(relation.names, relation.waitingKeys.names).map { name, stored in
            " AND NOT (w.\(name) IS DISTINCT FROM q.\(dialect.name(stored)))"
        }
        let values = ["w.id", "w.position"] + relation.names.map { "w.\($0)" } + [relation.json("w")] + stored
        writer.add(
            .snapshot, relation.name("after-waiting"), view: true,
            """
            SELECT \(named(values, columns)) FROM \(relation.table("waiting")) w \
            LEFT JOIN \(relation.table("waited")) q ON q.\(dialect.name("objectID")) = w.id AND q.position = w.position \
            AND w.kind <> 2\(same.joined()) \
            LEFT JOIN \(relation.owner.table("shown")) h ON h.loc = w.loc \
            LEFT JOIN \(dialect.name("files")) p ON p.source = h.s AND p.file = h.f
            """)
    }

    private func named(_ values: [String], _ columns: [Column]) -> String {
        zip(values, columns).map { "\($0) AS \(dialect.name($1.name))" }.joined(separator: ", ")
    }
}
