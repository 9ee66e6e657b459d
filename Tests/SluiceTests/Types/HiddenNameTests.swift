import SluiceDefinition
import SluiceRecords
import Testing

@testable import Sluice

/// Names of a definition in written Swift: whatever they hold, the code is what it looks like.
@Suite struct HiddenNameTests {
    /// A line end, marks that turn the direction of text, an escape, and letters that nobody sees.
    private static let hidden = [
        "\n", "\r\n", "\u{2028}", "\u{202E}", "\u{2066}", "\u{1B}[31m", "\u{200B}", "\u{3164}", "\u{E0041}",
    ]

    private func types(_ hidden: String) throws -> String {
        let name = JSONText.quoted("A\(hidden)b")
        let definition = """
            { "name": \(name), "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { \(name): { "records": "$[*]", "identifier": \(name), "absent": "mark",
                "attributes": { \(name): "text", "x\(hidden.first == "\n" ? "" : "y")": { "type": "text", "oneOf": [\(name)] } },
                "relationships": { "r": { "to": \(name), "from": "r[*]", "many": true },
                  \(JSONText.quoted("s\(hidden)")): { "to": \(name), "from": "s" } } } } }
            """
        let read = try PipelineDefinition.read(
            Array(definition.utf8), file: "p.jsonc", environment: [:], checks: .all)
        return try ProgramTypes(read).text()
    }

    @Test(arguments: hidden)
    func noNameHidesAnything(_ hidden: String) throws {
        let text = try types(hidden)
        let plain = try types("")
        #expect(text.unicodeScalars.allSatisfy { !$0.isHidden || $0 == "\n" }, "\(text.debugDescription)")
        #expect(text.split(separator: "\n").count == plain.split(separator: "\n").count, "a name ends no line: \(text)")
        for line in text.split(separator: "\n") where line.contains("import") {
            #expect(line == "import SluiceStore")
        }
    }

    @Test func namesThatDifferInWhatNobodySeesAreTold() {
        var names = SwiftNames()
        #expect(names.property("stop_id") == "stopID")
        #expect(names.property("stop\u{200D}_id") == "stopID2")
        #expect(names.property("st\u{34F}op_id") == "stopID3")
        #expect(names.property("stop\u{FE0F}_id") == "stopID4")
        #expect(names.type("\u{3164}") == "Object")
    }
}
