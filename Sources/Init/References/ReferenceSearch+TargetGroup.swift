import SluiceRecords

// References that lead to several entities.
extension ReferenceSearch {
    /// Entities that have nearly all values of a column together.
    struct TargetGroup {
        var targets: [Match]
        var values: Int
        var found: Int
        var isExact: Bool

        var remark: String {
            let parts = targets.map { match in
                let count = match.isExact && isExact ? grouped(match.found) : match.sampledShare
                return "\(count) in \(match.target.entity.name)"
            }.joined(separator: ", ")
            guard isExact else { return parts }
            let missing = values - found
            let rest = missing == 0 ? "" : "; \(grouped(missing)) \(missing == 1 ? "is" : "are") in none of them"
            return "of \(grouped(values)): \(parts)\(rest)"
        }
    }

    /// Targets that have nearly all values together, each some of them.
    func targetGroup(of source: DraftColumn, _ matches: [Match]) -> TargetGroup? {
        guard source.facts.integers.count == 0 || source.isWhole && source.meaning.isReference, matches.count > 1,
            source.facts.sketch.distinct >= 3, let own = countsOf(source)
        else { return nil }
        var kept: [Match] = []
        var (values, found) = (0, 0)
        // What identifies a record is told of again in lists of others, which refer to it.
        let isOfRecord = isOwnName(source) && source.entity.owner == nil
        for match in matches.sorted(by: { $0.found > $1.found })
        where !isOfRecord || match.target.entity.owner == nil {
            // A few codes are found by chance, and so are numbers.
            let isMany = !source.isWhole && match.found * 1000 >= match.values
            guard isMany || isNoChance(source, match.target) || areClose(source, match.target) else { continue }
            let together = own.overlap(with: (kept + [match]).compactMap { countsOf($0.target) })
            // What adds nothing is another's.
            guard kept.isEmpty || together.found * values > found * together.values else { continue }
            kept.append(match)
            (values, found) = together
        }
        guard kept.count > 1, Double(found) >= ReferenceSearch.enough * Double(values) else { return nil }
        return TargetGroup(targets: kept, values: values, found: found, isExact: kept.allSatisfy(\.isExact))
    }

    /// Whether several entities are meant rather than the best one, which has most of the values: the others have
    /// nearly all of the rest, and not by chance.
    func isBetter(_ group: TargetGroup, than best: Match, _ source: DraftColumn) -> Bool {
        guard best.share < 1, group.targets.allSatisfy({ isNoChance(source, $0.target) }),
            group.targets.contains(where: { $0.target === best.target })
        else { return false }
        let rest = group.values - best.found
        return rest > 0 && Double(group.found - best.found) >= ReferenceSearch.enough * Double(rest)
    }
}
