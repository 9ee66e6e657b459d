import SluiceRecords
import Testing

@testable import SluiceExtract

/// What it takes to follow the paths of many entities.
@Suite struct AutomatonTests {
    /// The items that all states hold together, once each entity's records have been met.
    private func itemCount(_ count: Int, _ path: (Int) -> String, slots: [String]) throws -> Int {
        let entities = (0..<count).map {
            entity("E\($0)", Path(stringLiteral: path($0)), slots: slots.map(Slot.init(stringLiteral:)))
        }
        let automaton = Automaton(model: Model(entities: entities), source: 0)
        let feed = automaton.next(automaton.root, index: 0)
        for number in 0..<count {
            let symbol = try #require(automaton.symbols.names[Array("e\(number)".utf8)])
            let record = automaton.next(automaton.next(feed, symbol: symbol), index: 0)
            let template = automaton.tables.infos[Int(record)].template
            #expect(automaton.templates[Int(template)].entities == [number])
        }
        return automaton.states.all.reduce(0) { $0 + $1.items.count }
            + automaton.searches.all.reduce(0) { $0 + $1.items.count }
    }

    /// Twice the entities, twice the work; once, all states below `..` held all paths.
    @Test(arguments: [
        (".", ["id"]), ("..", ["id"]), (".", ["id", "^^.id"]), ("..", ["id", "$.version"]),
    ])
    func growsWithTheNumberOfEntities(_ step: String, _ slots: [String]) throws {
        let path = { (number: Int) in "$\(step)e\(number)[*]" }
        let few = try itemCount(50, path, slots: slots)
        let many = try itemCount(100, path, slots: slots)
        #expect(many <= 2 * few)
    }
}
