import SluiceRecords

extension SetPlan {
    /// The limits that are exceeded.
    func addLimits(_ limits: [LimitRule]) {
        let count = writer.rows(PlanTable.counts)
        func sum(_ isMeant: PlanExpression, _ name: PlanColumnName) -> NamedExpression {
            PlanExpression.when(isMeant, count[.value], else: .integer(0)).sum.named(name)
        }
        func sum(_ name: PlanColumnName) -> NamedExpression { sum(count[.name] == .text(name.text), name) }
        let waits = count[.name].isLike("%.unresolved")
        writer.add(
            .limits, PlanTable.totals,
            Rows(count).grouped(
                by: count.columns([.entity]),
                [.records, .rejected, .conflicting, .updated, .deleted, .existing].map(sum) + [
                    sum(waits, .unresolved), sum(waits || count[.name].isLike("%.resolved"), .referring),
                ]))
        let none = Relation.empty([
            PlanColumn(.n, .integer), PlanColumn(.name, .text), PlanColumn(.entity, .text),
            PlanColumn(.allowed, .integer),
            PlanColumn(.found, .integer), PlanColumn(.earlier, .integer),
        ])
        let queries = limits.enumerated().filter { !$0.element.entities.isEmpty }.map { query($0.element, $0.offset) }
        writer.add(.limits, PlanTable.exceeded, .union([none] + queries))
    }

    private func query(_ limit: LimitRule, _ number: Int) -> Relation {
        let total = writer.rows(PlanTable.totals)
        let last = writer.rows(PlanTable.last)
        let (found, of): (PlanExpression, PlanExpression) =
            switch limit.kind {
            case .rejects: (total[.rejected], total[.records])
            case .unresolved: (total[.unresolved], total[.referring])
            case .duplicates: (total[.conflicting], total[.records])
            case .updates: (total[.updated], total[.existing])
            case .deletes: (total[.deleted], total[.existing])
            case .records: (total[.records], .coalesce([last[.records], .integer(0)]))
            }
        let rows = Rows(total).leftJoin(last, on: last[.entity] == total[.entity])
            .filter(total[.entity].isIn(limit.entities.map { .text($0) }))
        func exceeded(
            _ entity: PlanExpression, _ allowed: PlanExpression, _ found: PlanExpression, _ earlier: PlanExpression
        ) -> [NamedExpression] {
            [
                PlanExpression.integer(number).named(.n), PlanExpression.text(limit.kind.rawValue).named(.name),
                entity.named(.entity), allowed.cast(.integer).named(.allowed), found.named(.found),
                earlier.named(.earlier),
            ]
        }
        if case .count(let count) = limit.amount, limit.isOfAll {
            return rows.grouped(
                by: [], exceeded(.null(.text), .integer(count), found.sum, .null(.integer)),
                having: found.sum > .integer(count))
        }
        let isLeast = limit.kind == .records
        let allowed: PlanExpression =
            switch limit.amount {
            case .count(let count): PlanExpression.integer(count)
            case .share(let share): amount(share, of: of, isLeast: isLeast)
            case .some(let before): PlanExpression.when(of >= .integer(before), .integer(1), else: .integer(0))
            }
        return rows.filter(isLeast ? found < allowed : found > allowed)
            .select(exceeded(total[.entity], allowed, found, isLeast ? last[.records] : .null(.integer)))
    }

    private func amount(_ share: Share, of count: PlanExpression, isLeast: Bool) -> PlanExpression {
        // Whole numbers, of which only the quotient is rounded.
        let amount = count.cast(.real) * .real(Double(share.numerator)) / .real(Double(share.denominator))
        return (isLeast ? amount.roundedUp : amount.roundedDown).cast(.integer)
    }
}
