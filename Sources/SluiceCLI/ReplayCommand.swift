import Sluice
import SluiceRecords

extension Command {
    static let replay = Command(
        name: "replay", arguments: "PIPELINE [SOURCE=]FEED...",
        summary: "run a pipeline on a saved feed",
        detail: """
            Runs the pipeline definition PIPELINE on a feed that was saved: on FEED, which may be a
            pattern, or several in the order of their files; or on the feed that a run has put
            into the archive; or on the rejected records of a run, once they are mended. The
            sources of the definition are not read.
            """,
        options: [
            Option("run", value: "N", "replay the feed that run N saved, instead of a FEED"),
            Option("rejects", value: "FILE", "load the records of the rejects in FILE, the findings of a run"),
        ] + Command.run.options.filter { !["feed", "force"].contains($0.name) },
        run: { arguments in
            guard let file = arguments.positional.first else { throw UsageError("PIPELINE is missing") }
            let feeds = arguments.positional.dropFirst().map(feedOverride)
            let run = try arguments.positiveInteger("run")
            let rejects = arguments.last("rejects")
            let ways = [!feeds.isEmpty, run != nil, rejects != nil].count { $0 }
            if ways == 0 { throw UsageError("FEED is missing, or --run N, or --rejects FILE") }
            if ways > 1 { throw UsageError("a replay takes one of FEED, --run and --rejects") }
            return try performRun(arguments) { options in
                let definition = try readDefinition(file, feeds: feeds, store: options.store)
                if let rejects {
                    try definition.require(.entities)
                    let records = try RejectedRecords(definition, file: rejects)
                    for line in records.leftOut() { printNote(line) }
                    options.replay = records.replay
                    return records.replayed
                } else if let run {
                    let replay = try RunOptions.Replay.saved(by: run, of: definition, store: options.store)
                    if let newer = replay.run?.newer, !options.isDry {
                        printNote(
                            "the store holds the feed of run \(newer), and that of run \(run) is older: what it says"
                                + " takes the place of newer values, until the next run")
                    }
                    options.replay = replay
                } else {
                    options.replay = try .named(feeds, in: definition)
                }
                return definition
            }
        })
}
