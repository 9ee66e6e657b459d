import SluiceColumns
import SluiceRecords

/// Why a reference looks for its target.
enum SoughtKind: Int {
    /// A record of this run states it.
    case stated
    /// It waits since an earlier run.
    case waited
    /// Its target goes.
    case lost

    var expression: PlanExpression { .integer(rawValue) }
}

// What references look for, what is made for them, and what they find.
extension SetPlan {
    /// What references look for, of links, and where stubs are made.
    func addSought(_ entity: PlannedEntity) {
        for relation in entity.relations where relation.isMany || relation.relationship.missing.createsStubs {
            addStated(relation)
            let queries = [stated(relation), waited(relation)] + lostReferences(relation)
            // Who makes stubs reads it twice.
            let isView = !relation.isMany || !relation.relationship.missing.createsStubs
            relation.add(.links, .sought, view: isView, .union(queries))
        }
    }

    /// The keys that records of this run state.
    private func addStated(_ relation: PlannedRelation) {
        let object = relation.owner.rows(.numbered)
        let order = PlanExpression.coalesce([object[.statedBy(relation.index)], object[.firstOrder]]).named(.order)
        let isStated = object[.isStated(relation.index)]
        let columns = [order] + object.columns([.objectID, .isMerged] + relation.names)
        guard relation.isMany else {
            relation.add(
                .links, .stated, view: true,
                Rows(object).filter(isStated, relation.refers(object))
                    .select(columns + [PlanExpression.integer(0).named(.position)]))
            return
        }
        let own: [PlanColumnName] = [.order, .objectID, .isMerged]
        relation.add(.links, .lists, view: true, Rows(object).filter(isStated).select(columns))
        relation.add(
            .links, .elements, view: true,
            .elements(relation.rows(.lists).relation, kept: own, lists: relation.names))
        let element = relation.rows(.elements)
        relation.add(
            .links, .stated, view: true,
            Rows(element).grouped(
                by: element.columns(own + relation.names), [element[.position].min.named(.position)]))
    }

    /// A row of what is sought.
    private func soughtRow(
        _ objectID: PlanExpression, _ position: PlanExpression, _ keys: [NamedExpression], _ order: PlanExpression,
        _ kind: SoughtKind, isDescribed: PlanExpression, isMerged: PlanExpression = .truth(false)
    ) -> [NamedExpression] {
        [objectID.named(.objectID), position.named(.position)] + keys + [
            order.named(.order), kind.expression.named(.kind), isDescribed.named(.isDescribed),
            isMerged.named(.isMerged),
        ]
    }

    private func stated(_ relation: PlannedRelation) -> Relation {
        let stated = relation.rows(.stated)
        return Rows(stated).select(
            soughtRow(
                stated[.objectID], stated[.position], stated.columns(relation.names), stated[.order], .stated,
                isDescribed: .truth(true), isMerged: stated[.isMerged]))
    }

    private func waited(_ relation: PlannedRelation) -> Relation {
        let waited = relation.rows(.waited)
        let object = relation.owner.rows(.numbered)
        let objectID = waited[.given("objectID")]
        let keys = zip(relation.names, relation.waitingKeys.names).map { waited[.given($1)].named($0) }
        return unstated(relation, Rows(waited), objectID, object).select(
            soughtRow(
                objectID, waited[.given("position")], keys, object[.firstOrder], .waited,
                isDescribed: object[.objectID].isNotNull))
    }

    /// The rows of objects that no record of this run states a relationship of, and that stay.
    private func unstated(
        _ relation: PlannedRelation, _ rows: Rows, _ objectID: PlanExpression, _ object: Row
    ) -> Rows {
        rows.leftJoin(object, on: object[.objectID] == objectID).filter(
            !.coalesce([object[.isStated(relation.index)], .truth(false)]), stays(relation.owner, objectID))
    }

    /// References to what goes wait for what identified it, in each entity in which they are searched.
    private func lostReferences(_ relation: PlannedRelation) -> [Relation] {
        relation.targets.enumerated().filter { deletability.isDeletable[$0.element.index] }.map { place, target in
            let held = relation.rows(.held)
            let gone = target.rows(.absent)
            let object = relation.owner.rows(.numbered)
            let rows = Rows(held).join(gone, on: leads(held, to: target, gone))
            let keys = relation.keys.map { lostKey(relation, $0, place, gone).named($0.name) }
            return unstated(relation, rows, held[.objectID], object).select(
                soughtRow(
                    held[.objectID], held[.position], keys, object[.firstOrder], .lost,
                    isDescribed: object[.objectID].isNotNull))
        }
    }

    /// A column of the key of a reference whose target goes: what identified that.
    func lostKey(_ relation: PlannedRelation, _ key: PlannedRelation.Key, _ place: Int, _ gone: Row) -> PlanExpression {
        let target = relation.targets[place]
        switch key.part {
        case .entity: return .text(target.name)
        case .target(let other, let part) where relation.relationship.selector == nil || other == place:
            return gone[target.identifier[part]].cast(.value(key.kind))
        case .target, .impossible: return .null(.value(key.kind))
        }
    }

    // MARK: Stubs

    /// Objects of which only the identifier is known, since references name them and say `stub`.
    func addStubs(_ entity: PlannedEntity) {
        let wanted = entities.flatMap(\.relations).filter { $0.relationship.missing.createsStubs }.flatMap { relation in
            relation.targets.indices.filter { relation.targets[$0].index == entity.index }.map {
                self.wanted(relation, $0)
            }
        }
        guard !wanted.isEmpty else { return }
        entity.add(.stubs, .wanted, .union(wanted))
        func order(_ row: Row) -> [PlanExpression] { [row[.owner], row[.objectID], row[.relation], row[.position]] }
        let all = entity.rows(.wanted)
        let window = PlanWindow(partition: entity.identifier.map { all[$0] }, order: order(all))
        let ranked = Row(Rows(all).select(all.columns + [PlanExpression.rowNumber(window).named(.rank)]))
        let others = Row(entity.union([.known, .numbered], [.objectID]))
        let highest = Rows(others).only(.coalesce([others[.objectID].max, .integer(0)]))
        let objectID = highest + .rowNumber(PlanWindow(order: order(ranked)))
        entity.add(
            .stubs, .stubs,
            Rows(ranked).filter(ranked[.rank] == .integer(1))
                .select([objectID.named(.objectID)] + ranked.columns(entity.identifier)))
    }

    private func wanted(_ relation: PlannedRelation, _ place: Int) -> Relation {
        let target = relation.targets[place]
        let sought = relation.rows(.sought)
        let object = target.rows(.targets)
        let identifier = target.identifier.enumerated().map { part, name in
            sought[.key(relation.index, target: place, part: part)].named(name)
        }
        // Of links that no record states, those that wait are looked at last, when all stubs are there.
        let isInTime = relation.isMany ? sought[.kind] != SoughtKind.waited.expression : nil
        let found = Rows(object).filter(relation.leads(sought, to: place, object))
        return Rows(sought).filter(
            sought[.isDescribed], isInTime, relation.isPossible(sought, place), found.areMissing
        ).select(
            identifier + [
                PlanExpression.integer(relation.owner.index).named(.owner),
                PlanExpression.integer(relation.index).named(.relation),
            ] + sought.columns([.objectID, .position]))
    }

    /// The objects that there are in the end, orphans aside.
    private func all(_ entity: PlannedEntity) -> Row {
        guard entity.has(.stubs) else { return entity.rows(.targets) }
        return Row(entity.union([.targets, .stubs], [.objectID] + entity.identifier))
    }

    // MARK: Links

    /// The links that lead to objects, and those that wait.
    func addLinks(_ entity: PlannedEntity) {
        for relation in entity.toMany {
            addResolved(relation)
            let resolved = relation.rows(.resolved)
            let link: [PlanColumnName] = [.objectID, .targetEntity, .target, .position]
            let found = Rows(resolved).filter(resolved[.target].isNotNull).select(link)
            let held = relation.rows(.held)
            let object = entity.rows(.numbered)
            let isGone = relation.targets.filter { deletability.isDeletable[$0.index] }.map { target in
                held[.targetEntity] == .text(target.name) && target.rows(.absent, of: held[.target]).exist
            }
            let kept = unstated(relation, Rows(held), held[.objectID], object).filter(!.any(isGone))
                .select(link)
            let all = Row(.union([kept, found]))
            relation.add(
                .links, .links,
                Rows(all).grouped(
                    by: all.columns([.objectID, .targetEntity, .target]), [all[.position].min.named(.position)]))
            addWaiting(relation)
        }
    }

    private func addResolved(_ relation: PlannedRelation) {
        let sought = relation.rows(.sought)
        let found = foundTarget(relation, by: sought)
        let joined = Row(
            found.join(Rows(sought)).select(
                sought.columns + [found.entity.named(.targetEntity), found.objectID.named(.target)]))
        // Of what is found, little is read: the rest is null, which costs nothing.
        let isMissing = joined[.target].isNull
        let keys = relation.names.map { name in
            PlanExpression.when(isMissing || !joined[.isDescribed], joined[name]).named(name)
        }
        relation.add(
            .links, .resolved,
            Rows(joined).select(
                joined.columns([.objectID, .targetEntity, .target, .position, .kind, .isDescribed, .isMerged])
                    + [PlanExpression.when(isMissing, joined[.order]).named(.order)] + keys))
    }

    /// What a reference finds by the key in a row: the first target that has it.
    func foundTarget(_ relation: PlannedRelation, by row: Row) -> FoundTarget {
        let objects = relation.targets.map(all)
        let cases = zip(relation.targets, objects).map { target, object in
            (condition: object[.objectID].isNotNull, value: PlanExpression.text(target.name))
        }
        return FoundTarget(
            objectID: .coalesce(objects.map { $0[.objectID] }), entity: .cases(cases),
            joins: objects.enumerated().map { ($1, relation.leads(row, to: $0, $1)) })
    }

    private func addWaiting(_ relation: PlannedRelation) {
        let resolved = relation.rows(.resolved)
        let same = [resolved[.objectID]] + relation.names.map { resolved[$0] }
        let copy = PlanExpression.rowNumber(PlanWindow(partition: same, order: [resolved[.position], resolved[.kind]]))
        let missing = Row(
            Rows(resolved).filter(resolved[.target].isNull).select(resolved.columns + [copy.named(.rank)]))
        relation.add(
            .waiting, .waiting,
            Rows(missing).filter(missing[.rank] == .integer(1)).select(
                resolved.relation.columns.map {
                    missing[$0.name].named($0.name)
                }))
        relation.add(
            .waiting, .late, view: true,
            Rows(resolved).filter(resolved[.target].isNotNull, !resolved[.isDescribed])
                .distinct(resolved.columns([.objectID] + relation.names)))
    }
}

/// The object that a reference leads to, and the tables in which it is looked for.
struct FoundTarget {
    var objectID: PlanExpression
    var entity: PlanExpression
    var joins: [(row: Row, condition: PlanExpression)]

    func join(_ rows: Rows) -> Rows { joins.reduce(rows) { $0.leftJoin($1.row, on: $1.condition) } }
}
