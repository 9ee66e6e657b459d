import Testing

/// A path that takes a list for a record is told, with the one that takes its elements.
struct ListedRecordsTests {
    private func scene(_ attribute: String = #""id": "integer""#) throws -> LanguageScene {
        try LanguageScene(
            #"{ "A": { "records": "$.data", "identifier": "id", "attributes": { \#(attribute), "n": "text" } } }"#,
            #""limits": { "rejects": null, "missing": null }"#)
    }

    @Test func theElementsAreAskedFor() throws {
        let list = (0..<9000).map { #"{"id": \#($0), "n": "a"}"# }.joined(separator: ", ")
        for feed in [#"{"data": [{"id": 1, "n": "a"}]}"#, #"{"x": 1, "data": [\#(list)]}"#] {
            let outcome = try scene().run(feed)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.contains(
                    "has a list at `$.data`, which is no record of A: its elements are at `$.data[*]`"),
                "\(outcome.errors)")
        }
    }

    @Test func objectsAndListsThatAreRecordsAreTaken() throws {
        #expect(try scene().run(#"{"data": {"id": 1}}"#).status == 0)
        let first = try scene(#""id": { "type": "integer", "from": "@[0].id" }"#)
        let outcome = try first.run(#"{"data": [{"id": 1}]}"#)
        #expect(outcome.status == 0 && outcome.count("A", "created") == 1, "\(outcome.errors)")
    }
}
