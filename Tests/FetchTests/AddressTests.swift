import Testing

@testable import SluiceFetch

struct AddressTests {
    @Test(arguments: [
        ("https://example.org", "https://example.org/"), ("HTTPS://Example.ORG:443/A?b=c#d", "https://example.org/A"),
        ("http://example.org:8080/a/../b", "http://example.org:8080/a/../b"),
        ("http://[::1]:99/x?y", "http://[::1]:99/x"),
    ])
    func isShownWithoutItsQuery(_ text: String, _ shown: String) throws {
        #expect(try WebAddress(text).shown == shown)
    }

    @Test(arguments: [
        "", "example.org", "/feed", "ftp://example.org/", "file:///etc/passwd", "http://u@example.org/",
        "http://u:p@example.org/", "https://exa mple.org/", "http://example.org/\r\nX: y", "http://",
        "javascript:alert(1)", "http://example.org:99999/",
    ])
    func whatIsNoneIsRefused(_ text: String) {
        #expect(throws: AddressError.self) { try WebAddress(text) }
    }

    @Test(arguments: [
        ("?b", "https://example.org/x/y?b"), ("z", "https://example.org/x/z"), ("/z", "https://example.org/z"),
        ("//other.org/z", "https://other.org/z"), ("../z", "https://example.org/z"),
        ("http://other.org/a/../b", "http://other.org/b"), ("http://other.org", "http://other.org/"),
    ])
    func isRelativeToAnother(_ text: String, _ whole: String) throws {
        let base = try WebAddress("https://example.org/x/y?a")
        #expect(try WebAddress(text, relativeTo: base).text == whole)
    }

    /// Another path is another address.
    @Test func dotsStayWhereTheyAreWritten() throws {
        for path in ["/a/../b", "/./a", "/a/.", "/%2e%2E/a"] {
            let address = try WebAddress("https://example.org\(path)")
            #expect(address.text == "https://example.org\(path)")
            #expect(try address.adding([("b", "..")]).text == "https://example.org\(path)?b=..")
        }
    }

    @Test func parametersAreReplacedAndEncoded() throws {
        let address = try WebAddress("https://example.org/x?a=1&b=2&a=3&flag")
        let added = try address.adding([("a", "x y&z=1/é"), ("c", "")])
        #expect(added.text == "https://example.org/x?b=2&flag&a=x%20y%26z%3D1%2F%C3%A9&c=")
        #expect(try WebAddress("https://example.org").adding([("a", "1")]).text == "https://example.org/?a=1")
    }

    @Test(arguments: [
        ("https://example.org/a", "https://EXAMPLE.org:443/b", true), ("https://a.org/", "http://a.org/", false),
        ("https://a.org/", "https://b.a.org/", false), ("https://a.org/", "https://a.org:8443/", false),
    ])
    func credentialsBelongToAService(_ one: String, _ other: String, _ isSame: Bool) throws {
        #expect(try WebAddress(one).isOfSameService(as: WebAddress(other)) == isSame)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
    ])
    func base64IsThatOfTheStandard(_ text: String, _ encoded: String) {
        #expect(base64(Array(text.utf8)) == encoded)
    }

    @Test func secretsAreTakenOutInEveryForm() {
        var redaction = Redaction()
        for secret in ["se cret", "se cret and more", "x"] { redaction.add(secret) }
        #expect(redaction.cleaned("se cret and more, se%20cret, c2UgY3JldA==: x") == "***, ***, ***: ***")
        // A mark is one character with the letter before it.
        #expect(redaction.cleaned("se cret\u{301}") == "***\u{301}")
    }

    /// An answer is JSON more often than not, and ends anywhere where its beginning is cut.
    @Test(arguments: [
        (#"{"no":"a\"b\\c\/d-long"}"#, #"{"no":"***"}"#), (#"{"no":"a\"b\\c/d-long"}"#, #"{"no":"***"}"#),
        (#"{"no":"a\"b\\c/d-l"#, #"{"no":"***"#), (#"{"no":"a"}"#, #"{"no":"a"}"#), ("", ""),
    ])
    func secretsAreTakenOutOfTheBeginningOfAnAnswer(_ answer: String, _ cleaned: String) {
        var redaction = Redaction()
        redaction.add(#"a"b\c/d-long"#)
        #expect(String(decoding: redaction.cleaned(Array(answer.utf8)), as: UTF8.self) == cleaned)
    }
}

struct LinkHeaderTests {
    @Test(
        arguments: [
            (["<a>; rel=next"], "a"), (["<a>; rel=\"next\""], "a"), (["<a>;rel=NEXT"], "a"),
            (["<a>; rel=prev, <b>; rel=\"first next\""], "b"),
            (["<a>; title=\"x, <c>; rel=next\", <b>; rel=next"], "b"),
            (["<a>; rel=prev", "<b>; rel=next"], "b"), (["<a,b;c>; rel=next"], "a,b;c"), (["<a>; x; rel=next"], "a"),
            (["<a>; rel=prev; rel=next"], nil), (["<a>"], nil), (["<a"], nil), ([], nil), (["rel=next"], nil),
            (["<a>; rel=\"next"], "a"), (["<>; rel=next"], ""),
        ] as [([String], String?)])
    func findsTheTarget(_ fields: [String], _ target: String?) {
        #expect(LinkHeader.target(of: "next", in: fields) == target)
    }
}

struct ResponseHeadTests {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { head.add(line: line + "\r\n") }
        return head
    }

    @Test func interimAnswersAndTrailersDoNotCount() {
        let answer = head(
            "HTTP/1.1 103 Early Hints", "Link: <x>", "", "HTTP/1.1 200 OK", "ETag: \"a\"", "X:  b  ", "", "ETag: \"c\"")
        #expect(answer.status == 200 && answer.isWhole)
        #expect(answer["etag"] == "\"a\"" && answer["x"] == "b" && answer["link"] == nil)
    }

    /// Only what tells two versions from each other for sure guards a part of one.
    @Test(
        arguments: [
            (["ETag: \"a\""], "\"a\""), (["ETag: W/\"a\""], nil),
            (
                ["Last-Modified: Sun, 01 Nov 2026 10:00:00 GMT", "Date: Sun, 01 Nov 2026 10:00:01 GMT"],
                "Sun, 01 Nov 2026 10:00:00 GMT"
            ),
            (["Last-Modified: Sun, 01 Nov 2026 10:00:00 GMT", "Date: Sun, 01 Nov 2026 10:00:00 GMT"], nil),
            (["Last-Modified: Sun, 01 Nov 2026 10:00:00 GMT"], nil),
            (["Last-Modified: yesterday", "Date: today"], nil),
        ] as [([String], String?)])
    func guardIsStrong(_ lines: [String], _ expected: String?) {
        var answer = ResponseHead()
        for line in ["HTTP/1.1 200 OK"] + lines + [""] { answer.add(line: line) }
        #expect(answer.rangeGuard == expected)
    }

    @Test func rangesAreRead() {
        let answer = head("HTTP/1.1 206 X", "Content-Range: bytes 7-9/10", "")
        #expect(answer.range?.start == 7 && answer.range?.whole == 10)
        #expect(head("HTTP/1.1 206 X", "Content-Range: bytes 7-9/*", "").range?.whole == nil)
        #expect(head("HTTP/1.1 206 X", "Content-Range: lines 7-9/10", "").range == nil)
    }
}
