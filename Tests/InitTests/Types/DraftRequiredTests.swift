import Testing

@testable import Sluice
@testable import SluiceInit

/// What later records may lack, though all of these have it.
@Suite struct DraftRequiredTests {
    /// One feed is no promise of the next one: a night is not to fail for what one record leaves out. The draft says
    /// how to ask for more.
    @Test func whatAllHaveIsNotRequired() throws {
        let text = try InitRun.Draft.text(
            of: list(200) { #"{"id": \#($0), "name": "n\#($0)", "part": {"key": "c\#($0 % 4)"}}"# })
        #expect(!text.contains(#""required": true }"#), "\(text)")
        #expect(text.contains("// What no comment calls null or absent is in all records; "), "\(text)")
    }

    /// Who begins with a draft hears of objects that go before the first of them does.
    @Test func whatBecomesOfObjectsThatGo() throws {
        let text = try InitRun.Draft.text(of: list(30) { #"{"id": \#($0), "name": "n\#($0)"}"# })
        #expect(
            text.contains(#"// Objects that a later feed lacks stay; "absent": "delete" or "mark" in an entity"#),
            "\(text)")
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
        #expect(text.contains(#""api_version": "text""#), "\(text)")
        #expect(text.contains("\"total_price\": \"decimal\"\n"), "\(text)")
    }
}
