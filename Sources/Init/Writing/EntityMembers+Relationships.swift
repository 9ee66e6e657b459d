import SluiceRecords

// What entities refer to.
extension EntityMembers {
    /// What a relationship may be called.
    private func names(of relationship: DraftRelationship) -> [String] {
        relationship.column.map(isOfSeveral) ?? false ? relationship.namesBesideOthers : relationship.names
    }

    mutating func addRelationships() {
        for relationship in entity.relationships {
            let isPair = relationship.targets.count > 1 && !relationship.isMany
            let names = names(of: relationship)
            let name = isPair ? memberNames.freePair(names) : memberNames.free(names)
            var members: [(String, String)] = []
            let targets = relationship.targets.map { DraftText.quoted($0.name) }
            members.append(("to", JSONText.oneOrArray(targets)))
            if let by = relationship.by { members.append(("by", DraftText.quoted(EntityMembers.name(of: by)))) }
            members += value(relationship, name) + EntityMembers.entity(of: relationship)
            if let separator = relationship.separator { members.append(("split", DraftText.quoted(separator))) }
            if relationship.isMany { members.append(("many", "true")) }
            if relationship.isMany, !relationship.isSet { members.append(("set", "false")) }
            if mayBeNull(relationship) { members.append(("onAbsent", "\"clear\"")) }
            if relationship.isByOwner, !relationship.leads(to: entity) {
                owner = name
                if let target = relationship.targets.first, target.goesByPlace {
                    members.append(("onDelete", "\"cascade\""))
                }
            }
            relationships.append(
                Member(
                    name: name, text: JSONText.object(members), remark: remark(relationship),
                    path: path(of: relationship)))
        }
    }

    /// Whether an object in the record, or one around it, is null in some records.
    func isInNull(_ path: some Collection<String>) -> Bool {
        entity.objects.nullable.contains { path.starts(with: $0) }
    }

    /// Whether a relationship looks for its value in an object that is null in some records.
    private func mayBeNull(_ relationship: DraftRelationship) -> Bool {
        switch relationship.basis {
        case .column: relationship.column?.path.map { isInNull($0.dropLast()) } ?? false
        case .columns(let columns): columns.contains { $0.path.map { isInNull($0.dropLast()) } ?? false }
        case .embedded(let path): isInNull(path)
        case .owner, .sibling, .listed: false
        }
    }

    /// What was measured of a relationship, and how many records have no value for it.
    private func remark(_ relationship: DraftRelationship) -> String {
        guard case .column = relationship.basis, let column = relationship.column, column.content == .scalar,
            !relationship.remark.isEmpty
        else { return relationship.remark }
        return ([relationship.remark] + absences(of: column)).joined(separator: "; ")
    }

    /// What says in which entity the target is, where the record names it.
    private static func entity(of relationship: DraftRelationship) -> [(String, String)] {
        guard let (column, values) = relationship.kinds else { return [] }
        let map = zip(values, relationship.targets).map { ($0, DraftText.quoted($1.name)) }
        let from = ("from", DraftText.quoted(DraftPaths.own(column)))
        return [("entity", JSONText.object([from, ("map", JSONText.object(map))]))]
    }

    private func value(_ relationship: DraftRelationship, _ name: String) -> [(String, String)] {
        switch relationship.basis {
        case .column:
            guard let column = relationship.column else { return [] }
            let rules = EntityMembers.rules(column, relationship)
            if column.origin == .member([name]), column.content == .scalar { return rules }
            return [("from", DraftText.quoted(DraftPaths.own(column)))] + rules
        case .columns(let columns): return [("identifier", JSONText.array(columns.map(EntityMembers.value)))]
        case .owner:
            let paths = DraftPaths.identifier(of: relationship.targets[0], from: entity)
            if paths.count == 1 { return [("from", DraftText.quoted(paths[0]))] }
            return [("identifier", JSONText.array(paths.map(DraftText.quoted)))]
        case .sibling(let owner, let column):
            let paths = DraftPaths.identifier(of: owner, from: entity) + [DraftPaths.own(column)]
            return [("identifier", JSONText.array(paths.map(DraftText.quoted)))]
        case .embedded(let path): return [("from", DraftText.quoted(EntityMembers.place(of: relationship, at: path)))]
        case .listed(let path, let alone):
            return [("from", DraftText.list([path] + [alone].compactMap { $0 }))]
        }
    }

    /// Where a relationship looks.
    private func path(of relationship: DraftRelationship) -> String {
        switch relationship.basis {
        case .column: relationship.column.map(DraftPaths.own) ?? ""
        case .columns(let columns): columns.first.map(DraftPaths.own) ?? ""
        case .owner: DraftPaths.identifier(of: relationship.targets[0], from: entity).first ?? ""
        case .embedded(let path): EntityMembers.place(of: relationship, at: path)
        case .sibling(_, let column): DraftPaths.own(column)
        case .listed(let path, _): path
        }
    }

    /// Where an object in the record has what identifies it.
    private static func place(of relationship: DraftRelationship, at path: [String]) -> String {
        let column = relationship.targets[0].identifier?.columns.first
        return DraftPaths.member(path + (column.flatMap { $0.origin.members } ?? []))
    }

    /// What the attribute of a column is called in its entity.
    private static func name(of column: DraftColumn) -> String {
        let path = DraftPaths.own(column)
        return EntityMembers(column.entity, hasRelationships: false).attributes.first { $0.path == path }?.name
            ?? column.ownName
    }
}
