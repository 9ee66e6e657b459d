import Foundation
import SluiceFetch
import SluiceRecords
import Synchronization
import TestSupport
import Testing

/// What a service does wrong, or refuses, and what is said of it.
struct RefusalTests {
    @Test(arguments: [
        (401, Failure.Kind.refused), (403, .refused), (404, .missing), (410, .missing), (400, .unavailable),
        (405, .unavailable), (422, .unavailable), (501, .unavailable), (300, .unavailable), (304, .unavailable),
    ])
    func statusEndsAtOnce(_ status: Int, _ kind: Failure.Kind) {
        let body = #""body":"no \u001bsuch\nthing""#
        let service = FaultyServer.shared.service(#"{"status":\#(status),\#(status == 304 ? "\"body\":\"\"" : body)}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == kind)
        #expect(outcome.message.contains("\(service.url) answered with status \(status)"), "\(outcome.message)")
        if status != 304 { #expect(outcome.message.contains("no \u{fffd}such thing"), "\(outcome.message)") }
        #expect(service.requests.count == 1)
    }

    /// Who is refused wants to know what was sent; its value is a secret.
    @Test func aRefusalSaysWhatWasSent() {
        let service = FaultyServer.shared.service(#"{"status":401,"body":"no"}"#)
        var request = service.request
        #expect(download(request).message.hasSuffix(#": no (sent no credentials: "auth" of the source gives them)"#))
        request.auth = .bearer(.text("tops3cret-word"))
        let outcome = download(request)
        #expect(outcome.message.hasSuffix(": no (sent the header Authorization)"), "\(outcome.message)")
    }

    /// A service that wants a login sends its page, often from elsewhere.
    @Test func aPageInPlaceOfAFeedIsSaidWithItsTitleAndAddress() {
        let page = #"{"body":"<html><head><title>Sign in</title>","headers":[["Content-Type","text/html"]]}"#
        let login = FaultyServer.shared.service(page)
        let service = FaultyServer.shared.service(#"{"status":302,"headers":[["Location","\#(login.url)"]]}"#)
        let message = download(service.request).message
        #expect(
            message.contains("answered with text/html, which is not JSON; it was redirected to \(login.url)"),
            "\(message)")
        #expect(message.hasSuffix(#"; the page is called "Sign in""#), "\(message)")
        let words = #"<html><style>a { b }</style><h1>Maintenance</h1>Back <b>at 6</b>.<script>x</script></html>"#
        let plain = FaultyServer.shared.service(
            #"{"body":"\#(words)","headers":[["Content-Type","text/html"]]}"#)
        #expect(download(plain.request).message.hasSuffix(#"; the page says "Maintenance Back at 6""#))
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func temporaryFailureIsTriedAgain(_ status: Int) {
        let service = FaultyServer.shared.service(#"{"status":\#(status)}"#, #"{"status":\#(status)}"#, #"{"items":9}"#)
        #expect(download(service.request).page == feed(9))
        #expect(service.requests.count == 3)
    }

    @Test(arguments: [0, 1, 3])
    func retriesAreCounted(_ retries: Int) {
        let service = FaultyServer.shared.service(#"{"status":500}"#)
        var request = service.request
        request.retries = retries
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.hasPrefix("\(service.url) answered with status 500"))
        #expect(service.requests.count == retries + 1)
    }

    /// What the service says, once nobody asks again.
    @Test func theLastRefusalHasItsWords() {
        let service = FaultyServer.shared.service(#"{"status":503,"body":"back at 6"}"#)
        var request = service.request
        request.retries = 2
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message == "\(service.url) answered with status 503: back at 6 (tried 3 times)")
        let later = FaultyServer.shared.service(
            #"{"status":429,"body":"{\"error\": \"quota\"}","headers":[["Retry-After","7200"]]}"#)
        let message = download(later.request).message
        #expect(message.contains("status 429: {\"error\": \"quota\"}, and wants to be asked again in 7"), "\(message)")
    }

    /// Who waits is told for what: in the words of the service, without what it was sent.
    @Test func whoWaitsIsToldWhy() throws {
        let page = "<html><head><title>Back at 6</title></head><body>nginx</body></html>"
        let service = FaultyServer.shared.service(
            #"{"status":503,"body":"\#(page)"}"#, #"{"status":500,"body":"no, open sesame"}"#, #"{"status":503}"#,
            #"{"items":3,"cut":10}"#, #"{"items":3}"#)
        var request = service.request
        request.auth = .bearer(.text("open sesame"))
        let told = Mutex<[Retry]>([])
        let session = FetchSession(quickSettings, onRetry: { retry in told.withLock { $0.append(retry) } })
        let download = WebFeed(request, session)
        #expect(try bytes(of: #require(try download.nextPage())) == feed(3))
        let retries = told.withLock { $0 }
        #expect(retries.map(\.words) == ["Back at 6", "no, ***", nil, nil])
        let beginning = "\(service.url) answered with status 503"
        #expect(retries[0].message.hasPrefix("\(beginning): Back at 6; it is asked again in "))
        #expect(retries[2].message.hasPrefix("\(beginning); it is asked again in "))
    }

    /// In both forms, and neither is waited for if it is too long.
    @Test(
        arguments: [#""headers":[["Retry-After","1"]]"#, #""headers":[["Retry-After","1.5"]]"#, #""date":2"#],
        [429, 503])
    func retryAfterIsKept(_ header: String, _ status: Int) {
        let service = FaultyServer.shared.service(#"{"status":\#(status),\#(header)}"#, #"{"items":9}"#)
        let start = Date()
        #expect(download(service.request).page == feed(9))
        // A date has no fractions: a second of the two may be over already.
        #expect(Date().timeIntervalSince(start) >= 0.9)
    }

    /// As a time by the clock of the service, or in seconds.
    @Test(arguments: [403, 429], ["X-RateLimit", "RateLimit", "X-Rate-Limit"])
    func endOfARateLimitIsKept(_ status: Int, _ name: String) {
        let reset = status == 403 ? Int(Date().timeIntervalSince1970) + 2 : 1
        let headers = #"[["\#(name)-Remaining","0"],["\#(name)-Reset","\#(reset)"]]"#
        let service = FaultyServer.shared.service(#"{"status":\#(status),"headers":\#(headers)}"#, #"{"items":9}"#)
        let start = Date()
        #expect(download(service.request).page == feed(9))
        #expect(Date().timeIntervalSince(start) >= 0.9)
    }

    @Test func refusalWithinARateLimitIsOne() {
        let headers = #"[["X-RateLimit-Remaining","12"],["X-RateLimit-Reset","9"]]"#
        let service = FaultyServer.shared.service(#"{"status":403,"headers":\#(headers)}"#, #"{"items":9}"#)
        #expect(download(service.request).kind == .refused)
        #expect(service.requests.count == 1)
    }

    @Test(arguments: [#""headers":[["Retry-After","7200"]]"#, #""date":7200"#])
    func longRetryAfterIsNotWaitedFor(_ header: String) {
        let service = FaultyServer.shared.service(#"{"status":503,\#(header)}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("wants to be asked again in 7"), "\(outcome.message)")
        #expect(service.requests.count == 1)
    }

    /// Whatever is too long to be waited for, and nothing that is no time.
    @Test(arguments: [
        "99999999999999999999999999", "18446744073709551616", "9223372036854775807", "4294967296",
        "1000000000000000000000",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func retryAfterBeyondAnyRangeIsGivenUp(_ value: String) {
        let service = FaultyServer.shared.service(#"{"status":503,"headers":[["Retry-After","\#(value)"]]}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("wants to be asked again after more than 30 years"), "\(outcome.message)")
        #expect(service.requests.count == 1)
    }

    @Test(arguments: ["", "-1", "soon", "1e99", "Sun, 01 Nov 2020 10:00:00 GMT"])
    func retryAfterThatSaysNothingIsIgnored(_ value: String) {
        let service = FaultyServer.shared.service(
            #"{"status":503,"headers":[["Retry-After","\#(value)"]]}"#, #"{"items":9}"#)
        #expect(download(service.request).page == feed(9))
    }

    @Test func unreachableServiceIsTriedAgain() {
        var request = WebRequest(url: "http://127.0.0.1:1/x")
        request.retries = 2
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("cannot be reached") && outcome.message.contains("tried 3 times"))
    }

    @Test(arguments: [#"{"items":9,"delay":30}"#, #"{"items":900,"cut":500,"stall":30}"#])
    func silenceIsAFailure(_ step: String) {
        let start = Date()
        defer { #expect(Date().timeIntervalSince(start) < 25) }
        let service = FaultyServer.shared.service(step, #"{"items":900}"#)
        var request = service.request
        request.timeout = 0.5
        #expect(download(request).page == feed(900))
        request.retries = 0
        service.post("[\(step)]")
        let outcome = download(request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("was silent for 0.5 seconds"), "\(outcome.message)")
    }

    @Test(arguments: [
        (#"{"body":"<!DOCTYPE html><p>Please log in"}"#, "a page of HTML or XML"),
        (#"{"body":"\ufeff\n <html>"}"#, "a page of HTML or XML"),
        (#"{"body":"{}","headers":[["Content-Type","text/html; charset=utf-8"]]}"#, "text/html"),
        (#"{"body":"{}","headers":[["Content-Type","image/png"]]}"#, "image/png"),
        (#"{"body":""}"#, "an empty body"), (#"{"body":"","chunked":true}"#, "an empty body"),
        (#"{"status":204}"#, "an empty body"),
    ])
    func whatIsNoJSONIsNamed(_ step: String, _ words: String) {
        let outcome = download(FaultyServer.shared.service(step).request)
        #expect(outcome.kind == .data)
        #expect(outcome.message.contains("answered with \(words)"), "\(outcome.message)")
    }

    @Test(arguments: [
        "application/json", "application/geo+json; charset=utf-8", "application/x-ndjson", "text/plain", "text/json",
        "application/octet-stream", "application/problem+json", "",
    ])
    func typesOfJSONAreTaken(_ type: String) {
        let service = FaultyServer.shared.service(#"{"items":9,"headers":[["Content-Type","\#(type)"]]}"#)
        #expect(download(service.request).page == feed(9))
    }

    @Test func endlessBodyIsCutOff() {
        var request = FaultyServer.shared.service(#"{"endless":"body","unframed":true}"#).request
        request.maxBytes = 5_000_000
        let outcome = download(request)
        #expect(outcome.kind == .data && outcome.message.contains("maxBytes"), "\(outcome.message)")
    }

    /// A length that is too much is known before anything comes.
    @Test func announcedLengthIsEnough() {
        var request = FaultyServer.shared.service(#"{"items":9,"length":5000000,"cut":0}"#).request
        request.maxBytes = 4_999_999
        #expect(download(request).kind == .data)
    }

    /// A small file may be a large feed.
    @Test(arguments: [#","encoding":"gzip""#, ""])
    func sizeIsThatOfTheFeed(_ coding: String) {
        var request = FaultyServer.shared.service(#"{"body":"[          ","repeat":100000\#(coding)}"#).request
        request.maxBytes = 999_999
        #expect(download(request).kind == .data)
        request.maxBytes = 1_100_000
        #expect(download(request).page?.count == 1_100_000)
    }

    @Test func endlessHeadersAreCutOff() {
        let service = FaultyServer.shared.service(#"{"endless":"headers"}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable && outcome.message.contains("bytes of headers"), "\(outcome.message)")
        #expect(service.requests.count == 1)
    }

    /// libcurl calls a header that is too long for it a lack of memory.
    @Test(arguments: [10 << 20, 120_000])
    func longHeaderIsNamed(_ size: Int) {
        let service = FaultyServer.shared.service(#"{"items":9,"filler":\#(size)}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable)
        #expect(outcome.message.contains("sent a header of more than 102400 bytes"), "\(outcome.message)")
        #expect(service.requests.count == 1)
    }

    /// A client that believed one of the lengths would lose the bytes that the other one announces.
    @Test(arguments: ["3", "5000", "0", "x"], [true, false])
    func lengthsThatDifferAreRefused(_ other: String, _ isLast: Bool) {
        let field = #"["Content-Length","\#(other)"]"#
        let own = #"["Content-Length","\#(feed(9).count)"]"#
        let fields = isLast ? "\(own),\(field)" : "\(field),\(own)"
        let service = FaultyServer.shared.service(#"{"items":9,"unframed":true,"headers":[\#(fields)]}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable)
        if other != "x" { #expect(outcome.message.contains("two lengths"), "\(outcome.message)") }
        #expect(service.requests.count == 1)
    }

    @Test func lengthThatIsSaidTwiceIsOne() {
        let field = #"["Content-Length","\#(feed(9).count)"]"#
        let service = FaultyServer.shared.service(#"{"items":9,"headers":[\#(field)]}"#)
        #expect(download(service.request).page == feed(9))
    }

    /// What stands behind the content is no other answer.
    @Test func trailersSayNothing() {
        let service = FaultyServer.shared.service(
            #"{"items":9,"chunked":true,"trailer":"Content-Length: 3\r\nContent-Encoding: br\r\n"}"#)
        let outcome = download(service.request)
        #expect(outcome.page == feed(9), "\(outcome.message)")
    }

    @Test func slownessHasAnEnd() {
        var settings = quickSettings
        settings.longestDownload = 0.3
        let outcome = download(
            FaultyServer.shared.service(#"{"items":900,"cut":500,"stall":30}"#).request, settings)
        #expect(outcome.kind == .unavailable && outcome.message.contains("takes too long"), "\(outcome.message)")
    }

    @Test func requestsAreNotMoreThanAllowed() {
        let service = FaultyServer.shared.service(#"{"status":500}"#, #"{"status":500}"#, #"{"items":9}"#)
        var request = service.request
        request.interval = 0.2
        let start = Date()
        #expect(download(request).page == feed(9))
        #expect(Date().timeIntervalSince(start) >= 0.4)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectIsFollowed(_ status: Int) {
        let target = FaultyServer.shared.service(#"{"items":9}"#)
        let service = FaultyServer.shared.service(
            #"{"status":\#(status),"body":"moved","headers":[["Location","\#(target.url)"]]}"#)
        #expect(download(service.request).page == feed(9))
    }

    /// The address that cannot be reached is told, and not only the one that leads there.
    @Test func aRedirectToNowhereIsTold() {
        let service = FaultyServer.shared.service(
            #"{"status":302,"headers":[["Location","http://127.0.0.1:1/login"]]}"#)
        var request = service.request
        request.retries = 0
        let outcome = download(request)
        #expect(
            outcome.kind == .unavailable
                && outcome.message.contains(
                    "\(service.url) redirects to http://127.0.0.1:1/login, which cannot be reached"),
            "\(outcome.message)")
    }

    @Test func redirectLoopEnds() {
        let service = FaultyServer.shared.service(#"{"status":302,"headers":[["Location","?again"]]}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable && outcome.message.contains("redirects more than 10 times"))
        #expect(service.requests.count == 11)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/x"])
    func otherSchemesAreRefused(_ target: String) {
        let service = FaultyServer.shared.service(#"{"status":302,"headers":[["Location","\#(target)"]]}"#)
        let outcome = download(service.request)
        #expect(outcome.kind == .unavailable && outcome.message.contains("must start with https:// or http://"))
    }

    /// Neither credentials nor headers of the definition go to another service.
    @Test func credentialsStayAtHome() throws {
        let target = FaultyServer.shared.service(#"{"items":9}"#)
        let service = FaultyServer.shared.service(
            #"{"status":302,"headers":[["Location","\#(target.otherURL)"]]}"#)
        var request = service.request
        request.auth = .bearer(.text("the-token"))
        request.headers = [.init("X-Key", .text("the-key"))]
        request.query = [.init("key", .text("the-query"))]
        #expect(download(request).page == feed(9))
        let here = try #require(service.requests.first)
        #expect(here.headers["authorization"] == "Bearer the-token")
        #expect(here.headers["x-key"] == "the-key")
        #expect(here.query == "key=the-query")
        let there = try #require(target.requests.first)
        #expect(there.headers["authorization"] == nil && there.headers["x-key"] == nil && there.query == "")
    }
}
