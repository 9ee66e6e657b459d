import Sluice

extension Command {
    static let fetch = Command(
        name: "fetch", arguments: "PIPELINE",
        summary: "download the feeds into the archive, and load nothing",
        detail: """
            Reads the feeds of the pipeline definition PIPELINE, web services for the most part,
            and saves them in its archive. Shows the names of the saved files, which sluice
            replay takes.
            """,
        options: [
            Option("store", value: "FILE", "ask this store for what \"since\" needs"),
            Option("quiet", short: "q", "show no names"),
        ],
        run: { arguments in
            let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
            var options = RunOptions()
            options.store = arguments.last("store")
            try definition.requireForRun(options)
            try OutputNames(definition, options).check()
            try SignalWatch.start(options.control.cancellation) { Log.standard.write(.warning, $0) }
            if !arguments.has("quiet") {
                options.control.onRetry = { Log.standard.write($0) }
                options.control.onComplaint = { Log.standard.write(.info, $0) }
            }
            return try endedBySignals(options.control.cancellation) {
                let sources = try FetchRun(definition, options: options).perform()
                if arguments.has("quiet") { return 0 }
                for (source, files) in sources {
                    for file in files {
                        let line = "\(source)=\(file)"
                        // Who reads a pipe wants the very name.
                        try printOutput((outputIsTerminal ? line.printable : line) + "\n")
                    }
                }
                return 0
            }
        })
}
