import Foundation

@testable import SluiceDefinition
@testable import SluiceInit

/// A folder for the feeds of a test.
final class FeedFolder {
    private let path = NSTemporaryDirectory() + "sluice-init-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        let folder = file(name).split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/\(folder)", withIntermediateDirectories: true)
        try text.write(toFile: file(name), atomically: false, encoding: .utf8)
    }

    /// The draft of some of its feeds, which lies beside them.
    func draft(_ feeds: [String]) throws -> InitRun.Draft {
        try InitRun(feeds.map(file), output: file("draft.jsonc")).perform()
    }

    /// The text of the draft of some tables, which is sound.
    func text(of tables: KeyValuePairs<String, [String]>) throws -> String {
        for (name, rows) in tables { try write("\(name).csv", rows.joined(separator: "\n") + "\n") }
        let draft = try draft(tables.map { "\($0.key).csv" })
        _ = try draft.definition()
        return draft.text
    }
}
