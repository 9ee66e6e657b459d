import Sluice
import SluiceRecords

extension Command {
    static let history = Command(
        name: "history", arguments: "PIPELINE ENTITY IDENTIFIER [NAME]",
        summary: "show what an object has been, and since when",
        detail: """
            Shows what the object IDENTIFIER of ENTITY has been in the store of the pipeline
            definition PIPELINE, the newest first: which run changed what from what to what, and
            where the record stands that said so; or only its attribute or relationship NAME. Of
            several identifying attributes, IDENTIFIER is a JSON list. The store must keep its
            history: "history": true in the definition.
            """,
        options: [
            Option(
                "at", value: "RUN",
                "show what the object was when RUN had ended: a run, or a time, such as 2026-11-20 or yesterday"),
            Option("store", value: "FILE", "look into this store instead: a file, or a database on a server"),
            Option("format", value: "text|json", "how it is shown; json: a line for each version (default: text)"),
        ],
        run: { arguments in
            let isJSON = try arguments.choice("format", ["text", "json"]) == "json"
            let words = arguments.positional
            guard (3...4).contains(words.count) else {
                throw UsageError(
                    words.count < 3
                        ? "PIPELINE, ENTITY and IDENTIFIER are needed"
                        : "history takes one PIPELINE, one ENTITY, one IDENTIFIER and one NAME")
            }
            let store = arguments.last("store")
            let moment = try arguments.last("at").map { word throws(UsageError) in try pastMoment(word, "--at") }
            let definition = try readDefinition(ofStore: words[0], instead: store)
            try requireEntity(words[1], of: definition.model)
            let history = try ObjectHistory(
                definition, store: store, entity: words[1], identifier: words[2],
                only: words.count > 3 ? words[3] : nil, at: moment)
            try printOutput(isJSON ? history.json : history.text(width: outputWidth))
            return 0
        })
}
