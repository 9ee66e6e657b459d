import DefinitionSupport
import Foundation
import SluiceDefinition
import SluiceRecords
import Testing

@testable import Sluice

/// Which files a run reads: those of the definition, or of `--feed`.
@Suite struct FeedInputTests {
    private func definition(_ sources: [String: String]) throws -> PipelineDefinition {
        let list = sources.sorted { $0.key < $1.key }.map { "\"\($0.key)\": { \"file\": \"\($0.value)\" }" }
        return try PipelineDefinition.understood(
            """
            {
              "sources": { \(list.joined(separator: ", ")) },
              "store": { "sqlite": "s.sqlite" },
              "entities": {
                "A": {
                  "source": [\(sources.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", "))],
                  "records": "$", "identifier": "id", "attributes": { "id": "integer" }
                }
              }
            }
            """)
    }

    private func input(_ sources: [String: String], _ feeds: (String?, String)...) throws -> [FeedInput] {
        var options = RunOptions()
        options.feeds = feeds.map { RunOptions.FeedOverride(source: $0.0, file: $0.1) }
        return try FeedInput.all(of: definition(sources), options)
    }

    private func failure(_ sources: [String: String], _ feeds: (String?, String)...) throws -> Failure? {
        var options = RunOptions()
        options.feeds = feeds.map { RunOptions.FeedOverride(source: $0.0, file: $0.1) }
        let definition = try definition(sources)
        return #expect(throws: Failure.self) { try FeedInput.all(of: definition, options) }
    }

    @Test func aFeedReplacesTheOnlySource() throws {
        let inputs = try input(["main": "none.json"], (nil, "/dev/zero"))
        #expect(inputs.map(\.files) == [["/dev/zero"]])
        #expect(inputs[0].feed == Feed(source: "main", location: "/dev/zero", files: ["/dev/zero"]))
        #expect(try failure(["main": "/dev/null"], (nil, "none.json"))?.kind == .missing)
    }

    /// A pattern on the command line is one as in a definition, unless a file has that name.
    @Test func aFeedMayBeAPattern() throws {
        #expect(try input(["main": "none.json"], (nil, "/dev/zer[o]")).map(\.files) == [["/dev/zero"]])
        #expect(try failure(["main": "/dev/null"], (nil, "*.none"))?.message == "no file matches *.none")
    }

    @Test func onlyTheNamedSourceIsReplaced() throws {
        let inputs = try input(["a": "/dev/null", "b": "none.json"], ("b", "/dev/zero"))
        #expect(inputs.map(\.files) == [["/dev/null"], ["/dev/zero"]])
    }

    @Test func severalSourcesMustBeNamed() throws {
        let failure = try failure(["a": "x.json", "b": "y.json"], (nil, "f"))
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains("a=f or b=f") == true)
    }

    @Test func anUnknownSourceIsRefused() throws {
        let failure = try failure(["a": "x.json", "b": "y.json"], ("c", "f"))
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains("no source c; there is a, b") == true)
    }

    @Test func aSourceIsGivenOnce() throws {
        #expect(try failure(["a": "x.json"], ("a", "f"), (nil, "g"))?.kind == .usage)
    }

    @Test func standardInputIsReadOnce() throws {
        #expect(try input(["a": "x.json"], ("a", "-")).map(\.files) == [["-"]])
        #expect(try failure(["a": "-", "b": "x.json"], ("b", "-"))?.kind == .usage)
    }

    @Test func filesOfAPatternAreSorted() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-input-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["b.json", "a.json", "c.txt", "10.json"] { try Data().write(to: folder.appending(path: name)) }
        let inputs = try input(["main": folder.path + "/*.json"])
        #expect(inputs[0].files.map { URL(filePath: $0).lastPathComponent } == ["10.json", "a.json", "b.json"])
        #expect(inputs[0].location == folder.path + "/*.json")
    }
}
