import Records
import Sluice

extension Command {
    static let check = Command(
        name: "check", arguments: "PIPELINE",
        summary: "check a definition, and the store if there is one",
        detail: """
            Checks the pipeline definition PIPELINE without reading a feed: all its mistakes are
            shown with file, line and column. If its store exists, it is checked as well whether
            the definition fits it.
            """,
        options: [
            Option("store", value: "FILE", "check against this SQLite database instead"),
            Option("quiet", short: "q", "say nothing when all is well"),
        ],
        run: { arguments in
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
            let store = arguments.last("store")
            let contradictions = try definition.contradictions(store: store)
            for contradiction in contradictions { printError(contradiction.description) }
            if let first = contradictions.first { return first.kind.rawValue }
            if !arguments.has("quiet") { try printOutput(definition.summary(store: store) + "\n") }
            return 0
        })
}
