import Sluice
import SluiceRecords

extension Command {
    static let preview = Command(
        name: "preview", arguments: "PIPELINE",
        summary: "show the first records as they would be stored",
        detail: """
            Reads the first records of each entity of the pipeline definition PIPELINE, and shows
            them as they would be stored: with values converted, references as the identifiers of
            their targets, and rejects with their reasons. It reads no further than it must, and
            neither reads nor writes a store.
            """,
        options: [
            Option("feed", value: "[SOURCE=]FILE", "read FILE instead of the source's own; - is standard input"),
            Option("rows", value: "N", "records of each entity, at the most (default: 5)"),
            Option("format", value: "text|json", "how the records are shown (default: text)"),
        ],
        run: { arguments in
            let format = try arguments.choice("format", ["text", "json"])
            let rows = try arguments.positiveInteger("rows") ?? 5
            let feeds = arguments.all("feed").map(feedOverride)
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"), feeds: feeds)
            try definition.requireForPreview(feeds)
            let cancellation = try SignalWatch.endAtOnce()
            let outcome = Result { try PreviewRun(definition, feeds: feeds, rows: rows).perform() }
            SignalWatch.leave(to: cancellation)
            let preview = try outcome.get()
            try printOutput(
                format == "json" ? preview.json : preview.text(width: outputWidth, colours: outputHasColours))
            guard let error = preview.error else { return 0 }
            printError(error.description)
            return error.kind.rawValue
        })
}
