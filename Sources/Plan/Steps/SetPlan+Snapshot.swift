import SluiceColumns
import SluiceRecords

// What a version of the state holds: the tables of the store, as Parquet.
extension SetPlan {
    /// Where a reference was that waits.
    private static let waitingPlaces: [PlanColumn] = [
        ("run", .integer), ("source", .text), ("file", .text), ("record", .integer), ("line", .integer),
        ("column", .integer), ("offset", .integer), ("path", .text),
    ].map { given($0, $1) }
    /// The columns of each waiting list, the keys of its references aside.
    static var waitingNames: [String] { ["objectID", "position", "value"] + waitingPlaces.map(\.name.text) }

    /// The keys in the waiting list of a relationship, if some are called otherwise there than in parts: earlier
    /// versions had two columns of one name.
    package static func renamedKeys(_ model: Model, _ entity: Int, _ relationship: Int) -> [String]? {
        let owner = PlannedEntity(model: model, index: entity, writer: PlanWriter(.duckdb))
        let keys = PlannedRelation(owner: owner, index: relationship).waitingKeys
        return keys.areOther ? keys.names : nil
    }

    private static func given(_ name: String, _ type: PlanType) -> PlanColumn { PlanColumn(.given(name), type) }

    func snapshotColumns(_ planned: PlannedEntity) -> [PlanColumn] {
        let entity = planned.entity
        let references = planned.toOne.flatMap { relation in
            [SetPlan.given(relation.name, .integer)]
                + (relation.relationship.isPolymorphic
                    ? [SetPlan.given(relation.relationship.entityColumn, .text)] : [])
        }
        return [SetPlan.given("objectID", .integer)]
            + entity.attributes.enumerated().map { SetPlan.given($1.name, planned.type($0)) } + references
            + (entity.marksAbsent ? [SetPlan.given(Entity.deletedAt, .text)] : [])
            + [SetPlan.given("sluice_stub", .boolean)]
    }

    func linkColumns(_ relation: PlannedRelation) -> [PlanColumn] {
        [SetPlan.given("source", .integer), SetPlan.given("target", .integer)]
            + (relation.relationship.isPolymorphic ? [SetPlan.given("target_entity", .text)] : [])
            + [SetPlan.given("position", .integer)]
    }

    /// The waiting list of one relationship.
    func waitingColumns(_ relation: PlannedRelation) -> [PlanColumn] {
        [SetPlan.given("objectID", .integer), SetPlan.given("position", .integer)]
            + zip(relation.waitingKeys.names, relation.keys).map { SetPlan.given($0, .value($1.kind)) }
            + [SetPlan.given("value", .text)] + SetPlan.waitingPlaces
    }

    /// The tables that are written.
    func addSnapshot() {
        for entity in entities {
            let object = entity.rows(.staying)
            let values: [PlanColumnName] =
                [.objectID] + entity.attributes + entity.toOne.flatMap { $0.held.map(\.name) }
                + (entity.entity.marksAbsent ? [.markedAt] : []) + [.isStub]
            entity.add(
                .snapshot, .after, view: true,
                Rows(object).select(named(values.map { object[$0] }, snapshotColumns(entity))))
            for relation in entity.relations { addSnapshot(relation) }
        }
    }

    private func addSnapshot(_ relation: PlannedRelation) {
        // What belongs to objects that go, goes with them.
        if relation.isMany {
            let link = relation.rows(.links)
            let values: [PlanColumnName] =
                [.objectID, .target] + (relation.relationship.isPolymorphic ? [.targetEntity] : []) + [.position]
            relation.add(
                .snapshot, .after, view: true,
                Rows(link).select(named(values.map { link[$0] }, linkColumns(relation))))
        }
        let waiting = relation.rows(.waiting)
        let waited = relation.rows(.waited)
        let position = relation.owner.rows(.shownPositions)
        let file = writer.rows(PlanTable.files)
        let run = writer.rows(PlanTable.run)
        let places =
            [Rows(run).only(run[.number]), file[.sourceName], file[.fileName]]
            + [.record, .line, .column, .offset, .path].map { position[$0] }
        // What waits for the same as before stays as it was: it waits since then.
        let isOld =
            waiting[.kind] == SoughtKind.waited.expression
            || waited[.given("position")].isNotNull && !waiting[.isMerged]
        let stored = zip(SetPlan.waitingPlaces, places).map { column, new in
            PlanExpression.when(isOld, waited[column.name], else: new)
        }
        let isSame = zip(relation.names, relation.waitingKeys.names).map { name, stored in
            !waiting[name].differs(from: waited[.given(stored)])
        }
        let values =
            [waiting[.objectID], waiting[.position]] + relation.names.map { waiting[$0] } + [relation.json(waiting)]
            + stored
        relation.add(
            .snapshot, .afterWaiting, view: true,
            Rows(waiting).leftJoin(
                waited,
                on: .all(
                    [
                        waited[.given("objectID")] == waiting[.objectID],
                        waited[.given("position")] == waiting[.position],
                        waiting[.kind] != SoughtKind.lost.expression,
                    ] + isSame)
            ).leftJoin(position, on: position[.order] == waiting[.order])
                .leftJoin(file, on: isPlace(file, of: position))
                .select(named(values, waitingColumns(relation))))
    }

    /// Whether a row of the files has the one of a position.
    func isPlace(_ file: Row, of position: Row) -> PlanExpression {
        file[.source] == position[.source] && file[.file] == position[.file]
    }

    private func named(_ values: [PlanExpression], _ columns: [PlanColumn]) -> [NamedExpression] {
        zip(values, columns).map { $0.named($1.name) }
    }
}
