import SluiceRecords

extension RenamePlanner {
    // MARK: Attributes and relationships

    /// The links of an entity whose table is renamed, under the present names of its relationships.
    mutating func moveLinks(_ move: EntityMove) throws(Failure) {
        let entity = model.entities[move.index]
        guard !move.table.isSameName(as: entity.table) else { return }
        let described = rows.filter { $0.description.name.isIdentical(to: move.name) }
            .flatMap { $0.description.relationships.filter(\.isMany).map(\.name) }
        let defined = entity.relationships.filter(\.isMany).flatMap { [$0.name] + $0.was }
        var seen: Set<FoldedName> = []
        for name in described + defined where seen.insert(FoldedName(name)).inserted {
            guard try image.isLinkTable(Entity.linkTable(of: move.table, name)) else { continue }
            let new = entity.relationships.first { relationship in
                relationship.isMany && relationship.was.contains { $0.isSameName(as: name) }
            }
            try moveLinks(
                move.index, Entity.linkTable(of: move.table, name),
                Entity.linkTable(of: entity.table, new?.name ?? name))
        }
    }

    mutating func moveLinks(_ index: Int, _ old: String, _ new: String) throws(Failure) {
        guard !old.isSameName(as: new) else { return }
        let isThere = try image.has(new)
        if isThere || renaming.linkTables.contains(where: { $0.to.isSameName(as: new) }) {
            refuseBoth(index, "was", "the links of \(model.entities[index].name) are renamed", old, new)
        } else {
            // In the letters that the store has: on a server they count.
            renaming.linkTables.append(.init(from: try image.table(old)?.name ?? old, to: new))
        }
    }

    mutating func renameParts(_ index: Int) throws(Failure) {
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
                let links = Entity.linkTable(of: entity.table, name)
                if moves.contains(where: { $0.to.isSameName(as: links) }) { return true }
                return try image.isLinkTable(links)
            }
        }
    }

    /// What this pipeline has said of an entity.
    struct OwnRow {
        var row: ModelRow
        var parts: [FoldedName: EntityDescription.Part]
        var marks: [FoldedName: String]
    }

    /// An attribute or a relationship of the definition.
    package struct Part {
        var name: String
        var was: [String]
        var key: String
        var isMany = false
    }

    mutating func rename(
        _ index: Int, _ part: Part, _ own: OwnRow?, isThere: (String) throws(Failure) -> Bool
    ) throws(Failure) {
        let entity = model.entities[index]
        if try isOtherCase(index, part, own) { return }
        if let other = presentName(part, own) {
            return refuse(
                index, [part.key, part.name],
                "\(entity.name).\(part.name) is called \(other) in the store \(path), "
                    + reason(entity.name, part.name, other) { description in
                        description.parts[FoldedName(other)] != nil && description.marks[FoldedName(part.name)] == nil
                    })
        }
        let isKnown = own?.parts[FoldedName(part.name)] != nil
        var earlier: [String] = []
        for name in part.was where try isThere(name) {
            // Where this pipeline already had the new name, an old name counts only if the pipeline has that as well.
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
    mutating func isOtherCase(_ index: Int, _ part: Part, _ own: OwnRow?) throws(Failure) -> Bool {
        guard part.key == "relationships", let stored = own?.row.description.relationship(part.name),
            !stored.name.isIdentical(to: part.name)
        else { return false }
        renameInRows(index, stored.name, part.name)
        return true
    }

    /// The present name of what the definition still calls by a name from before another pipeline, or a run that failed
    /// later, renamed it.
    func presentName(_ part: Part, _ own: OwnRow?) -> String? {
        guard let own, own.parts[FoldedName(part.name)] == nil else { return nil }
        guard let present = own.marks[FoldedName(part.name)] else { return nil }
        return part.was.contains { $0.isSameName(as: present) } ? nil : present
    }

    mutating func move(_ index: Int, _ part: Part, _ old: String) throws(Failure) {
        let entity = model.entities[index]
        if part.isMany {
            try moveLinks(index, Entity.linkTable(of: entity.table, old), Entity.linkTable(of: entity.table, part.name))
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

    mutating func moveColumn(_ entity: Entity, _ old: String, _ new: String) throws(Failure) {
        let stored = try image.table(entity.table)?.column(old)?.name ?? old
        renaming.columns.append(.init(table: entity.table, from: stored, to: new))
        try image.renameColumn(of: entity.table, old, new)
    }

    /// Where the links were renamed with their entity, and have their new name, the rows and the waiting list must
    /// follow.
    mutating func followLinks(_ index: Int, _ part: Part) {
        let links = "\(model.entities[index].table)_\(part.name)"
        guard part.isMany, let move = renaming.linkTables.first(where: { $0.to.isSameName(as: links) }) else { return }
        for name in part.was where FoldedName(move.from).hasSuffix("_" + name) { renameInRows(index, name, part.name) }
    }

    mutating func renameInRows(_ index: Int, _ old: String, _ new: String) {
        let entity = model.entities[index].name
        if model.entities[index].relationships.contains(where: { $0.name.isIdentical(to: new) }) {
            renaming.relationships.append(.init(entity: entity, from: old, to: new))
        } else {
            attributesBefore[FoldedName(entity), default: [:]][FoldedName(new)] = old
        }
        for row in rows.indices where rows[row].description.name.isIdentical(to: entity) {
            rows[row].description.rename(old, new)
        }
    }
}
