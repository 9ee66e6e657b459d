import Testing

@testable import SluiceKnown

@Suite struct ExcludedObjectsTests {
    @Test("The objects are those of the lists, whatever bits they share with others", arguments: [0, 1, 7, 3000])
    func contains(count: Int) {
        var random = SystemRandomNumberGenerator()
        let range = Int64(1)...(1 << 36)
        var lists = (0..<3).map { _ in (0..<count).map { _ in Int64.random(in: range, using: &random) } }
        lists[2] += lists[2]
        let others: [[Int64]] = [[5], lists[0]]
        let excluded = ExcludedObjects(waiting: lists, others: others)
        let sets = [Set(lists[0] + [5]), Set(lists[1] + lists[0]), Set(lists[2])]
        let neighbours = sets.joined().flatMap { [$0 - 1, $0, $0 + 64, $0 ^ (1 << 30)] }
        for objectID in neighbours {
            for entity in 0..<3 {
                #expect(excluded.contains(objectID, of: entity) == sets[entity].contains(objectID))
            }
            #expect(excluded.mayContain(objectID) || !sets.contains { $0.contains(objectID) })
        }
    }

    @Test("Where there are none, no bit says that there may be one")
    func empty() {
        let excluded = ExcludedObjects(waiting: [[], []], others: [])
        #expect(!(0..<200).contains { excluded.mayContain($0) })
    }
}
