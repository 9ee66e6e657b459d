import Foundation
import SluiceDefinition
import SluiceRecords
import TestSupport

@testable import Sluice
@testable import SluiceStoreSQLite

/// A definition with a value of each type, and each kind of relationship.
enum ProgramScene {
    static let entities: JSONValue = [
        "Station": [
            "records": ["$.stations[*]", "$"], "where": ["kind": "station"], "duplicates": "last",
            "identifier": ["network", "number"],
            "attributes": [
                "network": "text", "number": "integer", "name": ["type": "text", "default": "?"],
                "height": "real", "fare": "decimal", "isOpen": "boolean", "opened": "date",
                "seen": ["type": "datetime", "format": "unix", "onAbsent": "null"], "extra": "json",
                "signature": "bytes",
            ],
            "relationships": [
                "parent": ["to": "Station", "identifier": ["network", "above"], "missing": "stub"],
                "lines": ["to": "Line", "from": "lines[*]", "many": true],
                "owner": ["to": ["Line", "Firm"], "from": "owner.id", "entity": "owner.type"],
            ],
        ],
        "Line": [
            "records": "$", "where": ["kind": "line"], "identifier": "code", "attributes": ["code": "text"],
            "relationships": [
                "ends": [
                    "to": "Station", "identifier": ["ends[*].network", "ends[*].number"], "many": true,
                ]
            ],
        ],
        "Firm": ["records": "$", "where": ["kind": "firm"], "identifier": "id", "attributes": ["id": "integer"]],
    ]

    static func definition(_ store: String) throws -> PipelineDefinition {
        try PipelineDefinition(
            named: "program",
            [
                "source": ["file": "-", "format": "lines"], "store": ["sqlite": .text(store)],
                "limits": ["records": 0, "rejects": nil], "entities": entities,
            ])
    }

    /// A record as a program makes it, and as a line of a feed.
    typealias Both = (record: FeedRecord, line: String)

    static func records(_ count: Int, _ random: inout SeededRandom) -> [Both] {
        (0..<count).map { _ in
            switch random.below(4) {
            case 0: line(&random)
            case 1: firm(&random)
            default: station(&random)
            }
        }
    }

    private static func firm(_ random: inout SeededRandom) -> Both {
        let id = random.below(6)
        return (FeedRecord("Firm", ["id": .integer(Int64(id))]), #"{"kind":"firm","id":\#(id)}"#)
    }

    private static func line(_ random: inout SeededRandom) -> Both {
        let code = "L\(random.below(6))"
        let ends = (0..<random.below(4)).map { _ in (random.below(2), random.below(8)) }
        let record = FeedRecord(
            "Line",
            ["code": .text(code), "ends": .list(ends.map { ["N\($0.0)", .integer(Int64($0.1))] })])
        let objects = ends.map { #"{"network":"N\#($0.0)","number":\#($0.1)}"# }.joined(separator: ",")
        return (record, #"{"kind":"line","code":"\#(code)","ends":[\#(objects)]}"#)
    }

    private static func station(_ random: inout SeededRandom) -> Both {
        let (network, number, above) = ("N\(random.below(2))", random.below(8), random.below(9))
        var values: [String: FeedValue] = ["network": .text(network), "number": .integer(Int64(number))]
        var members = [
            #""kind":"station""#, #""network":"\#(network)""#, #""number":\#(number)"#, #""above":\#(above)"#,
        ]
        values["parent"] = [.text(network), .integer(Int64(above))]
        func offer(_ name: String, _ choices: [(FeedValue, String)]) {
            // One in so many is absent.
            guard let choice = choices[safe: random.below(choices.count + 1)] else { return }
            values[name] = choice.0
            members.append("\"\(name)\":\(choice.1)")
        }
        offer(
            "name", [("Süd\0 \"x\"", #""Süd\u0000 \"x\"""#), (nil, "null"), ("b", "\"b\""), (3, "3"), (["a"], "[1]")])
        offer("height", [(1.5, "1.5"), (-2, "-2"), (1e300, "1e300"), ("high", "\"high\"")])
        offer("fare", [("12.340", "\"12.340\""), (7, "7"), (nil, "null")])
        offer("isOpen", [(true, "true"), (false, "false"), ("maybe", "\"maybe\"")])
        offer("opened", [("1882-02-07", "\"1882-02-07\""), ("1882-13-07", "\"1882-13-07\"")])
        offer("seen", [(1_700_000_000, "1700000000"), (nil, "null")])
        offer("extra", [(.json(["b": [1, nil]]), #"{"b":[1,null]}"#), (.json("x"), "\"x\""), (.json(nil), "null")])
        offer("signature", [(.bytes([0, 255, 7]), "\"AP8H\""), (.bytes([]), "\"\"")])
        offer("lines", [(["L1", "L2", "L1"], #"["L1","L2","L1"]"#), ([], "[]"), (nil, "null"), (["L9"], "[\"L9\"]")])
        offer(
            "owner",
            [
                (.target("Line", "L3"), #"{"type":"Line","id":"L3"}"#),
                (.target("Firm", 2), #"{"type":"Firm","id":2}"#),
                (.target("Tree", 2), #"{"type":"Tree","id":2}"#), (nil, #"{"type":null,"id":null}"#),
            ])
        return (FeedRecord("Station", values), "{" + members.joined(separator: ",") + "}")
    }

    /// All that a store holds of entities and links, by identifier: which objectIDs there are depends on the batches.
    static func content(_ store: String) throws -> [String] {
        let connection = try Connection(path: store, access: .read)
        return try [
            """
            SELECT s.network, s.number, s.name, s.height, s.fare, s.isOpen, s.opened, s.seen, s.extra, hex(s.signature),
                p.network, p.number, s.owner_entity, coalesce(l.code, f.id)
            FROM Station s LEFT JOIN Station p ON p.objectID = s.parent
                LEFT JOIN Line l ON l.objectID = s.owner AND s.owner_entity = 'Line'
                LEFT JOIN Firm f ON f.objectID = s.owner AND s.owner_entity = 'Firm'
            """,
            "SELECT code FROM Line", "SELECT id FROM Firm",
            """
            SELECT s.network, s.number, l.code, k.position
            FROM Station_lines k JOIN Station s ON s.objectID = k.source JOIN Line l ON l.objectID = k.target
            """,
            """
            SELECT l.code, s.network, s.number, k.position
            FROM Line_ends k JOIN Line l ON l.objectID = k.source JOIN Station s ON s.objectID = k.target
            """,
        ].flatMap { try rows(connection, $0).sorted() }
    }

    static func rows(_ connection: Connection, _ sql: String) throws -> [String] {
        let statement = try connection.prepare(sql)
        var rows: [String] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map { statement.isNull($0) ? "∅" : statement.text($0) }
                    .joined(separator: "|"))
        }
        return rows
    }

    static func folder() throws -> String {
        let folder = NSTemporaryDirectory() + "sluice-program-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// A sequence of what is in an array, which lets others go on now and then.
struct Told<Element: Sendable>: AsyncSequence, Sendable {
    let elements: [Element]
    var failure: (any Error)?

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Element>
        let failure: (any Error)?

        mutating func next() async throws -> Element? {
            if rest.count % 7 == 3 { await Task.yield() }
            if rest.isEmpty, let failure { throw failure }
            return rest.popFirst()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: elements[...], failure: failure) }
}
