import SluiceExtract
import SluiceRecords

/// Reads which answers of a service are errors: `fails`.
struct FailsReader {
    let context: DefinitionContext

    func failing(of source: DefinitionObject) -> WebSource.Failing? {
        guard let node = source["fails"],
            let object = DefinitionObject(node, "\"fails\"", keys: DefinitionKeys.fails, in: context),
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
