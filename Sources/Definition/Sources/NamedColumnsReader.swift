import SluiceExtract
import SluiceRecords

/// Reads what the documents of a source say of the columns of their records: `columns`.
struct NamedColumnsReader {
    let context: DefinitionContext

    func columns(of object: DefinitionObject, _ source: Source) -> [NamedColumns] {
        guard let node = object["columns"], let position = object.position(of: "columns") else { return [] }
        guard source.expectedFormat == .json else {
            context.mistake(
                "\"columns\" is for documents of JSON whose records are lists: tables have a header, or \"names\"",
                at: position)
            return []
        }
        guard case .object(let members) = node.kind, !members.isEmpty else {
            context.wrong("columns", node, expected: "an object such as { \"$.fields[*]\": [\"id\", \"name\"] }")
            return []
        }
        return members.compactMap(column)
    }

    private func column(_ member: JSONMember) -> NamedColumns? {
        guard let path = PathReader.parse(member.key, at: member.position, in: context) else { return nil }
        let definite = path.definiteSteps.count
        let rest = path.steps.dropFirst(definite)
        guard path.root == .feed, !path.isKey, definite > 0, rest.first == .wildcard,
            rest.dropFirst().allSatisfy(\.isDefinite)
        else {
            context.mistake(
                "\(quoted(member.key)) must lead to the texts of one list of the document, such as $.fields[*] or"
                    + " $.fields[*].name", at: member.position)
            return nil
        }
        return names(member.value).map { NamedColumns(path: path, names: $0) }
    }

    private func names(_ node: JSONNode) -> [String?]? {
        let expected = "a list of texts; null stands for a column whatever it is called"
        guard case .array(let elements) = node.kind, !elements.isEmpty else {
            context.wrong("columns", node, expected: expected)
            return nil
        }
        return elements.map { element in
            if case .null = element.kind { return nil }
            if context.isUnset(element) { return nil }
            if element.text == nil { context.wrong("columns", element, expected: expected) }
            return element.text
        }
    }
}
