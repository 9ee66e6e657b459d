import SluiceExtract
import SluiceRecords

// `search` and `near`: by what else objects are found than by their identifiers.
extension EntityReader {
    /// Names that FTS5 keeps for itself.
    private static let keptNames = ["rank", "rowid"]
    /// More letters are no beginning that needs an index.
    private static let mostLetters = 20

    func readSideIndexes(of object: DefinitionObject, into entity: inout Entity) {
        entity.search = search(of: object, entity.attributes)
        entity.place = place(of: object, entity.attributes)
    }

    private func search(of entity: DefinitionObject, _ attributes: [Attribute]) -> SearchIndex? {
        guard let node = entity["search"],
            let object = DefinitionObject(node, "\"search\"", keys: DefinitionKeys.search, in: context)
        else { return nil }
        var index = SearchIndex(fields: [])
        if object.required("fields") != nil {
            index.fields = names(object.texts("fields"), attributes, type: .text, "are searched")
        }
        for (name, position) in object.texts("fields")
        where EntityReader.keptNames.contains(where: { NameChecks.folded($0) == NameChecks.folded(name) }) {
            context.mistake("SQLite keeps the name \(quoted(name)) for itself in tables of words", at: position)
        }
        if let node = object["tokenize"], let text = context.text(node, "tokenize") {
            index.tokenizer = text
            if let problem = Tokenizer.problem(text) {
                context.mistake("\(quoted(text)) is no tokenizer: \(problem)", at: node.position)
            }
        }
        if let node = object["prefix"] { index.prefixes = prefixes(node) }
        return index
    }

    /// Numbers of letters, each once.
    private func prefixes(_ node: JSONNode) -> [Int] {
        var counts: [Int] = []
        for element in node.elements {
            guard case .number(let text) = element.kind, let count = wholeNumber(text),
                (1...EntityReader.mostLetters).contains(count)
            else {
                let expected = "a whole number from 1 to \(EntityReader.mostLetters), or a list of such"
                context.wrong("prefix", element, expected: expected)
                continue
            }
            if counts.contains(count) {
                context.mistake("\(count) is in this list twice", at: element.position)
            } else {
                counts.append(count)
            }
        }
        return counts.sorted()
    }

    private func place(of entity: DefinitionObject, _ attributes: [Attribute]) -> PlaceIndex? {
        guard let node = entity["near"] else { return nil }
        guard case .array(let elements) = node.kind, elements.count == 2 else {
            context.wrong("near", node, expected: "a list of two attributes, with the latitude and the longitude")
            return nil
        }
        let texts = elements.compactMap { element in context.text(element, "near").map { ($0, element.position) } }
        let found = names(texts, attributes, type: .real, "say where an object is")
        return found.count == 2 ? PlaceIndex(latitude: found[0], longitude: found[1]) : nil
    }

    /// The names of attributes of a type, each once.
    private func names(
        _ texts: [(text: String, position: JSONPosition)], _ attributes: [Attribute], type: AttributeType, _ use: String
    ) -> [String] {
        var found: [String] = []
        for (name, position) in texts {
            guard let attribute = attributes.first(where: { $0.name.isIdentical(to: name) }) else {
                context.unknown("attribute", name, among: attributes.map(\.name), at: position)
                continue
            }
            if found.containsExactly(name) {
                context.mistake("\(quoted(name)) is in this list twice", at: position)
            } else if attribute.conversion.type != type {
                context.mistake(
                    "attributes of the type \(type.rawValue) \(use), and \(quoted(name)) is of the type"
                        + " \(attribute.conversion.type.rawValue)", at: position)
            } else {
                found.append(name)
            }
        }
        return found
    }
}
