import SluiceExtract
import SluiceRecords
import Testing

@testable import SluiceInit

/// Which `pages` a draft has, by an answer in the form of services that people use.
@Suite struct PageGuessTests {
    private func guess(_ body: String, hasLink: Bool = false) throws -> String? {
        let tree = try JSONTree.read(Array(body.utf8), file: "answer").root
        return PageGuess(tree, hasLink: hasLink).map { JSONText.object($0.members) }
    }

    @Test(arguments: [
        // Zendesk, Django REST framework, OData, Spring HATEOAS, JSON:API, Salesforce
        (
            #"{"meta": {"has_more": true, "after_cursor": "xyz"}, "links": {"next": "https://a.example/2"}, "tickets": []}"#,
            #"{ "next": "$.links.next", "more": "$.meta.has_more" }"#
        ),
        (#"{"count": 9, "next": "https://a.example/?page=2", "results": [1]}"#, #"{ "next": "$.next" }"#),
        (
            #"{"count": 9, "next": "https://a.example/?page=2", "results": [1, 2]}"#,
            #"{ "next": "$.next", "total": "$.count" }"#
        ),
        // Elsewhere, it may be an estimate.
        (
            #"{"links": {"next": "/?page=2"}, "meta": {"total": 9}, "data": [1, 2]}"#, #"{ "next": "$.links.next" }"#
        ),
        (#"{"@odata.nextLink": "https://a.example/?$skip=2", "value": []}"#, #"{ "next": "$['@odata.nextLink']" }"#),
        (#"{"_links": {"next": {"href": "/items?page=1"}}}"#, #"{ "next": "$._links.next.href" }"#),
        (#"{"links": {"next": "?page[number]=2"}}"#, #"{ "next": "$.links.next" }"#),
        (#"{"nextRecordsUrl": "/q/01g-2000", "done": false}"#, #"{ "next": "$.nextRecordsUrl" }"#),
        // Google, HubSpot, Slack, Airtable, AWS, Notion, GraphQL
        (#"{"nextPageToken": "CAUQAA", "items": []}"#, #"{ "cursor": "$.nextPageToken", "parameter": "pageToken" }"#),
        (#"{"next_page_token": "x", "items": []}"#, #"{ "cursor": "$.next_page_token", "parameter": "page_token" }"#),
        (#"{"paging": {"next": {"after": "NTI1"}}}"#, #"{ "cursor": "$.paging.next.after", "parameter": "after" }"#),
        (
            #"{"ok": true, "response_metadata": {"next_cursor": "bmV4"}}"#,
            #"{ "cursor": "$.response_metadata.next_cursor", "parameter": "cursor" }"#
        ),
        (#"{"records": [], "offset": "itr1/rec2"}"#, #"{ "cursor": "$.offset", "parameter": "offset" }"#),
        (#"{"NextToken": "abc"}"#, #"{ "cursor": "$.NextToken", "parameter": "nextToken" }"#),
        (
            #"{"object": "list", "has_more": true, "next_cursor": "f1"}"#,
            #"{ "cursor": "$.next_cursor", "parameter": "cursor", "more": "$.has_more" }"#
        ),
        (#"{"next_page": 2, "items": []}"#, #"{ "cursor": "$.next_page", "parameter": "page" }"#),
        // Kubernetes, MediaWiki, S3, and others
        (
            #"{"meta": {"paging": {"after": "20", "remaining": 40}}, "items": [1, 2]}"#,
            #"{ "cursor": "$.meta.paging.after", "parameter": "after" }"#
        ),
        (
            #"{"metadata": {"continue": "eyJ2"}, "items": [1]}"#,
            #"{ "cursor": "$.metadata.continue", "parameter": "continue" }"#
        ),
        (
            #"{"continue": {"apcontinue": "Bb", "continue": "-||"}, "query": {"pages": [1]}}"#,
            #"{ "cursor": "$.continue.apcontinue", "parameter": "apcontinue" }"#
        ),
        (
            #"{"pageToken": {"next": "abc"}, "items": [1]}"#,
            #"{ "cursor": "$.pageToken.next", "parameter": "pageToken" }"#
        ),
        (#"{"pagination": {"next": 2}, "items": [1]}"#, #"{ "cursor": "$.pagination.next", "parameter": "page" }"#),
        (
            #"{"Contents": [1], "IsTruncated": true, "Marker": "x"}"#,
            #"{ "cursor": "$.Marker", "parameter": "marker", "more": "$.IsTruncated" }"#
        ),
        (
            #"{"items": [1], "lastId": "19", "complete": false}"#,
            #"{ "cursor": "$.lastId", "parameter": "lastId", "end": "$.complete" }"#
        ),
        // The World Bank
        (
            #"[{"page": 1, "pages": 30, "per_page": "2", "total": 60}, [{"id": 1}, {"id": 2}]]"#,
            #"{ "number": "page", "total": "$[0].total" }"#
        ),
        (
            #"{"items": [1, 2], "hasMore": true, "offset": 0, "limit": 2}"#,
            #"{ "offset": "offset", "limit": ["limit", 2], "more": "$.hasMore" }"#
        ),
        // NVD, and others that repeat where a page begins
        (
            #"{"resultsPerPage": 2, "startIndex": 0, "totalResults": 9, "vulnerabilities": [1, 2]}"#,
            #"{ "offset": "startIndex", "limit": ["resultsPerPage", 2], "total": "$.totalResults" }"#
        ),
        (
            #"{"total": 9, "offset": 0, "limit": 3, "items": [1, 2, 3]}"#,
            #"{ "offset": "offset", "limit": ["limit", 3], "total": "$.total" }"#
        ),
        (
            #"{"items": [1], "links": [{"rel": "self", "href": "/1"}, {"rel": "Next", "href": "/2"}]}"#,
            #"{ "next": "$.links[?@.rel == 'Next'].href" }"#
        ),
        // FHIR
        (
            #"{"total": 9, "link": [{"relation": "next", "url": "/2"}], "entry": [1]}"#,
            #"{ "next": "$.link[?@.relation == 'next'].url" }"#
        ),
        // Stack Exchange
        (#"{"has_more": true, "items": [{"id": 1}]}"#, #"{ "number": "page", "more": "$.has_more" }"#),
        // Stripe
        (
            #"{"object": "list", "data": [{"id": "a"}, {"id": "b"}], "has_more": true}"#,
            #"{ "cursor": "$.data[-1].id", "parameter": "starting_after", "more": "$.has_more" }"#
        ),
    ]) func anAnswerSaysThatItIsAPage(answer: String, pages: String) throws {
        #expect(try guess(answer) == pages)
    }

    /// Stripe has ten records on a page, unless it is asked for more.
    @Test(arguments: [("", true), ("limit=100", false)])
    func aPageOfFewRecordsIsTold(_ query: String, _ isTold: Bool) throws {
        let body = #"{"object": "list", "data": [{"id": "a"}, {"id": "b"}], "has_more": true}"#
        let tree = try JSONTree.read(Array(body.utf8), file: "answer").root
        let guess = PageGuess(tree, hasLink: false, query: PageGuess.query(of: "https://a.example/v1/charges?\(query)"))
        #expect(guess?.remark.contains("limit=100") == isTold, "\(String(describing: guess))")
    }

    /// The address itself says how pages are asked for, where the answer says that there are more records.
    @Test(arguments: [
        ("orders?page=1&per_page=3", #""page": 1, "total": 7"#, #"{ "number": "page", "total": "$.total" }"#),
        ("orders?pageNo=0", #""total": 7"#, #"{ "number": "pageNo", "first": 0, "total": "$.total" }"#),
        (
            "orders?skip=0&limit=3#top", #""count": 7"#,
            #"{ "offset": "skip", "limit": ["limit", 3], "total": "$.count" }"#
        ),
        ("orders?page=2", #""page": 2, "total": 7"#, "{}"), ("orders?page=1", #""page": 2, "total": 7"#, "{}"),
        ("orders?page=1", #""page": 1, "total": 3"#, nil), ("orders", #""page": 1, "total": 7"#, "{}"),
    ]) func anAddressThatAsksForAPage(_ address: String, _ said: String, _ pages: String?) throws {
        let tree = try JSONTree.read(Array("{\(said), \"orders\": [1, 2, 3]}".utf8), file: "answer").root
        let guess = PageGuess(tree, hasLink: false, query: PageGuess.query(of: "http://a.example/\(address)"))
        #expect(guess.map { $0.members.isEmpty ? "{}" : JSONText.object($0.members) } == pages)
    }

    /// How the next page is asked for is not known: a sentence says that there is one.
    @Test(arguments: [
        (#"{"startAt": 0, "total": 310, "issues": [1, 2]}"#, "310 (total) and holds 2"),
        (#"{"content": [1, 2], "page": {"totalElements": 310}}"#, "310 (page.totalElements) and holds 2"),
        (#"{"items": [1, 2], "from": 0, "to": 2, "of": 600}"#, "600 (of) and holds 2"),
        (#"{"items": [1, 2], "remaining": 40}"#, "40 more remain (remaining)"),
        (#"{"Items": [1, 2], "LastEvaluatedKey": {"id": "2"}}"#, "another page (LastEvaluatedKey), for which"),
        (#"{"items": [1, 2], "limit": 2, "complete": false}"#, "a part of what there is (complete: false)"),
    ]) func anAnswerSaysThatThereIsMore(answer: String, words: String) throws {
        let tree = try JSONTree.read(Array(answer.utf8), file: "answer").root
        let guess = try #require(PageGuess(tree, hasLink: false))
        #expect(guess.members.isEmpty && guess.remark.contains(words), "\(guess.remark)")
    }

    /// Answers are alike that have their lists in the same place, or one list each beside the same other members.
    @Test(arguments: [
        (#"[{"id": 1}]"#, #"[{"no": 1}]"#, true), (#"{"results": []}"#, #"{"results": [1], "paging": {}}"#, true),
        (#"{"tickets": [1], "meta": {}, "links": {}}"#, #"{"users": [2], "meta": {}, "links": {}}"#, true),
        (#"{"response": {"docs": [1]}}"#, #"{"response": {"docs": [1], "start": 0}}"#, true),
        (#"[{"id": 1}]"#, #"{"results": [1]}"#, false), (#"{"tickets": [1]}"#, #"{"users": [2]}"#, false),
        (#"{"a": 1}"#, #"{"a": 1}"#, false), (#"{"results": [1]}"#, #"{"results": [1], "labels": [1]}"#, false),
    ]) func answersAreAlike(_ one: String, _ other: String, _ expected: Bool) throws {
        let shapes = try [one, other].map { text in
            try DraftFeed.observed(text) { AnswerShape($0.tree) }
        }
        #expect(shapes[0].isLike(shapes[1]) == expected && shapes[1].isLike(shapes[0]) == expected)
    }

    @Test(arguments: [
        ("https://a.example/v1?x=1", "https://A.example/v2", true), ("https://a.example", "https://a.example/", true),
        ("http://a.example/x", "https://a.example/x", false), ("https://a.example:81/x", "https://a.example/x", false),
    ]) func addressesAreOfOneService(_ one: String, _ other: String, _ expected: Bool) {
        #expect(AnswerShape.areOfOneService(one, other) == expected)
    }

    @Test func aHeaderSaysIt() throws {
        #expect(try guess("[{\"id\": 1}]", hasLink: true) == #"{ "link": "next" }"#)
    }

    @Test(arguments: [
        "[1, 2]", #"{"next": null, "items": [1]}"#, #"{"count": 2, "items": [1, 2]}"#,
        #"{"has_more": false, "data": []}"#,
        #"{"items": [{"next": "https://a.example/x", "cursor": "x"}]}"#, #"{"offset": 20, "limit": 20}"#,
        #"{"next": "Thursday", "total": 5}"#, #"{"id": 7, "remaining": 40}"#, #"{"tasks": [1, 2], "complete": false}"#,
        #"{"links": [{"rel": "self", "href": "/2"}]}"#, #"{"metadata": {"continue": ""}, "items": [1]}"#,
        #"[{"page": 1, "pages": 30}, {"page": 2, "pages": 30}]"#,
    ]) func othersDoNot(answer: String) throws {
        #expect(try guess(answer) == nil)
    }
}

/// Files that somebody got of a service, which are pages.
@Suite struct PageInFileTests {
    @Test func aFileIsAPage() throws {
        let results = list(20) { #"{"id": \#($0), "name": "n\#($0 % 3)"}"# }
        let page = #"{"count": 120, "next": "https://a.example/?page=2", "previous": null, "results": \#(results)}"#
        let text = unfolded(try InitRun.Draft.text(of: page))
        #expect(text.contains("one page of several was given, as it seems: the answer has the address"), "\(text)")
        #expect(text.contains("there are 120 records (count). A source with the address"), "\(text)")
        let whole = #"{"count": 20, "next": null, "results": \#(results)}"#
        #expect(try !InitRun.Draft.text(of: whole).contains("one page"))
    }
}
