import SluiceRecords

/// Tables that a store has had and somebody has dropped, while others still have objectIDs of their objects: new ones
/// would get these objectIDs, and with them the links and references of others.
enum LostTables {
    /// - Parameter descriptions: what `sluice_model` says of all entities of the store.
    static func contradictions(
        _ model: Model, _ descriptions: [EntityDescription], _ catalog: any StoreCatalog
    ) throws(Failure) -> [SchemaContradiction] {
        var found: [SchemaContradiction] = []
        for entity in model.entities {
            let known = descriptions.first {
                $0.name.isIdentical(to: entity.name) && $0.table.isSameName(as: entity.table)
            }
            guard known != nil, try catalog.table(entity.table) == nil else { continue }
            let holders = try holders(of: entity, descriptions, catalog)
            if holders.isEmpty { continue }
            let have = holders.count == 1 ? "has" : "have"
            found.append(
                SchemaContradiction(
                    message: "the store has lost the table \(entity.table) of \(entity.name), and"
                        + " \(holders.joined(separator: ", ")) still \(have) objectIDs of its objects, which new ones would get:"
                        + " restore the table, or empty \(holders.count == 1 ? "this" : "these"), too",
                    keys: ["entities", entity.name]))
        }
        return found
    }

    /// The tables of links, and the columns of references, that lead to objects of an entity.
    private static func holders(
        of entity: Entity, _ descriptions: [EntityDescription], _ catalog: any StoreCatalog
    ) throws(Failure) -> [String] {
        var found: [String] = []
        for reference in descriptions.flatMap({ $0.references(to: entity.name) }) {
            guard let table = try catalog.table(reference.table),
                reference.columns.allSatisfy({ name in table.columns.contains { $0.name.isSameName(as: name) } })
            else { continue }
            let condition = reference.condition("IS NOT NULL", entity: entity.name.inQuotes("'"))
            guard try catalog.holdsRows(reference.table, where: condition) else { continue }
            let name = reference.isLink ? reference.table : "\(reference.table).\(reference.column)"
            if !found.containsExactly(name) { found.append(name) }
        }
        return found
    }
}
