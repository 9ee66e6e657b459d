import SluiceColumns
import SluiceRecords

// Which copies of an object differ from those before them, and in what.
extension SetPlan {
    /// Later copies beside what those before them said together (`last`), or the first one (`first`).
    ///
    /// A value that a copy states is in a row of its own: so it is known whether one was stated that is null.
    func addDuplicates(_ entity: PlannedEntity) {
        guard !entity.entity.duplicates.areRejected else { return }
        let copy = entity.rows(.ranked)
        let window = PlanWindow(partition: entity.identifier.map { copy[$0] }, order: [copy[.rank]])
        func earlier(
            _ name: PlanColumnName, _ isStated: PlanExpression?, _ fields: [NamedExpression]
        ) -> NamedExpression {
            let row = PlanExpression.row(fields)
            let said =
                entity.entity.duplicates.lastCounts
                ? PlanExpression.when(isStated ?? .truth(true), row).lastBefore(in: window)
                : row.first(in: window)
            return said.named(.earlier(name))
        }
        let attributes = entity.others.map { attribute in
            let name = PlanColumnName.attribute(attribute)
            return earlier(name, entity.states(attribute, copy), [copy[name].named(.value)])
        }
        let references = entity.relations.map { relation in
            let name = PlanColumnName.reference(relation.index)
            return earlier(name, !copy[.isAbsent(name)], copy.columns([.order] + relation.names))
        }
        entity.add(
            .objects, .accumulated,
            Rows(copy).select(
                copy.columns + [copy[.order].first(in: window).named(.firstOrder)] + attributes + references))
        for relation in entity.toMany { addDifferingLinks(relation) }
        addCompared(entity)
    }

    /// The later copies that name other links than those before them, or at other positions; a link that is named twice
    /// counts at its first.
    private func addDifferingLinks(_ relation: PlannedRelation) {
        let accumulated = relation.owner.rows(.accumulated).relation
        relation.add(
            .objects, .listed, view: true, .elements(accumulated, kept: [.order], lists: relation.names))
        let listed = relation.rows(.listed)
        let link = relation.names + [.position]
        relation.add(
            .objects, .named,
            Rows(listed).grouped(
                by: listed.columns([.order] + relation.names), [listed[.position].min.named(.position)]))
        /// The links of later copies, or of what was said before them.
        func links(_ said: (Row) -> PlanExpression) -> Relation {
            let copy = Row(accumulated)
            let named = relation.rows(.named)
            let isLater = copy[.rank] > .integer(1)
            return Rows(copy).join(named, on: named[.order] == said(copy))
                .filter(isLater, !copy[.isAbsent(.reference(relation.index))])
                .select([copy[.order].named(.order)] + named.columns(link))
        }
        let both = Row(
            .union([links { $0[.order] }, links { $0[.earlier(.reference(relation.index))][.order] }]))
        let single = Row(
            Rows(both).grouped(by: both.columns([.order] + link), having: .count() == .integer(1)))
        relation.add(.objects, .differing, Rows(single).distinct(single.columns([.order])))
    }

    /// In what each later copy differs.
    private func addCompared(_ entity: PlannedEntity) {
        let copy = entity.rows(.accumulated)
        let attributes = entity.others.map { attribute -> NamedExpression in
            let name = PlanColumnName.attribute(attribute)
            let differs = copy[name].differs(from: copy[.earlier(name)][.value])
            return PlanExpression.all([entity.states(attribute, copy), differs].compactMap(\.self)).named(
                .differs(name))
        }
        let references = entity.relations.map { relation -> NamedExpression in
            let name = PlanColumnName.reference(relation.index)
            func differs() -> PlanExpression {
                guard relation.isMany else {
                    return .any(relation.names.map { copy[$0].differs(from: copy[.earlier(name)][$0]) })
                }
                let differing = relation.rows(.differing)
                return Rows(differing).filter(differing[.order] == copy[.order]).exist
            }
            return (!copy[.isAbsent(name)] && differs()).named(.differs(name))
        }
        let all = attributes + references
        entity.add(
            .objects, .compared, view: true,
            Rows(copy).filter(copy[.rank] > .integer(1))
                .select(copy.columns([.order, .firstOrder] + entity.identifier) + all))
        let compared = entity.rows(.compared)
        let isConflicting = PlanExpression.any(all.map { compared[$0.name] }).named(.isConflicting)
        entity.add(.objects, .duplicates, Rows(compared).select(compared.columns + [isConflicting]))
    }
}
