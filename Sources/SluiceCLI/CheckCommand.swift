import Sluice
import SluiceRecords

extension Command {
    static let check = Command(
        name: "check", arguments: "PIPELINE",
        summary: "check a definition, and the store if there is one",
        detail: """
            Checks the pipeline definition PIPELINE without reading a feed: all its mistakes are
            shown with file, line and column. If its store exists, it is checked as well whether
            the definition fits it, and what the next run changes in it first. With --against, a
            feed is read as well: it must have records that can become objects, and values for
            every attribute. With --connect, what a run needs is tried as well: files, services,
            secrets, rights, the archive, commands; nothing is loaded.
            """,
        options: [
            Option("store", value: "FILE", "check against this store instead: a file, or a database on a server"),
            Option("against", value: "[SOURCE=]FILE", "compare this feed with what the definition uses"),
            Option("connect", "try what a run needs, too: files, services, secrets, rights"),
            Option("format", value: "text|json", "how that is shown (default: text)"),
            Option("quiet", short: "q", "say nothing when all is well"),
        ],
        run: { arguments in
            let store = arguments.last("store")
            let definition = try readDefinition(
                arguments.onlyArgument("PIPELINE"), feeds: arguments.all("against").map(feedOverride), store: store)
            var options = RunOptions()
            options.store = store
            try OutputNames(definition, options).check()
            let format = try arguments.choice("format", ["text", "json"])
            let needs = RunNeeds(definition, options)
            if arguments.has("connect") {
                try definition.requireForRun(options)
                let failures = needs.failures()
                for failure in failures { printFailure(failure) }
                if let first = failures.first { return first.kind.rawValue }
            } else {
                try needs.checkArchive()
            }
            let plan = try definition.storePlan(store: store)
            for contradiction in plan.contradictions { printError(contradiction.description) }
            let comparesFeeds = arguments.last("against") != nil
            if format == "json", !comparesFeeds { try printOutput(plan.json) }
            if let first = plan.contradictions.first { return first.kind.rawValue }
            if comparesFeeds { return try compareFeeds(definition, arguments) }
            if format != "json", !arguments.has("quiet") {
                try printOutput(definition.summary(store: store, plan).printable + "\n" + plan.text)
            }
            return 0
        })
}

/// Shows what feeds hold, and what of it is not as the definition has it.
private func compareFeeds(_ definition: PipelineDefinition, _ arguments: Arguments) throws -> Int32 {
    let format = try arguments.choice("format", ["text", "json"])
    try definition.requireForFeeds()
    let outcome = try FeedCheck(definition, feeds: arguments.all("against").map(feedOverride)).perform()
    if format == "json" {
        try printOutput(outcome.json)
    } else if !outcome.fits || !arguments.has("quiet") {
        try printOutput(outcome.text)
    }
    return outcome.fits ? 0 : Failure.Kind.data.rawValue
}
