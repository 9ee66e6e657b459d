import Load
import Sluice

/// `Consumer DEFINITION STORE`: imports with progress; then begins an import without end, and cancels it.
@main
enum Consumer {
    static func main() async throws {
        var options = RunOptions()
        options.store = CommandLine.arguments[2]
        let definition = try PipelineDefinition(contentsOf: CommandLine.arguments[1])
        let report = try await PipelineRun(definition, options: options).run(
            onProgress: { print("\($0.phase) \(Int($0.fraction(of: 0...100))) %") },
            onFinding: { print("\($0.kind) at \($0.at.file):\($0.at.line): \($0.message)") })
        print(report.text)

        let endless = AsyncStream(unfolding: { FeedRecord("Number", ["value": .integer(.random(in: 0...(1 << 40)))]) })
        options.feeds = [.init(records: endless)]
        let numbers = try PipelineDefinition(
            named: "numbers",
            [
                "source": ["file": "-"], "store": ["sqlite": "never"],
                "entities": [
                    "Number": ["records": "$", "identifier": "value", "attributes": ["value": "integer"]]
                ],
            ])
        let run = try PipelineRun(numbers, options: options)
        let task = Task { await run.run() }
        try await Task.sleep(for: .milliseconds(300))
        task.cancel()
        print("\(await task.value.outcome.status), beside SQLite \(versions[0].name)")
    }
}
