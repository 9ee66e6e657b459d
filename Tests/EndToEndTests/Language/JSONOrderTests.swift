import Foundation
import Testing

/// A service that writes the keys of an object in another order each night changes nothing.
@Suite struct JSONOrderTests {
    @Test func reorderedKeysAreNoChange() throws {
        let scene = try LanguageScene(
            """
            { "Country": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "text", "name": "json", "all": { "type": "json", "from": "@" } } } }
            """)
        try scene.run(#"[{"id": "de", "name": {"native": {"b": 1, "a": [{"y": 1, "x": 2}]}, "common": "Germany"}}]"#)
        let second = try scene.run(
            #"[{"name": {"common": "Germany", "native": {"a": [{"x": 2, "y": 1}], "b": 1}}, "id": "de"}]"#)
        #expect(second.count("Country", "unchanged") == 1)
        #expect(
            try scene.lines("SELECT name FROM Country") == [
                #"{"common":"Germany","native":{"a":[{"x":2,"y":1}],"b":1}}"#
            ])
        let third = try scene.run(
            #"[{"id": "de", "name": {"common": "Germany", "native": {"a": [{"x": 3, "y": 1}], "b": 1}}}]"#)
        #expect(third.count("Country", "updated") == 1)
    }
}
