import SluiceRecords

/// The tables of a store as they will be after the renaming. The store itself stays as it is.
final class StoreImage {
    private let catalog: any StoreCatalog
    private var tables: [FoldedName: StoredTable?] = [:]
    private var moves: [Renaming.Move] = []

    init(_ catalog: any StoreCatalog) { self.catalog = catalog }

    /// The store, for messages.
    var path: String { catalog.name }

    /// The table of that name, or nil.
    func table(_ name: String) throws(Failure) -> StoredTable? {
        if let known = tables[FoldedName(name)] { return known }
        var table = try catalog.table(name)
        table?.renameReferences { renamed($0, moves) }
        tables[FoldedName(name)] = .some(table)
        return table
    }

    func has(_ name: String) throws(Failure) -> Bool { try table(name) != nil }

    /// Whether a table of that name, which is there, has any rows.
    func holdsObjects(_ table: String) throws(Failure) -> Bool {
        try catalog.holdsRows(moves.first { $0.to.isSameName(as: table) }?.from ?? table)
    }

    /// Whether a table of that name has the columns of links.
    func isLinkTable(_ name: String) throws(Failure) -> Bool {
        guard let table = try table(name) else { return false }
        return table.column("objectID") == nil
            && ["source", "target", "position"].allSatisfy { table.column($0) != nil }
    }

    /// Whether there is a table with the links of a relationship of an entity.
    func hasLinks(_ table: String, _ relationship: String) throws(Failure) -> Bool {
        let name = Entity.linkTable(of: table, relationship)
        guard try isLinkTable(name) else { return false }
        guard let source = try self.table(name)?.column("source") else { return false }
        // On a server there may be no foreign key.
        return source.references?.isSameName(as: table) ?? catalog.dialect.mayLackForeignKeys
    }

    /// Renames tables, all at once.
    func rename(_ moves: [Renaming.Move]) throws(Failure) {
        var moved: [(String, StoredTable?)] = []
        for move in moves { moved.append((move.to, try table(move.from))) }
        for move in moves { tables[FoldedName(move.from)] = .some(nil) }
        for (name, table) in moved {
            var table = table
            table?.name = name
            tables[FoldedName(name)] = .some(table)
        }
        self.moves += moves
        for name in tables.keys {
            guard var table = tables[name] ?? nil else { continue }
            table.renameReferences { renamed($0, moves) }
            tables[name] = .some(table)
        }
    }

    func renameColumn(of table: String, _ old: String, _ new: String) throws(Failure) {
        guard var changed = try self.table(table) else { return }
        changed.renameColumn(old, new)
        tables[FoldedName(table)] = .some(changed)
    }

    private func renamed(_ table: String, _ moves: [Renaming.Move]) -> String {
        moves.first { $0.from.isSameName(as: table) }?.to ?? table
    }
}
