import SluiceRecords

// As it is stored.
extension EntityDescription {
    // MARK: Reading

    /// Nil: it is none.
    package init?(_ name: String, _ json: StoredJSON) {
        guard let table = json["table"]?.string, let absent = json["absent"]?.string else { return nil }
        self.init(
            name: name, table: table, identifier: json["identifier"]?.elements?.compactMap(\.string) ?? [],
            absent: absent, attributes: [], relationships: [])
        isLost = json["lost"]?.isTrue ?? false
        isViewed = json["view"]?.isTrue ?? false
        isOfPrograms = json["programs"]?.isTrue ?? false
        was = json["was"]?.string
        tableWas = json["tableWas"]?.string
        keepsEdits = json["edits"]?.isTrue ?? false
        search = json["search"].flatMap(SearchIndex.init)
        place = json["near"].flatMap(PlaceIndex.init)
        guard let found = EntityDescription.attributes(json["attributes"]) else { return nil }
        attributes = found
        for member in json["relationships"]?.members ?? [] {
            guard let targets = member.value["to"]?.elements, let onDelete = member.value["onDelete"]?.string,
                let values = EntityDescription.attributes(member.value["with"])
            else { return nil }
            relationships.append(
                .init(
                    name: member.key, targets: targets.compactMap(\.string),
                    isMany: member.value["many"]?.isTrue ?? false,
                    onDelete: onDelete, isLost: member.value["lost"]?.isTrue ?? false,
                    was: member.value["was"]?.string, isSet: member.value["set"] != .boolean(false), values: values))
        }
    }

    /// Nil: they are none.
    private static func attributes(_ json: StoredJSON?) -> [Attribute]? {
        var attributes: [Attribute] = []
        for member in json?.members ?? [] {
            guard let type = member.value["type"]?.string else { return nil }
            attributes.append(
                Attribute(
                    name: member.key, type: type, fraction: member.value["fraction"]?.integer,
                    scale: member.value["scale"]?.integer, isInteger: member.value["as"] != nil,
                    isLost: member.value["lost"]?.isTrue ?? false, was: member.value["was"]?.string))
        }
        return attributes
    }

    // MARK: Writing

    /// The same for the same description, to the byte.
    package var json: String {
        var members: [(String, StoredJSON)] = [
            ("absent", .string(absent)),
            ("attributes", .members(attributes.map { ($0.name, stored($0)) })),
            ("identifier", .array(identifier.map { .string($0) })),
            ("relationships", .members(relationships.map { ($0.name, stored($0)) })), ("table", .string(table)),
        ]
        let marks = [("lost", isLost), ("programs", isOfPrograms), ("edits", keepsEdits), ("view", isViewed)]
        members += marks.filter(\.1).map { ($0.0, .boolean(true)) }
        if let search { members.append(("search", search.stored)) }
        if let place { members.append(("near", place.stored)) }
        if let was { members.append(("was", .string(was))) }
        if let tableWas { members.append(("tableWas", .string(tableWas))) }
        return StoredJSON.members(members).canonicalText
    }

    private func stored(_ attribute: Attribute) -> StoredJSON {
        var members: [(String, StoredJSON)] = [("type", .string(attribute.type))]
        if let fraction = attribute.fraction { members.append(("fraction", .number(String(fraction)))) }
        if let scale = attribute.scale { members.append(("scale", .number(String(scale)))) }
        if attribute.isInteger { members.append(("as", .string("integer"))) }
        return .members(members + marks(attribute.isLost, attribute.was))
    }

    private func stored(_ relationship: Relationship) -> StoredJSON {
        var members: [(String, StoredJSON)] = [
            ("many", .boolean(relationship.isMany)), ("onDelete", .string(relationship.onDelete)),
            ("to", .array(relationship.targets.map { .string($0) })),
        ]
        if !relationship.isSet { members.append(("set", .boolean(false))) }
        if !relationship.values.isEmpty {
            members.append(("with", .members(relationship.values.map { ($0.name, stored($0)) })))
        }
        return .members(members + marks(relationship.isLost, relationship.was))
    }

    private func marks(_ isLost: Bool, _ was: String?) -> [(String, StoredJSON)] {
        (isLost ? [("lost", .boolean(true))] : []) + (was.map { [("was", .string($0))] } ?? [])
    }
}
