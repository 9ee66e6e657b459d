import Foundation
import TestSupport
import Testing

/// A page is told from what a service sends instead of one: every page is held to what the first is.
struct PageFormTests {
    private func step(_ page: String) -> String { #"{"body":"\#(page.replacing("\"", with: "\\\""))"}"# }

    private func run(
        _ last: String, pages: String = #"{ "number": "page" }"#, first: String = #"{"items":[{"id":1}]}"#
    ) throws -> (outcome: Sluice.Outcome, service: FaultyService) {
        let service = FaultyServer.shared.service(step(first), last)
        let scene = try WebScene("\(service.member), \"pages\": \(pages)")
        return (try scene.run(), service)
    }

    /// What services end with.
    @Test(arguments: [
        #"{"items":[]}"#, #"{"items":null}"#, #"{"items":{}}"#,
        #"{"items":[],"errors":[],"error":null,"message":"ok"}"#,
        #"{"items":[],"error":{"code":0,"message":"OK"}}"#, #"{"items":[],"errors":["",{},{"code":0}]}"#, "{}", " [] ",
        "null", "",
    ])
    func emptyPageIsTheEnd(_ page: String) throws {
        let outcome = try run(step(page)).outcome
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == 1)
    }

    @Test func noContentIsTheEnd() throws { #expect(try run(#"{"status":204}"#).outcome.status == 0) }

    private static let faults = [
        (#"{"error":"backend timeout"}"#, "it says \"backend timeout\" (`error`)"),
        (
            #"{"errors":[{"message":"timeout","path":["x"]}],"items":null}"#,
            "and says \"timeout\" (`errors[0].message`)"
        ),
        (#"{"errors":[{"message":"timeout"}],"data":null}"#, "it says \"timeout\" (`errors[0].message`)"),
        (#"{"errors":["",{"code":0},{"message":"timeout"}],"items":[]}"#, "says \"timeout\" (`errors[2].message`)"),
        (#"{"items":[],"errorMessage":"shard 3 down","errorCode":500}"#, "says \"shard 3 down\" (`errorMessage`)"),
        (#"{"items":[],"fault":{"faultstring":"quota"}}"#, "says \"quota\" (`fault.faultstring`)"),
        (#"{"items":[],"status":"Error","message":"x"}"#, "says \"x\" (`message`)"),
        (#"{"error":{"status":"DOWN"},"items":[]}"#, "and says \"{"), (#"{"items":[],"error":true}"#, "(`error`)"),
        (#"{"message":"slow down"}"#, "nothing at `$.items`, where the first page has its records"),
        (#"{"items":"none"}"#, "has a text at `$.items`, where the first page has a list"),
        (#"{"items":{"error":"x"}}"#, "has an object at `$.items`"), (#"[1]"#, "nothing at `$.items`"),
    ]

    @Test(arguments: faults)
    func errorIsNoEnd(_ page: String, _ message: String) throws {
        let (outcome, service) = try run(step(page))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("\(service.url) (page 2) "), "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// What leads to no page, the service has sent all the same.
    @Test(arguments: [#"{"error":"x"}"#, #"{"errors":["x"],"data":null}"#])
    func errorWithoutAWayIsNoEnd(_ page: String) throws {
        for pages in [#"{ "next": "$.next" }"#, #"{ "cursor": "$.next", "parameter": "c" }"#] {
            let outcome = try run(step(page), pages: pages, first: #"{"items":[{"id":1}],"next":"?2"}"#).outcome
            #expect(outcome.status == 65 && outcome.errors.contains("\"x\""), "\(outcome.errors)")
        }
    }

    /// As services with GraphQL do it: the last page has no records, and the cursor that it was asked with.
    @Test func lastPageMayLeadBack() throws {
        let last = #"{"items":[],"next":"1"}"#
        let service = FaultyServer.shared.service(
            step(#"{"items":[{"id":1}],"next":"1"}"#), step(last), step(last))
        let scene = try WebScene("\(service.member), \"pages\": { \"cursor\": \"$.next\", \"parameter\": \"c\" }")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.map(\.query) == ["", "c=1"])
    }

    @Test(arguments: [#"{ "next": "$.next" }"#, #"{ "cursor": "$.next", "parameter": "c" }"#])
    func wayThatIsNoTextIsNoEnd(_ pages: String) throws {
        let service = FaultyServer.shared.service(
            #"{"body":"{\"items\":[{\"id\":1}],\"next\":\"?p\\ud800\"}"}"#, step("{}"))
        let outcome = try WebScene("\(service.member), \"pages\": \(pages)").run()
        #expect(outcome.status == 65 && outcome.errors.contains("half of a surrogate pair"), "\(outcome.errors)")
    }

    /// An answer that is the whole feed may be empty only where that is expected, and no error.
    @Test func errorIsNoEmptyFeed() throws {
        let service = FaultyServer.shared.service(step(#"{"errors":[{"message":"down"}],"items":[]}"#))
        let scene = try WebScene(service.member, settings: #""limits": { "records": 0 },"#)
        let outcome = try scene.run()
        #expect(outcome.status == 65 && outcome.errors.contains("\"down\" (`errors[0].message`)"), "\(outcome.errors)")
        service.post("[\(step(#"{"items":[]}"#))]")
        #expect(try scene.run().status == 0)
    }

    /// The number of an answer, or its time, makes no other page of the same records.
    @Test func theLastPageOnceMoreIsAnError() throws {
        let pages = [#"{"n":1,"items":[{"id":1}]}"#, #"{"n":2,"items":[{"id":2}]}"#, #"{"n":3,"items":[{"id":2}]}"#]
        let service = FaultyServer.shared.service(step(pages[0]), step(pages[1]), step(pages[2]), step("{}"))
        let scene = try WebScene("\(service.member), \"pages\": { \"number\": \"page\" }")
        let outcome = try scene.run()
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("page 3) holds the same records as the page before"), "\(outcome.errors)")
    }

    /// Of a table, the header says whether it is a page.
    @Test(arguments: [("id,name\\n", true), ("", true), ("Service unavailable", false), (#"{\"error\":1}"#, false)])
    func errorsAreNoPagesOfATable(_ last: String, _ isEnd: Bool) throws {
        let table = #"{"headers":[["Content-Type","text/csv"]],"body":"id,name\n1,x\n2,y\n"}"#
        let end = #"{"headers":[["Content-Type","text/csv"]],"body":"\#(last)"}"#
        let service = FaultyServer.shared.service(table, end)
        let scene = try WebScene(
            "\(service.member), \"format\": \"csv\", \"pages\": { \"number\": \"page\" }", records: "$")
        let outcome = try scene.run()
        #expect(outcome.status == (isEnd ? 0 : 65), "\(outcome.errors)")
        #expect(outcome.errors.contains("none of the columns that the definition takes") != isEnd, "\(outcome.errors)")
    }

    /// Saved pages are all there.
    @Test func fetchedPagesAreHeldToTheFirst() throws {
        let service = FaultyServer.shared.service(step(#"{"items":[{"id":1}]}"#), step(#"{"error":"x"}"#))
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"number\": \"page\" }", settings: #""archive": { "directory": "a" },"#)
        let outcome = try Sluice.run(["fetch", scene.definition], environment: scene.environment)
        #expect(outcome.status == 65 && outcome.errors.contains("\"x\" (`error`)"), "\(outcome.errors)")
    }

    /// What a service says may be what it was told.
    @Test func secretsAreBlottedOut() throws {
        let service = FaultyServer.shared.service(
            step(#"{"items":[{"id":1}]}"#), step(#"{"error":"no a-secret-token"}"#))
        let scene = try WebScene(
            "\(service.member), \"auth\": { \"bearer\": \"a-secret-token\" }, \"pages\": { \"number\": \"page\" }")
        let outcome = try scene.run()
        #expect(outcome.status == 65 && outcome.errors.contains("\"no ***\""), "\(outcome.errors)")
    }

    /// The first answer likewise, which has no other beside it, whatever of it is told, also behind escapes.
    @Test(arguments: [
        #"{"message":"no a-secret/token"}"#, #"{"message":"no a-secret\/token"}"#, #"no a-secret/token"#,
        #"{"message":"\#(String(repeating: "x", count: 190)) a-secret/token"}"#,
    ])
    func secretsInTheOnlyAnswerAreBlottedOut(_ answer: String) throws {
        let service = FaultyServer.shared.service(step(answer))
        let scene = try WebScene("\(service.member), \"auth\": { \"bearer\": \"a-secret/token\" }")
        let outcome = try scene.run()
        #expect(outcome.status == 65, "\(outcome.errors)")
        for text in [outcome.output, outcome.errors] { #expect(!text.contains("a-sec"), "\(text)") }
    }
}
