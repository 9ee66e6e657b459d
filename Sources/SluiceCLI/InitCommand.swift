import Sluice
import SluiceInit
import SluiceRecords

extension Command {
    static let initialise = Command(
        name: "init", arguments: "FEED...",
        summary: "draft a definition from a feed",
        detail: """
            Reads each FEED (a file, - for standard input, the address of a web service, s3://...
            or sftp://...) to its end, and drafts a pipeline definition from what it holds: entities with their
            identifiers, the types of their attributes, and their relationships. Comments in it
            tell what was measured. It goes to standard output; with --output to a file, and then
            its first records are shown as preview does.
            """,
        options: [
            Option("output", short: "o", value: "PIPELINE", "write the definition to this file, which must not exist"),
            Option("format", value: "json|lines|csv|tsv", "how each FEED is written; default: as its name says"),
            Option(
                "header", value: "TEXT",
                "ask web services with this header, \"Name: value\"; may be given several times"),
            Option("add", value: "PIPELINE", "show what this definition lacks of the feeds, and write nothing"),
        ],
        run: { arguments in
            let feeds = arguments.positional
            guard !feeds.isEmpty else { throw UsageError("FEED is missing") }
            if let existing = arguments.last("add") { return try showLacking(feeds, existing, arguments) }
            let output = arguments.output
            let draft = try InitRun(
                feeds, output: output, format: feedFormat(arguments), headers: headers(arguments),
                onRetry: { Log.standard.write($0) }
            ).perform()
            guard let output else {
                try printOutput(draft.text)
                return 0
            }
            let hint = ": give another name, or see what it lacks with --add \(output)"
            try UnwrittenFile(output, hint: hint).write(draft.text)
            printNote("\(output) is a draft: see what its comments say, then sluice run \(output)")
            if feeds.contains("-") { return 0 }
            try showFirstRecords(of: draft, output)
            return 0
        })
}

/// Shows the first records of a draft that was written to a file. What --header said is what its variables hold,
/// whether the environment sets them or not.
private func showFirstRecords(of draft: InitRun.Draft, _ file: String) throws {
    let environment = environment()
    let missing = draft.variables.map(\.name).filter { environment[$0] == nil }
    if !missing.isEmpty {
        printNote("before a run, set what it takes from the environment: \(missing.joined(separator: ", "))")
    }
    let all = environment.merging(draft.variables.map { ($0.name, $0.value) }) { _, given in given }
    let definition = try PipelineDefinition.read(file: file, environment: all, checks: .all(feeds: []), store: nil)
    let preview = try PreviewRun(definition, feeds: [], rows: 3).perform()
    try printOutput(preview.text(width: outputWidth, colours: outputHasColours))
    if let error = preview.error { printNote("the first records cannot be shown: \(error.description)") }
    noteRejects(of: preview, file)
}

/// Says that a draft does not take what it was made of.
private func noteRejects(of preview: Preview, _ output: String) {
    guard preview.rejects > 0 else { return }
    let are =
        preview.rejects == 1 ? "1 of these records is a reject" : "\(preview.rejects) of these records are rejects"
    let them = preview.rejects == 1 ? "it" : "them"
    printNote("\(are): mend what is wrong with \(them), in the feed or in \(output), before a run")
}

private func feedFormat(_ arguments: Arguments) throws -> Source.Format? {
    try arguments.choice("format", Source.Format.allCases.map(\.rawValue)).flatMap(Source.Format.init)
}

private func headers(_ arguments: Arguments) throws -> RequestHeaders {
    var headers = RequestHeaders(environment: environment())
    for text in arguments.all("header") { try headers.add(text) }
    return headers
}

/// Shows what a definition lacks of some feeds.
private func showLacking(_ feeds: [String], _ file: String, _ arguments: Arguments) throws -> Int32 {
    if arguments.has("output") { throw UsageError("--add writes no file: it cannot be given with --output") }
    let definition = try readDefinition(file)
    try definition.require(.entities)
    let comparison = try InitRun(
        feeds, output: nil, format: feedFormat(arguments), headers: headers(arguments),
        onRetry: { Log.standard.write($0) }
    ).compare(with: definition)
    for line in comparison.known + comparison.differences { printNote(line) }
    guard let text = comparison.text else {
        let isAll = comparison.differences.isEmpty
        printNote(isAll ? "\(file) lacks nothing of what is there" : "all else of a draft is in \(file)")
        return 0
    }
    try printOutput(text)
    return 0
}
