import SluiceRecords
import TestSupport
import Testing

/// References that name an object of one of several entities, without saying which.
@Suite struct SearchedReferenceTests {
    private static let (person, place, visit) = (0, 1, 2)

    /// Persons are numbers, places are texts: 7 and 7.0 are one person and two places.
    private static func model(_ change: (inout Model) -> Void = { _ in }) -> Model {
        let targets: [(Int, [AttributeType])] = [(person, [.integer]), (place, [.text])]
        var model = Model(entities: [
            .forLoad("Person", identifier: [0], attributes: [("id", .integer)]),
            .forLoad("Place", identifier: [0], attributes: [("id", .text)]),
            .forLoad(
                "Visit", identifier: [0], attributes: [("id", .integer)],
                relationships: [.forLoad("about", targets), .forLoad("things", targets, isMany: true)]),
        ])
        change(&model)
        return model
    }

    /// A visit that refers to 7 or 7.0.
    private static func visit(_ about: Text?, _ things: [Text]?) -> TestRecord {
        let reference: [TestValue] = about.map { [.integer(7), .text($0)] } ?? [.absent, .absent]
        let links: [TestValue] =
            things.map { [.list($0.map { _ in .integer(7) }), .list($0.map { .text($0) })] } ?? [.absent, .absent]
        return TestRecord(entity: visit, values: [.integer(1)] + reference + links)
    }

    private static let seven = TestRecord(entity: person, values: [.integer(7)])

    /// What a lost reference waits for is what its record says, not what its target was.
    @Test(arguments: [1, 100])
    func aLostReferenceWaitsForWhatItsRecordSays(batchSize: Int) throws {
        let folder = TemporaryFolder()
        let model = Self.model { $0.entities[Self.person].absence.choice = .delete }
        let path = folder.file("store.sqlite")
        let record = Self.visit("7.0", ["7.0"])
        try load([Self.seven, record], model, into: path, batchSize: batchSize)
        #expect(try rows(path, "SELECT about_entity FROM Visit") == [["Person"]])
        // The person goes, and a place comes that the reference does not name.
        let feed = [TestRecord(entity: Self.place, values: [.text("7")]), record]
        let counts = try load(feed, model, into: path, batchSize: batchSize)
        #expect(try rows(path, "SELECT about FROM Visit") == [["∅"]])
        #expect(try rows(path, "SELECT * FROM Visit_things").isEmpty)
        #expect(counts[Self.visit].relationships.map(\.unresolved) == [1, 1])
        #expect(counts[Self.visit].updated == 1)
        let again = try load(feed, model, into: path, batchSize: batchSize)
        #expect(again[Self.visit].unchanged == 1)
    }

    /// Two values that wait, and name one object when it comes, are one link, at the first place.
    @Test func twoValuesOfOneTarget() throws {
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load([Self.visit(nil, ["7", "7.0"])], Self.model(), into: path, batchSize: 10)
        let counts = try load([Self.visit(nil, nil), Self.seven], Self.model(), into: path, batchSize: 10)
        #expect(counts[Self.visit].relationships[1].resolved == 1)
        #expect(counts[Self.visit].updated == 1)
        #expect(try rows(path, "SELECT position FROM Visit_things") == [["0"]])
    }

    /// Two ways to write one person are two things that records say, whether the person is there or not.
    @Test(arguments: [true, false])
    func copiesThatNameItDifferently(isThere: Bool) throws {
        let folder = TemporaryFolder()
        let feed = (isThere ? [Self.seven] : []) + [Self.visit("7", ["7"]), Self.visit("7.0", ["7"])]
        let counts = try load(feed, Self.model(), into: folder.file("store.sqlite"), batchSize: 10)
        #expect(counts[Self.visit].conflicting == 1)
    }
}
