import Sluice
import SluiceLoad
import SluiceRecords

extension Command {
    static let unresolved = Command(
        name: "unresolved", arguments: "PIPELINE",
        summary: "list the references that wait for their targets",
        detail: """
            Lists the references, by relationships of the pipeline definition PIPELINE, that wait
            in its store for their targets, those that wait longest first.
            """,
        options: [
            Option("entity", value: "NAME", "only those of this entity's objects"),
            Option("relationship", value: "NAME", "only those of this relationship"),
            Option("by-target", "list the targets, those that most references wait for first"),
            Option("rows", value: "N", "show N of them (default: 100 as text, all as JSON)"),
            Option("store", value: "FILE", "look into this store instead: a file, or a database on a server"),
            Option("format", value: "text|json", "how they are shown; json: a line each (default: text)"),
        ],
        run: { arguments in
            let isJSON = try arguments.choice("format", ["text", "json"]) == "json"
            let rows = try arguments.positiveInteger("rows")
            let store = arguments.last("store")
            let definition = try readDefinition(ofStore: arguments.onlyArgument("PIPELINE"), instead: store)
            let list = try UnresolvedList(definition, store: store, filter: filter(arguments, definition.model))
            let print = { (text: String) throws(Failure) in try printOutput(text) }
            switch (arguments.has("by-target"), isJSON) {
            case (false, false): try print(list.text(rows: rows ?? 100, width: listWidth))
            case (false, true): try list.json(rows: rows, write: print)
            case (true, false): try print(list.targetText(rows: rows ?? 100, width: listWidth))
            case (true, true): try list.targetJSON(rows: rows, write: print)
            }
            return 0
        })
}

/// A name that the definition does not have is a slip, see `requireEntity`.
private func filter(_ arguments: Arguments, _ model: Model) throws(UsageError) -> UnresolvedFilter {
    let filter = UnresolvedFilter(entity: arguments.last("entity"), relationship: arguments.last("relationship"))
    if let entity = filter.entity { try requireEntity(entity, of: model) }
    if let relationship = filter.relationship, filter.relationships(of: model).isEmpty {
        let names = UnresolvedFilter(entity: filter.entity).relationships(of: model).map(\.name)
        throw UsageError("there is no relationship \(relationship)", nearest: relationship, among: names)
    }
    return filter
}
