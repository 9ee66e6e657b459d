import SluiceDefinition
import SluiceFetch
import SluiceRecords

/// What is posted to a service for each record of an entity: values stand in texts of the body.
struct ParentBody: Sendable {
    private let body: RequestBody
    private let fields: [WebSource.Parents.Field]
    private let entity: Entity

    /// Nil: the same is posted for each.
    init?(_ body: RequestBody?, _ parents: WebSource.Parents, _ entity: Entity) {
        guard let body, !parents.fields.isEmpty else { return nil }
        self.body = body
        fields = parents.fields
        self.entity = entity
    }

    /// The body for a record, with what is shown of it; nil: one of the values is null.
    ///
    /// - Parameter text: the text of an attribute; nil: it has none.
    func body(_ text: (Int) -> String?) -> (body: RequestBody, shown: String)? {
        var made = body
        var shown: [String] = []
        for field in fields {
            guard let json = json(field.pieces, text) else { return nil }
            made = made.putting(.scalar(json), at: field.place)
            shown.append("\(ParentBody.name(field.place))=\(json)")
        }
        return (made, shown.joined(separator: ", "))
    }

    /// A value that is all of a text keeps its type.
    private func json(_ pieces: [WebSource.Parents.Piece], _ text: (Int) -> String?) -> String? {
        if pieces.count == 1, case .attribute(let attribute) = pieces[0] {
            return text(attribute).map { json(of: $0, attribute) }
        }
        var joined = ""
        for piece in pieces {
            switch piece {
            case .text(let own): joined += own
            case .attribute(let attribute):
                guard let value = text(attribute) else { return nil }
                joined += isBoolean(attribute) ? json(of: value, attribute) : value
            }
        }
        return JSONText.quoted(joined)
    }

    private func json(of text: String, _ attribute: Int) -> String {
        if isBoolean(attribute) { return text == "0" ? "false" : "true" }
        switch entity.attributes[attribute].conversion.stored.column {
        case .integer, .real: return text
        case .text, .blob: return JSONText.quoted(text)
        }
    }

    private func isBoolean(_ attribute: Int) -> Bool { entity.attributes[attribute].conversion.type == .boolean }

    private static func name(_ place: [RequestBody.Step]) -> String {
        place.reduce("$") { name, step in
            switch step {
            case .name(let key): name + "." + key
            case .index(let index): name + "[\(index)]"
            }
        }
    }
}
