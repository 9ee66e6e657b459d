import Foundation
import SluiceExtract
import SluiceFetch
import SluiceRecords
import TestSupport
import Testing

/// Pages come in order, each once, and have an end.
struct PageTests {
    /// Pages whose bodies have a value, and the values.
    private func texts(_ outcome: Result<[[UInt8]], Failure>) -> [String] {
        (try? outcome.get().map { String(decoding: $0, as: UTF8.self) }) ?? [outcome.message]
    }

    private func body(_ text: String) -> String { #"{"body":"\#(text.replacing("\"", with: "\\\""))"}"# }

    @Test(arguments: [
        (#"{"a":[1],"links":{"next":"?p=2"}}"#, "null"), (#"{"links":{"x":{"next":7},"next":"?p=2"},"a":[1]}"#, "\"\""),
    ])
    func nextIsAValueOfThePage(_ first: String, _ end: String) throws {
        let service = FaultyServer.shared.service(
            body(first), body(#"{"a":[2],"links":{"next":"?p=3"}}"#), body(#"{"a":[3],"links":{"next":\#(end)}}"#))
        var request = service.request
        request.query = [.init("size", .text("1"))]
        request.pages = Paging(.next(try .parse("$.links.next")))
        #expect(texts(download(request)).count == 3)
        #expect(service.requests.map(\.query) == ["size=1", "p=2", "p=3"])
    }

    /// As FHIR has it: a list says of each link what it is for, before the address or behind it.
    @Test func nextIsInAListOfLinks() throws {
        let service = FaultyServer.shared.service(
            body(#"{"link":[{"relation":"self","url":"?p=1"},{"relation":"next","url":"?p=2"}],"entry":[1]}"#),
            body(
                #"{"entry":[{"link":[{"relation":"next","url":"?x"}]}],"link":["a",{"url":"?p=3","relation":"next"}]}"#),
            body(#"{"entry":[3],"link":[{"relation":"self","url":"?p=3"},{"relation":"nextt","url":"?p=4"}]}"#))
        var request = service.request
        request.pages = Paging(.next(try .parse("$.link[?relation == 'next'].url")))
        #expect(texts(download(request)).count == 3)
        #expect(service.requests.map(\.query) == ["", "p=2", "p=3"])
    }

    /// What cannot be read in such a list is no end.
    @Test(arguments: [
        (#"{"link":[{"relation":"next","url":{"href":"?2"}}]}"#, "is no text"),
        (#"{"link":[{"relation":"next","url":"?\\ud800"}]}"#, "half of a surrogate pair"),
        (#"{"link":[{"relation":"self","url":"?1"}]}"#, nil), (#"{"link":{"relation":"next","url":"?2"}}"#, nil),
        (#"{"link":null}"#, nil), (#"{"link":[{"relation":"next","url":null}]}"#, nil),
    ]) func whatAListOfLinksMayBe(_ page: String, _ complaint: String?) throws {
        var request = FaultyServer.shared.service(body(page)).request
        request.pages = Paging(.next(try .parse("$.link[?relation == 'next'].url")))
        let outcome = download(request)
        #expect(outcome.kind == (complaint == nil ? nil : .data), "\(outcome.message)")
        #expect(complaint.map { outcome.message.contains($0) } ?? true, "\(outcome.message)")
    }

    @Test func linkIsAHeader() {
        let link = #"</x>; rel=\"prev\", <?p=2>; title=\"a, b; rel=next\"; rel=\"last next\""#
        let service = FaultyServer.shared.service(
            #"{"body":"[1]","headers":[["Link","\#(link)"]]}"#,
            #"{"body":"[2]","headers":[["Link","<?p=3>;rel=next"],["Link","<?p=1>; rel=first"]]}"#,
            #"{"body":"[3]","headers":[["Link","<?p=1>; rel=first"]]}"#)
        var request = service.request
        request.pages = Paging(.link(relation: "next"))
        #expect(texts(download(request)) == ["[1]", "[2]", "[3]"])
        #expect(service.requests.map(\.query) == ["", "p=2", "p=3"])
    }

    @Test func cursorIsAParameter() throws {
        let service = FaultyServer.shared.service(
            body(#"{"meta":{"cursor":"a b&c"}}"#), body(#"{"meta":{"cursor":17}}"#), body(#"{"meta":{}}"#))
        var request = service.request
        request.query = [.init("q", .text("1"))]
        request.pages = Paging(.cursor(try .parse("$.meta.cursor"), parameter: "after"))
        #expect(texts(download(request)).count == 3)
        #expect(service.requests.map(\.query) == ["q=1", "q=1&after=a%20b%26c", "q=1&after=17"])
    }

    /// As services with GraphQL want it.
    @Test func cursorsMayBePosted() throws {
        let service = FaultyServer.shared.service(
            body(#"{"data":{"end":"a'b"}}"#), body(#"{"data":{"end":17}}"#), body(#"{"data":{"end":null}}"#))
        var request = service.request
        let text = #"{"query": "q", "variables": {"first": 2, "after": null}}"#
        request.body = RequestBody(try JSONTree.read(Array(text.utf8), file: "").root)
        request.pages = Paging(.cursor(try .parse("$.data.end"), parameter: "$.variables.after"))
        #expect(texts(download(request)).count == 3)
        #expect(service.requests.map(\.method) == ["POST", "POST", "POST"])
        #expect(service.requests.map(\.query) == ["", "", ""])
        #expect(
            service.requests.map(\.body)
                == ["null", #""a'b""#, #""17""#].map {
                    #"{ "query": "q", "variables": { "first": 2, "after": \#($0) } }"#
                })
        #expect(service.requests.allSatisfy { $0.headers["content-type"] == "application/json" })
    }

    @Test func whatIsPostedGoesNowhereElse() throws {
        let service = FaultyServer.shared.service(#"{"status":302,"headers":[["Location","?x"]]}"#, body("[1]"))
        var request = service.request
        request.body = .object([])
        #expect(texts(download(request)).first?.contains("redirects what is posted to") == true)
        service.post("[\(#"{"status":307,"headers":[["Location","?x"]]}"#),\(body("[1]"))]")
        #expect(texts(download(request)) == ["[1]"])
        #expect(service.requests.map(\.method) == ["POST", "POST"])
    }

    @Test func numbersMayBePosted() throws {
        let service = FaultyServer.shared.service(body("[1]"), body("[2]"), body(""))
        var request = service.request
        request.body = .object([])
        request.pages = Paging(.offset(parameter: "$.page.from", limit: "size", size: 50))
        #expect(texts(download(request)) == ["[1]", "[2]"])
        #expect(service.requests.map(\.query) == ["size=50", "size=50", "size=50"])
        #expect(service.requests.map(\.body)[1] == #"{ "page": { "from": 50 } }"#)
    }

    @Test func numbersCount() {
        let service = FaultyServer.shared.service(body("[1]"), body("[2]"), body("[3]"), body(""))
        var request = service.request
        request.pages = Paging(.number(parameter: "page", first: 4))
        #expect(texts(download(request)) == ["[1]", "[2]", "[3]"])
        #expect(service.requests.map(\.query) == ["page=4", "page=5", "page=6", "page=7"])
    }

    @Test func offsetsCount() {
        let service = FaultyServer.shared.service(body("[1]"), body("[2]"), #"{"status":204}"#)
        var request = service.request
        request.pages = Paging(.offset(parameter: "from", limit: "size", size: 50))
        #expect(texts(download(request)) == ["[1]", "[2]"])
        #expect(service.requests.map(\.query) == ["from=0&size=50", "from=50&size=50", "from=100&size=50"])
    }

    @Test func lastPageIsTheLast() throws {
        let service = FaultyServer.shared.service(body("[1]"), body("[2]"), body("[3]"))
        var request = service.request
        request.pages = Paging(.number(parameter: "page", first: 0), last: 1)
        #expect(texts(download(request)) == ["[1]", "[2]"])
        request.pages = Paging(.offset(parameter: "from", limit: "size", size: 50), last: 2)
        service.post("[\(body("[1]")),\(body("[2]")),\(body("[3]"))]")
        #expect(texts(download(request)) == ["[1]", "[2]"])
    }

    /// A service that repeats itself is found out, by the page or by the address, however its addresses look.
    @Test func circlesAreFound() throws {
        let round = FaultyServer.shared.service(
            body(#"{"n":1,"next":"?2"}"#), body(#"{"n":2,"next":"?3"}"#), body(#"{"n":3,"next":"?2"}"#), body("{}"))
        var request = round.request
        request.pages = Paging(.next(try .parse("$.next")))
        let outcome = download(request)
        #expect(outcome.kind == .data && outcome.message.contains("goes round"), "\(outcome.message)")

        let same = FaultyServer.shared.service(body("[1]"), body("[2]"), body("[1]"))
        request = same.request
        request.pages = Paging(.number(parameter: "page", first: 1))
        let repeated = download(request)
        #expect(repeated.kind == .data && repeated.message.contains("page 3") && repeated.message.contains("page 1"))

        let itself = FaultyServer.shared.service(body(#"{"next":"?1"}"#), body(#"{"m":1,"next":"?1"}"#))
        request = itself.request
        request.pages = Paging(.next(try .parse("$.next")))
        #expect(download(request).kind == .data)
        #expect(itself.requests.count == 2)
    }

    @Test(arguments: [#"{"next":{"href":"?2"}}"#, #"{"next":["?2"]}"#, #"{"next":true}"#, #"{"next":"ftp://x/"}"#])
    func whatIsNoAddressIsRefused(_ page: String) throws {
        var request = FaultyServer.shared.service(body(page)).request
        request.pages = Paging(.next(try .parse("$.next")))
        let outcome = download(request)
        #expect(outcome.kind == .data && outcome.message.contains("page 1"), "\(outcome.message)")
    }

    /// An address that is too long is one all the same.
    @Test func longAddressIsNamed() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"next":"?\#(String(repeating: "x", count: 1 << 20))"}"#.utf8).write(to: file)
        let service = FaultyServer.shared.service(#"{"file":"\#(file.path)"}"#)
        var request = service.request
        request.pages = Paging(.next(try .parse("$.next")))
        let outcome = download(request)
        #expect(outcome.kind == .data)
        #expect(
            outcome.message.contains("the address of the next page is longer than 65536 bytes"), "\(outcome.message)")
    }

    /// Failures of a page are mended like those of a feed, and each page counts from the start.
    @Test func pagesAreTriedAgain() throws {
        let service = FaultyServer.shared.service(
            #"{"status":500}"#, body(#"{"next":"?2"}"#), #"{"status":503}"#,
            #"{"body":"{\"next\":null}    ","cut":9}"#, #"{"body":"{\"next\":null}    "}"#)
        var request = service.request
        request.retries = 1
        request.pages = Paging(.next(try .parse("$.next")))
        // The second page fails twice in a row, the second time after some progress.
        #expect(texts(download(request)) == [#"{"next":"?2"}"#, #"{"next":null}    "#])
    }

    /// The next page is asked for while the last is read, but no further one.
    @Test func onePageIsReadAhead() throws {
        let service = FaultyServer.shared.service((1...9).map { body("[\($0)]") })
        var request = service.request
        request.pages = Paging(.number(parameter: "page", first: 1))
        let pages = WebFeed(request, FetchSession(quickSettings))
        _ = try bytes(of: #require(try pages.nextPage()))
        let deadline = Date() + 10
        while service.requests.count < 2, Date() < deadline { usleep(1000) }
        #expect(service.requests.count == 2)
        _ = try bytes(of: #require(try pages.nextPage()))
        while service.requests.count < 3, Date() < deadline { usleep(1000) }
        #expect(service.requests.count == 3)
        pages.stop()
    }

    /// What fails behind the last page that is wanted is of no interest.
    @Test func failureAheadWaitsForItsTurn() throws {
        let service = FaultyServer.shared.service(body("[1]"), #"{"status":404}"#)
        var request = service.request
        request.pages = Paging(.number(parameter: "page", first: 1))
        let pages = WebFeed(request, FetchSession(quickSettings))
        let page = try #require(try pages.nextPage())
        let deadline = Date() + 10
        while service.requests.count < 2, Date() < deadline { usleep(1000) }
        #expect(try bytes(of: page) == Array("[1]".utf8))
        #expect(throws: Failure.self) { try pages.nextPage().map { try bytes(of: $0) } }
    }

    /// A service's links may lead to another one, which does not get the credentials.
    @Test func credentialsStayAtHome() throws {
        let other = FaultyServer.shared.service(body("{}"))
        let service = FaultyServer.shared.service(body(#"{"next":"\#(other.otherURL)"}"#))
        var request = service.request
        request.auth = .bearer(.text("t"))
        request.pages = Paging(.next(try .parse("$.next")))
        #expect(texts(download(request)).count == 2)
        #expect(service.requests.first?.headers["authorization"] == "Bearer t")
        #expect(other.requests.first?.headers["authorization"] == nil)
    }
}
