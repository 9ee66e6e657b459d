import Records

/// Finds out what of a store must be renamed: what a definition has under another name than the store, by `was`, by
/// another `table`, or by the case of its letters.
struct RenamePlanner {
    private(set) var renaming = Renaming()
    private(set) var rows: [ModelRow]
    private(set) var contradictions: [SchemaContradiction] = []
    /// Entities that contradict the store by their names already: to compare more of them would say nothing true.
    private(set) var isBroken: [Bool]

    private let model: Model
    private let pipeline: String
    private let image: StoreImage
    /// Where the rows of an entity are, by its name without regard to case; and those of which another pipeline has
    /// renamed the entity.
    private var places: [FoldedName: [Int]] = [:]
    private var renamed: [Int] = []

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
        renaming.entityColumns = try entityColumns()
    }

    private mutating func notePlaces() {
        places = [:]
        for (index, row) in rows.enumerated() { places[FoldedName(row.description.name), default: []].append(index) }
        renamed = rows.indices.filter { rows[$0].description.was != nil }
    }

    /// The rows of all entities of a name, without regard to case.
    private func rows(of name: String) -> [ModelRow] { (places[FoldedName(name)] ?? []).map { rows[$0] } }

    private func ownRow(_ entity: Entity) -> ModelRow? {
        rows(of: entity.name).first { isOwn($0) && $0.description.name.isIdentical(to: entity.name) }
    }

    // MARK: Entities

    /// An entity that the store has under another name, or in another table.
    private struct EntityMove {
        var index: Int
        var name: String
        var table: String
    }

    private func isOwn(_ row: ModelRow) -> Bool { row.pipeline.isIdentical(to: pipeline) }

    private mutating func move(_ index: Int, _ entity: Entity) throws(Failure) -> EntityMove? {
        let exact = ownRow(entity)
        if exact == nil, let row = renamedByOther(entity) {
            refuse(
                index, [],
                "the entity \(entity.name) is called \(row.description.name) in the store \(path), since another pipeline"
                    + " has renamed it\(others(row)): call it so here, too, with \"was\": \(JSONText.quoted(entity.name))"
            )
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
    private func stored(_ index: Int, _ name: String, isNew: Bool) throws(Failure) -> [EntityMove] {
        let named = rows(of: name).filter { isNew || isOwn($0) }
        for row in named.filter(isOwn) + named where try image.has(row.description.table) {
            return [EntityMove(index: index, name: row.description.name, table: row.description.table)]
        }
        // A store of a time before sluice_model knows nothing of entities, only of tables.
        let isClaimed = rows.contains { $0.description.table.isSameName(as: name) }
        guard isNew, !isClaimed, try image.has(name) else { return [] }
        return [EntityMove(index: index, name: name, table: name)]
    }

    /// A row of this pipeline that another one has renamed, while the definition still has the earlier name.
    private func renamedByOther(_ entity: Entity) -> ModelRow? {
        renamed.lazy.map { rows[$0] }.first { row in
            isOwn(row) && row.description.was?.isIdentical(to: entity.name) == true
                && !entity.was.contains { $0.isSameName(as: row.description.name) }
        }
    }

    /// What the store has of an entity under its name with other capital letters.
    private func inOtherCase(_ index: Int, _ entity: Entity) throws(Failure) -> [EntityMove] {
        let row = rows(of: entity.name).first(where: isOwn)
        guard let row, try image.has(row.description.table) else { return [] }
        return [EntityMove(index: index, name: row.description.name, table: row.description.table)]
    }

    private mutating func tableMove(_ index: Int, _ entity: Entity, _ row: ModelRow) throws(Failure) -> EntityMove? {
        let table = row.description.table
        guard !table.isSameName(as: entity.table), try image.has(table) else { return nil }
        if row.description.tableWas?.isSameName(as: entity.table) == true {
            refuse(
                index, ["table"],
                "the table \(entity.table) is called \(table) in the store \(path), since another pipeline has renamed"
                    + " it\(others(row)): say \"table\": \(JSONText.quoted(table)) here, too")
            return nil
        }
        return EntityMove(index: index, name: entity.name, table: table)
    }

    /// Refuses to rename to a name that something has and keeps.
    private mutating func refuseTaken(_ moves: inout [EntityMove]) throws(Failure) {
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

    private mutating func apply(_ moves: [EntityMove]) throws(Failure) {
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
    private mutating func rename(_ move: EntityMove) {
        let entity = model.entities[move.index]
        for index in rows.indices {
            let isOwn = isOwn(rows[index])
            var description = rows[index].description
            if description.name.isIdentical(to: move.name) {
                if !isOwn, !move.name.isIdentical(to: entity.name) {
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

    private func mark(_ earlier: String, _ now: String) -> String? { earlier.isIdentical(to: now) ? nil : earlier }

    // MARK: Attributes and relationships

    /// The links of an entity whose table is renamed, under the present names of its relationships.
    private mutating func moveLinks(_ move: EntityMove) throws(Failure) {
        let entity = model.entities[move.index]
        guard !move.table.isSameName(as: entity.table) else { return }
        let described = rows.filter { $0.description.name.isIdentical(to: move.name) }
            .flatMap { $0.description.relationships.filter(\.isMany).map(\.name) }
        let defined = entity.relationships.filter(\.isMany).flatMap { [$0.name] + $0.was }
        var seen: Set<FoldedName> = []
        for name in described + defined where seen.insert(FoldedName(name)).inserted {
            guard try image.isLinkTable("\(move.table)_\(name)") else { continue }
            let new = entity.relationships.first { relationship in
                relationship.isMany && relationship.was.contains { $0.isSameName(as: name) }
            }
            try moveLinks(move.index, "\(move.table)_\(name)", "\(entity.table)_\(new?.name ?? name)")
        }
    }

    private mutating func moveLinks(_ index: Int, _ old: String, _ new: String) throws(Failure) {
        guard !old.isSameName(as: new) else { return }
        let isThere = try image.has(new)
        if isThere || renaming.linkTables.contains(where: { $0.to.isSameName(as: new) }) {
            refuseBoth(index, "was", "the links of \(model.entities[index].name) are renamed", old, new)
        } else {
            renaming.linkTables.append(.init(from: old, to: new))
        }
    }

    private mutating func renameParts(_ index: Int) throws(Failure) {
        let entity = model.entities[index]
        guard let table = try image.table(entity.table) else { return }
        let row = ownRow(entity)
        let own = row.map { OwnRow(row: $0, parts: $0.description.parts, marks: $0.description.marks) }
        for attribute in entity.attributes {
            let part = Part(name: attribute.name, was: attribute.was, key: "attributes")
            try rename(index, part, own) { table.column($0) != nil }
        }
        for relationship in entity.relationships {
            var part = Part(name: relationship.name, was: relationship.was, key: "relationships")
            part.isMany = relationship.isMany
            let (image, moves) = (image, renaming.linkTables)
            try rename(index, part, own) { name throws(Failure) in
                guard relationship.isMany else { return table.column(name) != nil }
                let links = "\(entity.table)_\(name)"
                if moves.contains(where: { $0.to.isSameName(as: links) }) { return true }
                return try image.isLinkTable(links)
            }
        }
    }

    /// What this pipeline has said of an entity.
    private struct OwnRow {
        var row: ModelRow
        var parts: [FoldedName: EntityDescription.Part]
        var marks: [FoldedName: String]
    }

    /// An attribute or a relationship of the definition.
    private struct Part {
        var name: String
        var was: [String]
        var key: String
        var isMany = false
    }

    private mutating func rename(
        _ index: Int, _ part: Part, _ own: OwnRow?, isThere: (String) throws(Failure) -> Bool
    ) throws(Failure) {
        let entity = model.entities[index]
        if try isOtherCase(index, part, own) { return }
        if let other = renamedByOther(part, own) {
            return refuse(
                index, [part.key, part.name],
                "\(entity.name).\(part.name) is called \(other) in the store \(path), since another pipeline has renamed"
                    + " it\(own.map { others($0.row) } ?? ""): call it so here, too, with \"was\": \(JSONText.quoted(part.name))"
            )
        }
        let isKnown = own?.parts[FoldedName(part.name)] != nil
        var earlier: [String] = []
        for name in part.was where try isThere(name) {
            // Where this pipeline has had the new name before, only what it has under the old one, too, is meant.
            if !isKnown || own?.parts[FoldedName(name)] != nil { earlier.append(name) }
        }
        guard let old = earlier.first else { return followLinks(index, part) }
        let second = try earlier.count > 1 ? earlier[1] : isThere(part.name) ? part.name : nil
        if let second {
            let what = earlier.count > 1 ? "\(old) and \(second)" : old
            return refuse(
                index, [part.key, part.name, "was"],
                "\(entity.name).\(part.name) was \(what), and the table \(entity.table) of the store \(path) has both"
                    + " \(old) and \(second)")
        }
        try move(index, part, old)
    }

    /// Renames what the definition writes with other capital letters than before. The columns are the same to SQLite.
    private mutating func isOtherCase(_ index: Int, _ part: Part, _ own: OwnRow?) throws(Failure) -> Bool {
        guard part.key == "relationships", let stored = own?.row.description.relationship(part.name),
            !stored.name.isIdentical(to: part.name)
        else { return false }
        renameInRows(index, stored.name, part.name)
        return true
    }

    /// The present name of what the definition still calls by a name from before another pipeline renamed it.
    private func renamedByOther(_ part: Part, _ own: OwnRow?) -> String? {
        guard let own, own.parts[FoldedName(part.name)] == nil else { return nil }
        guard let present = own.marks[FoldedName(part.name)] else { return nil }
        return part.was.contains { $0.isSameName(as: present) } ? nil : present
    }

    private mutating func move(_ index: Int, _ part: Part, _ old: String) throws(Failure) {
        let entity = model.entities[index]
        if part.isMany {
            try moveLinks(index, "\(entity.table)_\(old)", "\(entity.table)_\(part.name)")
        } else {
            try moveColumn(entity, old, part.name)
            // The column beside a polymorphic reference follows it.
            let hasAnother = try image.table(entity.table)?.column(old + "_entity") != nil
            let isAttribute = entity.attributes.contains { $0.name.isSameName(as: old + "_entity") }
            if part.key == "relationships", hasAnother, !isAttribute {
                try moveColumn(entity, old + "_entity", part.name + "_entity")
            }
        }
        renameInRows(index, old, part.name)
    }

    private mutating func moveColumn(_ entity: Entity, _ old: String, _ new: String) throws(Failure) {
        renaming.columns.append(.init(table: entity.table, from: old, to: new))
        try image.renameColumn(of: entity.table, old, new)
    }

    /// Where the links came along with their entity, under their new name, the rows and the waiting list must follow.
    private mutating func followLinks(_ index: Int, _ part: Part) {
        let links = "\(model.entities[index].table)_\(part.name)"
        guard part.isMany, let move = renaming.linkTables.first(where: { $0.to.isSameName(as: links) }) else { return }
        for name in part.was where FoldedName(move.from).hasSuffix("_" + name) { renameInRows(index, name, part.name) }
    }

    private mutating func renameInRows(_ index: Int, _ old: String, _ new: String) {
        let entity = model.entities[index].name
        if model.entities[index].relationships.contains(where: { $0.name.isIdentical(to: new) }) {
            renaming.relationships.append(.init(entity: entity, from: old, to: new))
        }
        for row in rows.indices where rows[row].description.name.isIdentical(to: entity) {
            rows[row].description.rename(old, new, marks: !isOwn(rows[row]))
        }
    }

    // MARK: Values

    /// The columns of users' tables in which entities are named.
    private func entityColumns() throws(Failure) -> [(table: String, column: String)] {
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

    private var path: String { image.connection.path }

    /// The other pipelines that describe the entity of a row, in parentheses.
    private func others(_ row: ModelRow) -> String {
        let names = rows.filter { !isOwn($0) && $0.description.name.isIdentical(to: row.description.name) }
            .map(\.pipeline)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    private mutating func refuse(_ index: Int, _ keys: [String], _ message: String) {
        isBroken[index] = true
        contradictions.append(
            SchemaContradiction(message: message, keys: ["entities", model.entities[index].name] + keys))
    }

    private mutating func refuseBoth(_ index: Int, _ key: String, _ what: String, _ old: String, _ new: String) {
        refuse(index, [key], "\(what), and the store \(path) has a table for both: \(old) and \(new)")
    }
}
