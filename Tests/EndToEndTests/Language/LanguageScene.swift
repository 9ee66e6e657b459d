import Foundation
import Testing

/// A definition and its feeds in a folder of their own, for what a definition can say.
struct LanguageScene {
    private let scratch = TemporaryFolder()
    private let definition: String

    /// - Parameter entities: with the braces around them. The source is the file `feed.json`.
    init(_ entities: String, _ more: String = "", source: String = #"{ "file": "feed.json" }"#) throws {
        definition = try scratch.write(
            "p.jsonc",
            """
            { "source": \(source), "store": { "sqlite": "s.sqlite" }, \(more.isEmpty ? "" : more + ",")
              "entities": \(entities) }
            """)
    }

    func write(_ name: String, _ text: String) throws { _ = try scratch.write(name, text) }

    func file(_ name: String) -> String { scratch.file(name) }

    /// Runs a feed, first as a dry run, which must foretell the counts.
    @discardableResult
    func run(
        _ feed: String? = nil, _ arguments: String..., location: SourceLocation = #_sourceLocation
    ) throws -> Sluice.Outcome {
        if let feed { try write("feed.json", feed) }
        let words = ["run", definition, "--format", "json", "--force"] + arguments
        let foretold = try Sluice.run(words + ["--dry-run"])
        let outcome = try Sluice.run(words)
        #expect(try counts(foretold) == counts(outcome), "dry run", sourceLocation: location)
        #expect(foretold.status == outcome.status, "dry run", sourceLocation: location)
        return outcome
    }

    /// Another pipeline with the same store runs a feed of its own.
    func other(_ entities: String, _ feed: String) throws -> Sluice.Outcome {
        try write("other.json", feed)
        let other = try scratch.write(
            "other.jsonc",
            """
            { "source": { "file": "other.json" }, "store": { "sqlite": "s.sqlite" },
              "limits": { "records": null }, "entities": \(entities) }
            """)
        return try Sluice.run(["run", other])
    }

    private func counts(_ outcome: Sluice.Outcome) throws -> String {
        let entities = outcome.report["entities"] ?? [:]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: entities, options: .sortedKeys), as: UTF8.self)
    }

    func check() throws -> Sluice.Outcome { try Sluice.run(["check", definition]) }

    func rows(_ sql: String) throws -> [[String]] { try Database(scratch.file("s.sqlite")).rows(sql) }

    /// The rows as lines, values with a space between them.
    func lines(_ sql: String) throws -> [String] { try rows(sql).map { $0.joined(separator: " ") } }
}
