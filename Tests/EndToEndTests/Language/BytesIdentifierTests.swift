import Foundation
import Testing

/// Objects that bytes identify are found as others are: by references, in later nights, and when they come back.
@Suite struct BytesIdentifierTests {
    private static let limits = #""limits": { "deletes": null, "records": null, "rejects": null }"#
    private static let linked = "SELECT a.id, hex(t.id) FROM A a LEFT JOIN T t ON t.objectID = a.t ORDER BY 1"

    private static func entities(_ missing: String, stub: String = "") -> String {
        """
        { "T": { "records": "$.t[*]", "identifier": "id", "absent": "delete",
                 "attributes": { "id": "bytes", "n": "text" } },
          "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" },
                 "relationships": { "t": { "to": "T", "from": ["t.id", "t"], "missing": "\(missing)"\(stub) } } } }
        """
    }

    /// What is deleted is a target no more, and one again when it comes back.
    @Test(arguments: ["null", "reject"]) func whatGoesAndComesBack(missing: String) throws {
        let scene = try LanguageScene(Self.entities(missing), Self.limits)
        try scene.run(
            #"{"t": [{"id": "/wA="}, {"id": "YWI="}], "a": [{"id": 1, "t": "/wA="}, {"id": 2, "t": "YWI="}]}"#)
        let gone = try scene.run(#"{"t": [{"id": "YWI="}], "a": [{"id": 1, "t": "/wA="}, {"id": 2, "t": "YWI="}]}"#)
        #expect(gone.count("A", "rejected") == (missing == "reject" ? 1 : 0))
        #expect(try scene.lines(Self.linked) == ["1 ", "2 6162"])
        #expect(try scene.lines("SELECT * FROM pragma_foreign_key_check") == [])
        #expect(try scene.lines("SELECT value FROM sluice_unresolved") == [#""ff00""#])
        try scene.run(#"{"t": [{"id": "YWI="}, {"id": "/wA="}], "a": []}"#)
        #expect(try scene.lines(Self.linked) == ["1 FF00", "2 6162"])
        #expect(try scene.lines("SELECT count(*) FROM sluice_unresolved") == ["0"])
    }

    @Test func referencesSayMoreOfStubs() throws {
        let scene = try LanguageScene(Self.entities("stub", stub: #", "stub": { "n": "t.n" }"#), Self.limits)
        try scene.run(#"{"a": [{"id": 1, "t": {"id": "/wA=", "n": "x"}}]}"#)
        #expect(try scene.lines("SELECT hex(id), n FROM T") == ["FF00 x"])
        try scene.run(#"{"a": [{"id": 1, "t": {"id": "/wA=", "n": "y"}}]}"#)
        #expect(try scene.lines("SELECT hex(id), n FROM T") == ["FF00 y"])
    }

    /// So many objects that all are taken into the cache when one in some is looked up: also as numbers of eight bytes,
    /// which are no places in memory.
    @Test(arguments: [8, 3]) func manyObjects(length: Int) throws {
        let scene = try LanguageScene(Self.entities("null"), Self.limits)
        func bytes(_ number: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        func id(_ number: Int) -> String { Data(bytes(number)).base64EncodedString() }
        func list(_ records: some Sequence<String>) -> String { "[\(records.joined(separator: ","))]" }
        let targets = list((0..<60_000).map { #"{"id":"\#(id($0))"}"# })
        try scene.run(#"{"t": \#(targets), "a": []}"#)
        let numbers = (0..<20_000).map { ($0 * 37) % 60_000 }
        let references = list(numbers.enumerated().map { #"{"id":\#($0.offset),"t":"\#(id($0.element))"}"# })
        let night = try scene.run(#"{"t": \#(targets), "a": \#(references)}"#)
        #expect(night.status == 0, "\(night.errors)")
        let found = try scene.rows("SELECT hex(t.id) FROM A a LEFT JOIN T t ON t.objectID = a.t ORDER BY a.id")
        let expected = numbers.map { number in
            bytes(number).map { String(256 + Int($0), radix: 16, uppercase: true).dropFirst() }.joined()
        }
        #expect(found.map { $0[0] } == expected)
    }
}
