import SluiceRecords

// What has become of objects and references.
extension SetPlan {
    /// What is counted in each entity: a row for each count and table in which it is counted.
    func addCounts(_ entity: PlannedEntity) {
        for relation in entity.toMany { addMoved(relation) }
        var counts = CountQueries(entity)
        let part = writer.rows(PlanTable.partRecords)
        func sum(_ name: PlanColumnName) -> PlanExpression { .coalesce([part[name].sum, .integer(0)]) }
        let parts = Rows(part).filter(part[.entity] == .text(entity.name))
        let others = ["skipped", "identical", "conflicting", "deleted", "keptAbsent", "stubs", "changedStubs"].map {
            ($0, PlanExpression.integer(0))
        }
        counts.add(of: parts, [("records", sum(.records)), ("rejected", sum(.rejects))] + others)
        if entity.has(.lacking) {
            let lacking = entity.rows(.lacking)
            counts.add(of: Rows(lacking), [("rejected", lacking[.order].countDistinct)])
        }
        addOutcomes(entity, to: &counts)
        addDuplicates(entity, to: &counts)
        for role in [TableRole.absent, .orphans] where entity.has(role) {
            counts.add(of: Rows(entity.rows(role)), [("deleted", .count())])
        }
        if mayMiss(entity) { counts.add(of: missed(entity, isKept: true), [("keptAbsent", .count())]) }
        if entity.has(.stubs) { counts.add(of: Rows(entity.rows(.stubs)), [("stubs", .count())]) }
        // Of a stub, references say just the identifier: all that changes of it is its mark.
        if entity.has(.returned) { counts.add(of: Rows(entity.rows(.returned)), [("changedStubs", .count())]) }
        // What comes back counts, too.
        let unmade = entity.rows(.unmade)
        counts.add(of: Rows(entity.rows(.known)), [("existing", .count())])
        counts.add(of: Rows(unmade), [("existing", -.count(where: unmade[.markedAt].isNotNull))])
        for relation in entity.relations { add(relation, to: &counts) }
        entity.add(.counts, .counts, view: true, counts.relation)
    }

    private func addOutcomes(_ entity: PlannedEntity, to counts: inout CountQueries) {
        let object = entity.rows(.final)
        let isDescribed = object[.isDescribed]
        let wasThere = object[.wasThere]
        var outcomes = [
            ("created", PlanExpression.count(where: isDescribed && !wasThere)), ("unchanged", .count(where: wasThere)),
        ]
        if !entity.entity.mode.loadsAllRecords {
            let copy = entity.rows(.ranked)
            counts.add(of: Rows(takenRecords(entity)), [("skipped", .count())])
            counts.add(of: Rows(copy), [("skipped", -.count(where: copy[.rank] > .integer(1)))])
            outcomes.append(("skipped", -.count(where: isDescribed)))
        }
        for relation in entity.toOne { outcomes += self.outcomes(of: relation, object) }
        // Those whose links to several objects are not what they were have changed as well.
        var changed = Rows(object)
        var moved: [PlanExpression] = []
        for relation in entity.toMany {
            let link = relation.rows(.moved)
            changed = changed.leftJoin(link, on: link[.objectID] == object[.objectID])
            moved.append(link[.objectID].isNotNull)
        }
        let isChanged = moved.isEmpty ? object[.isChanged] : object[.isChanged] || wasThere && .any(moved)
        let changes = [("updated", PlanExpression.count(where: isChanged)), ("unchanged", -.count(where: isChanged))]
        if moved.isEmpty {
            counts.add(of: changed, outcomes + changes)
        } else {
            counts.add(of: Rows(object), outcomes)
            counts.add(of: changed, changes)
        }
    }

    private func addDuplicates(_ entity: PlannedEntity, to counts: inout CountQueries) {
        if entity.entity.duplicates.areRejected {
            let copy = entity.rows(.ranked)
            counts.add(of: Rows(copy), [("rejected", .count(where: copy[.rank] > .integer(1)))])
        } else {
            let copy = entity.rows(.duplicates)
            let isConflicting = copy[.isConflicting]
            counts.add(
                of: Rows(copy),
                [("identical", .count(where: !isConflicting)), ("conflicting", .count(where: isConflicting))])
        }
    }

    /// Of one reference, one of the first three is so.
    private func outcomes(of relation: PlannedRelation, _ object: Row) -> [(String, PlanExpression)] {
        let isFound = object[.target(of: relation.index)].isNotNull
        let (looks, isDescribed) = (object[.kind(of: relation.index)].isNotNull, object[.isDescribed])
        return [
            ("\(relation.name).resolved", .count(where: isDescribed && isFound)),
            ("\(relation.name).unresolved", .count(where: .all([isDescribed, !isFound, looks]))),
            ("\(relation.name).null", .count(where: .all([isDescribed, !isFound, !looks]))),
            ("\(relation.name).late", .count(where: .all([!isDescribed, isFound, looks]))),
        ]
    }

    private func add(_ relation: PlannedRelation, to counts: inout CountQueries) {
        guard relation.isMany else { return }
        let link = relation.rows(.links)
        let waiting = relation.rows(.waiting)
        let object = relation.owner.rows(.numbered)
        counts.add(of: Rows(waiting), [("\(relation.name).unresolved", .count(where: waiting[.isDescribed]))])
        counts.add(of: Rows(relation.rows(.late)), [("\(relation.name).late", .count())])
        counts.add(
            of: Rows(link).join(object, on: object[.objectID] == link[.objectID]),
            [("\(relation.name).resolved", .count())])
        let without = [link, waiting].map { row in
            Rows(row).filter(row[.objectID] == object[.objectID]).areMissing
        }
        counts.add(of: Rows(object).filter(.all(without)), [("\(relation.name).null", .count())])
    }

    /// The objects whose links to several objects are not what they were.
    private func addMoved(_ relation: PlannedRelation) {
        let columns: [PlanColumnName] = [.objectID, .targetEntity, .target, .position]
        let links = [TableRole.held, .links].map { role in
            let link = relation.rows(role)
            return Rows(link).select(columns)
        }
        let both = Row(.union(links))
        let single = Row(Rows(both).grouped(by: both.columns, having: .count() == .integer(1)))
        relation.add(.counts, .moved, view: true, Rows(single).distinct(single.columns([.objectID])))
    }

    func addAllCounts() {
        let all = Row(.union(entities.map { $0.rows(.counts).relation }))
        writer.add(
            .counts, PlanTable.counts,
            Rows(all).grouped(by: all.columns([.entity, .name]), [all[.value].sum.named(.value)]))
    }
}

/// Counts of an entity, each the sum of what is counted in some tables; a table is looked through once.
private struct CountQueries {
    private let entity: PlannedEntity
    private var queries: [Relation] = []

    init(_ entity: PlannedEntity) { self.entity = entity }

    mutating func add(of rows: Rows, _ counts: [(name: String, value: PlanExpression)]) {
        let row = rows.grouped(
            by: [],
            [
                PlanExpression.text(entity.name).named(.entity),
                PlanExpression.list(counts.map { .text($0.name) }).named(.name),
                PlanExpression.list(counts.map { $0.value.cast(.integer) }).named(.value),
            ])
        let elements = Row(.elements(row, kept: [.entity], lists: [.name, .value]))
        queries.append(Rows(elements).select([.entity, .name, .value]))
    }

    var relation: Relation { .union(queries) }
}
