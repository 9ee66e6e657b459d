import SluiceDefinition
import SluiceRecords

/// Makes entities of what lists of addresses name again and again, and no feed holds: `"affectedZones":
/// ["https://api.example.org/zones/7", …]`.
struct Addresses {
    /// - Parameter entities: all of them, with their relationships.
    static func find(_ entities: [DraftEntity], _ entityNames: inout EntityNames) -> [DraftEntity] {
        var found: [DraftEntity] = []
        for entity in entities where !entity.isDropped && !entity.isEmbedded && !entity.isTree && !entity.repeats {
            for column in entity.columns where isList(column) {
                guard let path = column.path else { continue }
                let named = DraftEntity(named: column, at: path)
                entityNames.name(
                    named, like: [Names.entity(path[path.count - 1]), entity.name + Names.entity(path[path.count - 1])])
                entity.relationships.append(
                    DraftRelationship(column, to: [named], remark: "addresses of what is in no feed here"))
                found.append(named)
            }
        }
        return found
    }

    private static func isList(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        guard column.content == .list, column.cut == nil, facts.forms == .address, facts.empties == 0,
            facts.numbers == 0, column.values >= 10, !column.isOfExcerpt
        else { return false }
        let isRelated = column.entity.relationships.contains { $0.column?.origin == column.origin }
        return !isRelated && facts.sketch.distinct >= 3 && facts.sketch.isRepeated(among: column.values)
    }
}
