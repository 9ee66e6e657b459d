import Sluice

// Each example of the documentation stands here, line by line: so it compiles. DocumentedExampleTests compares.

func show(_ fraction: Double, _ text: String) {}
func log(_ text: String) {}

struct Row {
    var id: String
    var name: String
}

func readme() async throws {
    let definition = try PipelineDefinition(contentsOf: "timetable.jsonc")
    let report = try await PipelineRun(definition).run(
        onProgress: { print("\($0.phase): \(Int($0.fraction * 100)) %") },
        onFinding: { print("\($0.at.file):\($0.at.line): \($0.message)") })
    switch report.outcome.status {
    case .succeeded: print("\(report.entities.map(\.counts.created).reduce(0, +)) objects are new")
    case .unchanged: print("the feed is that of last night")
    case .cancelled: print("the database is what it was")
    case .failed: print(report.reasons.joined(separator: "\n"))
    }
}

func overview() async throws {
    let definition = try PipelineDefinition(contentsOf: "stops.jsonc")
    let report = try await PipelineRun(definition).run { print($0.phase, $0.records) }
    print(report.text)
}

func definitions() throws {
    do {
        let definition = try PipelineDefinition(contentsOf: "stops.jsonc", environment: ["STORE": "/var/lib/stops"])
        let run = try PipelineRun(definition)
        _ = run
    }
    do {
        let definition = try PipelineDefinition(
            named: "stops",
            [
                "source": ["file": "stops.json"],
                "store": ["sqlite": "stops.sqlite"],
                "entities": [
                    "Stop": [
                        "records": "$[*]", "identifier": "stop_id",
                        "attributes": ["stop_id": "text", "name": ["type": "text", "required": true]],
                    ]
                ],
            ])
        _ = definition
    }
    let value: JSONValue = ["records": "$.stops[*]", "identifier": "stop_id", "attributes": ["stop_id": "text"]]
    let record = FeedRecord("Stop", ["stop_id": "de:11000:900100003", "name": "Alexanderplatz", "latitude": 52.52])
    _ = (value, record)
}

func runs(_ run: PipelineRun) async {
    do {
        let report = await run.run { progress in
            // The import is the last seven tenths of the launch.
            print(progress.phase, progress.records, progress.fraction(of: 0.3...1))
        }
        _ = report
    }
    do {
        let report = await run.run(onFinding: { print($0.at.file, $0.at.line, $0.message) })
        if report.outcome.status == .failed { print(report.reasons) }
    }
    do {
        let report = await run.run(onFinding: { finding in
            if case .reject(let faults) = finding.detail { log("\(finding.at.file):\(finding.at.line): \(faults)") }
        })
        for failure in report.reasons { log(failure) }
        for entity in report.entities { log("\(entity.name): \(entity.counts.created) created") }
    }
}

func background(_ definition: PipelineDefinition) async throws {
    let run = try PipelineRun(definition)
    let importing = Task {
        await run.run { progress in
            // Downloading was the first third of the launch.
            show(progress.fraction(of: 0.33...1), progress.phase.rawValue)
        }
    }
    importing.cancel()
    let report = await importing.value
    if report.outcome.status == .cancelled { show(0, "cancelled") }
}

func errors() async {
    do {
        var options = RunOptions()
        options.store = "/var/lib/app/timetable.sqlite"
        options.wait = .seconds(30)
        let definition = try PipelineDefinition(contentsOf: "timetable.jsonc")
        let report = try await PipelineRun(definition, options: options).run()
        if let failure = report.outcome.error, failure.kind == .busy { log(failure.message) }
    } catch {
        for failure in error.failures { log("\(failure)") }
    }
}

func feeds(_ definition: PipelineDefinition, _ body: AsyncStream<[UInt8]>, _ rows: [Row]) async throws {
    var options = RunOptions()
    options.feeds = [.init(chunks: body)]
    let report = try await PipelineRun(definition, options: options).run()
    let stops = AsyncStream<FeedRecord> { stream in
        for row in rows { stream.yield(FeedRecord("Stop", ["stop_id": .text(row.id), "name": .text(row.name)])) }
        stream.finish()
    }
    options.feeds = [.init(records: stops)]
    _ = report
}
