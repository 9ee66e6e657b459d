import Testing

@testable import Sluice
@testable import SluiceInit

/// What later records must have, as all of these do.
@Suite struct DraftRequiredTests {
    /// What a few records have is no promise of the next one, above all where it lies in an object of one kind.
    @Test(arguments: [(9, false, false), (10, true, false), (20, true, true)])
    func fewRecordsPromiseNothing(_ records: Int, _ isRequired: Bool, _ isInner: Bool) throws {
        let text = try InitRun.Draft.text(
            of: list(records) { #"{"id": \#($0), "name": "n\#($0 % 3)", "configMap": {"key": "c\#($0 % 4)"}}"# })
        #expect(text.contains(#""name": { "type": "text", "required": true }"#) == isRequired, "\(text)")
        #expect(text.contains(#""from": "configMap.key", "required": true }"#) == isInner, "\(text)")
    }

    @Test(arguments: [
        ("cookies", "Cookie"), ("movies", "Movie"), ("heroes", "Hero"), ("indices", "Index"), ("leaves", "Leaf"),
        ("caches", "Cache"), ("matrices", "Matrix"), ("categories", "Category"), ("boxes", "Box"), ("toes", "Toe"),
        ("Kunden", "Kunden"), ("lens", "Lens"), ("viruses", "Virus"),
    ]) func oneOfSeveral(_ several: String, _ one: String) { #expect(Names.entity(several) == one) }

    /// A version that is a day today may be another text tomorrow; nobody takes a price for a text.
    @Test func versionsAndPricesAreKnownByTheirNames() throws {
        let text = try InitRun.Draft.text(
            of: list(12) { #"{"id": \#($0), "api_version": "2024-09-\#(10 + $0)", "total_price": "\#($0).50"}"# })
        #expect(text.contains(#""api_version": { "type": "text", "required": true }"#), "\(text)")
        #expect(text.contains("\"total_price\": { \"type\": \"decimal\", \"required\": true }\n"), "\(text)")
    }
}
