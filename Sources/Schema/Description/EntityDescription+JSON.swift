import SluiceRecords

// As it is stored, read again.
extension EntityDescription {
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
}
