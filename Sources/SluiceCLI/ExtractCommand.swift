import Sluice
import SluiceRecords

extension Command {
    static let extract = Command(
        name: "extract", arguments: "PIPELINE",
        summary: "write the typed records of a file as Parquet",
        detail: """
            Reads one file of a feed of the pipeline definition PIPELINE, or the lines of a range
            of it, converts its records as a run does, and writes those of each entity to
            DIR/ENTITY/PART.parquet, with where they stand; rejects to DIR/findings/PART.ndjson.
            DIR/manifest/PART.json comes last. No store is read or written.
            """,
        options: [
            Option("to", value: "DIR", "the folder for the parts; needed"),
            Option("feed", value: "[SOURCE=]FILE", "read FILE instead of the source's own; - is standard input"),
            Option("range", value: "FIRST:LENGTH", "only the lines that begin within these bytes of the file"),
            Option("part", value: "NAME", "the name of the part (default: from those of source and file)"),
            Option("quiet", short: "q", "show nothing when all is well"),
        ],
        run: { arguments in
            guard let directory = arguments.last("to") else { throw UsageError("--to DIR is missing") }
            let range = try arguments.byteRange("range")
            let feeds = arguments.all("feed").map(feedOverride)
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"), feeds: feeds)
            try definition.requireForPreview(feeds)
            var control = RunControl()
            try SignalWatch.start(control.cancellation) { Log.standard.write(.warning, $0) }
            if !arguments.has("quiet") { control.onRetry = { Log.standard.write($0) } }
            return try endedBySignals(control.cancellation) {
                let outcome = try ExtractRun(
                    definition, to: directory, feeds: feeds, range: range, part: arguments.last("part"),
                    control: control
                ).perform()
                if arguments.has("quiet") { return 0 }
                let counts = outcome.records.map { "\($0.entity) \($0.count)" }.joined(separator: ", ")
                let text = outcome.wasThere ? "is there already" : "\(counts); rejects \(outcome.rejects)"
                try printOutput("\(outcome.part): \(text)".printable + "\n")
                return 0
            }
        })
}

extension Arguments {
    /// Bytes of a file: the first one and how many.
    fileprivate func byteRange(_ name: String) throws(UsageError) -> Range<Int>? {
        guard let word = last(name) else { return nil }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let first = parts[0], let length = parts[1], first >= 0, length > 0,
            first.addingReportingOverflow(length).overflow == false
        else { throw UsageError("--\(name) takes FIRST:LENGTH, two whole numbers of bytes, not \(word)") }
        return first..<first + length
    }
}
