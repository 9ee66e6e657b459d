import Testing

@testable import Sluice
@testable import SluiceInit

/// Texts in the place of objects.
@Suite struct DraftTextTests {
    /// Hardly a text among objects keeps their members from being attributes.
    @Test(arguments: [(50, true), (10, false)])
    func membersOfObjectsAreAttributesBesideTexts(_ step: Int, _ areAttributes: Bool) throws {
        let feed = list(100) { book in
            let object = #"{"year": \#(1980 + book % 45), "city": "C\#(book % 7)"}"#
            return #"{"id": \#(book), "publication": \#(book % step == 3 ? #""unknown""# : object)}"#
        }
        let (draft, report) = try InitRun.Draft.run(of: feed)
        let text = unfolded(draft)
        #expect(text.contains(#""from": "publication.year""#) == areAttributes, "\(text)")
        #expect(text.contains(#""publication": "json""#) != areAttributes, "\(text)")
        #expect(
            text.contains(#""publication" is a text in 2 of 100, which no attribute has"#) == areAttributes, "\(text)")
        #expect(report.entities.map(\.counts.created) == [100], "\(text)")
    }
}
