import SluiceRecords

/// Finds the parts of a store that must be renamed: those that a definition has under another name than the store, by
/// `was`, by another `table`, or by the case of letters.
struct RenamePlanner {
    var renaming = Renaming()
    var rows: [ModelRow]
    var contradictions: [SchemaContradiction] = []
    /// Entities whose names already contradict the store: comparing more of them would give wrong results.
    var isBroken: [Bool]

    let model: Model
    let pipeline: String
    let image: StoreImage
    /// Where the rows of an entity are, by its name without regard to case; and those of which another pipeline has
    /// renamed the entity.
    var places: [FoldedName: [Int]] = [:]
    var renamed: [Int] = []
    /// The earlier names of attributes that are renamed, by the present ones of their entities and theirs.
    var attributesBefore: [FoldedName: [FoldedName: String]] = [:]

    /// Changes the image to the store as it will be, and the rows likewise.
    init(_ image: StoreImage, _ model: Model, _ rows: [ModelRow], pipeline: String) throws(Failure) {
        self.image = image
        self.model = model
        self.rows = rows
        self.pipeline = pipeline
        isBroken = Array(repeating: false, count: model.entities.count)
        notePlaces()
        var moves: [EntityMove] = []
        for (index, entity) in model.entities.enumerated() {
            if let move = try move(index, entity) { moves.append(move) }
        }
        try refuseTaken(&moves)
        try apply(moves)
        notePlaces()
        for index in model.entities.indices where !isBroken[index] { try renameParts(index) }
        try image.rename(renaming.linkTables)
        for index in model.entities.indices where !isBroken[index] { try renameLinkValues(index) }
        renaming.entityColumns = try entityColumns()
        renaming.waitingLabels = waitingLabels()
    }

    mutating func notePlaces() {
        places = [:]
        for (index, row) in rows.enumerated() { places[FoldedName(row.description.name), default: []].append(index) }
        renamed = rows.indices.filter { rows[$0].description.was != nil }
    }

    /// The rows of all entities of a name, without regard to case.
    func rows(of name: String) -> [ModelRow] { (places[FoldedName(name)] ?? []).map { rows[$0] } }

    func ownRow(_ entity: Entity) -> ModelRow? {
        rows(of: entity.name).first { isOwn($0) && $0.description.name.isIdentical(to: entity.name) }
    }

    // MARK: Entities

    /// An entity that the store has under another name, or in another table.
    struct EntityMove {
        var index: Int
        var name: String
        var table: String
    }

    func isOwn(_ row: ModelRow) -> Bool { row.pipeline.isIdentical(to: pipeline) }

    mutating func move(_ index: Int, _ entity: Entity) throws(Failure) -> EntityMove? {
        let exact = ownRow(entity)
        if exact == nil, let row = renamedRow(of: entity) {
            refuse(
                index, [],
                "the entity \(entity.name) is called \(row.description.name) in the store \(path), "
                    + reason(row.description.name, entity.name, row.description.name) { $0.was == nil })
            return nil
        }
        var earlier: [EntityMove] = []
        for name in entity.was { try earlier.append(contentsOf: stored(index, name, isNew: exact == nil)) }
        if let exact {
            let table = exact.description.table
            if let other = earlier.first, try image.has(table) {
                refuseBoth(index, "was", "the entity \(entity.name) was \(other.name)", other.table, table)
                return nil
            }
            return try tableMove(index, entity, exact)
        }
        if earlier.isEmpty { earlier = try inOtherCase(index, entity) }
        guard let old = earlier.first else { return nil }
        if earlier.count > 1 {
            refuseBoth(
                index, "was", "the entity \(entity.name) was \(old.name) and \(earlier[1].name)", old.table,
                earlier[1].table)
            return nil
        }
        return old
    }

    /// What the store has of an entity under an earlier name.
    func stored(_ index: Int, _ name: String, isNew: Bool) throws(Failure) -> [EntityMove] {
        let named = rows(of: name).filter { isNew || isOwn($0) }
        for row in named.filter(isOwn) + named where try image.has(row.description.table) {
            return [EntityMove(index: index, name: row.description.name, table: row.description.table)]
        }
        // A store from before `sluice_model` has no entities, only tables.
        let isClaimed = rows.contains { $0.description.table.isSameName(as: name) }
        guard isNew, !isClaimed, try image.has(name) else { return [] }
        return [EntityMove(index: index, name: name, table: name)]
    }

    /// A row of this pipeline that another one, or a run that failed later, has renamed, while the definition still has
    /// the earlier name.
    func renamedRow(of entity: Entity) -> ModelRow? {
        renamed.lazy.map { rows[$0] }.first { row in
            isOwn(row) && row.description.was?.isIdentical(to: entity.name) == true
                && !entity.was.contains { $0.isSameName(as: row.description.name) }
        }
    }

    /// What the store has of an entity under its name with other capital letters.
    func inOtherCase(_ index: Int, _ entity: Entity) throws(Failure) -> [EntityMove] {
        let row = rows(of: entity.name).first(where: isOwn)
        guard let row, try image.has(row.description.table) else { return [] }
        return [EntityMove(index: index, name: row.description.name, table: row.description.table)]
    }

    mutating func tableMove(_ index: Int, _ entity: Entity, _ row: ModelRow) throws(Failure) -> EntityMove? {
        let table = row.description.table
        guard !table.isSameName(as: entity.table), try image.has(table) else { return nil }
        if row.description.tableWas?.isSameName(as: entity.table) == true {
            let others = others(row.description.name).map { " (\($0))" } ?? ""
            refuse(
                index, ["table"],
                "the table \(entity.table) is called \(table) in the store \(path), since another pipeline has renamed"
                    + " it\(others): say \"table\": \(JSONText.quoted(table)) here, too")
            return nil
        }
        return EntityMove(index: index, name: entity.name, table: table)
    }

    /// Refuses to rename to a name that something has and keeps.
    mutating func refuseTaken(_ moves: inout [EntityMove]) throws(Failure) {
        let leaving = Set(moves.map { FoldedName($0.table) })
        for move in moves {
            let entity = model.entities[move.index]
            guard !leaving.contains(FoldedName(entity.table)), try image.has(entity.table) else { continue }
            let isSame = move.name.isIdentical(to: entity.name)
            refuseBoth(
                move.index, isSame ? "table" : "was",
                isSame
                    ? "the entity \(entity.name) had the table \(move.table), and now has \(entity.table)"
                    : "the entity \(entity.name) was \(move.name)", move.table, entity.table)
        }
        moves.removeAll { isBroken[$0.index] }
    }

    mutating func apply(_ moves: [EntityMove]) throws(Failure) {
        for move in moves {
            let entity = model.entities[move.index]
            if !move.table.isSameName(as: entity.table) {
                renaming.tables.append(.init(from: move.table, to: entity.table))
            }
            if !move.name.isIdentical(to: entity.name) {
                renaming.entities.append(.init(from: move.name, to: entity.name))
            }
        }
        // The links follow their entity: where they are called by its table, before it is renamed in the rows.
        for move in moves { try moveLinks(move) }
        try image.rename(renaming.tables)
        for move in moves { rename(move) }
    }

    /// Renames the entity of a move in the rows of all pipelines.
    mutating func rename(_ move: EntityMove) {
        let entity = model.entities[move.index]
        for index in rows.indices {
            let isOwn = isOwn(rows[index])
            var description = rows[index].description
            if description.name.isIdentical(to: move.name) {
                if !move.name.isIdentical(to: entity.name) {
                    description.was = mark(description.was ?? move.name, entity.name)
                }
                if !isOwn, !description.table.isSameName(as: entity.table) {
                    description.tableWas = mark(description.tableWas ?? description.table, entity.table)
                }
                description.name = entity.name
                description.table = entity.table
            }
            for relationship in description.relationships.indices {
                description.relationships[relationship].targets = description.relationships[relationship].targets.map {
                    $0.isIdentical(to: move.name) ? entity.name : $0
                }
            }
            rows[index].description = description
        }
    }

    func mark(_ earlier: String, _ now: String) -> String? { earlier.isIdentical(to: now) ? nil : earlier }

    // MARK: Values

    /// The columns of users' tables in which entities are named.
    func entityColumns() throws(Failure) -> [(table: String, column: String)] {
        guard !renaming.entities.isEmpty else { return [] }
        var columns: [(table: String, column: String)] = []
        var seen: Set<[FoldedName]> = []
        let descriptions = rows.map(\.description) + model.entities.map { EntityDescription($0, in: model) }
        for description in descriptions {
            for relationship in description.relationships where relationship.isPolymorphic {
                let table = relationship.isMany ? description.linkTable(of: relationship) : description.table
                let column = relationship.isMany ? "target_entity" : relationship.entityColumn
                guard seen.insert([FoldedName(table), FoldedName(column)]).inserted else { continue }
                if try image.table(table)?.column(column) != nil { columns.append((table, column)) }
            }
        }
        return columns
    }

    // MARK: Contradictions

    var path: String { image.path }

    /// Who has renamed what the definition calls by an earlier name, and what it may say: the end of a message. A run
    /// that renames before its transaction, as on a server, leaves the new names when it fails.
    ///
    /// - Parameter entity: its present name.
    /// - Parameter calls: whether the definition of another pipeline calls it by its present name.
    func reason(
        _ entity: String, _ earlier: String, _ present: String, calls: (EntityDescription) -> Bool
    ) -> String {
        if let others = others(entity, where: calls) {
            return
                "since another pipeline has renamed it (\(others)): call it so here, too, with \"was\":"
                + " \(JSONText.quoted(earlier))"
        }
        return
            "since a run that failed later, or another pipeline, has renamed it: call it so here, too, or, to have the"
            + " earlier name back, say \"was\": \(JSONText.quoted(present))"
    }

    /// The other pipelines that describe an entity, separated by commas; nil: none does.
    ///
    /// - Parameter counts: whether a description of the entity is meant.
    private func others(_ entity: String, where counts: (EntityDescription) -> Bool = { _ in true }) -> String? {
        let named = rows.filter { !isOwn($0) && $0.description.name.isIdentical(to: entity) }
        let names = named.filter { counts($0.description) }.map(\.pipeline)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    mutating func refuse(_ index: Int, _ keys: [String], _ message: String) {
        isBroken[index] = true
        contradictions.append(
            SchemaContradiction(message: message, keys: ["entities", model.entities[index].name] + keys))
    }

    mutating func refuseBoth(_ index: Int, _ key: String, _ what: String, _ old: String, _ new: String) {
        refuse(index, [key], "\(what), and the store \(path) has a table for both: \(old) and \(new)")
    }
}
