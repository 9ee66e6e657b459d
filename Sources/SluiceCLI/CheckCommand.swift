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
            secrets, rights, the archive, commands; nothing is loaded. With --ask, the checks of the
            definition are asked of its store as it is.
            """,
        options: [
            Option("store", value: "FILE", "check against this store instead: a file, or a database on a server"),
            Option("against", value: "[SOURCE=]FILE", "compare this feed with what the definition uses"),
            Option("connect", "try what a run needs, too: files, services, secrets, rights"),
            Option("ask", "ask the checks of the definition of its store as it is"),
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
            if arguments.has("ask") { return try ask(definition, arguments) }
            let plan = try definition.storePlan(store: store)
            for contradiction in plan.contradictions { printError(contradiction.description) }
            let comparesFeeds = arguments.last("against") != nil
            if format == "json", !comparesFeeds { try printOutput(plan.json) }
            if let first = plan.contradictions.first { return first.kind.rawValue }
            try definition.rehearseQuestions(store: store)
            if comparesFeeds { return try compareFeeds(definition, arguments) }
            if format != "json", !arguments.has("quiet") {
                try printOutput(
                    definition.summary(store: store, plan).printable + "\n" + plan.text
                        + DefinitionNotes(definition).text)
            }
            return 0
        })
}

/// Shows what the store answers to the checks of a definition.
private func ask(_ definition: PipelineDefinition, _ arguments: Arguments) throws -> Int32 {
    if arguments.last("against") != nil {
        throw UsageError("--ask reads a store, and --against a feed: one of them is enough")
    }
    if definition.questions.isEmpty { throw UsageError("the definition has no checks to ask") }
    let format = try arguments.choice("format", ["text", "json"])
    let cancellation = RunControl().cancellation
    try SignalWatch.start(cancellation) { Log.standard.write(.warning, $0) }
    return try endedBySignals(cancellation) {
        let outcome = try QuestionCheck(definition, store: arguments.last("store")).perform(
            isCancelled: { cancellation.isRequested })
        if format == "json" {
            try printOutput(outcome.json)
        } else if !outcome.fits || !arguments.has("quiet") {
            try printOutput(outcome.text)
        }
        return outcome.fits ? 0 : Failure.Kind.data.rawValue
    }
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
