import SluiceColumns
import SluiceRecords

// What the objects are in the end.
extension SetPlan {
    /// The objects that records of this run make, with what they hold and refer to, and whether that is what they held
    /// and referred to before; links to several objects aside.
    func addDescribed(_ entity: PlannedEntity) {
        let made = entity.rows(.numbered)
        let described = Rows(made).select(
            objects(
                made.columns([.objectID] + entity.attributes), isStub: .truth(false), markedAt: .null(.text),
                isDescribed: .truth(true), wasThere: made[.former(.objectID)].isNotNull,
                made.columns([.hasOtherValues, .isMerged, .firstOrder] + entity.toOne.flatMap(columns))))
        entity.add(.snapshot, .described, referring(entity, described))
    }

    /// All objects, orphans too.
    func addFinal(_ entity: PlannedEntity) {
        let others = [undescribedObjects(entity)] + (entity.has(.stubs) ? [stubs(entity)] : [])
        entity.add(.snapshot, .kept, referring(entity, .union(others)))
        entity.add(
            .snapshot, .final, view: true, .union([entity.rows(.described).relation, entity.rows(.kept).relation]))
        for relation in entity.toOne { addReferences(relation) }
    }

    private func objects(
        _ own: [NamedExpression], isStub: PlanExpression, markedAt: PlanExpression,
        isDescribed: PlanExpression, wasThere: PlanExpression, _ rest: [NamedExpression]
    ) -> [NamedExpression] {
        own + [
            isStub.named(.isStub), markedAt.named(.markedAt), isDescribed.named(.isDescribed),
            wasThere.named(.wasThere),
        ] + rest
    }

    /// The columns of a reference of an object whose target is not looked for yet.
    private func columns(_ relation: PlannedRelation) -> [PlanColumnName] {
        [.isStated(relation.index), .statedBy(relation.index)] + relation.names
            + relation.held.map { .former($0.name) }
    }

    /// Objects with what they refer to in the end, and what they look for in vain: why, what that is, and where it is.
    /// Of objects without a record, it is known of what was found, too.
    private func referring(_ entity: PlannedEntity, _ objects: Relation) -> Relation {
        let object = Row(seeking(entity, objects))
        let found = entity.toOne.map { (relation: $0, target: foundTarget($0, by: object)) }
        let ends = found.map { relation, target in
            (
                relation, target, currentReferences(relation, target, object),
                object[.kind(of: relation.index)].isNotNull && target.objectID.isNull
            )
        }
        let references = ends.flatMap { relation, target, now, isMissing -> [NamedExpression] in
            let index = relation.index
            let kind = PlanExpression.when(
                target.objectID.isNull || !object[.isDescribed], object[.kind(of: index)])
            let order = PlanExpression.coalesce([object[.statedBy(index)], object[.firstOrder]])
            return now + [kind.named(.kind(of: index))]
                + relation.names.map { PlanExpression.when(isMissing, object[$0]).named($0) }
                + [PlanExpression.when(isMissing, order).named(.shownOrder(index))]
        }
        let moved = ends.flatMap(\.2).map { $0.value.differs(from: object[.former($0.name)]) }
        let isMerged = PlanExpression.when(.any(ends.map(\.3)), object[.isMerged], else: .truth(false))
        let isChanged = object[.hasOtherValues] || object[.wasThere] && .any(moved)
        let own: [PlanColumnName] = [.objectID, .isStub, .markedAt, .isDescribed, .wasThere] + entity.attributes
        return found.reduce(Rows(object)) { $1.target.join($0) }.select(
            object.columns(own) + references + [isMerged.named(.isMerged), isChanged.named(.isChanged)])
    }

    /// What an object refers to, by what was found, or as before: the columns.
    private func currentReferences(_ relation: PlannedRelation, _ found: FoundTarget, _ object: Row)
        -> [NamedExpression]
    {
        let index = relation.index
        let stays = object[.kind(of: index)].isNull && !object[.isStated(index)]
        return zip(relation.held, [found.objectID, found.entity]).map { column, value in
            let cases = [(found.objectID.isNotNull, value), (stays, object[.former(column.name)])]
            return PlanExpression.cases(cases).named(column.name)
        }
    }

    /// Objects with what their references look for: what a record states, what waits since an earlier run, or what
    /// identified a target that goes.
    private func seeking(_ entity: PlannedEntity, _ objects: Relation) -> Relation {
        let object = Row(objects)
        var rows = Rows(object)
        var references: [NamedExpression] = []
        for relation in entity.toOne {
            let index = relation.index
            let isStated = object[.isStated(index)]
            let waited = relation.rows(.waited)
            let waits = waited[.given("objectID")].isNotNull
            rows = rows.leftJoin(waited, on: waited[.given("objectID")] == object[.objectID] && !isStated)
            let lost = lostTargets(relation, object)
            for (_, gone, condition) in lost { rows = rows.leftJoin(gone, on: condition && !isStated) }
            let keys = zip(relation.keys, relation.waitingKeys.names).map { key, name in
                let goes = lost.map { ($0.gone[.objectID].isNotNull, lostKey(relation, key, $0.place, $0.gone)) }
                return PlanExpression.cases(
                    [(isStated, object[key.name]), (waits, waited[.given(name)])] + goes
                ).named(key.name)
            }
            let states = PlanExpression.when(relation.refers(object), SoughtKind.stated.expression)
            let goes = lost.map { ($0.gone[.objectID].isNotNull, SoughtKind.lost.expression) }
            let kind = PlanExpression.cases([(isStated, states), (waits, SoughtKind.waited.expression)] + goes)
            references +=
                object.columns([.isStated(index), .statedBy(index)] + relation.held.map { .former($0.name) }) + keys
                + [kind.cast(.integer).named(.kind(of: index))]
        }
        let own: [PlanColumnName] = [
            .objectID, .isStub, .markedAt, .isDescribed, .wasThere, .hasOtherValues, .isMerged, .firstOrder,
        ]
        return rows.select(object.columns(own + entity.attributes) + references)
    }

    /// The targets that go of what an object referred to before.
    private func lostTargets(
        _ relation: PlannedRelation, _ object: Row
    ) -> [(place: Int, gone: Row, condition: PlanExpression)] {
        let index = relation.index
        return relation.targets.enumerated().filter { deletability.isDeletable[$0.element.index] }.map {
            place, target in
            let gone = target.rows(.absent)
            let isIt = gone[.objectID] == object[.former(.target(of: index))]
            guard relation.relationship.isPolymorphic else { return (place, gone, isIt) }
            return (place, gone, isIt && object[.former(.targetEntity(of: index))] == .text(target.name))
        }
    }

    // MARK: Without a record

    /// The columns of objects that no record describes: these have not changed, as far as counts go.
    private func undescribed(
        _ entity: PlannedEntity, _ own: [NamedExpression], isStub: PlanExpression, markedAt: PlanExpression,
        _ before: (PlanColumn) -> PlanExpression
    ) -> [NamedExpression] {
        let nothing = [
            PlanExpression.truth(false).named(.hasOtherValues), PlanExpression.truth(false).named(.isMerged),
            PlanExpression.null(.integer).named(.firstOrder),
        ]
        let references = entity.toOne.flatMap { relation -> [NamedExpression] in
            [
                PlanExpression.truth(false).named(.isStated(relation.index)),
                PlanExpression.null(.integer).named(.statedBy(relation.index)),
            ] + relation.keys.map { PlanExpression.null(.value($0.kind)).named($0.name) }
                + relation.held.map { before($0).named(.former($0.name)) }
        }
        return objects(
            own, isStub: isStub, markedAt: markedAt, isDescribed: .truth(false), wasThere: .truth(false),
            nothing + references)
    }

    /// The objects that stay without a record.
    private func undescribedObjects(_ entity: PlannedEntity) -> Relation {
        let known = entity.rows(.known)
        let isMarking = entity.entity.marksAbsent && entity.has(.absent)
        let (rows, markedAt) = isMarking ? marking(known, entity.rows(.absent)) : (Rows(known), known[.markedAt])
        return rows.filter(entity.rows(.unmade, of: known[.objectID]).exist, stays(entity, known[.objectID])).select(
            undescribed(
                entity, known.columns([.objectID] + entity.attributes), isStub: known[.isStub], markedAt: markedAt
            ) { known[$0.name] })
    }

    /// Objects, and when they were marked: now if they are among others. These are joined, as Spark fails with
    /// subqueries in what a union selects (4.3).
    private func marking(_ object: Row, _ gone: Row) -> (Rows, PlanExpression) {
        let run = writer.rows(PlanTable.run)
        let rows = Rows(object).leftJoin(gone, on: gone[.objectID] == object[.objectID]).crossJoin(run)
        return (rows, .when(gone[.objectID].isNotNull, run[.started], else: object[.markedAt]))
    }

    private func stubs(_ entity: PlannedEntity) -> Relation {
        let stub = entity.rows(.stubs)
        let attributes = entity.attributes.enumerated().map { index, name in
            (entity.identifier.contains(name) ? stub[name] : .null(entity.type(index))).named(name)
        }
        return Rows(stub).select(
            undescribed(
                entity, stub.columns([.objectID]) + attributes, isStub: .truth(true), markedAt: .null(.text)
            ) { .null($0.type) })
    }

    // MARK: What references come to

    /// Of one object, those that lead to objects, and those that wait.
    private func addReferences(_ relation: PlannedRelation) {
        let object = relation.owner.rows(.final)
        let index = relation.index
        let target = object[.target(of: index)]
        let kind = object[.kind(of: index)]
        let targetEntity: PlanExpression =
            relation.relationship.isPolymorphic ? object[.targetEntity(of: index)] : .text(relation.targets[0].name)
        relation.add(
            .links, .links, view: true,
            Rows(object).filter(target.isNotNull).select(
                object.columns([.objectID]) + [targetEntity.named(.targetEntity), target.named(.target)]))
        relation.add(
            .waiting, .waiting,
            Rows(object).filter(kind.isNotNull, target.isNull).select(
                object.columns([.objectID, .isDescribed, .isMerged] + relation.names) + [
                    PlanExpression.integer(0).named(.position), kind.named(.kind),
                    object[.shownOrder(index)].named(.order),
                ]))
    }

    // MARK: Orphans

    /// Stubs of earlier runs that nothing refers to any more; where these are marked, also the marked ones to which
    /// something refers again.
    func addOrphans(_ entity: PlannedEntity) {
        guard entity.entity.absence.orphans.areDeleted else { return }
        let lacked = entity.rows(.lacked)
        entity.add(
            .absent, .orphans,
            Rows(lacked).filter(
                lacked[.isStub], lacked[.markedAt].isNull, !isReferred(lacked, entity),
                stays(entity, lacked[.objectID]),
                !hasUnknownAbsence(entity)
            ).select([.objectID]))
        guard entity.entity.marksAbsent else { return }
        let object = entity.rows(.final)
        entity.add(
            .absent, .returned,
            Rows(object).filter(object[.isStub], object[.markedAt].isNotNull, isReferred(object, entity)).select([
                .objectID
            ]))
    }

    /// Whether a reference leads to an object in the end.
    private func isReferred(_ object: Row, _ entity: PlannedEntity) -> PlanExpression {
        let relations = entities.flatMap(\.relations).filter { relation in
            relation.targets.contains { $0.index == entity.index }
        }
        return .any(
            relations.map { relation in
                let link = relation.rows(.links)
                return Rows(link).filter(leads(link, to: entity, object)).exist
            })
    }

    /// All objects without orphans, or with marks on these.
    func addStaying(_ entity: PlannedEntity) {
        let object = entity.rows(.final)
        var (rows, markedAt) = (Rows(object), object[.markedAt])
        if entity.has(.orphans) {
            if entity.entity.marksAbsent {
                (rows, markedAt) = marking(object, entity.rows(.orphans))
                let returned = entity.rows(.returned)
                rows = rows.leftJoin(returned, on: returned[.objectID] == object[.objectID])
                markedAt = .when(returned[.objectID].isNull, markedAt)
            } else {
                rows = rows.filter(entity.rows(.orphans, of: object[.objectID]).areMissing)
            }
        }
        let columns = object.columns.filter { $0.name != .markedAt } + [markedAt.named(.markedAt)]
        entity.add(.snapshot, .staying, view: true, rows.select(columns))
    }
}
