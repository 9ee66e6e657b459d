import Sluice
import SluiceRecords

extension Command {
    static let diff = Command(
        name: "diff", arguments: "PIPELINE [FROM TO] [ENTITY]",
        summary: "show what differs between two runs",
        detail: """
            Shows what was created, changed and deleted in the store of the pipeline definition
            PIPELINE between what the run FROM left and what the run TO left, in all entities or in
            ENTITY. Either is the number of a run, or a time, such as 2026-11-20 or
            2026-11-20T02:00:00Z, which stands for the last run that had ended by then; FROM may be
            0, before the first run. Without FROM and TO, it is the last run of the pipeline that
            has loaded, against what was before it. The store must keep its history:
            "history": true in the definition.
            """,
        options: [
            Option("since", value: "TIME", "instead of FROM and TO: since a time, or yesterday, until now"),
            Option("store", value: "FILE", "look into this store instead: a file, or a database on a server"),
            Option(
                "format", value: "text|ndjson|sql",
                "how it is shown; ndjson: a line of JSON for each object; sql: a script for a copy of FROM (default: text)"
            ),
        ],
        run: { arguments in
            let format = try arguments.choice("format", ["text", "ndjson", "sql"])
            let store = arguments.last("store")
            var words = arguments.positional
            guard let path = words.first else { throw UsageError("PIPELINE is missing") }
            words.removeFirst()
            let (from, to): (StoreDifferences.Moment, StoreDifferences.Moment)
            var last: LastLoad?
            if let since = arguments.last("since") {
                (from, to) = (try moment(since, "--since"), .now)
            } else if words.isEmpty || words.count == 1 && (try? moment(words[0], "FROM")) == nil {
                let found = try LastLoad(readDefinition(ofStore: path, instead: store), store: store)
                (from, to, last) = (.run(found.before), .run(found.run), found)
            } else {
                guard words.count >= 2 else { throw UsageError("FROM and TO are needed, or neither, or --since TIME") }
                (from, to) = (try moment(words[0], "FROM"), try moment(words[1], "TO"))
                words.removeFirst(2)
            }
            guard words.count <= 1 else { throw UsageError("diff takes one PIPELINE, FROM and TO, and one ENTITY") }
            let definition = try readDefinition(ofStore: path, instead: store)
            if let entity = words.first { try requireEntity(entity, of: definition.model) }
            let differences = try StoreDifferences(definition, store: store, from: from, to: to, entity: words.first)
            let print = { (text: String) throws(Failure) in try printOutput(text) }
            switch format {
            case "ndjson": try differences.json(write: print)
            case "sql": try differences.sql(write: print)
            default:
                if let last { try print(last.heading) }
                try differences.text(write: print)
            }
            return 0
        })
}

/// A run, or a time.
func moment(_ word: String, _ name: String) throws(UsageError) -> StoreDifferences.Moment {
    if let run = Int(word), run >= 0 { return .run(run) }
    if let days = ["today": 0, "yesterday": 1][word] { return .dayBefore(days) }
    // A day begins before all that ends on it.
    if StoreDifferences.Moment.isTime(word) { return .time(word) }
    throw UsageError(
        "\(name) must be the number of a run, or a time such as 2026-11-20 or 2026-11-20T02:00:00Z, not \(word)")
}
