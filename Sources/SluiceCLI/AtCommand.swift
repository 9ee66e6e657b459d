import Sluice
import SluiceRecords

extension Command {
    static let at = Command(
        name: "at", arguments: "PIPELINE RUN",
        summary: "make the store as it was when a run had ended",
        detail: """
            Makes the store of the pipeline definition PIPELINE as it was when the run with the
            number RUN had ended, in a file of its own, with its tables, objects and links. The
            store must keep its history: "history": true in the definition.
            """,
        options: [
            Option("output", short: "o", value: "FILE", "make it in this file, which must not exist (required)"),
            Option("store", value: "FILE", "read this store instead, a file"),
        ],
        run: { arguments in
            guard arguments.positional.count == 2 else {
                throw UsageError(
                    arguments.positional.count < 2 ? "PIPELINE and RUN are needed" : "at takes one PIPELINE and one RUN"
                )
            }
            guard let run = Int(arguments.positional[1]), run > 0 else {
                throw UsageError("RUN must be the number of a run, not \(arguments.positional[1])")
            }
            guard let output = arguments.last("output") else { throw UsageError("--output FILE is missing") }
            let store = arguments.last("store")
            let definition = try readDefinition(ofStore: arguments.positional[0], instead: store)
            try definition.makeStore(asOf: run, of: store, at: output)
            return 0
        })
}
