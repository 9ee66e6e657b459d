import SluiceRecords

extension Preview {
    /// The rows as one JSON object.
    package var json: String {
        let entities = entities.map { entity in
            let rows = entity.rows.map { "      " + json(of: $0, entity.entity) }
            let list = rows.isEmpty ? "[]" : "[\n\(rows.joined(separator: ",\n"))\n    ]"
            return "    \(JSONText.quoted(entity.entity.name)): \(list)"
        }
        return "{\n  \"entities\": {\n\(entities.joined(separator: ",\n"))\n  }\n}\n"
    }

    private func json(of row: Row, _ entity: Entity) -> String {
        let at = ("at", row.at.json(feeds))
        guard row.faults.isEmpty else {
            return JSONText.object([at, ("faults", Finding.json(ofFaults: row.faults))])
        }
        if let gone = row.gone { return JSONText.object([at, ("gone", Preview.json(gone))]) }
        let values = row.values.map(Preview.json)
        let attributes = zip(entity.attributes.map(\.name), values)
        let relationships = zip(entity.relationships.map(\.name), values.dropFirst(entity.attributes.count))
        return JSONText.object([
            at, ("attributes", JSONText.object(attributes.map { ($0, $1) })),
            ("relationships", JSONText.object(relationships.map { ($0, $1) })),
        ])
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .null, .absent: "null"
        case .integer(let number): String(number)
        case .real(let number): "\(number)"
        case .text(let text), .bytes(let text), .impossible(let text): JSONText.quoted(text)
        case .reference(nil, let key): key.count == 1 ? json(key[0]) : JSONText.array(key.map(json))
        case .reference(let entity?, let key):
            JSONText.object([("entity", JSONText.quoted(entity)), ("identifier", json(.reference(entity: nil, key)))])
        case .link(let target, let names, let values):
            JSONText.object([
                ("to", json(target)), ("with", JSONText.object(zip(names, values).map { ($0, json($1)) })),
            ])
        case .list(let values): JSONText.array(values.map(json))
        }
    }
}
