import SluiceColumns
import SluiceRecords

// What the parts hold, in the order of the run, and what the last version holds.
extension SetPlan {
    /// The tables that come from files.
    func addInputs(_ entity: PlannedEntity) {
        func input(_ table: String, _ columns: [PlanColumn]) {
            writer.add(.input, table, view: true, .empty(columns))
        }
        input(entity.table(.parts), RecordColumns(entity.entity, model: model).columns.map(PlanColumn.init))
        input(entity.table(.rejects), RejectColumns(entity.entity, model: model).columns.map(PlanColumn.init))
        input(entity.table(.before), snapshotColumns(entity))
        for relation in entity.relations {
            if relation.isMany { input(relation.table(.before), linkColumns(relation)) }
            input(relation.table(.waited), waitingColumns(relation))
        }
    }

    /// Where parts begin: lines of the file, and records of the source, before each.
    func addPositions() {
        func earlier(_ value: PlanExpression, among: [PlanExpression], in order: [PlanExpression]) -> PlanExpression {
            .coalesce([value.sum.over(PlanWindow(partition: among, order: order, isBefore: true)), .integer(0)])
        }
        let part = writer.rows(PlanTable.parts)
        let counted = writer.rows(PlanTable.partRecords)
        let (source, file, first) = (part[.source], part[.file], part[.first])
        let lines = earlier(part[.newlines], among: [source, file], in: [first])
        writer.add(
            .positions, PlanTable.partStarts,
            Rows(part).select(part.columns([.part, .source, .file]) + [lines.named(.earlierLines)]))
        let (records, entity) = (counted[.records], counted[.entity])
        writer.add(
            .positions, PlanTable.recordStarts,
            Rows(counted).join(part, on: part[.part] == counted[.part]).select(
                counted.columns([.part, .entity]) + [
                    earlier(records, among: [entity, source], in: [file, first]).named(.earlierRecords),
                    earlier(records, among: [entity], in: [source, file, first]).named(.earlierOfAll),
                ]))
        let name = part[.fileName]
        let shownFile = PlanExpression.when(
            name.isNull, .text(""), else: .concat([.text(", \"file\": "), name.quoted]))
        let shown = PlanExpression.concat([.text("\"source\": "), part[.sourceName].quoted, shownFile])
        writer.add(
            .positions, PlanTable.files,
            Rows(part).distinct(
                part.columns([.source, .sourceName, .file, .fileName]) + [shown.named(.shown)]))
    }

    /// All records, each copy, with its number among all of the entity, by which they are in order; and where each is,
    /// which is queried for few.
    func addCopies(_ entity: PlannedEntity) {
        let extracted = RecordColumns(entity.entity, model: model)
        let part = entity.rows(.parts)
        let start = writer.rows(PlanTable.recordStarts)
        func place(_ place: RecordColumns.Place) -> PlanExpression { part[.given(extracted.name(place))] }
        let numbered = Rows(part).join(
            start, on: start[.part] == place(.part) && start[.entity] == .text(entity.name))
        let order = (place(.record) + start[.earlierOfAll]).named(.order)

        let attributes = zip(entity.entity.attributes, entity.attributes).map { attribute, name in
            part[.given(attribute.name)].named(name)
        }
        let keys = zip(entity.relations, extracted.relationships).flatMap { relation, cells in
            zip(relation.names, extracted.cells[cells]).map { part[.given($1.column.name)].named($0) }
        }
        let members = entity.attributes + entity.relations.map { .reference($0.index) }
        let absent = members.enumerated().map { member, name in
            let bit = PlanExpression.integer(1 << (member % RecordColumns.marks))
            return ((part[.given(extracted.mark(member))] & bit) != .integer(0)).named(.isAbsent(name))
        }
        entity.add(.copies, .copies, view: true, numbered.select([order] + attributes + keys + absent))

        let lines = writer.rows(PlanTable.partStarts)
        entity.add(
            .copies, .positions, view: true,
            numbered.join(lines, on: lines[.part] == place(.part)).select(
                [order] + lines.columns([.source, .file]) + [
                    place(.offset).named(.offset),
                    (place(.record) + start[.earlierRecords]).named(.record),
                    (place(.line) + lines[.earlierLines]).named(.line),
                    place(.column).named(.column), place(.path).named(.path),
                ]))
    }

    /// The objects that were there before, and what they held.
    func addFound(_ entity: PlannedEntity) {
        let before = entity.rows(.before)
        let references = entity.toOne.flatMap { relation -> [NamedExpression] in
            let target = before[.given(relation.name)]
            let kind: PlanExpression =
                relation.relationship.isPolymorphic
                ? before[.given(relation.relationship.entityColumn)] : .text(relation.targets[0].name)
            return [
                target.named(.target(of: relation.index)),
                PlanExpression.when(target.isNotNull, kind).named(.targetEntity(of: relation.index)),
            ]
        }
        let marked = entity.entity.marksAbsent ? before[.given(Entity.deletedAt)] : .null(.text)
        let attributes = zip(entity.entity.attributes, entity.attributes).map { attribute, name in
            before[.given(attribute.name)].named(name)
        }
        entity.add(
            .found, .known, view: true,
            Rows(before).select(
                [
                    before[.given("objectID")].named(.objectID), before[.given("sluice_stub")].named(.isStub),
                    marked.named(.markedAt),
                ] + attributes + references))
        for relation in entity.relations { relation.add(.found, .held, view: true, heldReferences(relation)) }
    }

    /// What objects referred to before.
    private func heldReferences(_ relation: PlannedRelation) -> Relation {
        guard relation.isMany else {
            let known = relation.owner.rows(.known)
            let target = known[.target(of: relation.index)]
            return Rows(known).filter(target.isNotNull).select([
                known[.objectID].named(.objectID), target.named(.target),
                known[.targetEntity(of: relation.index)].named(.targetEntity),
                PlanExpression.integer(0).named(.position),
            ])
        }
        let before = relation.rows(.before)
        let kind: PlanExpression =
            relation.relationship.isPolymorphic ? before[.given("target_entity")] : .text(relation.targets[0].name)
        return Rows(before).select([
            before[.given("source")].named(.objectID), before[.given("target")].named(.target),
            kind.named(.targetEntity), before[.given("position")].named(.position),
        ])
    }
}
