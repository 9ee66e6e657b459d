import Foundation
import TestSupport
import Testing

/// How a service says that there is another page, and that an answer is an error.
struct PageEndTests {
    private func step(_ page: String) -> String { #"{"body":"\#(page.replacing("\"", with: "\\\""))"}"# }

    private func run(_ keys: String, _ pages: String...) throws -> (outcome: Sluice.Outcome, service: FaultyService) {
        try run(keys, pages)
    }

    private func run(_ keys: String, _ pages: [String]) throws -> (outcome: Sluice.Outcome, service: FaultyService) {
        let service = FaultyServer.shared.service(pages.map(step))
        return (try WebScene("\(service.member), \(keys)").run(), service)
    }

    /// The page that says so is the last, and is not asked for a next one.
    @Test(arguments: ["false", "0", "\"no\"", "\"\""])
    func noMoreIsTheEnd(_ end: String) throws {
        for way in [#""cursor": "$.next", "parameter": "c""#, #""next": "$.next""#, #""number": "page""#] {
            let (outcome, service) = try run(
                "\"pages\": { \(way), \"more\": \"$.more\" }", #"{"items":[{"id":1}],"next":"?2","more":true}"#,
                #"{"items":[{"id":2}],"next":"?3","more":\#(end)}"#)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Item", "records") == 2)
            #expect(service.requests.count == 2)
        }
    }

    /// Services that filter pages have such without records.
    @Test func emptyPageMayBeFollowed() throws {
        let (outcome, service) = try run(
            #""pages": { "cursor": "$.next", "parameter": "c", "more": "$.more" }"#,
            #"{"items":[],"next":"a","more":true}"#, #"{"items":[{"id":2}],"next":"b","more":1}"#,
            #"{"items":[],"next":"b","more":true}"#, #"{"items":[{"id":3}],"more":false}"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == 1)
        #expect(service.requests.map(\.query) == ["", "c=a", "c=b"])
    }

    /// Without a word on whether there are more, what a page names counts, ten empty pages long; then nobody goes
    /// on, which is told.
    @Test(arguments: ["cursor", "next", "link"], [3, 10, 11])
    func emptyPagesThatNameAnotherAreFollowed(_ style: String, _ empty: Int) throws {
        let keys = [
            "cursor": #""cursor": "$.next", "parameter": "c""#, "next": #""next": "$.next""#,
            "link": #""link": "next""#,
        ]
        let pages = (0...empty + 1).map { number in
            let items = number == 0 || number > empty ? #"{"id":\#(number)}"# : ""
            let next =
                number > empty ? "" : style == "next" ? #","next":"?\#(number + 1)""# : #","next":"\#(number + 1)""#
            let link =
                style == "link" && number <= empty ? #","headers":[["Link","<?\#(number + 1)>; rel=\"next\""]]"# : ""
            let body = #"{"items":[\#(items)]\#(style == "link" ? "" : next)}"#.replacing("\"", with: "\\\"")
            return #"{"body":"\#(body)"\#(link)}"#
        }
        let service = FaultyServer.shared.service(pages)
        let outcome = try WebScene("\(service.member), \"pages\": { \(keys[style] ?? "") }").run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == (empty <= 10 ? 2 : 1))
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect(unmatched.map { $0["reason"] as? String } == (empty <= 10 ? [] : ["pages.end"]))
        #expect(unmatched.allSatisfy { $0["path"] as? String == (style == "link" ? "next" : "$.next") })
    }

    /// An empty page is no measure for those behind it; the first one with records is.
    @Test func theFirstPageMayBeEmpty() throws {
        let keys = #""pages": { "next": "$.next" }"#
        let (outcome, _) = try run(keys, #"{"items":{},"next":"?2"}"#, #"{"items":[{"id":2}],"next":null}"#)
        #expect(outcome.status == 0 && outcome.count("Item", "records") == 1, "\(outcome.errors)")
        let (failed, _) = try run(
            keys, #"{"items":{},"next":"?2"}"#, #"{"items":[{"id":2}],"next":"?3"}"#, #"{"items":{"id":3},"next":null}"#
        )
        #expect(failed.status == 65 && failed.errors.contains("has an object at `$.items`"), "\(failed.errors)")
    }

    /// An empty page that leads to itself, or back, is the end; numbered ones that are alike are counted on.
    @Test func emptyPagesLeadNowhereElse() throws {
        let (outcome, service) = try run(
            #""pages": { "cursor": "$.next", "parameter": "c" }"#, #"{"items":[{"id":1}],"next":"a"}"#,
            #"{"items":[],"next":"b"}"#, #"{"items":[],"next":"a"}"#)
        #expect(outcome.status == 0 && outcome.count("Item", "records") == 1, "\(outcome.errors)")
        #expect(service.requests.map(\.query) == ["", "c=a", "c=b"])
        let (numbered, _) = try run(
            #""pages": { "number": "p", "more": "$.more" }"#, #"{"items":[{"id":1}],"more":true}"#,
            #"{"items":[],"more":true}"#, #"{"items":[],"more":true}"#, #"{"items":[{"id":2}],"more":false}"#)
        #expect(numbered.status == 0 && numbered.count("Item", "records") == 2, "\(numbered.errors)")
    }

    private static let faults = [
        (#"{"items":[{"id":1}],"more":true}"#, "says at $.more that there is another page, and does not say where"),
        (#"{"items":[],"more":true}"#, "says at $.more that there is another page, and does not say where"),
        (#"{"items":[{"id":1}],"next":"b","more":"perhaps"}"#, "$.more does not say whether there is another page"),
        (#"{"items":[{"id":1}],"next":"b","more":{}}"#, "$.more does not say whether there is another page"),
        (#"{"items":[{"id":1}],"next":"a","more":true}"#, "leads back to a page before it"),
    ]

    @Test(arguments: faults)
    func contradictionsFail(_ page: String, _ message: String) throws {
        let (outcome, service) = try run(
            #""pages": { "cursor": "$.next", "parameter": "c", "more": "$.more" }"#,
            #"{"items":[{"id":0}],"next":"a","more":true}"#, page)
        #expect(outcome.status == 65 && outcome.errors.contains("page 2 of \(service.url)"), "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// A value may say instead that a page is the last one; an empty page may be none.
    @Test(arguments: ["true", "1", "\"yes\""]) func thePageSaysThatItIsTheLast(end: String) throws {
        let (outcome, service) = try run(
            #""pages": { "number": "p", "end": "$.isLast" }"#, #"{"items":[{"id":1}],"isLast":false}"#,
            #"{"items":[],"isLast":0}"#, #"{"items":[{"id":2}],"isLast":\#(end)}"#)
        #expect(outcome.status == 0 && service.requests.count == 3, "\(outcome.errors)")
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == 0)
    }

    /// A service that gives less than it is asked for: the offset of the next page steps over records.
    @Test(arguments: [(2, ["pages.limit"]), (1, [])]) func aPageIsShorterThanItsLimit(limit: Int, _ reasons: [String])
        throws
    {
        let (outcome, _) = try run(
            #""pages": { "offset": "o", "limit": ["n", \#(limit)] }"#, #"{"items":[{"id":1}]}"#,
            #"{"items":[{"id":4}]}"#,
            #"{"items":[]}"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect(unmatched.map { $0["reason"] as? String } == reasons)
        #expect(unmatched.allSatisfy { $0["path"] as? String == "n=2" })
    }

    /// A page in the middle, too; the last one may be shorter.
    @Test(arguments: [([2, 1, 2], ["pages.limit"]), ([2, 2, 1], []), ([2, 2], []), ([1], [])])
    func anyPageMayBeShorterThanItsLimit(_ sizes: [Int], _ reasons: [String]) throws {
        var next = 0
        let pages = (sizes + [0]).map { size -> String in
            defer { next += 2 }
            return #"{"items":[\#((0..<size).map { "{\"id\":\(next + $0)}" }.joined(separator: ","))]}"#
        }
        let outcome = try run(#""pages": { "offset": "o", "limit": ["n", 2] }"#, pages).outcome
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect(unmatched.map { $0["reason"] as? String } == reasons)
    }

    /// A service that begins to have pages: what may be on others is not absent.
    @Test(arguments: [#""next":"?2""#, #""has_more":true"#, #""totalCount":3"#, #""other":3"#])
    func pagesThatNobodyAsksFor(_ member: String) throws {
        let (whole, first) = (#"{"id":1},{"id":2},{"id":3}"#, #"{"id":1},{"id":2}"#)
        let service = FaultyServer.shared.service(
            ["{\"items\":[\(whole)]}", "{\"items\":[\(first)],\(member)}"].map(step))
        let scene = try WebScene(
            service.member, settings: #""limits": { "deletes": null },"#, entity: #", "absent": "delete""#)
        _ = try scene.run()
        let outcome = try scene.run()
        // A number of records may be that of a list that is cut on purpose.
        let isKnown = !member.contains("3")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect((outcome.count("Item", "keptAbsent"), outcome.count("Item", "deleted")) == (isKnown ? (1, 0) : (0, 1)))
    }

    /// The way to the next page gets another name, or is lost: by the length of the first page, or by what leads on,
    /// this is no end. A shorter page is one.
    @Test(arguments: [
        (12, #","follows":"?2""#, true), (12, "", true), (1, #","nextPage":"?2""#, true), (1, #","next":null"#, false),
        (11, "", false), (12, #","next":null"#, false),
    ])
    func theWayIsLost(_ count: Int, _ members: String, _ isLost: Bool) throws {
        func page(_ ids: ClosedRange<Int>, _ members: String) -> String {
            "{\"items\":[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]\(members)}"
        }
        let lost = page(1...count, members)
        let pages = [page(1...12, #","next":"?2""#), page(13...13, #","next":null"#), lost, lost]
        let service = FaultyServer.shared.service(pages.map(step))
        let scene = try WebScene(
            #"\#(service.member), "pages": { "next": "$.next" }"#, settings: #""limits": { "deletes": null },"#,
            entity: #", "absent": "delete""#)
        _ = try scene.run()
        // The measure stays where a run is told that something is lost.
        for _ in 0..<(isLost ? 2 : 1) {
            let outcome = try scene.run("--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Item", "keptAbsent") == (isLost ? 13 - count : 0), "\(outcome.output)")
            #expect(outcome.count("Item", "deleted") == (isLost ? 0 : 13 - count))
            let examples = outcome.report["examples"] as? [[String: Any]] ?? []
            let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
            #expect(unmatched.map { $0["reason"] as? String } == (isLost ? ["pages.next"] : []))
        }
    }

    /// So is a later page that is as full as the first one, where there were more pages the last time.
    @Test(arguments: [(24, true), (23, false), (25, false)])
    func aLaterWayIsLost(_ count: Int, _ isLost: Bool) throws {
        func page(_ ids: ClosedRange<Int>, _ members: String = "") -> String {
            "{\"items\":[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]\(members)}"
        }
        let first = page(1...12, #","next":"?2""#)
        let whole = [first, page(13...24, #","next":"?3""#), page(25...30)]
        let short = [first, page(13...count)]
        let service = FaultyServer.shared.service((whole + short + short).map(step))
        let scene = try WebScene(
            #"\#(service.member), "pages": { "next": "$.next" }"#, settings: #""limits": { "deletes": null },"#,
            entity: #", "absent": "delete""#)
        _ = try scene.run()
        let outcome = try scene.run("--force")
        #expect(outcome.count("Item", "keptAbsent") == (isLost ? 30 - count : 0), "\(outcome.output)")
        #expect(outcome.count("Item", "deleted") == (isLost ? 0 : 30 - count))
        // A list that has become shorter is one the next night.
        let later = try scene.run("--force")
        #expect(later.count("Item", "deleted") == (isLost ? 30 - count : 0), "\(later.output)")
    }

    /// What says nothing ends nothing, and is told.
    @Test func silenceIsToldAndNoEnd() throws {
        let (outcome, service) = try run(
            #""pages": { "cursor": "$.next", "parameter": "c", "more": "$.mroe" }"#,
            #"{"items":[{"id":1}],"next":"a","more":true}"#, #"{"items":[{"id":2}],"next":null,"more":false}"#)
        #expect(outcome.status == 0 && service.requests.count == 2)
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let unmatched = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect(unmatched.map { $0["reason"] as? String } == ["pages.more"])
        #expect(unmatched.first?["path"] as? String == "$.mroe")
    }

    /// The cursor of the last record, and only of the last.
    @Test func lastRecordHasTheCursor() throws {
        let (outcome, service) = try run(
            #""pages": { "cursor": "$.items[-1].id", "parameter": "after_id" }"#,
            #"{"items":[{"id":1},{"name":"]","id":7}]}"#, #"{"items":[{"id":8},{"id":9}]}"#, #"{"items":[]}"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == 4)
        #expect(service.requests.map(\.query) == ["", "after_id=7", "after_id=9"])
    }

    /// A service with GraphQL, as it is: edges, a cursor each, and a word on whether there are more.
    @Test func edgesOfGraphQLEndWithTheirWord() throws {
        let page = { (ids: Range<Int>, more: Bool) in
            let edges = ids.map { #"{"cursor":"c\#($0)","node":{"id":\#($0)}}"# }.joined(separator: ",")
            return #"{"data":{"x":{"pageInfo":{"hasNextPage":\#(more)},"edges":[\#(edges)]}}}"#
        }
        let service = FaultyServer.shared.service([page(0..<3, true), page(3..<5, false)].map(step))
        let scene = try WebScene(
            #"""
            \#(service.member), "body": { "query": "q", "variables": {} },
            "pages": { "cursor": "$.data.x.edges[-1].cursor", "parameter": "$.variables.after",
              "more": "$.data.x.pageInfo.hasNextPage" }
            """#, records: "$.data.x.edges[*].node")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == 5)
        #expect(service.requests.map { $0.body.contains(#""after": "c2""#) } == [false, true])
    }

    // MARK: Errors

    private static let conditions = [
        (#"{ "$.ok": false }"#, #"{"items":[{"id":1}],"ok":false,"why":"quota"}"#, true),
        (#"{ "$.ok": false }"#, #"{"items":[{"id":1}],"ok":true,"why":"quota"}"#, false),
        (#"{ "$.status": { "present": true, "not": ["ok", 200] } }"#, #"{"items":[{"id":1}],"status":2e2}"#, false),
        (#"{ "$.status": { ">=": 400 } }"#, #"{"items":[{"id":1}],"status":429,"why":"quota"}"#, true),
        (#"{ "$.errors": { "type": "array" } }"#, #"{"items":[{"id":1}],"errors":[],"why":"quota"}"#, true),
        (
            #"{ "any": [{ "$.a": 1 }, { "$.b['c']": { "match": "^x" } }] }"#,
            #"{"items":[],"b":{"c":"xy"},"why":"quota"}"#, true
        ),
        (#"{ "$.errors": null }"#, #"{"items":[{"id":1}]}"#, false),
    ]

    /// A condition of an answer is one of a record.
    @Test(arguments: conditions)
    func answersAreHeldToConditions(_ condition: String, _ page: String, _ isError: Bool) throws {
        let keys = "\"fails\": { \"where\": \(condition), \"message\": \"$.why\" }"
        let (outcome, service) = try run(keys, page)
        #expect(outcome.status == (isError ? 65 : 0), "\(outcome.errors)")
        guard isError else { return }
        #expect(outcome.errors.contains("\(service.url) is an error, as \"fails\" says: \"quota\" (`$.why`)"))
        let (later, _) = try run(keys + #", "pages": { "number": "page" }"#, #"{"items":[{"id":0}]}"#, page)
        #expect(later.status == 65 && later.errors.contains("(page 2) is an error"), "\(later.errors)")
    }

    /// Of GraphQL, what is null beside an error is not known, whatever else came; `fails` says otherwise.
    @Test(arguments: [
        (#""body": { "query": "{ items { id } }" }"#, true),
        (#""body": { "query": { "all": true } }"#, false), (#""timeout": "9s""#, false),
        (#""body": { "query": "{ items { id } }" }, "fails": { "where": { "$.items": null } }"#, false),
    ])
    func anErrorOfGraphQLFailsTheRun(_ keys: String, _ isError: Bool) throws {
        let answer = #"{"items":[{"id":1,"name":null}],"errors":[{"message":"timeout","path":["items",0,"name"]}]}"#
        let (outcome, _) = try run(keys, answer)
        #expect(outcome.status == (isError ? 65 : 0), "\(outcome.errors)")
        #expect(outcome.errors.contains(#"as GraphQL has it: "timeout" (`$.errors[0].message`)"#) == isError)
        #expect(try run(keys, #"{"items":[{"id":1}],"errors":[]}"#).outcome.status == 0)
    }

    /// What is wrong is told without a path of a message, too, and never with a secret.
    @Test func errorsAreToldWithoutAMessage() throws {
        let keys = #""fails": { "where": { "$.state": "bad" } }"#
        #expect(
            try run(keys, #"{"items":[{"id":1}],"state":"bad"}"#).outcome.errors.contains(#"says: "bad" (`$.state`)"#))
        #expect(
            try run(keys, #"{"items":[],"state":"bad","detail":"gone"}"#).outcome.errors
                .contains(#"says: "gone" (`detail`)"#))
        let auth = #", "auth": { "bearer": "a-secret-token" }"#
        let (outcome, _) = try run(keys + auth, #"{"items":[],"state":"bad","detail":"no a-secret-token"}"#)
        #expect(outcome.errors.contains("\"no ***\""), "\(outcome.errors)")
    }
}
