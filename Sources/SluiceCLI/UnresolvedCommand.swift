import Records
import Sluice

extension Command {
    static let unresolved = Command(
        name: "unresolved", arguments: "PIPELINE",
        summary: "list the references that wait for their targets",
        detail: """
            Lists the references of the entities of the pipeline definition PIPELINE that wait in
            its store for their targets, those that wait longest first.
            """,
        options: [
            Option("rows", value: "N", "show N of them (default: 100 as text, all as JSON)"),
            Option("store", value: "FILE", "look into this SQLite database instead"),
            Option("format", value: "text|json", "how they are shown; json: a line each (default: text)"),
        ],
        run: { arguments in
            let isJSON = try arguments.choice("format", ["text", "json"]) == "json"
            let rows = try arguments.positiveInteger("rows")
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
            let store = arguments.last("store")
            try definition.require([.settings, .entities] + (store == nil ? [.store] : []))
            let list = try UnresolvedList(definition, store: store)
            if isJSON {
                try list.json(rows: rows) { text throws(Failure) in try printOutput(text) }
            } else {
                try printOutput(list.text(rows: rows ?? 100, width: outputWidth))
            }
            return 0
        })
}
