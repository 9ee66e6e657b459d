import Foundation
import Testing

/// What was probably meant is said where a run can see it.
@Suite struct MeantTests {
    private let folder = TemporaryFolder()

    private func run(_ entities: String, _ feed: String) throws -> Sluice.Outcome {
        let definition = try folder.write(
            "p.jsonc",
            #"{ "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "entities": { \#(entities) } }"#)
        _ = try folder.write("f.json", feed)
        return try Sluice.run(["run", definition])
    }

    /// A feed that is a list has records, and nobody is told that it may have none.
    @Test(arguments: [
        ("$.a[*]", #"[{"id":1}]"#, "the document is a list: did you mean `$[*]`?"),
        ("$.data.items[*]", #"{"data":[{"id":1}]}"#, "`$.data` is a list: did you mean `$.data[*]`?"),
        ("$.a[*]", #"[{"a":[{"id":1}]}]"#, "the document is a list: did you mean `$[*].a[*]`?"),
        (
            "$.a[*].b[*]", #"{"meta":{"n":1},"data":{"a":[{"b":[{"id":1}]}]}}"#,
            "with the keys `meta`, `data`: did you mean `$.data.a[*].b[*]`?"
        ),
    ])
    func theListIsThere(_ path: String, _ feed: String, _ hint: String) throws {
        let outcome = try run(
            #""A": { "records": "\#(path)", "identifier": "id", "attributes": { "id": "integer" } }"#, feed)
        let text = outcome.output.replacing("\n  ", with: " ")
        #expect(outcome.status == 65 && text.contains("gives no record"), "\(text)")
        #expect(text.contains(hint) && !text.contains("allows that"), "\(text)")
    }

    /// A file in which somebody has saved an error is no empty feed; a title is no error.
    @Test func aSavedErrorIsTold() throws {
        let entity = #""A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" } }"#
        let error = try run(entity, #"{"error":{"code":429,"message":"Too many requests"}}"#)
        let text = error.output.replacing("\n  ", with: " ")
        #expect(error.status == 65 && text.contains(#"it says "Too many requests" (`error.message`)"#), "\(text)")
        #expect(!text.contains("allows that"))
        let title = try run(entity, #"{"title":"Lakes","a":[]}"#)
        #expect(title.status == 65 && !title.output.contains("it says"), "\(title.output)")
        #expect(title.output.replacing("\n  ", with: " ").contains("allows that"), "\(title.output)")
    }

    @Test func aListOfTextsIsNotProposed() throws {
        let outcome = try run(
            #""A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" } }"#, #"["x"]"#)
        let text = outcome.output.replacing("\n  ", with: " ")
        #expect(text.contains("the document is a list") && text.contains("allows that"), "\(text)")
    }

    /// A key that reads like a proposal is none.
    @Test func aKeyIsNoProposal() throws {
        let outcome = try run(
            #""A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" } }"#,
            #"{"x: did you mean `y`?":1}"#)
        let text = outcome.output.replacing("\n  ", with: " ")
        #expect(text.contains("x: did you mean") && text.contains("allows that"), "\(text)")
    }

    /// A record that is null is no record without an identifier.
    @Test func aRecordIsNull() throws {
        func outcome(_ condition: String) throws -> Sluice.Outcome {
            try run(
                #""A": { "records": "$[*].party", "identifier": "id", \#(condition) "attributes": { "id": "integer" } }"#,
                #"[{"party":{"id":1}},{"party":null}]"#)
        }
        let refused = try outcome("")
        let text = refused.output.replacing("\n    ", with: " ")
        #expect(refused.status == 65 && text.contains("there is no id, as the record is null: "), "\(text)")
        let hint = #""where": { "id": { "present": true } }"#
        #expect(text.contains(hint + " leaves it out"), "\(text)")
        #expect(try outcome(hint + ",").status == 0)
    }

    /// What identifies by a relationship is told as the definition has it.
    @Test func aRelationshipThatIdentifies() throws {
        let outcome = try run(
            #"""
            "Order": { "records": "$[*]", "identifier": "no",
              "attributes": { "no": { "type": "text", "from": "ref.no" } } },
            "Line": { "records": "$[*].lines[*]", "identifier": ["order", "n"], "attributes": { "n": "integer" },
              "relationships": { "order": { "to": "Order", "from": "^^.ref.no" } } }
            """#, #"[{"ref":{"no":null},"lines":[{"n":1}]},{"ref":{},"lines":[{"n":1}]}]"#)
        let text = outcome.output.replacing("\n    ", with: " ")
        #expect(text.contains(#"Order is rejected: no: identifier, but null, from "ref.no""#), "\(text)")
        #expect(text.contains(#"Line is rejected: order: identifier, but null, from ""#), "\(text)")
        #expect(text.contains("Line is rejected: order: identifier, but absent: there is no "), "\(text)")
    }

    @Test func anObjectThatIsReferredTo() throws {
        func outcome(_ from: String) throws -> String {
            try run(
                #"""
                "Man": { "records": "$.men[*]", "identifier": "id", "attributes": { "id": "integer" } },
                "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "who": { "to": "Man"\#(from) } } }
                """#, #"{"men":[{"id":7}],"a":[{"id":1,"who":{"name":"n","id":7}}]}"#
            ).output.replacing("\n    ", with: " ")
        }
        let text = try outcome("")
        #expect(text.contains(#"a reference to Man expected, found an object: perhaps "from": "who.id""#), "\(text)")
        #expect(try outcome(#", "from": "who.id""#).contains("p: succeeded"))
    }
}
