import SluiceRecords
import Testing

@testable import SluiceFetch

/// Answers that lead to a next page, for which nobody has asked.
@Suite struct NextPageTests {
    /// Whatever pieces an answer comes in.
    private func path(_ text: String, piece: Int) -> String? {
        var scanner = NextPageScanner()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            unsafe bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { unsafe scanner.scan($0) }
        }
        return scanner.path?.description
    }

    @Test(arguments: [
        (
            #"{"results": [{"next": "/x"}], "paging": {"next": {"after": "100", "link": "https://x"}}}"#,
            "$.paging.next.after"
        ),
        (#"{"data": [1, "}"], "next": "https:\/\/example.org\/x?page=2"}"#, "$.next"),
        (#"{"@odata.nextLink":"/x", "value": []}"#, "$['@odata.nextLink']"),
        (#"{"_links": {"self": {"href": "/a"}, "next": {"href": "/b"}}}"#, "$._links.next.href"),
        (#"{"a": "\"next\": \"/x\"", "nextPageToken": "t"}"#, "$.nextPageToken"),
        (#"{"object": "list", "has_more": true , "data": []}"#, "$.has_more"),
        (#"{"data": {"search": {"pageInfo": {"hasNextPage": true}}}}"#, nil),
        (#"{"issues": {"pageInfo": {"hasNextPage":true}}}"#, "$.issues.pageInfo.hasNextPage"),
        (#"{"values": [], "startAt": 0, "isLast": false}"#, "$.isLast"),
        (#"{"content": [], "totalPages":5}"#, "$.totalPages"),
        (#"{"data": [], "meta": {"pagination": {"pageCount": 5, "total": 47}}}"#, "$.meta.pagination.pageCount"),
        (#"{"data": [], "pagination": {"pages": 2}}"#, "$.pagination.pages"),
        (#"{"tickets": [], "after_url": "https://example.org/x"}"#, "$.after_url"),
    ])
    func whatLeadsOn(_ text: String, _ expected: String?) {
        for piece in [1, 2, 7, 1000] { #expect(path(text, piece: piece) == expected, "\(text)") }
    }

    @Test(arguments: [
        #"[{"next": "/x"}]"#, #"{"next": null, "has_more": false}"#, #"{"nextPageToken": "", "data": []}"#,
        #"{"next": "Tuesday", "after": "x", "cursors": {"after": "x"}}"#, #"{"endCursor": "x", "bookmark": "y"}"#,
        #"{"list": [{"has_more": true}, [{"next": "/x"}]], "next": 7}"#, #""/next""#, "true", "",
        #"{"key": "next", "a": "/x", "has_more": "true"}"#, #"{"has_moree": true, "more": true}"#,
        #"{"isLast": true, "totalPages": 1, "lastPage": 0, "pages": 400, "book": {"pages": 7}}"#,
    ])
    func whatDoesNot(_ text: String) {
        for piece in [1, 3, 1000] { #expect(path(text, piece: piece) == nil, "\(text)") }
    }

    /// How many records there are, where it says so: a total alone may be one of money.
    @Test(arguments: [
        (#"{"members": [], "total_items": 95}"#, "$.total_items 95"),
        (#"{"total": 310, "startAt": 0, "issues": []}"#, "$.total 310"),
        (#"{"paging": {"total": 30}, "items": []}"#, "$.paging.total 30"),
        (#"{"order": 7, "total": 310, "lines": []}"#, nil), (#"{"total": 310.5, "limit": 10}"#, nil),
        (#"{"total": "310", "limit": 10}"#, nil), (#"{"items": [{"totalCount": 5}], "totalCount": 1}"#, nil),
    ])
    func numbersOfRecords(_ text: String, _ expected: String?) {
        var scanner = NextPageScanner()
        unsafe Array(text.utf8).withUnsafeBytes { unsafe scanner.scan($0) }
        let unasked = scanner.unasked
        #expect(unasked.map { "\($0.place) \($0.total ?? 0)" } == expected, "\(text)")
    }

    @Test(arguments: [
        ("X-Next-Page", "2", "X-Next-Page 0"), ("X-Next-Page", "", nil), ("X-WP-TotalPages", "5", "X-WP-TotalPages 0"),
        ("X-Total-Pages", "1", nil), ("X-Total-Count", " 47 ", "X-Total-Count 47"), ("X-Total", "many", nil),
        ("Content-Range", "items 0-9/47", "Content-Range 47"), ("Content-Range", "bytes 0-9/47", nil),
        ("Content-Range", "items 0-9/*", nil), ("X-Page", "3", nil),
    ])
    func headers(_ name: String, _ value: String, _ expected: String?) {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200", "\(name): \(value)", ""] { head.add(line: line) }
        #expect(UnaskedPages(head).map { "\($0.place) \($0.total ?? 0)" } == expected)
    }
}
