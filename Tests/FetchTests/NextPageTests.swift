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
    ])
    func whatLeadsOn(_ text: String, _ expected: String?) {
        for piece in [1, 2, 7, 1000] { #expect(path(text, piece: piece) == expected, "\(text)") }
    }

    @Test(arguments: [
        #"[{"next": "/x"}]"#, #"{"next": null, "has_more": false}"#, #"{"nextPageToken": "", "data": []}"#,
        #"{"next": "Tuesday", "after": "x", "cursors": {"after": "x"}}"#, #"{"endCursor": "x", "bookmark": "y"}"#,
        #"{"list": [{"has_more": true}, [{"next": "/x"}]], "next": 7}"#, #""/next""#, "true", "",
        #"{"key": "next", "a": "/x", "has_more": "true"}"#, #"{"has_moree": true, "more": true}"#,
    ])
    func whatDoesNot(_ text: String) {
        for piece in [1, 3, 1000] { #expect(path(text, piece: piece) == nil, "\(text)") }
    }
}
