import SluiceDefinition
import SluiceRecords
import Testing

@testable import Sluice

/// Enumerations for attributes that have few values.
@Suite struct ChoiceTypeTests {
    private func text(_ attributes: String, dates: Bool = false) throws -> String {
        let definition = """
            { "name": "p", "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "State": { "records": "$[*]", "identifier": "id", "absent": "mark",
                "attributes": { "id": "integer", \(attributes) },
                "relationships": { "next": { "to": "State" } } } } }
            """
        let read = try PipelineDefinition.read(
            Array(definition.utf8), file: "p.jsonc", environment: [:], checks: .all)
        return try ProgramTypes(read, usesDates: dates).text()
    }

    @Test func eachValueIsACase() throws {
        let values = #""open", "in", "none", "end-user", "END_USER", "", "7 days", "self", "allCases", "ü\"\\""#
        let written = try text(#""kind": { "type": "text", "oneOf": [\#(values)] }"#)
        #expect(
            written.contains(
                #"""
                    public enum Kind: String, StoredChoice {
                        case open = "open"
                        case `in` = "in"
                        case noneValue = "none"
                        case endUser = "end-user"
                        case endUSER = "END_USER"
                        case value = ""
                        case _7Days = "7 days"
                        case selfValue = "self"
                        case allCasesValue = "allCases"
                        case ü = "ü\"\\"
                    }
                """#), "\(written)")
        #expect(written.contains("public var kind: Kind?"))
    }

    /// An entity's type stays reachable, lists and numbers are what they were.
    @Test func whatIsNone() throws {
        let written = try text(
            #""state": { "type": "text", "oneOf": ["a"] }, "level": { "type": "integer", "oneOf": [1, 2] }, "#
                + #""tags": { "type": "text", "many": true, "from": "tags[*]", "oneOf": ["a"] }"#)
        #expect(written.contains("public enum State2: String") && written.contains("public var state: State2?"))
        #expect(written.contains("public var next: ObjectID<State>?"))
        #expect(written.contains("public var level: Int?") && written.contains("public var tags: JSONValue?"))
        #expect(written.matches(of: /public enum/).count == 1)
    }

    @Test func momentsAreDates() throws {
        let written = try text(#""seen": "datetime", "day": "date""#, dates: true)
        #expect(written.contains("import Foundation\nimport SluiceDates\nimport SluiceStore\n"))
        #expect(written.contains("public var seen: Date?") && written.contains("public var day: CalendarDate?"))
        #expect(written.contains("public var deletedAt: Date?") && !written.contains("Instant"))
        #expect(!(try text(#""seen": "datetime""#).contains("Date?")))
    }
}
