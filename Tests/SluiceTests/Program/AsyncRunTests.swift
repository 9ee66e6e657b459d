import Foundation
import Glibc
import SluiceDefinition
import SluiceRecords
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceReport
@testable import SluiceStoreSQLite

@Suite("Runs of a program", .serialized)
struct AsyncRunTests {
    private func definition(_ folder: String, _ more: [JSONValue.Member] = []) throws -> PipelineDefinition {
        let members: [JSONValue.Member] = [
            .init("source", ["file": .text(folder + "/feed.json"), "format": "lines"]),
            .init("store", ["sqlite": .text(folder + "/store.sqlite")]),
            .init("limits", ["rejects": nil]),
            .init(
                "entities",
                ["Number": ["records": "$", "identifier": "n", "attributes": ["n": "integer", "text": "text"]]]),
        ]
        return try PipelineDefinition(named: "numbers", .object(members + more))
    }

    private func write(_ numbers: Range<Int>, _ folder: String) throws {
        let text = numbers.map { #"{"n":\#($0),"text":"\#(String(repeating: "x", count: 40))"}"# + "\n" }.joined()
        try text.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
    }

    private func count(_ folder: String) throws -> [String] {
        let connection = try Connection(path: folder + "/store.sqlite", access: .read)
        return try ProgramScene.rows(connection, "SELECT count(*), max(n) FROM Number")
            + ProgramScene.rows(connection, "PRAGMA integrity_check")
    }

    private var openFiles: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return Set(
            names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") })
    }

    @Test("Progress grows, names each phase, and ends at 1")
    func progress() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<30_000, folder)
        let told = Mutexed<[RunProgress]>([])
        let report = await (try PipelineRun(try definition(folder))).run(
            onProgress: { progress in told.change { $0.append(progress) } }, every: .milliseconds(1))
        #expect(report.failures == [])
        let fractions = told.value.map(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        #expect(told.value.last?.records == 30_000)
        let phases = told.value.map(\.phase)
        #expect(phases == phases.sorted())
        #expect(Set(phases).isSuperset(of: [.reading, .linking, .saving, .ended]))
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: folder + "/feed.json")[.size] as? Int)
        #expect(told.value.contains { $0.totalBytes == size })
        #expect(told.value.map { $0.fraction(of: 0.5...0.6) }.allSatisfy { (0.5...0.6).contains($0) })
        #expect(told.value.last?.fraction(of: 0.5...0.75) == 0.75)
    }

    @Test("Findings come while the run goes on, as the report has them")
    func findings() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "{\"n\":1}\n{\"n\":\"x\"}\n {\"n\":1}\n".write(
            toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
        let told = Mutexed<[Finding]>([])
        let report = await (try PipelineRun(try definition(folder))).run(
            onFinding: { finding in told.change { $0.append(finding) } })
        #expect(told.value.filter { $0.kind == .reject }.map(\.at.line) == [2])
        #expect(told.value.filter { $0.kind == .duplicate }.map(\.at.column) == [2])
        #expect(told.value.allSatisfy { !$0.message.isEmpty && $0.at.source == "main" })
        #expect(told.value.allSatisfy { $0.at.file == folder + "/feed.json" })
        // The line of a first copy is only found where the run has ended; until then, its byte is known.
        let messages = told.value.map { $0.message.replacing("first at byte 0", with: "first at 1:1") }
        #expect(Set(messages) == Set(report.found.examples.map(\.message)))
    }

    @Test("Cancelled at any moment, a run leaves the store as it was, and nothing else", arguments: 0..<6)
    func cancelled(seed: Int) async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<500, folder)
        let definition = try definition(folder)
        #expect(await (try PipelineRun(definition)).run().outcome.status == .succeeded)
        try write(0..<20_000, folder)
        let filesBefore = openFiles
        var random = SeededRandom(seed)
        var options = RunOptions()
        options.batchSize = 100
        let endless = Endless()
        if seed % 3 == 0 { options.feeds = [.init(records: endless)] }
        let run = try PipelineRun(definition, options: options)
        let task = Task { await run.run() }
        try await Task.sleep(for: .microseconds(random.below(60_000)))
        task.cancel()
        let report = await task.value
        if report.outcome.status == .succeeded {
            #expect(try count(folder) == ["20000|19999", "ok"])
        } else {
            #expect(report.outcome.status == .cancelled)
            #expect(report.outcome.error?.message == "the run was cancelled")
            #expect(report.outcome.signal == nil)
            #expect(report.exitStatus == Failure.Kind.cancelled.rawValue)
            #expect(try count(folder) == ["500|499", "ok"])
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let beside = ["-wal", "-shm"]
        let own = names.filter { name in !beside.contains(where: name.hasSuffix) && !name.contains(".fingerprints-") }
        #expect(own == ["feed.json", "store.sqlite"])
        #expect(openFiles.subtracting(filesBefore).filter { $0.hasPrefix(folder) } == [])
        for _ in 0..<100 where endless.iterators.value > 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(endless.iterators.value == 0)
        // Nothing of the cancellation stays with the run's value.
        options.feeds = []
        // On a busy machine the run may have ended before it was cancelled.
        options.force = true
        #expect(await (try PipelineRun(definition, options: options)).run().outcome.status == .succeeded)
        #expect(try count(folder) == ["20000|19999", "ok"])
    }

    /// Records without end.
    private struct Endless: AsyncSequence, Sendable {
        /// That are still there.
        let iterators = Mutexed(0)

        struct Iterator: AsyncIteratorProtocol {
            var number = 0
            let end: End

            mutating func next() async -> FeedRecord? {
                number += 1
                return Task.isCancelled ? nil : FeedRecord("Number", ["n": .integer(Int64(number))])
            }
        }

        /// Goes away with the iterator.
        final class End: Sendable {
            let iterators: Mutexed<Int>

            init(_ iterators: Mutexed<Int>) {
                self.iterators = iterators
                iterators.change { $0 += 1 }
            }

            deinit { iterators.change { $0 -= 1 } }
        }

        func makeAsyncIterator() -> Iterator { Iterator(end: End(iterators)) }
    }

    @Test("Several runs beside each other, as many as there are threads of the pool and more")
    func severalRuns() async throws {
        let folders = try (0..<8).map { _ in try ProgramScene.folder() }
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        for folder in folders { try write(0..<2000, folder) }
        let states = await withTaskGroup(of: RunReport.Status?.self) { group in
            for folder in folders {
                let run = try? PipelineRun(definition(folder))
                group.addTask { await run?.run().outcome.status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(states == Array(repeating: .succeeded, count: 8))
    }

    @Test("A variable that is not set is refused before anything is done")
    func unsetVariables() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/x.jsonc"
        try """
        { "source": { "file": "feed.json" }, "store": { "sqlite": "${STORE}" },
          "entities": { "N": { "records": "$", "identifier": "n", "attributes": { "n": "integer" } } } }
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let definition = try PipelineDefinition(contentsOf: file)
        #expect {
            _ = try PipelineRun(definition)
        } throws: { error in
            (error as? DefinitionProblems)?.description
                == "\(file):1:59: the environment variable STORE is not set, and has no default (${STORE:-default})"
        }
        var options = RunOptions()
        options.store = folder + "/store.sqlite"
        _ = try PipelineRun(definition, options: options)
        options.batchSize = 0
        #expect(throws: DefinitionProblems.self) { try PipelineRun(definition, options: options) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x.jsonc"])
    }

    @Test("Nothing that is the process's own is changed")
    func processState() async throws {
        func state() -> [String] {
            var all: [String] = [FileManager.default.currentDirectoryPath, String(umask(0o22))]
            for signal in 1..<32 as Range<Int32> {
                var action = sigaction()
                unsafe sigaction(signal, nil, &action)
                all.append("\(signal): \(unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self))")
            }
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
            all.append((1..<32).map { unsafe sigismember(&mask, $0) }.description)
            return all + ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }.sorted()
        }
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(0..<10, folder)
        umask(0o22)
        let before = state()
        #expect(await (try PipelineRun(try definition(folder))).run().outcome.status == .succeeded)
        #expect(state() == before)
    }
}
