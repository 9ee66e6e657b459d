// What a relationship may be called.
extension DraftRelationship {
    /// What it may be called, the best first.
    var names: [String] {
        let target = Names.lowered(targets[0].name)
        if !name.isEmpty { return DraftRelationship.plain(name) + longer }
        switch basis {
        case .owner: return [target, target + "_owner"]
        case .sibling: return [target, target + "_ref"]
        case .columns(let columns):
            let path = CompoundReference.path(of: columns)
            return [path?.last, target, target + "_ref"].compactMap { $0 }
        case .embedded(let path):
            return DraftRelationship.plain(path.last { !Names.isGeneric($0) } ?? path[path.count - 1]) + longer
        case .listed:
            let tree = targets[0].isTree && targets[0].place.nodes.count > 1
            let inner = tree ? ShapeStep.members(targets[0].place.steps.dropLast(2)) : targets[0].place.names
            return [inner.last { !Names.isGeneric($0) } ?? inner.last ?? target, target] + longer
        case .column:
            guard let column else { return [target] }
            if case .inner(let list, _) = column.origin { return [target, list.joined(separator: "_") + "_" + target] }
            guard let path = column.telling ?? column.origin.members else { return [target, target + "_ref"] }
            let own = path[path.count - 1]
            let base = DraftRelationship.name(of: own, isMany: isMany)
            if DraftRelationship.isBare(own, in: path) || base == own && isIdentifier(own, in: path) {
                let around = path.dropLast().last { !Names.isGeneric($0) } ?? path.dropLast().last
                return [around.map { DraftRelationship.name(of: $0, isMany: isMany) } ?? target, target]
                    + DraftRelationship.element(column, of: target) + [target + "_ref"]
            }
            if base != own { return [base, own, base + "_" + target] }
            let both = own == target ? own + "_ref" : own + "_" + target
            // Of two references to one entity, each keeps its own word: `home_team` beside `away_team`.
            return isOneOfSeveral(column) ? [own, both, target] : [own, target, both]
        }
    }

    /// Whether a member in an object is called as what identifies the targets: `equipment.index`. The `id` of a person
    /// may be an object of all her identifiers.
    private func isIdentifier(_ name: String, in path: [String]) -> Bool {
        guard path.count > 1, !DraftRelationship.bare.contains(path[path.count - 2].lowercased()) else { return false }
        return targets[0].identifier?.only?.ownName.isIdentical(to: name) ?? false
    }

    /// Whether a member only says which object is meant, and not what it is: the `id`, or the address of it.
    private static func isBare(_ name: String, in path: [String]) -> Bool {
        bare.contains(name.lowercased()) || path.count > 1 && bareInObjects.contains(name.lowercased())
    }

    /// The name of an object, without what says that it is a reference: `Customer` of `CustomerRef`.
    private static func plain(_ name: String) -> [String] {
        Names.isReferenceObject(name) ? [self.name(of: name, isMany: false), name] : [name]
    }

    private static let bare: Set = ["id", "_id", "uuid", "key", "code"]
    private static let bareInObjects: Set = ["value", "link", "href", "email", "login", "username", "$ref"]

    /// The members that lead to what it is about, for where another one has the name of the last: `reblog_account`
    /// beside `account`.
    private var longer: [String] {
        way.count > 1 ? [way.suffix(2).joined(separator: "_"), way.joined(separator: "_")] : []
    }

    /// What it may be called where it has the `id` of objects in a list, and the record around these has the name of
    /// what it leads to: `related_product` in the list `related_products` of a product.
    private static func element(_ column: DraftColumn, of target: String) -> [String] {
        guard column.entity.owner != nil, let list = column.entity.place.names.last, !Names.isGeneric(list) else {
            return []
        }
        return [Names.singular(list)].filter { !$0.isIdentical(to: target) }
    }

    /// Whether the records of its column refer to its target in another way, too.
    private func isOneOfSeveral(_ column: DraftColumn) -> Bool {
        column.entity.relationships.filter { $0.leads(to: targets[0]) }.count > 1
    }

    /// What it may be called where another member has its name, too: after the object that has the value.
    var namesBesideOthers: [String] {
        guard name.isEmpty, case .column = basis, let path = column?.telling, path.count > 1,
            !DraftRelationship.isBare(path[path.count - 1], in: path)
        else { return names }
        let own = DraftRelationship.name(of: path[path.count - 1], isMany: isMany)
        return [path[path.count - 2] + "_" + own] + names
    }

    private static let endings = [
        "_ids", "_id", "_refs", "_ref", "_uuid", "_sid", "Ids", "IDs", "Id", "ID", "_key", "Ref", "Refs",
    ]

    /// The name of a relationship, by that of the member that holds it: `airport_id` is `airport`.
    private static func name(of member: String, isMany: Bool) -> String {
        for ending in endings where member.hasSuffix(ending) && member.count > ending.count {
            var base = String(member.dropLast(ending.count))
            while let last = base.last, !last.isLetter, !last.isNumber { base.removeLast() }
            if base.isEmpty { return member }
            return isMany && !base.hasSuffix("s") && (ending.lowercased().hasSuffix("s")) ? base + "s" : base
        }
        return member
    }

    /// Likewise, where what says that it refers to something may stand in the middle: `team_winner` of `teamIDwinner`.
    static func name(within member: String) -> String {
        let plain = name(of: member, isMany: false)
        let words = Names.words(plain)
        let rest = words.filter { !["id", "key", "ref", "uuid"].contains($0.lowercased()) }
        return rest.isEmpty || rest.count == words.count ? plain : rest.joined(separator: "_")
    }
}
