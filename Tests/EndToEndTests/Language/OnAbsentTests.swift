import Foundation
import Testing

/// Feeds that leave out an empty key: `onAbsent` of relationships.
@Suite struct OnAbsentTests {
    private static func entities(_ onAbsent: String) -> String {
        """
        { "Task": {
            "records": "$.tasks[*]", "identifier": "id", "attributes": { "id": "integer", "title": "text" },
            "relationships": {
              "owner": { "to": "Person", "onAbsent": "\(onAbsent)" },
              "labels": { "to": "Label", "many": true, "from": "labels[*]", "onAbsent": "\(onAbsent)" } } },
          "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "text" } },
          "Label": { "records": "$.labels[*]", "identifier": "id", "attributes": { "id": "text" } } }
        """
    }

    private static let others = #""people": [{"id": "ann"}], "labels": [{"id": "x"}, {"id": "y"}]"#

    private static let query = """
        SELECT t.id, p.id, (SELECT group_concat(l.id) FROM Task_labels k JOIN Label l ON l.objectID = k.target
          WHERE k.source = t.objectID) FROM Task t LEFT JOIN Person p ON p.objectID = t.owner ORDER BY t.id
        """

    @Test(arguments: [("keep", "1 ann x,y", 2), ("clear", "1 ∅ ∅", 1)])
    func aKeyThatIsLeftOut(_ onAbsent: String, _ expected: String, _ unchanged: Int) throws {
        let scene = try LanguageScene(OnAbsentTests.entities(onAbsent))
        let first = #"{"id": 1, "title": "a", "owner": "ann", "labels": ["x", "y"]}, {"id": 2}"#
        #expect(try scene.run("{\"tasks\": [\(first)], \(OnAbsentTests.others)}").status == 0)
        #expect(try scene.lines(OnAbsentTests.query)[0] == "1 ann x,y")
        let second = #"{"id": 1, "title": "a"}, {"id": 2}"#
        let outcome = try scene.run("{\"tasks\": [\(second)], \(OnAbsentTests.others)}")
        #expect(try scene.lines(OnAbsentTests.query) == [expected, "2 ∅ ∅"])
        #expect(outcome.count("Task", "unchanged") == unchanged)
    }

    @Test func aReferenceThatWaitsWaitsNoMore() throws {
        let scene = try LanguageScene(OnAbsentTests.entities("clear"))
        try scene.run("{\"tasks\": [{\"id\": 3, \"owner\": \"bob\"}], \(OnAbsentTests.others)}")
        #expect(try scene.lines("SELECT count(*) FROM sluice_unresolved") == ["1"])
        try scene.run("{\"tasks\": [{\"id\": 3}], \(OnAbsentTests.others)}")
        #expect(try scene.lines("SELECT count(*) FROM sluice_unresolved") == ["0"])
    }
}
