import SluiceDefinition
import SluiceRecords

/// What a record of an entity must have: the `where` of the entity, by path.
struct EntityConditions {
    private let entity: DraftEntity

    init(_ entity: DraftEntity) { self.entity = entity }

    var all: [(String, String)] {
        let kind = entity.place.kind.map { (DraftPaths.member($0.member), DraftText.quoted($0.value)) }
        return [kind].compactMap { $0 } + ofRecords
    }

    /// Those that tell records from what stands among them and is none.
    var ofRecords: [(String, String)] {
        var conditions: [(String, String)] = []
        // What takes the place of some records has no members.
        let isPartial = entity.identifier?.isPartial == true
        for column in entity.distinguishingColumns {
            conditions.append((DraftPaths.own(column), "{ \"present\": true\(isPartial ? ", \"not\": null" : "") }"))
        }
        // What is in a record that is left out is, too.
        for column in entity.partialOwners.flatMap(\.distinguishingColumns) {
            conditions.append((DraftPaths.path(of: column, around: entity), "{ \"present\": true, \"not\": null }"))
        }
        if let type = entity.distinguishingType { conditions.append(("@", "{ \"type\": \"\(type)\" }")) }
        if entity.omissions.hasHeader { conditions.append(("not", "{ \"~\": 0 }")) }
        if let own = entity.omissions.nonRecords?.condition,
            !conditions.contains(where: { $0.0.isIdentical(to: own.0) })
        {
            conditions.append(own)
        }
        return conditions + hasValue
    }

    /// So many columns are enough to tell a row without a value, where other rows have a value in each of them.
    private static let mostTelling = 6

    /// What leaves out rows without a value, and no record that lacks nothing but its identifier: that is to be a
    /// reject.
    private var hasValue: [(String, String)] {
        // Where sums and notes are left out by what they lack, these are, too.
        let hasCondition = entity.omissions.nonRecords?.areLeftOut == true || entity.identifier?.isPartial == true
        guard entity.omissions.blankRows > 0, !hasCondition else { return [] }
        var columns = entity.columns.filter { $0.cut == nil && $0.isOwnMember }
        if columns.count > EntityConditions.mostTelling, columns.contains(where: \.isAlwaysThere) {
            // Those that the fewest rows lack: the identifier is not alone even where a note below has nothing else.
            let full = columns.sorted { ($0.counts.nulls, $0.index) < ($1.counts.nulls, $1.index) }
            columns = full.prefix(EntityConditions.mostTelling).sorted { $0.index < $1.index }
        }
        return [("not", JSONText.object(columns.map { (DraftPaths.own($0), "null") }))]
    }
}
