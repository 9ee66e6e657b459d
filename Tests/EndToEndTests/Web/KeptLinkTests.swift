import Foundation
import TestSupport
import Testing

/// What a service says beside "not modified" counts, and not what it said when the answer was kept.
@Suite struct KeptLinkTests {
    private func page(_ tag: String, _ items: String, next: String?) -> String {
        let link = next.map { #", ["Link", "<\#($0)>; rel=\"next\""]"# } ?? ""
        return #"""
            {"unless":["if-none-match","\"\#(tag)\""],"body":"[\#(items)]","headers":[["ETag","\"\#(tag)\""]\#(link)],
             "else":{"status":304,"headers":[["ETag","\"\#(tag)\""]\#(link)]}}
            """#
    }

    @Test func aNextPageThatIsNewIsFollowed() throws {
        let service = FaultyServer.shared.service("{}")
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.json",
            #"""
            { "source": { "url": "\#(service.url)/1", "pages": { "link": "next" }, "cache": "1 MB", "retries": 0 },
              "store": { "sqlite": "s.sqlite" }, "entities": {
                "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """#)
        func count() throws -> String {
            let outcome = try Sluice.run(["run", definition])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try Database(folder.file("s.sqlite")).rows("SELECT count(*) FROM Item")[0][0]
        }
        service.file("1").post("[\(page("a", #"{\"id\":1}"#, next: nil))]")
        #expect(try count() == "1")
        service.file("1").post("[\(page("a", #"{\"id\":1}"#, next: "2"))]")
        service.file("2").post("[\(page("b", #"{\"id\":2}"#, next: nil))]")
        #expect(try count() == "2")
        #expect(service.file("1").requests.last?.headers["if-none-match"] == "\"a\"")
        service.file("2").post("[\(page("b", #"{\"id\":2}"#, next: "3"))]")
        service.file("3").post("[\(page("c", #"{\"id\":3}"#, next: nil))]")
        #expect(try count() == "3")
    }
}
