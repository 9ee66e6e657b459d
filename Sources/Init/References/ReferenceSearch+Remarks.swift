import SluiceDefinition
import SluiceRecords

// What may be a reference, and is not drafted as one.
extension ReferenceSearch {
    /// Tells of what came close.
    func remark(_ source: DraftColumn, _ matches: [Match]) {
        let isRelated = source.entity.relationships.contains { other in
            other.column === source || source.cut != nil && other.column?.origin == source.origin
        }
        if isRelated || isOwnName(source) { return }
        let near = matches.filter { match in
            match.share >= 0.5 && !match.target.entity.isDoubtful && isTelling(source, match)
                && (match.target.entity !== source.entity || isOfOthers(source, match)) && match.values >= 10
                && (source.cut == nil || isPartTold(source, match))
                && (isIdentifier(match.target) || !areRelated(source.entity, match.target.entity))
        }.max { $0.share < $1.share }
        guard let near else { return }
        let why = isIdentifier(near.target) ? "" : ", which does not identify \(near.target.entity.name) here"
        let part = source.cut.map { ", \($0.words)" } ?? ""
        source.entity.remarks.append("\(quoted(source.ownName))\(part): \(near.figures(near.target.fullName + why))")
    }

    /// Whether a value is hardly by chance that of another record of the same entity: `inherits`.
    private func isOfOthers(_ source: DraftColumn, _ match: Match) -> Bool {
        source.isOwnMember && source.content == .scalar && source.cut == nil && isIdentifier(match.target)
            && isRare(match.target)
    }

    /// Whether so much is found of the parts of texts that these may be references.
    private func isPartTold(_ source: DraftColumn, _ match: Match) -> Bool {
        match.share >= 0.75 && match.values >= 20 && isIdentifier(match.target) && isRare(match.target)
    }
}
