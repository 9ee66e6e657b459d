import SluiceColumns
import SluiceRecords

// What the records make, each object once.
extension SetPlan {
    /// The records that count, with the objects that were there before; those of objects that come several times are
    /// numbered within these. Most come once, and nothing is sorted for them.
    func addRanked(_ entity: PlannedEntity) {
        let taken = takenRecords(entity)
        let known = entity.rows(.known)
        entity.add(
            .objects, .repeatedIdentifiers,
            Rows(taken).grouped(by: taken.columns(entity.identifier), having: .count() > .integer(1)))
        entity.add(.objects, .accepted, view: true, accepted(entity, known.relation))
        // Few objects come several times: the others need not be looked for.
        let comingAgain = Rows(known).filter(comesAgain(entity, known)).select(known.columns)
        let copy = Row(accepted(entity, comingAgain))
        let identifier = entity.identifier.map { copy[$0] }
        // Rejects and what is skipped are counted in it.
        let isReadOnce = !entity.entity.duplicates.areRejected && entity.entity.mode.loadsAllRecords
        entity.add(
            .objects, .ranked, view: isReadOnce,
            Rows(copy).filter(comesAgain(entity, copy)).select(
                copy.columns + [
                    PlanExpression.rowNumber(PlanWindow(partition: identifier, order: [copy[.order]])).named(.rank),
                    PlanExpression.count().over(PlanWindow(partition: identifier)).named(.copies),
                ]))
    }

    /// The records that count, with what their objects were.
    private func accepted(_ entity: PlannedEntity, _ objects: Relation) -> Relation {
        let copy = takenRecords(entity)
        let known = Row(objects)
        let wanted: PlanExpression? =
            switch entity.entity.mode {
            case .upsert: nil
            case .insert: known[.objectID].isNull || known[.isStub]
            case .update: known[.objectID].isNotNull
            }
        let former =
            [.objectID, .isStub, .markedAt] + entity.others.map(PlanColumnName.attribute)
            + entity.toOne.flatMap { $0.held.map(\.name) }
        return Rows(copy).leftJoin(known, on: copy.equals(known, in: entity.identifier)).filter(wanted)
            .select(copy.columns + former.map { known[$0].named(.former($0)) })
    }

    /// Whether there are several records of a row's object.
    private func comesAgain(_ entity: PlannedEntity, _ row: Row) -> PlanExpression {
        entity.same(.repeatedIdentifiers, as: row).exist
    }

    /// Each object once, with all that the records of this run say of it, and what they leave as it was; and whether
    /// that differs from what it was.
    func addObjects(_ entity: PlannedEntity) {
        let once = entity.rows(.accepted)
        let several = entity.rows(entity.entity.duplicates.lastCounts ? .accumulated : .ranked)
        let merged =
            entity.entity.duplicates.lastCounts
            ? Rows(several).filter(several[.rank] == several[.copies]).select(columnsOfSeveral(entity, several))
            : Rows(several).filter(several[.rank] == .integer(1)).select(columnsOfOne(entity, several))
        let objects = Rows(once).filter(!comesAgain(entity, once)).select(columnsOfOne(entity, once))
        entity.add(.objects, .objects, view: true, .union([objects, merged]))
    }

    private func columnsOfOne(_ entity: PlannedEntity, _ copy: Row) -> [NamedExpression] {
        let references = entity.relations.flatMap { relation in
            copy.columns(relation.names) + [
                (!copy[.isAbsent(.reference(relation.index))]).named(.isStated(relation.index)),
                PlanExpression.null(.integer).named(.statedBy(relation.index)),
            ]
        }
        let head = [copy[.order].named(.firstOrder), PlanExpression.truth(false).named(.isMerged)]
        return head
            + columns(entity, copy, references) { attribute in
                let (name, states) = (PlanColumnName.attribute(attribute), entity.states(attribute, copy))
                let value = states.map { PlanExpression.when($0, copy[name], else: copy[.former(name)]) }
                return (states ?? .truth(true), value ?? copy[name])
            }
    }

    private func columnsOfSeveral(_ entity: PlannedEntity, _ copy: Row) -> [NamedExpression] {
        let references = entity.relations.flatMap { relation -> [NamedExpression] in
            let name = PlanColumnName.reference(relation.index)
            let (states, earlier) = (!copy[.isAbsent(name)], copy[.earlier(name)])
            func chosen(_ name: PlanColumnName) -> PlanExpression { .when(states, copy[name], else: earlier[name]) }
            return relation.names.map { chosen($0).named($0) } + [
                (states || earlier.isNotNull).named(.isStated(relation.index)),
                chosen(.order).named(.statedBy(relation.index)),
            ]
        }
        let head = [copy[.firstOrder].named(.firstOrder), PlanExpression.truth(true).named(.isMerged)]
        return head
            + columns(entity, copy, references) { attribute in
                let name = PlanColumnName.attribute(attribute)
                let (states, earlier) = (entity.states(attribute, copy) ?? .truth(true), copy[.earlier(name)])
                let cases = [(states, copy[name]), (earlier.isNotNull, earlier[.value])]
                return (states || earlier.isNotNull, .cases(cases, otherwise: copy[.former(name)]))
            }
    }

    /// - Parameter value: whether an attribute is stated, and what it is then, or was.
    private func columns(
        _ entity: PlannedEntity, _ copy: Row, _ references: [NamedExpression],
        _ value: (Int) -> (isStated: PlanExpression, value: PlanExpression)
    ) -> [NamedExpression] {
        let values = entity.others.map { (name: PlanColumnName.attribute($0), stated: value($0)) }
        let differs = values.map { name, stated in stated.isStated && stated.value.differs(from: copy[.former(name)]) }
        let wasThere = copy[.former(.objectID)].isNotNull
        let isOther = PlanExpression.any([copy[.former(.isStub)], copy[.former(.markedAt)].isNotNull] + differs)
        return copy.columns([.former(.objectID)] + entity.identifier)
            + values.map { name, stated in stated.value.named(name) }
            + [(wasThere && isOther).named(.hasOtherValues)] + references
            + copy.columns(entity.toOne.flatMap { $0.held.map { .former($0.name) } })
    }

    /// The objects with their own keys: those of the store keep theirs, new ones get theirs from the numbers of their
    /// first records. So some are left out, and nothing is sorted.
    func addObjectIDs(_ entity: PlannedEntity) {
        let object = entity.rows(.objects)
        let known = entity.rows(.known)
        let highest = Rows(known).only(.coalesce([known[.objectID].max, .integer(0)]))
        let former = object[.former(.objectID)]
        let objectID = PlanExpression.when(
            former.isNotNull, former, else: highest + object[.firstOrder] + .integer(1))
        entity.add(
            .objectIDs, .numbered, view: !isReadEarly(entity),
            Rows(object).select(object.columns + [objectID.named(.objectID)]))
    }

    /// Whether objects are looked for before it is known what they refer to: as targets, for their lists, or since
    /// stubs are made for them.
    func isReadEarly(_ entity: PlannedEntity) -> Bool {
        entity.relations.contains { $0.isMany || $0.relationship.missing.createsStubs }
            || deletability.isTarget[entity.index]
    }

    /// Whether each record that is taken makes an object, or is a copy of one that does.
    func takesAll(_ entity: PlannedEntity) -> Bool {
        entity.entity.mode.loadsAllRecords && !entity.relations.contains { $0.relationship.missing.rejectsRecords }
    }

    /// The objects that references may lead to, stubs of this run aside.
    func addTargets(_ entity: PlannedEntity) {
        guard isReadEarly(entity) else { return }
        let columns = [.objectID] + entity.identifier
        let known = entity.rows(.known)
        let made = entity.rows(.numbered)
        entity.add(
            .objectIDs, .targets, view: true,
            .union([
                Rows(known).filter(stays(entity, known[.objectID])).select(columns),
                Rows(made).filter(made[.former(.objectID)].isNull).select(columns),
            ]))
    }
}
