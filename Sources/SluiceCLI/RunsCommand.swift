import Sluice
import SluiceRecords

extension Command {
    static let runs = Command(
        name: "runs", arguments: "PIPELINE",
        summary: "list the runs of a pipeline",
        detail: """
            Lists the runs of the pipeline definition PIPELINE that the ledger of its store knows,
            the newest first; or shows the report of one of them again.
            """,
        options: [
            Option("run", value: "N", "show the report of run N"),
            Option("all", "list the runs of all pipelines that have this store"),
            Option("rows", value: "N", "list the newest N runs (default: all)"),
            Option("store", value: "FILE", "look into this store instead: a file, or a database on a server"),
            Option(
                "report", value: "FILE",
                "write the report of run N to FILE: JSON, or a page if it ends in .html; without --run, a page of all runs"
            ),
            Option("format", value: "text|json", "how they are shown (default: text)"),
        ],
        run: { arguments in
            let isJSON = try arguments.choice("format", ["text", "json"]) == "json"
            let rows = try arguments.positiveInteger("rows")
            let run = try arguments.positiveInteger("run")
            let file = arguments.last("report")
            if run == nil, let file, !ReportFile.isPage(file) {
                throw UsageError("--report without --run N writes a page, whose name ends in .html")
            }
            let store = arguments.last("store")
            let definition = try readDefinition(ofStore: arguments.onlyArgument("PIPELINE"), instead: store)
            var options = RunOptions()
            options.store = store
            try OutputNames(definition, options, report: file).check()
            let history = try LedgerRuns(definition, store: store, all: arguments.has("all"))
            if let run {
                try show(run, history, definition, store, isJSON: isJSON, file: file)
            } else if let file {
                try ReportFile(file).write(history.page(rows: rows))
            } else if isJSON {
                try history.json(rows: rows) { text throws(Failure) in try printOutput(text) }
            } else {
                try history.text(rows: rows, width: listWidth) { text throws(Failure) in try printOutput(text) }
            }
            return 0
        })
}

private func show(
    _ run: Int, _ history: LedgerRuns, _ definition: PipelineDefinition, _ store: String?, isJSON: Bool, file: String?
) throws(Failure) {
    if let file {
        let report = try history.report(run: run)
        return try ReportFile(file).write(report, RunChanges(definition, store: store, report), definition.diagram)
    }
    let text =
        try isJSON
        ? history.reportJSON(run: run)
        : history.reportText(run: run, colours: outputHasColours, fitsScreen: outputIsTerminal)
    try printOutput(text)
}
