import SluiceRecords

/// Tables that a store has had and somebody has dropped, while others still have objectIDs of their objects: new ones
/// would get these objectIDs, and with them the links and references of others.
struct LostTables {
    private let image: StoreImage
    private let catalog: any StoreCatalog
    private let descriptions: [EntityDescription]
    private let renaming: Renaming

    /// - Parameters:
    ///   - image: the store after the renaming.
    ///   - descriptions: what `sluice_model` says of all entities of the store, under the names that they have there.
    init(
        _ image: StoreImage, _ catalog: any StoreCatalog, _ descriptions: [EntityDescription], _ renaming: Renaming
    ) {
        self.image = image
        self.catalog = catalog
        self.descriptions = descriptions
        self.renaming = renaming
    }

    func contradictions(_ model: Model) throws(Failure) -> [SchemaContradiction] {
        var found: [SchemaContradiction] = []
        for entity in model.entities where try !image.has(entity.table) {
            let name = renaming.nameBefore(entity: entity.name)
            guard let known = descriptions.first(where: { $0.name.isIdentical(to: name) }),
                try catalog.table(known.table) == nil
            else { continue }
            let holders = try holders(of: name)
            if holders.isEmpty { continue }
            let have = holders.count == 1 ? "has" : "have"
            found.append(
                SchemaContradiction(
                    message: "the store has lost the table \(known.table) of \(name), and"
                        + " \(holders.joined(separator: ", ")) still \(have) objectIDs of its objects, which new ones would get:"
                        + " restore the table, or empty \(holders.count == 1 ? "this" : "these"), too",
                    keys: ["entities", entity.name]))
        }
        return found
    }

    /// The tables of links, and the columns of references, that lead to objects of an entity.
    private func holders(of entity: String) throws(Failure) -> [String] {
        var found: [String] = []
        for reference in descriptions.flatMap({ $0.references(to: entity) }) {
            guard let table = try catalog.table(reference.table),
                reference.columns.allSatisfy({ name in table.columns.contains { $0.name.isSameName(as: name) } })
            else { continue }
            let condition = reference.condition("IS NOT NULL", entity: entity.inQuotes("'"))
            guard try catalog.holdsRows(reference.table, where: condition) else { continue }
            let name = reference.isLink ? reference.table : "\(reference.table).\(reference.column)"
            if !found.containsExactly(name) { found.append(name) }
        }
        return found
    }
}
