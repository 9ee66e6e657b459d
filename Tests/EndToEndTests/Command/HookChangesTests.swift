import Foundation
import TestSupport
import Testing

/// The changes that hooks are told have no gaps: runs that fail or die between two that succeed have no hook that tells
/// of what programs changed before them.
@Suite struct HookChangesTests {
    private let folder = TemporaryFolder()

    private func definition(after: String) throws -> String {
        try folder.write(
            "d.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": true,
              "entities": { "P": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "v": "text", "note": "text" } } }, "after": \(after) }
            """)
    }

    private func run(_ definition: String, _ feed: String, _ status: Int32 = 0) throws {
        _ = try folder.write("f.json", feed)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == status, "\(outcome.errors)")
    }

    private func told() throws -> [String] {
        let path = folder.file("told")
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func write(_ value: String) throws {
        try Database(folder.file("s.sqlite")).execute("UPDATE P SET note = '\(value)' WHERE id = 1")
    }

    @Test func runsThatFailHideNothing() throws {
        let hook = #"[["sh", "-c", "cat $SLUICE_CHANGES >> told"]]"#
        let definition = try definition(after: "{ \"succeeded\": \(hook) }")
        try run(definition, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "a"}]"#)
        #expect(try told().count == 2)
        try write("program")
        // The write belongs to the run that fails, and to one that finds nothing new.
        try run(definition, #"[{"id": "x"}]"#, 65)
        try run(definition, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "a"}]"#)
        try run(definition, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "b"}]"#)
        let changes = try told()
        #expect(changes.contains { $0.contains(#""to": "program""#) }, "\(changes)")
        #expect(changes.contains { $0.contains(#""to": "b""#) }, "\(changes)")
        // What was told is told no more.
        try run(definition, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "c"}]"#)
        let later = try told()
        #expect(later.count == 1 && later[0].contains(#""from": "b", "to": "c""#), "\(later)")
    }

    /// A hook for runs that fail is told what those of success are not told yet; and success is told it again.
    @Test func everyOutcomeIsToldAll() throws {
        let hooks = ["succeeded", "failed"].map { outcome in
            "\"\(outcome)\": [[\"sh\", \"-c\", \"sed s/^/\(outcome)/ $SLUICE_CHANGES >> told\"]]"
        }
        let definition = try definition(after: "{ \(hooks.joined(separator: ", ")) }")
        try run(definition, #"[{"id": 1, "v": "a"}]"#)
        _ = try told()
        try write("program")
        try run(definition, #"[{"id": "x"}]"#, 65)
        #expect(try told().map { $0.prefix(7) } == ["failed{"])
        try run(definition, #"[{"id": "x"}]"#, 65)
        #expect(try told().isEmpty)
        try run(definition, #"[{"id": 1, "v": "a"}, {"id": 2, "v": "a"}]"#)
        #expect(try told().map { $0.prefix(10) } == ["succeeded{", "succeeded{"])
    }
}
