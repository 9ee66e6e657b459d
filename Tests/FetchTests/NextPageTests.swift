import SluiceRecords
import Testing

@testable import SluiceFetch

/// Answers that lead to a next page, for which nobody has asked.
@Suite struct NextPageTests {
    /// What an answer says, whatever pieces it comes in.
    private func unasked(_ text: String, piece: Int) -> UnaskedPages? {
        var scanner = NextPageScanner()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            unsafe bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { unsafe scanner.scan($0) }
        }
        return scanner.unasked
    }

    /// Where it surely leads on.
    private func path(_ text: String, piece: Int) -> String? {
        unasked(text, piece: piece).flatMap { $0.total == nil && $0.certainty != .likely ? $0.place : nil }
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
        (#"{"metadata": {"resultset": {"offset": 1, "count": 600, "limit": 20}}}"#, "$.metadata.resultset.count 600"),
        (#"{"items": [], "from": 0, "to": 20, "of": 600}"#, "$.of 600"),
        (#"{"hits": {"total": {"value": 600, "relation": "eq"}, "hits": []}}"#, "$.hits.total.value 600"),
        (#"{"order": 7, "total": 310, "lines": []}"#, nil), (#"{"total": 310.5, "limit": 10}"#, nil),
        (#"{"total": "310", "limit": 10}"#, nil), (#"{"items": [{"totalCount": 5}], "totalCount": 1}"#, nil),
    ])
    func numbersOfRecords(_ text: String, _ expected: String?) {
        var scanner = NextPageScanner()
        unsafe Array(text.utf8).withUnsafeBytes { unsafe scanner.scan($0) }
        let unasked = scanner.unasked
        #expect(unasked.map { "\($0.place) \($0.total ?? 0)" } == expected, "\(text)")
    }

    /// What a record may have as well counts in an answer of several, as the certainty says.
    @Test(arguments: [
        (#"{"metadata": {"continue": "eyJ2", "remainingItemCount": 40}, "items": []}"#, "$.metadata.continue"),
        (#"{"continue": {"continue": "-||", "apcontinue": "Bb"}, "query": {}}"#, "$.continue.apcontinue"),
        (#"{"Items": [], "LastEvaluatedKey": {"id": {"S": "20"}}}"#, "$.LastEvaluatedKey"),
        (#"{"Items": [], "lastEvaluatedKey": "20"}"#, "$.lastEvaluatedKey"),
        (#"{"link": [{"relation": "self", "url": "/a"}, {"url": "/b", "relation": "next"}]}"#, "$.link[1].url"),
        (#"{"meta": {"links": [{"href": "https://a", "rel": "next"}]}, "items": []}"#, "$.meta.links[0].href"),
        (#"[{"page": 1, "pages": 30, "per_page": "20", "total": 600}, [{"page": 7}]]"#, "$[0].pages"),
        (#"{"pageToken": {"next": "abc"}, "items": []}"#, "$.pageToken.next"),
        (#"{"pagination": {"next": 2}}"#, "$.pagination.next"), (#"{"page": {"next": true}}"#, "$.page.next"),
        (#"{"Contents": [], "IsTruncated": true, "Marker": "x"}"#, "$.IsTruncated"),
        (#"{"page": 1, "perPage": 20, "pages": 30, "items": []}"#, "$.pages"),
        (#"{"next_offset": 20, "list": []}"#, "$.next_offset"), (#"{"next_page": 2, "list": []}"#, "$.next_page"),
        (#"{"paging": {"after": "20", "remaining": 40}, "items": []}"#, "$.paging.remaining"),
        (#"{"meta": {"paging": {"after": "20"}}, "items": []}"#, "$.meta.paging.after likely"),
        (#"{"data": [], "paging": {"cursors": {"before": "a", "after": "MjA="}}}"#, "$.paging.cursors.after likely"),
        (#"{"_scroll_id": "DXF", "hits": {"hits": []}}"#, "$._scroll_id likely"),
        (#"{"docs": [], "bookmark": "g1AAA"}"#, "$.bookmark likely"),
        (#"{"items": [], "remaining": 40}"#, "$.remaining likely"), (#"{"more": true, "a": []}"#, "$.more likely"),
        (#"{"items": [], "lastId": "19", "complete": false}"#, "$.complete likely"),
        (#"{"complete": false, "limit": 20, "items": []}"#, "$.complete likely"),
    ])
    func whatMayBeARecords(_ text: String, _ expected: String) {
        for piece in [1, 3, 1000] {
            let found = unasked(text, piece: piece)
            #expect(found.map { $0.place + ($0.certainty == .likely ? " likely" : "") } == expected, "\(text)")
        }
    }

    /// What looks like it, and says that this is all, or is something else.
    @Test(arguments: [
        #"{"docs": [], "bookmark": "nil"}"#, #"{"endCursor": "x", "hasNextPage": false}"#,
        #"{"next": null, "cursor": "x", "items": []}"#, #"{"data": [], "after": "x", "before": "y", "of": 600}"#,
        #"{"complete": false, "tasks": []}"#, #"{"complete": true, "cursor": "x", "items": []}"#,
        #"{"items": [], "remaining": 4999, "limit": 5000, "reset": 1764495000}"#,
        #"{"rate": {"remaining": 4999}, "items": []}"#, #"{"page": 30, "pages": 30, "items": []}"#,
        #"{"metadata": {"continue": ""}, "items": []}"#, #"{"LastEvaluatedKey": {}, "Items": []}"#,
        #"{"links": [{"rel": "prev", "href": "/a"}, {"rel": "next", "href": null}], "data": []}"#,
        #"{"links": [{"has_more": true, "next": "/x", "nextCursor": "y"}]}"#,
        #"{"items": [{"rel": "next", "href": "/a"}], "IsTruncated": false}"#,
        #"[{"page": 1, "pages": 30, "next": "/x"}, {"page": 2, "pages": 30}]"#,
        #"[{"page": 1, "pages": 30}]"#, #"[[1], {"nextCursor": "x"}]"#, #"["x", {"nextCursor": "x"}]"#,
        #"[{"id": 1}, 7, [{"nextCursor": "x"}], {"nextCursor": "x"}]"#, #"{"count": 100, "offset": 0, "items": []}"#,
        #"{"pagination": {"next": 0, "after": ""}, "items": []}"#, #"{"continue": {"continue": "-||"}}"#,
        #"{"cart": {"total": {"value": 310, "currency": "EUR"}}, "page": 1}"#,
    ])
    func whatIsNone(_ text: String) {
        for piece in [1, 3, 1000] { #expect(unasked(text, piece: piece) == nil, "\(text)") }
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
