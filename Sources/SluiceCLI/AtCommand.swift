import Sluice
import SluiceRecords

extension Command {
    static let at = Command(
        name: "at", arguments: "PIPELINE RUN",
        summary: "make the store as it was when a run had ended",
        detail: """
            Makes the store of the pipeline definition PIPELINE as it was when the run with the
            number RUN had ended, in a file of its own, or of a store on a server in a schema of its
            own, with its tables, objects and links. RUN may be a time, such as 2026-11-20,
            2026-11-20T02:00:00Z or yesterday, which stands for the last run that had ended by then.
            The store must keep its history: "history": true in the definition.
            """,
        options: [
            Option("output", short: "o", value: "FILE", "make it in this file, which must not exist"),
            Option("schema", value: "NAME", "of a store on a server: make it in this schema, which must not exist"),
            Option("store", value: "FILE", "read this store instead: a file, or a database on a server"),
        ],
        run: { arguments in
            guard arguments.positional.count == 2 else {
                throw UsageError(
                    arguments.positional.count < 2 ? "PIPELINE and RUN are needed" : "at takes one PIPELINE and one RUN"
                )
            }
            let moment = try pastMoment(arguments.positional[1], "RUN")
            let (output, schema, store) = (
                arguments.last("output"), arguments.last("schema"), arguments.last("store")
            )
            guard (output == nil) != (schema == nil) else {
                throw UsageError(
                    output == nil
                        ? "--output FILE is missing, or of a store on a server --schema NAME"
                        : "--output and --schema do not go together")
            }
            let definition = try readDefinition(ofStore: arguments.positional[0], instead: store)
            let run = try definition.run(at: moment, of: store)
            let isOnServer = try definition.isOnServer(instead: store)
            if let output {
                if isOnServer { throw UsageError("the store is on a server: --schema NAME is needed, not --output") }
                _ = try SignalWatch.endAtOnce(leftovers: [output + ".sluice-new"])
                try definition.makeStore(asOf: run, of: store, at: output)
            } else if let schema {
                if !isOnServer { throw UsageError("the store is a file: --output FILE is needed, not --schema") }
                try definition.makeStore(asOf: run, of: store, inSchema: schema)
            }
            return 0
        })
}

/// A run, or a time, of which the store has something: there is none before the first run.
func pastMoment(_ word: String, _ name: String) throws(UsageError) -> StoreDifferences.Moment {
    if word == "0" { throw UsageError("\(name) must be the number of a run from 1 on, or a time") }
    return try moment(word, name)
}
