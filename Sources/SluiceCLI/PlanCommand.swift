import Sluice
import SluiceDefinition
import SluiceRecords

extension Command {
    static let plan = Command(
        name: "plan", arguments: "PIPELINE",
        summary: "write the set-based half of a run as SQL",
        detail: """
            Writes what a run of the pipeline definition PIPELINE does once records are typed
            (duplicates, references, absence, counts, limits, findings) as queries over whole
            tables, a line of JSON for each step. Feeds and stores are not read. What a plan
            cannot do is refused. Runners carry plans out, see Documentation/cluster.md.
            """,
        options: [
            Option("dialect", value: "duckdb|spark", "the engine that the SQL is for; needed"),
            Option("allow", value: "LIMIT=N|N%", "a limit of this plan's run alone, as of sluice run"),
            Option("report", value: "FILE", "show the report of a plan's run instead, as sluice run does"),
        ],
        run: { arguments in
            let file = try arguments.onlyArgument("PIPELINE")
            if let report = arguments.last("report") {
                try printOutput(PlanReport.text(report, colours: outputHasColours, fitsScreen: outputIsTerminal))
                return 0
            }
            guard let dialect = try arguments.choice("dialect", PlanDialect.names) else {
                throw UsageError("--dialect duckdb or --dialect spark is missing")
            }
            try PipelineDefinition.requirePlannable(file: file)
            var definition = try readDefinition(file)
            let allowances = try arguments.all("allow").map(allowance)
            try requireAllowed(allowances, by: [definition])
            for allowance in allowances { definition.allow(allowance) }
            try printOutput(definition.plan(named: dialect))
            return 0
        })
}
