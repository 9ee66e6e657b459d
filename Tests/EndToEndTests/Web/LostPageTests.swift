import Foundation
import TestSupport
import Testing

/// Pages that a run has not seen, though the service has them: nothing of them is absent, and they are asked for again.
@Suite struct LostPageTests {
    private static let since = #", "since": { "parameter": "s", "attribute": "Item.changed" }"#

    private func item(_ id: Int) -> String {
        #"{"id":\#(id),"changed":"2026-01-\#(id < 10 ? "0" : "")\#(id)T00:00:00Z"}"#
    }

    private func page(_ ids: [Int], _ more: String = "") -> String {
        let text = #"{"items":[\#(ids.map(item).joined(separator: ","))]\#(more)}"#
        return #"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#
    }

    private func mark(_ outcome: Sluice.Outcome) -> String? { outcome.mark()?.prefix(10).description }

    private func reasons(_ outcome: Sluice.Outcome) -> [String] {
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        return examples.filter { $0["kind"] as? String == "unmatched" }.compactMap { $0["reason"] as? String }
    }

    /// Where the newest come first, what is behind a way that is lost is older than what has come.
    @Test(arguments: [[12, 11, 10, 9], [9, 10, 11, 12], [11, 12, 9, 10], [9, 9, 9, 9]])
    func whatIsBehindALostWayIsAskedForAgain(_ ids: [Int]) throws {
        let pages = #", "pages": { "next": "$.next", "size": 4 }"#
        let service = FaultyServer.shared.service([page([2, 1], #","next":"?2""#), page([], "")])
        let scene = try WebScene("\(service.member)\(pages)\(LostPageTests.since)")
        #expect(mark(try scene.run()) == "2026-01-02")
        service.post("[\(page(ids))]")
        let outcome = try scene.run()
        #expect(outcome.status == 0 && reasons(outcome) == ["pages.next"], "\(outcome.errors)")
        // In the order of their values, all that is lacking comes behind.
        #expect(mark(outcome) == (ids == [9, 10, 11, 12] ? "2026-01-12" : "2026-01-02"))
    }

    /// A page without a byte, which the one before has named, is no end that a service means.
    @Test(arguments: ["more", "cursor", "next", "link"], [200, 204])
    func aPageThatIsNamedAndHasNoByte(_ style: String, _ status: Int) throws {
        let keys = [
            "more": #""number": "p", "more": "$.more""#, "cursor": #""cursor": "$.next", "parameter": "c""#,
            "next": #""next": "$.next""#, "link": #""link": "next""#,
        ]
        let head = style == "link" ? #", "headers":[["Link","<?2>; rel=\"next\""]]"# : ""
        let first = page([5, 4], #","next":"?2","more":true"#).dropLast() + head + "}"
        let service = FaultyServer.shared.service([
            first + "", page([3, 2], #","next":null,"more":false"#),
        ])
        let scene = try WebScene(
            "\(service.member), \"pages\": { \(keys[style] ?? "") }",
            settings: #""limits": { "deletes": "100%" },"#, entity: #", "absent": "delete""#)
        #expect(try scene.run().status == 0)
        service.post(#"[\#(first), {"status":\#(status),"body":""}]"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(reasons(outcome) == (status == 204 ? [] : ["pages.blank"]))
        #expect(outcome.count("Item", "deleted") == (status == 204 ? 2 : 0))
    }

    @Test func aPageWithoutAByteHoldsTheMark() throws {
        let first = page([5, 4], #","next":"?2""#)
        let service = FaultyServer.shared.service([first, #"{"body":""}"#])
        let scene = try WebScene("\(service.member), \"pages\": { \"next\": \"$.next\" }\(LostPageTests.since)")
        let outcome = try scene.run()
        #expect(outcome.status == 0 && mark(outcome) == nil && reasons(outcome) == ["pages.blank"], "\(outcome.errors)")
    }
}
