import Glibc
import Sluice

/// `Cancelling STORE`: cancels runs without end at random moments, and says how many threads and files each has left.
@main
enum Cancelling {
    static func main() async throws {
        let definition = try PipelineDefinition(
            named: "numbers",
            [
                "source": ["file": "-"], "store": ["sqlite": .text(CommandLine.arguments[1])],
                "entities": [
                    "Number": ["records": "$", "identifier": "value", "attributes": ["value": "integer"]]
                ],
            ])
        var options = RunOptions()
        options.batchSize = 100
        // The first one warms up: the pool of the concurrency, the libraries. It takes the longest: a sleep that is
        // over at once would leave the timers of the concurrency to be opened, and counted, by a later one.
        for round in 0..<25 {
            // A stream that was cancelled gives nothing more.
            let numbers = AsyncStream(unfolding: { FeedRecord("Number", ["value": .integer(.random(in: 0...99_999))]) })
            options.feeds = [.init(records: numbers)]
            let run = try PipelineRun(definition, options: options)
            let task = Task { await run.run(onProgress: { _ in }) }
            try await Task.sleep(for: .microseconds(round == 0 ? 40_000 : .random(in: 0...40_000)))
            task.cancel()
            let status = await task.value.outcome.status
            // A thread that has done its work still has to go away.
            for _ in 0..<200 where round > 0 && count("task") > threads { try await Task.sleep(for: .milliseconds(5)) }
            if round == 0 { (threads, files) = (count("task") + 1, count("fd")) }
            print(status, max(0, count("task") - threads), max(0, count("fd") - files))
        }
    }

    private static nonisolated(unsafe) var threads = 0
    private static nonisolated(unsafe) var files = 0

    /// Of this process.
    private static func count(_ kind: String) -> Int {
        guard let folder = opendir("/proc/self/\(kind)") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
