import SluiceExtract
import SluiceFetch
import SluiceRecords

/// Reads what services are told of the store, once it is known which entities there are.
struct SinceReader {
    let context: DefinitionContext
    let model: Model

    /// The sources, with what they say of it.
    func completed(_ sources: [Source], of pipeline: DefinitionObject) -> [Source] {
        context.completed(sources, of: pipeline) { _, object, service in
            guard let node = object["since"] else { return }
            service.since = since(node, hasBody: object["body"] != nil)
            if let parents = service.parents, let since = service.since {
                service.since?.relationship = relationship(of: since, to: parents.entity, node)
            }
        }
    }

    private func since(_ node: JSONNode, hasBody: Bool) -> WebSource.Since? {
        guard let object = DefinitionObject(node, "\"since\"", keys: DefinitionKeys.since, in: context),
            let parameterNode = object.required("parameter"), let attributeNode = object.required("attribute"),
            let parameter = context.text(parameterNode, "parameter"),
            let name = context.text(attributeNode, "attribute"),
            let (entity, attribute) = attribute(name, attributeNode)
        else { return nil }
        let type = model.entities[entity].attributes[attribute].conversion.type
        context.checkParameter("parameter", parameter, parameterNode, hasBody: hasBody)
        var since = WebSource.Since(parameter: PageParameter(parameter), entity: entity, attribute: attribute)
        since.text = text(object)
        since.overlap = overlap(object, type) ?? 0
        if let format = format(object, isDate: type == .date) {
            if type != .datetime, type != .date {
                context.mistake("\"format\" is for times, and \(quoted(name)) is none", at: position("format", object))
            }
            since.format = format
        }
        return since
    }

    /// How times are written; nil: nothing says so, or there is a mistake.
    private func format(_ object: DefinitionObject, isDate: Bool) -> WebSource.Since.Format? {
        let zone = timeZone(object)
        guard let node = object["format"], let text = context.text(node, "format") else {
            if object["format"] == nil, zone != nil {
                context.mistake(
                    "\"timeZone\" needs a \"format\" beside it, such as %Y-%m-%d %H:%M:%S",
                    at: position("timeZone", object))
            }
            return nil
        }
        if let known = WebSource.Since.Format.words.first(where: { $0.word == text }) {
            if zone != nil {
                context.mistake(
                    "\"timeZone\" is for times that are written in local time, and not for \(text)",
                    at: position("timeZone", object))
            }
            return known.format
        }
        if let reason = SinceReader.flaw(in: text, isDate: isDate) {
            context.mistake("\"format\" \(reason)", at: node.position)
            return nil
        }
        return .written(text, zone: zone ?? "UTC")
    }

    private func timeZone(_ object: DefinitionObject) -> String? {
        guard let node = object["timeZone"], let zone = context.text(node, "timeZone") else { return nil }
        guard let reason = context.checks.timeZone(zone) else { return zone }
        context.mistake(reason, at: node.position)
        return nil
    }

    /// What those fields of a format are that a time has; `%%` is a percent sign.
    private static let fields = Set("YmdHMSyjbBeFTDR%")

    /// Why a text is no format in which a time can be sent; nil: it is one.
    private static func flaw(in text: String, isDate: Bool) -> String? {
        var letters: [Character] = []
        var rest = Substring(text)
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...]
            guard let letter = rest.first else { return "ends in the middle of a field" }
            guard fields.contains(letter) else {
                return
                    "has the field %\(letter), in which no time can be sent: \"rfc3339\", \"unix\", \"unix-ms\", or a"
                    + " format of %Y, %m, %d, %H, %M, %S, %y, %j, %b, %B, %e, %F, %T, %D and %R"
            }
            letters.append(letter)
            rest = rest.dropFirst()
        }
        let hasDay =
            letters.contains("F") || letters.contains("D")
            || letters.contains { "Yy".contains($0) } && letters.contains { "mbBj".contains($0) }
                && letters.contains { "dej".contains($0) }
        if !hasDay {
            return "must be \"rfc3339\", \"unix\" or \"unix-ms\", or a format with a year, a month and a day, such as"
                + " %Y-%m-%d %H:%M:%S"
        }
        if isDate, letters.contains(where: { "HMSTR".contains($0) }) {
            return "has a time, and the attribute is a date"
        }
        return nil
    }

    private func text(_ object: DefinitionObject) -> String? {
        guard let node = object["text"], let text = context.text(node, "text") else { return nil }
        if !text.contains(WebSource.Since.placeholder) {
            context.mistake(
                "\"text\" must have \(WebSource.Since.placeholder) where the value stands", at: node.position)
        }
        return text
    }

    /// What leads from the objects whose highest value is sent to the one that is asked for.
    private func relationship(of since: WebSource.Since, to parent: Int, _ node: JSONNode) -> Int? {
        let entity = model.entities[since.entity]
        let found = entity.relationships.indices.filter { index in
            let relationship = entity.relationships[index]
            return !relationship.isMany && relationship.targets.map(\.entity) == [parent]
        }
        if found.count == 1 { return found[0] }
        let name = quoted(model.entities[parent].name)
        context.mistake(
            "\"since\" beside \"for\" sends the highest value of what belongs to each \(name): \(quoted(entity.name)) needs"
                + " one to-one relationship to \(name), and has \(found.isEmpty ? "none" : "several")",
            at: node.position)
        return nil
    }

    /// `Entity.attribute`.
    private func attribute(_ name: String, _ node: JSONNode) -> (entity: Int, attribute: Int)? {
        var known: [String] = []
        for (entity, description) in model.entities.enumerated() {
            for (attribute, member) in description.attributes.enumerated() {
                let path = "\(description.name).\(member.writtenName)"
                guard path.utf8.elementsEqual(name.utf8) else {
                    known.append(path)
                    continue
                }
                guard [.date, .datetime, .integer, .real, .text].contains(member.conversion.stored.type) else {
                    context.mistake(
                        "\"attribute\" must be a date, a datetime, a number or a text, which \(quoted(name)) is not",
                        at: node.position)
                    return nil
                }
                return (entity, attribute)
            }
        }
        context.unknown("attribute", name, among: known, at: node.position)
        return nil
    }

    private func overlap(_ object: DefinitionObject, _ type: AttributeType) -> Double? {
        guard let node = object["overlap"], !context.isUnset(node) else { return nil }
        switch (type, node.kind) {
        case (.date, .string(let text)), (.datetime, .string(let text)):
            if let seconds = Quantities.duration(text) { return seconds }
        case (.integer, .number(let text)), (.real, .number(let text)):
            if let number = Double(text), number >= 0 { return number }
        case (.text, _):
            context.mistake("\"overlap\" cannot be taken off a text", at: position("overlap", object))
            return nil
        default: break
        }
        let isTime = type == .date || type == .datetime
        context.wrong("overlap", node, expected: isTime ? Quantities.durationHelp : "a number of at least 0")
        return nil
    }

    private func position(_ key: String, _ object: DefinitionObject) -> JSONPosition {
        object.position(of: key) ?? object.position
    }
}
