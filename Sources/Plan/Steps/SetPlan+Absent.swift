import SluiceColumns
import SluiceRecords

// What goes, and which records lack what they need.
extension SetPlan {
    /// The objects that were there before, and are made by no record.
    func addUnmade(_ entity: PlannedEntity) {
        let known = entity.rows(.known)
        let made = entity.rows(isReadEarly(entity) ? .numbered : .described, of: known[.objectID])
        entity.add(
            .absent, .unmade, Rows(known).filter(made.areMissing).select(columnsOfLacked(entity)))
    }

    /// The objects that the feed does not hold, not even by a rejected record.
    func addLacked(_ entity: PlannedEntity) {
        let rejected = entity.rows(.rejects)
        let rejects = Rows(rejected).select(
            zip(entity.entity.identifier, entity.identifier).map { attribute, name in
                rejected[.given(entity.entity.attributes[attribute].name)].named(name)
            })
        // What has been made from records need not be looked for among them.
        let object = entity.rows(takesAll(entity) ? .unmade : .known)
        let copy = entity.rows(.copies)
        let records = takesAll(entity) ? [] : [Rows(copy).select(entity.identifier)]
        let met = Row(.union(records + [rejects]))
        let isMet = Rows(met).filter(object.equals(met, in: entity.identifier))
        entity.add(
            .absent, .lacked, Rows(object).filter(isMet.areMissing).select(columnsOfLacked(entity)))
    }

    private func columnsOfLacked(_ entity: PlannedEntity) -> [PlanColumnName] {
        [.objectID, .isStub, .markedAt] + entity.identifier
            + (entity.entity.absence.within.map { [.target(of: $0)] } ?? [])
    }

    /// The objects that go: those that the feed lacks, and those that are bound to others that go.
    func addAbsent(_ entity: PlannedEntity) {
        let columns = [.objectID] + entity.identifier
        var queries: [Relation] = []
        if mayMiss(entity) { queries.append(missed(entity, isKept: false).select(columns)) }
        for relation in entity.relations where relation.relationship.onDelete.cascades {
            for target in relation.targets where deletability.isDeletable[target.index] {
                let held = relation.rows(.held)
                let gone = target.rows(.absent)
                let lacked = entity.rows(.lacked)
                // Several of its targets may go.
                queries.append(
                    Rows(held).join(gone, on: leads(held, to: target, gone))
                        .join(lacked, on: lacked[.objectID] == held[.objectID])
                        .filter(lacked[.markedAt].isNull).distinct(lacked.columns(columns)))
            }
        }
        let none = Relation.empty(
            [PlanColumn(.objectID, .integer)]
                + entity.entity.identifier.map { PlanColumn(.attribute($0), entity.type($0)) })
        entity.add(.absent, .absent, queries.isEmpty ? none : .distinctUnion(queries))
    }

    /// Whether objects that the feed does not hold go.
    func mayMiss(_ entity: PlannedEntity) -> Bool { entity.entity.looksForAbsent && !entity.entity.records.isEmpty }

    /// The objects that the feed lacks, of a run in which these are to go for it, or in which they stay (`isKept`).
    func missed(_ entity: PlannedEntity, isKept: Bool) -> Rows {
        let lacked = entity.rows(.lacked)
        let bound = entity.entity.absence.within.map { within in
            let target = lacked[.target(of: within)]
            let isLacked = entity.relations[within].targets[0].rows(.lacked, of: target)
            return target.isNotNull && isLacked.areMissing
        }
        let isUnknown = hasUnknownAbsence(entity)
        return Rows(lacked).filter(!lacked[.isStub], lacked[.markedAt].isNull, bound, isKept ? isUnknown : !isUnknown)
    }

    /// Whether it is unknown which objects are absent. Of the reasons (`UnknownAbsence`) a plan meets two: a reject
    /// without identifier, and something in the place of records.
    func hasUnknownAbsence(_ entity: PlannedEntity) -> PlanExpression {
        let rejected = entity.rows(.rejects)
        let parts = entity.entity.identifier.map { rejected[.given(entity.entity.attributes[$0].name)].isNull }
        let part = writer.rows(PlanTable.partRecords)
        let hidden = Rows(part).filter(part[.entity] == .text(entity.name), part[.hidden] == .integer(1))
        return .any([Rows(rejected).filter(.any(parts)).exist, hidden.exist])
    }

    /// Whether a link of before leads to an object.
    func leads(_ held: Row, to target: PlannedEntity, _ object: Row) -> PlanExpression {
        object[.objectID] == held[.target] && held[.targetEntity] == .text(target.name)
    }

    /// Whether an object is not one that is deleted; nil: none is.
    func stays(_ entity: PlannedEntity, _ objectID: PlanExpression) -> PlanExpression? {
        deletability.isDeletable[entity.index] ? entity.rows(.absent, of: objectID).areMissing : nil
    }

    /// The records of an entity that lack a target which they need. Those that bring what they need come before.
    func addNeeds(_ entity: PlannedEntity) {
        var lacking: [Relation] = []
        for relation in entity.relations where relation.relationship.missing.rejectsRecords {
            for target in relation.targets { addBrought(target) }
            if relation.isMany {
                relation.add(
                    .needs, .needed, view: true,
                    .elements(entity.rows(.copies).relation, kept: [.order], lists: relation.names))
            }
            let copy = relation.isMany ? relation.rows(.needed) : entity.rows(.copies)
            let isThere = relation.targets.enumerated().map { place, target in
                let brought = target.rows(.brought)
                return Rows(brought).filter(relation.leads(copy, to: place, brought)).exist
            }
            lacking.append(
                Rows(copy).filter(relation.refers(copy), !.any(isThere)).select([
                    copy[.order].named(.order), PlanExpression.integer(relation.index).named(.relation),
                    (relation.isMany ? copy[.position] : .integer(0)).named(.position),
                    shownTargets(relation, copy).named(.targets), relation.json(copy).named(.value),
                ]))
        }
        entity.add(.needs, .lacking, .union(lacking))
        let copy = entity.rows(.copies)
        let lack = entity.rows(.lacking)
        entity.add(
            .needs, .taken, view: true,
            Rows(copy).filter(Rows(lack).filter(lack[.order] == copy[.order]).areMissing).select(copy.columns))
    }

    /// The records that may become objects.
    func takenRecords(_ entity: PlannedEntity) -> Row { entity.rows(entity.has(.taken) ? .taken : .copies) }

    /// The identifiers of the objects that records may need.
    private func addBrought(_ entity: PlannedEntity) {
        guard !entity.has(.brought) else { return }
        let known = entity.rows(.known)
        let taken = takenRecords(entity)
        let stored = Rows(known).filter(stays(entity, known[.objectID])).select(entity.identifier)
        let new = Rows(taken).select(entity.identifier)
        entity.add(.needs, .brought, .distinctUnion([stored] + (entity.entity.mode.createsObjects ? [new] : [])))
    }

    /// The names of the entities that a reference may lead to, as findings have them.
    private func shownTargets(_ relation: PlannedRelation, _ row: Row) -> PlanExpression {
        if relation.relationship.selector != nil { return row[.keyEntity(relation.index)] }
        return .text(relation.targets.map(\.name).joined(separator: " or "))
    }
}
