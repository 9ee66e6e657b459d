import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Reads for which records a service is asked one by one, once it is known which entities there are.
struct ForReader {
    let context: DefinitionContext
    let model: Model

    /// The sources, with what they say of it.
    func completed(_ sources: [Source], of pipeline: DefinitionObject) -> [Source] {
        context.completed(sources, of: pipeline) { index, object, service in
            guard let node = object["for"] else {
                if let other = object["requests"] {
                    context.mistake(
                        "\"requests\" says how many are made beside each other with \"for\", which the source lacks",
                        at: other.position)
                }
                if let other = object["notFound"] {
                    context.mistake(
                        "\"notFound\" is about what is asked for records, with \"for\", which the source lacks",
                        at: other.position)
                }
                return
            }
            service.notFound = object["notFound"].flatMap { context.choice($0, "notFound") } ?? service.notFound
            service.parents = parents(node, object, index, &service.request)
            if sources[index].expectedFormat.isTable {
                context.mistake("\"for\" is for answers in JSON, and these are tables", at: node.position)
            }
        }
    }

    /// Looks at the values that records take of those for which services are asked.
    func check(_ sources: [Source]) {
        for use in context.requestValues {
            guard let entity = model.entities.first(where: { $0.name.isIdentical(to: use.entity) }) else { continue }
            let parents = entity.sources.compactMap { index -> Entity? in
                guard sources.indices.contains(index), case .web(let service) = sources[index].location,
                    let parents = service.parents
                else { return nil }
                return model.entities[parents.entity]
            }
            if parents.isEmpty {
                context.mistake(
                    "$for is the record for which a service is asked, and no source of \(quoted(use.entity)) has \"for\"",
                    at: use.position)
            }
            for parent in parents { check(use, of: parent) }
        }
    }

    private func check(_ use: DefinitionContext.RequestValue, of parent: Entity) {
        guard let attribute = parent.attributes.first(where: { $0.writtenName.isIdentical(to: use.name) }) else {
            return context.unknown(
                "attribute of \(quoted(parent.name))", use.name, among: parent.attributes.map(\.writtenName),
                at: use.position)
        }
        guard [.bytes, .json].contains(attribute.conversion.type) else { return }
        context.mistake(
            "\(quoted(use.name)) of \(quoted(parent.name)) is \(attribute.conversion.type.rawValue): a record takes a text,"
                + " a number, a boolean or a time of the record that it was asked for", at: use.position)
    }

    /// - Parameter request: it loses the parameters of its query that tell of a record.
    private func parents(
        _ node: JSONNode, _ source: JSONNode, _ index: Int, _ request: inout WebRequest
    ) -> WebSource.Parents? {
        guard let name = context.text(node, "for", expected: "the name of an entity") else { return nil }
        guard let entity = model.entities.firstIndex(where: { $0.name.isIdentical(to: name) }) else {
            context.unknown("entity", name, among: model.entities.map(\.name), at: node.position)
            return nil
        }
        guard let last = model.entities[entity].sources.max(), last < index, !model.entities[entity].isOfPrograms else {
            context.mistake(
                "the records of \(quoted(name)) must come from sources before this one: it is asked for each of them",
                at: node.position)
            return nil
        }
        guard let url = source["url"], let text = url.text else { return nil }
        let reader = PieceReader(context: context, entity: model.entities[entity])
        guard var pieces = reader.address(text, url), let query = reader.parameters(source["query"]),
            let fields = reader.fields(source["body"])
        else { return nil }
        for (place, (name, value)) in query.enumerated() {
            let isFirst = place == 0 && !text.contains("?")
            pieces += [.text((isFirst ? "?" : "&") + percentEncoded(name) + "=")] + value
            request.query.removeAll { $0.name.isIdentical(to: name) }
        }
        if fields.isEmpty, !pieces.contains(where: \.isAttribute) {
            reader.refuseNone(at: url)
            return nil
        }
        return WebSource.Parents(entity: entity, pieces: pieces, fields: fields)
    }
}
