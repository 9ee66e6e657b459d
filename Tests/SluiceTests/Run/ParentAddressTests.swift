import Testing

@testable import Sluice
@testable import SluiceDefinition

/// Where the values of a record stand in an address.
struct ParentAddressTests {
    private func told(_ url: [WebSource.Parents.Piece], _ values: [String?]) -> String {
        switch ParentAddress(url).outcome({ values[$0] }) {
        case .address(let address, _): address
        case .none: "none"
        case .misfit(let attribute, let part): "\(attribute) \(part)"
        }
    }

    private static let path: [WebSource.Parents.Piece] = [
        .text("https://a.org/s/"), .attribute(0), .attribute(1), .text("/d?q=/"), .attribute(2), .text("#/"),
    ]

    @Test(
        arguments: [
            (["a", "b", "c"], "https://a.org/s/ab/d?q=/c#/"), (["a/..", "", ".."], "https://a.org/s/a%2F../d?q=/..#/"),
            (["..", "", "c"], "1 .."), ([".", ".", "c"], "1 .."), (["", ".", "c"], "1 ."), (["", "", "c"], "1 "),
            (["...", "", ""], "https://a.org/s/.../d?q=/#/"), (["a", nil, "c"], "none"), (["a", "b", nil], "none"),
            (["%2e", "\\", "é"], "https://a.org/s/%252e%5C/d?q=/%C3%A9#/"),
        ] as [([String?], String)])
    func valuesStayInTheirPart(_ values: [String?], _ expected: String) {
        #expect(told(ParentAddressTests.path, values) == expected)
    }

    /// Of the query only what the record says is shown.
    @Test func secretsAreNotShown() {
        let url: [WebSource.Parents.Piece] = [
            .text("https://a.org/s/"), .attribute(0), .text("/d?key=secret&n="), .attribute(1), .text(".x&more#"),
        ]
        guard case .address(_, let shown) = ParentAddress(url).outcome({ ["a b", "7"][$0] }) else {
            Issue.record("no address")
            return
        }
        #expect(shown == "https://a.org/s/a%20b/d?n=7.x")
    }

    @Test func whatIsWrittenStays() {
        #expect(told([.text("http://a/../"), .attribute(0), .text(".x//")], ["b"]) == "http://a/../b.x//")
        #expect(told([.text("http://a/."), .attribute(0)], ["."]) == "0 ..")
    }
}
