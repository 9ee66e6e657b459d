import Sluice
import SluiceRecords

extension Command {
    static let check = Command(
        name: "check", arguments: "PIPELINE...",
        summary: "check definitions, and the store if there is one",
        detail: """
            Checks each pipeline definition PIPELINE without reading a feed: all its mistakes are
            shown with file, line and column, with --format json as lines of JSON as well. If its
            store exists, it is checked as well whether the definition fits it, and what the next
            run changes in it first. With --against, a feed is read as well: it must have records
            that can become objects, and values for every attribute. With --connect, what a run needs is tried as well: files, services,
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
            let format = try arguments.choice("format", ["text", "json"])
            let files = arguments.positional.count > 1 ? arguments.positional : [try arguments.onlyArgument("PIPELINE")]
            for name in ["store", "against", "ask"] where files.count > 1 && arguments.has(name) {
                throw UsageError("--\(name) is for one PIPELINE, and there are \(files.count)")
            }
            return try files.reduce(0) { status, file in
                max(status, try checked(file, arguments, isJSON: format == "json"))
            }
        })
}

/// Checks a definition, and shows what is wrong. Returns the exit status.
private func checked(_ file: String, _ arguments: Arguments, isJSON: Bool) throws -> Int32 {
    func show(_ failures: [Failure]) throws(Failure) {
        for failure in failures { printFailure(failure) }
        if isJSON { try printOutput(failures.map(\.jsonLine).joined()) }
    }
    do {
        return try check(file, arguments, isJSON: isJSON) { failures throws(Failure) in try show(failures) }
    } catch let problems as DefinitionProblems {
        try show(problems.failures)
        return problems.kind.rawValue
    } catch let failure as Failure {
        try show([failure])
        return failure.kind.rawValue
    }
}

private func check(
    _ file: String, _ arguments: Arguments, isJSON: Bool, _ show: ([Failure]) throws(Failure) -> Void
) throws -> Int32 {
    let store = arguments.last("store")
    let definition = try readDefinition(file, feeds: arguments.all("against").map(feedOverride), store: store)
    var options = RunOptions()
    options.store = store
    try OutputNames(definition, options).check()
    let needs = RunNeeds(definition, options)
    if arguments.has("connect") {
        try definition.requireForRun(options)
        let failures = needs.failures()
        try show(failures)
        if let first = failures.first { return first.kind.rawValue }
    } else {
        try needs.checkArchive()
    }
    if arguments.has("ask") { return try ask(definition, arguments) }
    let plan = try definition.storePlan(store: store)
    for contradiction in plan.contradictions { printError(contradiction.description) }
    let comparesFeeds = arguments.last("against") != nil
    if isJSON, !comparesFeeds { try printOutput(plan.json) }
    if let first = plan.contradictions.first { return first.kind.rawValue }
    try definition.rehearseQuestions(store: store)
    if comparesFeeds { return try compareFeeds(definition, arguments) }
    if !isJSON, !arguments.has("quiet") {
        let tried = arguments.has("connect") ? "What a run needs was tried, and is there.\n" : ""
        try printOutput(
            definition.summary(store: store, plan).printable + "\n" + tried + plan.text
                + DefinitionNotes(definition).text)
    }
    return 0
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
