import SluiceExtract
import SluiceRecords

/// Reads which answers of a service are errors: `fails`.
struct FailsReader {
    let context: DefinitionContext

    /// What of GraphQL is an error where the definition says nothing: what is null beside one is not known (GraphQL,
    /// October 2021, section 7.1).
    private static let partial =
        #"{ "where": { "$.errors[0].message": { "present": true } }, "message": "$.errors[0].message" }"#

    /// Which answers are errors, as the definition says, or as all services of a kind do; nil: nobody says.
    func failing(of source: DefinitionObject) -> WebSource.Failing? {
        if let node = source["fails"] { return failing(node) }
        guard isGraphQL(source), let tree = try? JSONTree.read(Array(FailsReader.partial.utf8), file: "GraphQL") else {
            return nil
        }
        var failing = failing(tree.root)
        failing?.isOfGraphQL = true
        return failing
    }

    /// Whether what is posted is a query, and what is answered JSON.
    private func isGraphQL(_ source: DefinitionObject) -> Bool {
        guard source["body"]?["query"]?.text != nil else { return false }
        return source["format"].map { $0.text == "json" }
            ?? ["delimiter", "header", "names"].allSatisfy { source[$0] == nil }
    }

    private func failing(_ node: JSONNode) -> WebSource.Failing? {
        guard let object = DefinitionObject(node, "\"fails\"", keys: DefinitionKeys.fails, in: context),
            object.required("where") != nil
        else { return nil }
        let slots = SlotTable()
        var paths = PathReader(context: context, entity: "", records: [])
        paths.isOfAnswers = true
        let conditions = ConditionReader(context: context, paths: paths, slots: slots).conditions("where", of: object)
        var message: Path?
        if let node = object["message"], let text = context.text(node, "message", expected: "a path") {
            message = paths.value(text, at: node.position, many: false)
        }
        return WebSource.Failing(paths: slots.slots.map(\.path), conditions: conditions, message: message)
    }

    /// Refuses the key where an answer is not one document.
    static func check(_ object: DefinitionObject, _ source: Source) {
        guard let position = object.position(of: "fails"), object["url"] != nil, source.expectedFormat != .json else {
            return
        }
        object.context.mistake("\"fails\" is for answers that are one document of JSON", at: position)
    }
}
