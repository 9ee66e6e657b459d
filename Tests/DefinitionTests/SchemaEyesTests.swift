import Foundation
import TestSupport
import Testing

/// The JSON Schema of definitions, judged by a library that others have written, as an editor uses one.
struct SchemaEyesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let python = root + "/.build/python/bin/python3"
    /// `.ci/setup python` installs it.
    static let isThere = (try? HeldProgram.run([python, "-c", "import jsonschema, referencing"])) != nil

    private struct Case: Encodable {
        var text: String
        var accepted: Bool
    }

    /// The library accepts each definition that is right in its form, and refuses each other.
    @Test(.enabled(if: isThere)) func aLibraryAgrees() throws {
        let lines = try DefinitionCase.all.map { example in
            String(
                decoding: try JSONEncoder().encode(Case(text: example.text, accepted: example.kind != .malformed)),
                as: UTF8.self)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cases-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        let complaints = try HeldProgram.run([
            "sh", "-c", "\"$1\" \"$2\" definitions \"$3\" < \"$4\" || true", "sh", Self.python,
            Self.root + "/Tests/Eyes/look.py", Self.root + "/Documentation/pipeline.schema.json", file.path,
        ])
        #expect(complaints == "")
    }
}
