import Foundation
import TestSupport
import Testing

/// Answers that are pages, under the names that services use, of a source without `pages`: runs tell it, and `init`
/// drafts the pages, or says why not.
@Suite struct UnseenPageTests {
    /// What an answer says, with its list in place of `LIST`; what a run finds; whether it is sure that there is more;
    /// and what a draft has, or says.
    struct Case: Sendable, CustomTestStringConvertible {
        var answer: String
        var records = "$.items[*]"
        var reason = "pages"
        var path: String?
        var isSure = true
        var drafted: String

        var testDescription: String { answer }
    }

    static let cases = [
        Case(
            answer: #"{"meta":{"paging":{"after":"20","remaining":40}},"items":LIST}"#, path: "$.meta.paging.remaining",
            drafted: #""pages": { "cursor": "$.meta.paging.after", "parameter": "after" }"#),
        Case(
            answer: #"{"metadata":{"continue":"eyJ2"},"items":LIST}"#, path: "$.metadata.continue",
            drafted: #""pages": { "cursor": "$.metadata.continue", "parameter": "continue" }"#),
        Case(
            answer: #"{"continue":{"continue":"-||","apcontinue":"Bb"},"query":{"pages":LIST}}"#,
            records: "$.query.pages[*]", path: "$.continue.apcontinue",
            drafted: #""pages": { "cursor": "$.continue.apcontinue", "parameter": "apcontinue" }"#),
        Case(
            answer: #"{"items":LIST,"LastEvaluatedKey":{"id":"20"}}"#, path: "$.LastEvaluatedKey",
            drafted: "there is another page (LastEvaluatedKey), for which it is asked with an object"),
        Case(
            answer: #"{"items":LIST,"links":[{"rel":"self","href":"/a"},{"rel":"next","href":"/b"}]}"#,
            path: "$.links[1].href", drafted: #""pages": { "next": "$.links[?@.rel == 'next'].href" }"#),
        Case(
            answer: #"[{"page":1,"pages":30,"total":600},LIST]"#, records: "$[1][*]", path: "$[0].pages",
            drafted: #""pages": { "number": "page", "total": "$[0].total" }"#),
        Case(
            answer: #"{"items":LIST,"from":0,"to":20,"of":600}"#, reason: "pages.count", path: "$.of", isSure: false,
            drafted: "there are 600 (of) and holds 20"),
        Case(
            answer: #"{"metadata":{"resultset":{"offset":1,"count":600,"limit":20}},"items":LIST}"#,
            reason: "pages.count", path: "$.metadata.resultset.count", isSure: false,
            drafted: "there are 600 (metadata.resultset.count) and holds 20"),
        Case(
            answer: #"{"items":LIST,"pageToken":{"next":"abc"}}"#, path: "$.pageToken.next",
            drafted: #""pages": { "cursor": "$.pageToken.next", "parameter": "pageToken" }"#),
        Case(
            answer: #"{"items":LIST,"IsTruncated":true,"Marker":"x"}"#, path: "$.IsTruncated",
            drafted: #""pages": { "cursor": "$.Marker", "parameter": "marker", "more": "$.IsTruncated" }"#),
        Case(
            answer: #"{"items":LIST,"lastId":"19","complete":false}"#, path: "$.complete", isSure: false,
            drafted: #""pages": { "cursor": "$.lastId", "parameter": "lastId", "end": "$.complete" }"#),
        Case(
            answer: #"{"page":1,"perPage":20,"pages":30,"items":LIST}"#, path: "$.pages",
            drafted: #""pages": { "number": "page" }"#),
        Case(
            answer: #"{"items":LIST,"next_offset":20}"#, path: "$.next_offset",
            drafted: #""pages": { "cursor": "$.next_offset", "parameter": "offset" }"#),
        Case(
            answer: #"{"items":LIST,"paging":{"cursors":{"before":"a","after":"MjA="}}}"#,
            path: "$.paging.cursors.after", isSure: false,
            drafted: #""pages": { "cursor": "$.paging.cursors.after", "parameter": "after" }"#),
        Case(
            answer: #"{"items":LIST,"bookmark":"g1AAA"}"#, path: "$.bookmark", isSure: false,
            drafted: #""pages": { "cursor": "$.bookmark", "parameter": "bookmark" }"#),
        Case(
            answer: #"{"items":LIST,"remaining":40}"#, path: "$.remaining", isSure: false,
            drafted: "40 more remain (remaining)"),
        Case(
            answer: #"{"_scroll_id":"DXF","hits":{"total":{"value":600},"hits":LIST}}"#, records: "$.hits.hits[*]",
            reason: "pages.count", path: "$.hits.total.value", isSure: false,
            drafted: #""pages": { "cursor": "$._scroll_id", "parameter": "scroll_id" }"#),
        // All that there is.
        Case(answer: #"{"items":LIST,"from":0,"to":20,"of":20}"#, drafted: "names no next page today"),
        Case(answer: #"{"items":LIST,"metadata":{"continue":""}}"#, drafted: "names no next page today"),
        Case(
            answer: #"{"items":LIST,"links":[{"rel":"self","href":"/a"}]}"#, drafted: "names no next page today"),
    ]

    private static func list(_ ids: Range<Int>) -> String {
        "[\(ids.map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ","))]"
    }

    private static func step(_ answer: String, _ list: String) -> String {
        #"{"body":"\#(answer.replacing("LIST", with: list).replacing("\"", with: "\\\""))"}"#
    }

    @Test(arguments: cases) func aRunTellsIt(_ one: Case) throws {
        let service = FaultyServer.shared.service(
            Self.step(one.answer, Self.list(0..<21)), Self.step(one.answer, Self.list(0..<20)))
        let scene = try WebScene(
            service.member, settings: #""limits": { "deletes": null },"#, entity: #", "absent": "delete""#,
            records: one.records)
        #expect(try scene.run().status == 0)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let found = examples.filter { ($0["reason"] as? String)?.hasPrefix("pages") == true }
        #expect(found.map { $0["path"] as? String } == [one.path].filter { $0 != nil })
        #expect(found.allSatisfy { $0["reason"] as? String == one.reason })
        let isKept = one.path != nil && one.isSure
        #expect(
            (outcome.count("Item", "keptAbsent"), outcome.count("Item", "deleted")) == (isKept ? (1, 0) : (0, 1)),
            "\(outcome.report)")
    }

    /// One record may have members of those names, and each of several records.
    @Test(arguments: cases) func oneRecordDoesNot(_ one: Case) throws {
        let service = FaultyServer.shared.service(Self.step(one.answer, Self.list(0..<1)))
        let outcome = try WebScene(service.member, records: one.records).run()
        let isNamed = ["$.metadata.continue", "$.LastEvaluatedKey"].contains(one.path)
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == (isNamed ? 1 : 0), "\(outcome.report)")
        let inner = one.answer.replacing("LIST", with: "[1]")
        let list = (0..<3).map { "{\"id\":\($0),\"x\":\(inner)}" }.joined(separator: ",")
        let records = FaultyServer.shared.service(Self.step(#"{"items":LIST}"#, "[\(list)]"))
        let others = try WebScene(records.member).run()
        #expect((others.report["findings"] as? [String: Int])?["unmatched"] == 0, "\(others.report)")
    }

    @Test(arguments: cases) func aDraftHasIt(_ one: Case) throws {
        let folder = TemporaryFolder()
        let service = FaultyServer.shared.service(Self.step(one.answer, Self.list(0..<20)))
        let definition = folder.file("draft.jsonc")
        let outcome = try Sluice.run(["init", service.url, "--output", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Sluice.run(["check", definition]).status == 0)
        let text = try String(contentsOfFile: definition, encoding: .utf8).replacing(#/\s+(// )?/#, with: " ")
        #expect(text.contains(one.drafted), "\(text)")
    }
}
