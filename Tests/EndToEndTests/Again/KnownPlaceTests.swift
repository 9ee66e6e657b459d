import Foundation
import TestSupport
import Testing

/// Items that are known by their bytes, where something that matters is not in them.
@Suite struct KnownPlaceTests {
    private let folder = TemporaryFolder()

    private func run(_ entities: String, _ feed: String, _ options: [String] = []) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", feed)
        let definition = try folder.write(
            "p.jsonc",
            #"{ "source": { "file": "feed.json" }, "store": { "sqlite": "p.sqlite" }, "entities": { \#(entities) } }"#)
        let outcome = try Sluice.run(["run", definition, "--format", "json"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func objects(_ entity: String) throws -> [String] {
        try Database(folder.file("p.sqlite")).rows("SELECT id FROM \(entity) ORDER BY id").map { $0[0] }
    }

    private let filling = String(repeating: "x", count: 100)

    /// What a condition on an index leaves out tonight, it may take tomorrow.
    @Test func recordsAtAnotherIndex() throws {
        let days = #"""
            "Train": { "records": "$.days[*].trains[*]", "where": { "^^~": { "<": 3 } }, "identifier": "id",
              "attributes": { "id": "text" } }
            """#
        func timetable(_ days: Range<Int>) -> String {
            let all = days.map {
                #"{ "day": \#($0), "text": "\#(filling)", "trains": [{ "id": "\#($0)-1" }, { "id": "\#($0)-2" }] }"#
            }
            return #"{ "days": [\#(all.joined(separator: ", "))] }"#
        }
        _ = try run(days, timetable(0..<8))
        #expect(try objects("Train") == ["0-1", "0-2", "1-1", "1-2", "2-1", "2-2"])
        let outcome = try run(days, timetable(2..<10))
        #expect(outcome.count("Train", "records") == 6 && outcome.count("Train", "created") == 4)
    }

    /// Of two entities of one list, one takes all records, and the other the first ones.
    @Test func entitiesOfOneList() throws {
        let songs = #"""
            "Top": { "records": "$[*]", "where": { "~": { "<": 5 } }, "identifier": "id", "attributes": { "id": "text" } },
            "Song": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } }
            """#
        func chart(_ songs: String) -> String {
            "[" + songs.map { #"{ "id": "\#($0)", "text": "\#(filling)" }"# }.joined(separator: ", ") + "]"
        }
        _ = try run(songs, chart("abcdefghij"))
        #expect(try objects("Top") == ["a", "b", "c", "d", "e"])
        let outcome = try run(songs, chart("fghijabcde"))
        #expect(outcome.count("Top", "created") == 5)
        #expect(try objects("Top").count == 10)
    }

    /// A page of which nothing counts is no page without records, which ends the feed.
    @Test func pagesOfWhichNothingCounts() throws {
        func item(_ id: Int, _ kind: String, _ text: String = "some text ") -> String {
            #"{"id":\#(id),"kind":"\#(kind)","text":"\#(String(repeating: text, count: 12))"}"#
        }
        func page(_ number: Int, _ items: [String]) -> String {
            // The list begins where items that are known are looked for at once.
            """
            {
              "page": \(number),
              "per_page": 25,
              "service": "timetables of the county of Rutland and of its neighbours, release (26)",
              "items": [
                \(items.joined(separator: ",\n    "))
              ]
            }
            """
        }
        func pages(_ text: String) -> [String] {
            let first = (1..<20).map { item($0, $0 % 2 == 0 ? "a" : "b", $0 == 3 ? text : "some text ") }
            let none = (20..<23).map { item($0, "c") }
            let last = (40..<43).map { item($0, $0 % 2 == 0 ? "a" : "b", $0 == 41 ? text : "some text ") }
            return [page(1, first + none), page(2, (30..<40).map { item($0, "c") }), page(3, last), page(4, [])]
        }
        func steps(_ text: String) throws -> [[String: String]] { pages(text).map { ["body": $0] } }
        let service = FaultyServer.shared.service([])
        let kind = #"""
            "records": "$.items[*]", "kind": "kind", "identifier": "id", "absent": "delete",
            "attributes": { "id": "integer", "text": "text" }
            """#
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { \(service.member), "pages": { "number": "page" } }, "store": { "sqlite": "p.sqlite" },
              "limits": { "deletes": "50%" }, "bases": { "E": { \(kind) } },
              "entities": { "a": { "like": "E" }, "b": { "like": "E" } } }
            """)
        for text in ["some text ", "later ", "at last "] {
            let script = try JSONSerialization.data(withJSONObject: steps(text))
            service.post(String(decoding: script, as: UTF8.self))
            let outcome = try Sluice.run(["run", definition, "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(["a", "b"].reduce(0) { $0 + (outcome.count($1, "records") ?? 0) } == 22)
            let known = outcome.report["known"] as? Int ?? -1
            #expect(known > 0 || text == "some text ")
            #expect(try objects("a").count + objects("b").count == 22)
        }
    }

    /// Whether records came in the order of their values is not known where some were not read: where a page has lost
    /// its way to the next one, the value stays.
    @Test func recordsInTheOrderOfTheirValues() throws {
        func page(_ items: [(id: String, updated: Int)], losesWay: Bool) throws -> String {
            let all = items.map {
                #"{"id":"\#($0.id)","updated":\#($0.updated),"text":"\#(filling)\#($0.id)"}"#
            }
            let step = ["body": #"{"items":[\#(all.joined(separator: ","))]\#(losesWay ? "" : #","next":null"#)}"#]
            return String(decoding: try JSONSerialization.data(withJSONObject: [step]), as: UTF8.self)
        }
        let service = FaultyServer.shared.service([])
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { \(service.member), "pages": { "next": "$.next", "size": 5 },
                "since": { "parameter": "since", "attribute": "A.updated" } },
              "store": { "sqlite": "p.sqlite" }, "limits": { "records": 0 }, "entities": {
                "A": { "records": "$.items[*]", "identifier": "id",
                  "attributes": { "id": "text", "updated": "integer", "text": "text" } } } }
            """)
        let nights = [
            [("a", 100), ("a2", 100), ("b", 100)], [("a", 100), ("a2", 100), ("c", 110), ("b", 100), ("d", 120)],
            [("e", 115)],
        ]
        for night in nights {
            service.post(try page(night, losesWay: night.count == 5))
            let outcome = try Sluice.run(["run", definition, "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(service.requests.last?.query == "since=100")
        #expect(try objects("A").contains("e"))
    }

    /// A key that is repeated around records is told each night.
    @Test func keysThatAreRepeatedAroundRecords() throws {
        let entities = #"""
            "Stop": { "records": "$.stations[*].stops[*]", "identifier": "id",
              "attributes": { "id": "text", "station": { "type": "text", "from": "^^.name" } } }
            """#
        func feed(_ stations: Int) -> String {
            let all = (0..<stations).map {
                let again = $0 == 6 ? #""name": "again", "# : ""
                return #"{ "name": "s\#($0)", \#(again)"text": "\#(filling)", "stops": [{ "id": "\#($0)" }] }"#
            }
            return #"{ "stations": [\#(all.joined(separator: ", "))] }"#
        }
        func drift(_ outcome: Sluice.Outcome) -> Int {
            (outcome.report["findings"] as? [String: Any])?["drift"] as? Int ?? -1
        }
        let first = drift(try run(entities, feed(10)))
        #expect(first > 0)
        #expect(drift(try run(entities, feed(11))) == first)
        #expect(drift(try run(entities, feed(12))) == first)
    }
}
