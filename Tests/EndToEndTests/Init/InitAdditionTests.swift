import Foundation
import TestSupport
import Testing

/// What `init FEED --add DEFINITION` shows of references.
@Suite struct InitAdditionTests {
    private let folder = TemporaryFolder()

    private func feed(_ more: String) throws -> String {
        let items = (0..<30).map { #"{"id":\#($0),"maker":"maker-\#($0 % 12)","tags":["t\#($0 % 5)","u"]}"# }
        return try folder.write("f.json", #"{"items":[\#(items.joined(separator: ","))]\#(more)}"#)
    }

    private var definition: String {
        """
        { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, "entities": {
          "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer", "maker": "text" },
            "relationships": { "tags": { "to": "Tag", "many": true, "from": "tags[*]", "missing": "stub" } } },
          "Tag": { "records": "$.tags[*]", "identifier": "name", "attributes": { "name": "text" } } } }
        """
    }

    /// A relationship that looks at the elements of a list has the list.
    @Test func theElementsOfAListAreTheList() throws {
        let outcome = try Sluice.run(["init", try feed(""), "--add", try folder.write("p.jsonc", definition)])
        #expect(outcome.status == 0 && !outcome.output.contains("tags"), "\(outcome)")
    }

    /// What the definition has as an attribute, and leads to what is new.
    @Test func aReferenceToANewEntityIsTold() throws {
        let makers = (0..<12).map { #"{"name":"maker-\#($0)","country":"c\#($0 % 3)"}"# }.joined(separator: ",")
        let path = try folder.write("p.jsonc", definition)
        let outcome = try Sluice.run(["init", try feed(#","makers":[\#(makers)]"#), "--add", path])
        #expect(outcome.output.contains(#""Maker": {"#), "\(outcome)")
        let told = #"leads to the new entity "Maker", all 30 found in Maker.name"#
        #expect(outcome.errors.contains(told), "\(outcome)")
        #expect(outcome.errors.contains(#"a draft has { "to": "Maker", "from": "maker" }"#), "\(outcome)")
    }
}
