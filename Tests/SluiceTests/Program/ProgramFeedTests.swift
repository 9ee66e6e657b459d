import Foundation
import SluiceDefinition
import SluiceRecords
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceReport
@testable import SluiceStoreSQLite

@Suite("Feeds that a program gives")
struct ProgramFeedTests {
    /// Two runs, so that there is something to update; what each has counted, and the store.
    private func runs(
        _ seed: Int, _ feed: ([ProgramScene.Both]) -> RunOptions.FeedOverride
    ) async throws -> (counts: [[EntityCounts]], content: [String]) {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SeededRandom(seed)
        let definition = try ProgramScene.definition(folder + "/store.sqlite")
        var counts: [[EntityCounts]] = []
        for _ in 0..<2 {
            let records = ProgramScene.records(60, &random)
            var options = RunOptions()
            options.batchSize = [1, 3, 20, 1000][random.below(4)]
            options.feeds = [feed(records)]
            let report = await (try PipelineRun(definition, options: options)).run()
            #expect(report.failures == [])
            counts.append(report.entities.map(\.counts))
        }
        return (counts, try ProgramScene.content(folder + "/store.sqlite"))
    }

    private func text(_ records: [ProgramScene.Both]) -> [UInt8] {
        Array(records.map { $0.line + "\n" }.joined().utf8)
    }

    @Test("Records are what the same records are as JSON", arguments: 0..<10)
    func recordsEqualJSON(seed: Int) async throws {
        let made = try await runs(seed) { .init(records: Told(elements: $0.map(\.record))) }
        let read = try await runs(seed) { .init(chunks: Told(elements: [text($0)])) }
        #expect(made.counts == read.counts)
        #expect(made.content == read.content)
        #expect(made.counts.joined().contains { $0.rejected > 0 })
        #expect(made.content.count > 10)
    }

    @Test("Bytes are the same however they come", arguments: 0..<4)
    func bytesInAnyPieces(seed: Int) async throws {
        let whole = try await runs(seed) { .init(chunks: Told(elements: [text($0)])) }
        let single = try await runs(seed) { .init(bytes: Told(elements: text($0))) }
        #expect(single.content == whole.content)
        #expect(single.counts == whole.counts)
        let pieces = try await runs(seed) { records in
            var random = SeededRandom(seed)
            var rest = text(records)[...]
            var chunks: [ArraySlice<UInt8>] = []
            while !rest.isEmpty {
                let count = min(rest.count, random.below(200))
                chunks.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            return .init(chunks: Told(elements: chunks))
        }
        #expect(pieces.content == whole.content)
    }

    @Test("A service is asked for each record that a program makes")
    func childrenOfRecords() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = FaultyServer.shared.service("{}")
        for stop in 1...3 { service.file("\(stop)").post(#"[{"body": "[{\"trip\": \#(stop * 10)}]"}]"#) }
        let definition = try PipelineDefinition(
            named: "children",
            [
                "sources": [
                    "stops": ["file": "none.json"],
                    "departures": ["url": .text(service.url + "/{id}"), "for": "Stop", "retries": 0],
                ],
                "store": ["sqlite": .text(folder + "/store.sqlite")],
                "entities": [
                    "Stop": ["source": "stops", "records": "$", "identifier": "id", "attributes": ["id": "integer"]],
                    "Departure": [
                        "source": "departures", "records": "$[*]", "identifier": "trip",
                        "attributes": ["trip": "integer", "stop": ["type": "integer", "from": "$for.id"]],
                    ],
                ],
            ])
        for batchSize in [1, 2, 1000] {
            var options = RunOptions()
            options.batchSize = batchSize
            options.feeds = [
                .init(
                    source: "stops", records: Told(elements: (1...3).map { FeedRecord("Stop", ["id": .integer($0)]) }))
            ]
            let report = await (try PipelineRun(definition, options: options)).run()
            #expect(report.failures == [])
            #expect(report.entities.map(\.counts.records) == [3, 3])
        }
        let connection = try Connection(path: folder + "/store.sqlite", access: .read)
        #expect(
            try ProgramScene.rows(connection, "SELECT trip, stop FROM Departure ORDER BY trip") == [
                "10|1", "20|2", "30|3",
            ])
    }

    @Test("Attributes may be lists, and links have nothing but their targets")
    func lists() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let next: JSONValue = [
            "to": "Thing", "many": true, "from": "next[*].id", "missing": "stub", "with": ["role": "role"],
            "set": false,
        ]
        let thing: JSONValue = [
            "records": "$", "identifier": "id",
            "attributes": [
                "id": "integer", "tags": ["type": "text", "many": true],
                "years": ["type": "integer", "many": true, "from": "y", "split": ";", "min": 1000],
            ],
            "relationships": ["next": next],
        ]
        let definition = try PipelineDefinition(
            named: "lists",
            .object([
                .init("source", ["file": "none.json"]), .init("store", ["sqlite": .text(folder + "/store.sqlite")]),
                .init("limits", ["rejects": nil]), .init("entities", ["Thing": thing]),
            ]))
        let records = [
            FeedRecord("Thing", ["id": 1, "tags": ["a", nil, "say \"x\"", 7, true], "years": [1999, "2001"]]),
            FeedRecord("Thing", ["id": 2, "tags": [], "years": nil, "next": [1, 3, 1]]),
            FeedRecord("Thing", ["id": 4, "tags": "one"]), FeedRecord("Thing", ["id": 5, "years": [1999, 12]]),
            FeedRecord("Thing", ["id": 6, "tags": [["b"]]]),
        ]
        var options = RunOptions()
        options.feeds = [.init(records: Told(elements: records))]
        let report = await (try PipelineRun(definition, options: options)).run()
        #expect(report.failures == [])
        #expect(report.entities[0].counts.rejected == 2)
        let reasons = report.found.examples.map(\.message).joined(separator: "\n")
        #expect(reasons.contains("years") && reasons.contains("tags"), "\(reasons)")
        let connection = try Connection(path: folder + "/store.sqlite", access: .read)
        #expect(
            try ProgramScene.rows(connection, "SELECT id, tags, years FROM Thing ORDER BY id") == [
                #"1|["a",null,"say \"x\"","7","true"]|[1999,2001]"#, "2|[]|∅", "3|∅|∅", #"4|["one"]|∅"#,
            ])
        #expect(
            try ProgramScene.rows(connection, "SELECT target, role, position FROM Thing_next ORDER BY position").count
                == 3)
    }

    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the line is dead" }
    }

    private func report(
        _ feed: RunOptions.FeedOverride, _ change: (inout RunOptions) -> Void = { _ in }
    ) async throws -> (report: RunReport, folder: String) {
        let folder = try ProgramScene.folder()
        let definition = try ProgramScene.definition(folder + "/store.sqlite")
        var options = RunOptions()
        options.feeds = [feed]
        change(&options)
        return (await (try PipelineRun(definition, options: options)).run(), folder)
    }

    @Test("A feed that breaks off stores nothing, and says why")
    func brokenFeeds() async throws {
        let firm = FeedRecord("Firm", ["id": 1])
        let feeds: [RunOptions.FeedOverride] = [
            .init(records: Told(elements: [firm, firm], failure: Broken())),
            .init(chunks: Told(elements: [Array(#"{"kind":"firm","id":1}"#.utf8)], failure: Broken())),
        ]
        for feed in feeds {
            let (report, folder) = try await report(feed)
            #expect(report.outcome.error == Failure(.io, "the program's feed broke off: the line is dead"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("What a record names must be in the definition")
    func unknownNames() async throws {
        let firm = FeedRecord("Firm", ["id": 1])
        for (line, record, message) in [
            (2, FeedRecord("Frm", [:]), #"program:2:1: the entity "Frm" is not in the definition"#),
            (
                3, FeedRecord("Firm", ["if": 1]),
                #"program:3:1: the entity "Firm" has no attribute and no relationship "if""#
            ),
        ] {
            let (report, folder) = try await report(
                .init(records: Told(elements: [firm] + Array(repeating: firm, count: line - 2) + [record])))
            let error = try #require(report.outcome.error)
            #expect(error.kind == .usage)
            #expect(error.description == message + ", of which a record of the program speaks")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    @Test("No records at all are no success, unless that is allowed")
    func noRecords() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let definition = try PipelineDefinition(
            named: "none",
            [
                "source": ["file": "-"], "store": ["sqlite": .text(folder + "/store.sqlite")],
                "entities": ["Firm": ["records": "$", "identifier": "id", "attributes": ["id": "integer"]]],
            ])
        var options = RunOptions()
        options.feeds = [.init(records: Told<FeedRecord>(elements: []))]
        let report = await (try PipelineRun(definition, options: options)).run()
        #expect(report.outcome.error?.kind == .data)
        #expect(report.outcome.error?.message.hasPrefix("the source main (program) gives no record") == true)
    }

    @Test("Records cannot be archived")
    func archivedRecords() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let definition = try PipelineDefinition(
            named: "kept",
            [
                "source": ["file": "-"], "store": ["sqlite": .text(folder + "/store.sqlite")],
                "archive": ["directory": .text(folder + "/archive")],
                "entities": ["Firm": ["records": "$", "identifier": "id", "attributes": ["id": "integer"]]],
            ])
        var options = RunOptions()
        options.feeds = [.init(records: Told(elements: [FeedRecord("Firm", ["id": 1])]))]
        let refused = await (try PipelineRun(definition, options: options)).run()
        #expect(refused.outcome.error?.kind == .usage)
        options.feeds = [.init(chunks: Told(elements: [Array(#"{"id":1}"#.utf8)]))]
        let kept = await (try PipelineRun(definition, options: options)).run()
        #expect(kept.failures == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/archive").count == 1)
    }

    @Test("Two sources of a program, and a file between them")
    func severalSources() async throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #"[{"id":5},{"id":"x"}]"#.write(toFile: folder + "/b.json", atomically: true, encoding: .utf8)
        let definition = try PipelineDefinition(
            named: "three",
            [
                "sources": ["a": ["file": "-"], "b": ["file": .text(folder + "/b.json")], "c": ["file": "-"]],
                "store": ["sqlite": .text(folder + "/store.sqlite")], "limits": ["rejects": nil],
                "entities": [
                    "Firm": [
                        "source": ["a", "b", "c"], "records": "$[*]", "identifier": "id",
                        "attributes": ["id": "integer"],
                    ]
                ],
            ])
        var options = RunOptions()
        options.feeds = [
            .init(
                source: "a", records: Told(elements: [FeedRecord("Firm", ["id": 1]), FeedRecord("Firm", ["id": "y"])])),
            .init(source: "c", records: Told(elements: [FeedRecord("Firm", ["id": 9])])),
        ]
        let findings = Mutexed<[String]>([])
        let report = await (try PipelineRun(definition, options: options)).run(
            onFinding: { finding in
                findings.change { $0.append("\(finding.at.source) \(finding.at.file):\(finding.at.line)") }
            })
        #expect(report.failures == [])
        #expect(report.sources.map(\.values) == [2, 1, 1])
        #expect(findings.value.sorted() == ["a program:2", "b \(folder)/b.json:1"])
        let connection = try Connection(path: folder + "/store.sqlite", access: .read)
        #expect(try ProgramScene.rows(connection, "SELECT id FROM Firm") == ["1", "5", "9"])
    }
}
