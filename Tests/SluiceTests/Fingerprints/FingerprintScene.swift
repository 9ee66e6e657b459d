import DefinitionSupport
import Foundation
import SluiceDefinition
import SluiceRecords
import TestSupport

@testable import Sluice
@testable import SluiceStoreSQLite

/// A random pipeline whose feed changes from night to night: every other record stays what it was.
struct FingerprintScene {
    enum Form { case document, list, lines, sequence, pages, table, members }

    /// What becomes of a feed from one night to the next.
    enum Change: CaseIterable {
        case nothing, someValues, manyValues, order, copies, absentRecords, absentTargets, badValues, newRecords, spaces
        case fields, cut, edits, trigger, definitionOrder, otherList
    }

    private var random: SeededRandom
    let form: Form
    let definition: String
    private var places: [[String: Any]] = []
    private var visits: [[String: Any]] = []

    /// The service that gives the feed, where it comes in pages.
    private let service: FaultyService?

    /// - Parameter form: nil: one of those of files.
    init(seed: Int, form: Form? = nil) {
        var random = SeededRandom(seed)
        let form = form ?? [.document, .list, .lines, .sequence][random.below(4)]
        self.form = form
        service = form == .pages ? FaultyServer.shared.service([]) : nil
        var source = #""file": "feed.\#(form == .lines || form == .sequence ? "ndjson" : "json")""#
        if let service {
            source = #""url": "\#(service.file("0").url)", "pages": { "next": "$.next" }, "retries": 0"#
            source += ["", #", "resume": "1h""#, #", "cache": "1 MB""#][random.below(3)]
        }
        if form == .table { source = #""file": "feed.csv""# }
        let text =
            form == .table
            ? FingerprintScene.tableDefinition(&random) : FingerprintScene.definition(form, &random)
        definition = text.replacing("SOURCE", with: source)
        self.random = random
        for number in 0..<[3, 40, 150][self.random.below(3)] { visits.append(visit(number)) }
        for number in 0..<50 { places.append(place(number)) }
    }

    var feedName: String {
        form == .table ? "feed.csv" : form == .lines || form == .sequence ? "feed.ndjson" : "feed.json"
    }

    // MARK: The definition

    /// What a run asks before it saves; rows name objects with their places, be their records known or read.
    private static let checks = #"""
        "checks": {
          "costs": { "entity": "Visit", "limit": null, "sql": "SELECT id, cost FROM \"Visit\" WHERE cost > 1 ORDER BY id" },
          "gone": { "entity": "Visit", "limit": null,
            "sql": "SELECT id FROM previous.\"Visit\" EXCEPT SELECT id FROM \"Visit\" ORDER BY id" } },
        """#

    private static func definition(_ form: Form, _ random: inout SeededRandom) -> String {
        func one(_ words: String...) -> String { words[random.below(words.count)] }
        let all =
            switch form {
            case .document, .pages: ("$.visits[*]", "$.places[*]")
            case .members: ("$.visits.*", "$.places.*")
            case .list: ("$[*]", "$[*]")
            case .lines, .sequence, .table: ("$", "$")
            }
        let (visits, places) = all
        let (isVisit, isPlace) =
            form == .document || form == .pages
            ? ("", "") : (#""where": { "kind": "visit" }, "#, #""where": { "kind": "place" }, "#)
        let missing = one("null", "stub", "reject")
        let absent = one("keep", "delete", "mark")
        let copies = one("last", "first", "reject")
        let others = one("", #", "Other""#)
        let keys = form == .members ? one("", #""key": { "type": "text", "from": "~" }, "#) : ""
        // The records at the beginning of their list: their bytes do not tell where they stand.
        let kind = isVisit.isEmpty ? "" : #""kind": "visit", "#
        let index = form == .members ? #"["note", "k90"]"# : #"{ "<": 3 }"#
        let first = """
            "First": { "records": "\(visits)", "where": { \(kind)"~": \(index) }, "identifier": "id",
              "attributes": { "id": "integer" } },
            """
        let beginnings = form == .lines || form == .sequence ? "" : one("", first)
        let lists = one(
            "",
            """
            "trips": { "to": "Place", "by": "code", "from": "trips[*]", "many": true },
            "seen": { "to": "Place", "from": "seen[*].id", "many": true, "set": \(one("true", "false")),
              "with": { "rank": { "type": "integer" } } },
            """)
        return """
            { "source": { SOURCE },
              "store": STORE, "batchSize": \(one("1", "3", "50", "5000")),
              "limits": { "rejects": null, "deletes": null }, \(checks) "entities": {
                "Visit": { "records": "\(visits)", \(isVisit)"identifier": "id", "absent": "\(absent)",
                  "duplicates": "\(copies)",
                  "attributes": { "id": "integer", \(keys)"note": "text", "cost": { "type": "real", "onAbsent": "\(one("keep", "null"))" },
                    "tags": { "type": "text", "many": true, "from": "tags[*]" }, "meta": { "type": "json" },
                    "paid": { "type": "decimal", "default": 0 }, "sort": { "type": "text", "map": { "a": "first", "*": "other" } } },
                  "relationships": {
                    "host": { "to": ["Place", "Guest"], "entity": { "from": "host.kind", "map": { "p": "Place", "g": "Guest" } },
                      "from": "host.id" },
                    "twin": { "to": "Place", "by": "code" }, \(lists)
                    "any": { "to": ["Place", "Guest"\(others)] },
                    "place": { "to": "Place", "missing": "\(missing)", "onDelete": "\(one("nullify", "cascade"))" } } },
                \(beginnings)
                "Stay": { "records": "\(visits).stays[*]", "identifier": ["visit", "day"], "absent": "\(absent)",
                  "attributes": { "visit": { "type": "integer", "from": "^^.id" }, "day": "date" },
                  "relationships": { "room": { "to": "Place", "from": "room", "onDelete": "\(one("nullify", "cascade"))" } } },
                "Place": { "records": "\(places)", \(isPlace)"identifier": "id", "absent": "\(absent)",
                  "duplicates": "\(copies)", \(missing == "stub" ? #""orphans": "delete","# : "")
                  "attributes": { "id": "text", "size": "integer", "code": "text" },
                  "relationships": { "part": { "to": "Place" } } },
                "Other": { "records": "\(places)", "where": { "kind": "place", "size": 4 }, "identifier": "id",
                  "attributes": { "id": { "type": "text", "from": "code" } } },
                "Guest": { "records": "\(visits).guests[*]", "identifier": "id", "absent": "\(absent)",
                  "attributes": { "id": "integer", "name": "text" } } } }
            """
    }

    /// Of a table: what a row can say.
    private static func tableDefinition(_ random: inout SeededRandom) -> String {
        func one(_ words: String...) -> String { words[random.below(words.count)] }
        let (absent, copies) = (one("keep", "delete", "mark"), one("last", "first", "reject"))
        return """
            { "source": { SOURCE }, "store": STORE, "batchSize": \(one("1", "3", "50", "5000")),
              "limits": { "rejects": null, "deletes": null }, \(checks) "entities": {
                "Visit": { "records": "$", "where": { "kind": "visit" }, "identifier": "id", "absent": "\(absent)",
                  "duplicates": "\(copies)",
                  "attributes": { "id": "integer", "note": "text", "cost": "real", "sort": "text" },
                  "relationships": {
                    "place": { "to": "Place", "missing": "\(one("null", "stub", "reject"))", "onDelete": "\(one("nullify", "cascade"))" } } },
                "Place": { "records": "$", "where": { "kind": "place" }, "identifier": "id", "absent": "\(absent)",
                  "attributes": { "id": "text", "size": "integer", "code": "text" },
                  "relationships": { "part": { "to": "Place" } } },
                "Other": { "records": "$", "where": { "kind": "place", "size": "4" }, "identifier": "id",
                  "attributes": { "id": { "type": "text", "from": "code" } } },
                "Guest": { "records": "$", "where": { "kind": "guest" }, "identifier": "id",
                  "attributes": { "id": "integer", "name": { "type": "text", "from": "note" } } } } }
            """
    }

    /// What the columns of a table are called; two may change their names with each other, and the cells stay.
    private var header = FingerprintScene.columns
    private static let columns = ["kind", "id", "note", "extra", "cost", "sort", "place", "size", "code", "part"]

    private mutating func table() -> String {
        let end = ["\n", "\r\n"][random.below(2)]
        let rows = (visits + places).map { record in
            FingerprintScene.columns.map { column in
                let value = record[column] ?? ""
                let text = value is NSNull ? "" : "\(value)"
                let isQuoted = text.contains { ",\"\n\r".contains($0) } || column == "sort"
                return isQuoted ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
            }.joined(separator: ",")
        }
        return ([header.joined(separator: ",")] + rows).joined(separator: end) + (random.below(2) == 0 ? end : "")
    }

    // MARK: Records

    private mutating func visit(_ number: Int) -> [String: Any] {
        let notes: [Any] = [note(), note(), note(), note(), "é ☃ 𝄞", "\\ \" ]}", NSNull(), "a[b{c"]
        var visit: [String: Any] = ["kind": "visit", "id": number, "note": notes[random.below(notes.count)]]
        if random.below(3) > 0 { visit["cost"] = Double(random.below(100)) / 4 }
        if random.below(2) == 0 { visit["place"] = "p\(random.below(60))" }
        if random.below(2) == 0 {
            visit["seen"] = (0..<random.below(4)).map { ["id": "p\(random.below(60))", "rank": $0] as [String: Any] }
        }
        if random.below(3) == 0 { visit["tags"] = (0..<random.below(3)).map { "t\($0)" } }
        if random.below(3) == 0 { visit["meta"] = ["b": [1, "two", NSNull()], "a": "\u{1f600}"] as [String: Any] }
        if random.below(3) == 0 { visit["paid"] = [1, "2.50", NSNull()][random.below(3)] }
        if random.below(2) == 0 { visit["sort"] = ["a", "b"][random.below(2)] }
        if random.below(4) == 0 {
            visit["host"] =
                random.below(2) == 0
                ? ["kind": "p", "id": "p\(random.below(60))"] : ["kind": "g", "id": "\(number * 10)"]
        }
        if random.below(4) == 0 {
            visit["stays"] = (1...1 + random.below(3)).map {
                ["day": "2026-01-0\($0)", "room": "p\(random.below(60))"]
            }
        }
        if random.below(4) == 0 {
            visit["guests"] = (0..<random.below(3)).map { ["id": number * 10 + $0, "name": "g\(random.below(3))"] }
        }
        if random.below(4) == 0 { visit["twin"] = "c\(random.below(12))" }
        if random.below(6) == 0 { visit["trips"] = (0..<random.below(3)).map { _ in "c\(random.below(12))" } }
        if random.below(4) == 0 {
            visit["any"] = ["p\(random.below(60))", "\(number * 10)", "c\(random.below(9))"][random.below(3)]
        }
        if random.below(8) == 0 { visit["unknown"] = [1, "s", NSNull()][random.below(3)] }
        return visit
    }

    /// All of one length: who takes a part of the hash for the whole meets two that are alike.
    private mutating func note() -> String { "note \(1000 + random.below(9000))" }

    private mutating func place(_ number: Int) -> [String: Any] {
        var place: [String: Any] = ["kind": "place", "id": "p\(number)"]
        if random.below(3) > 0 { place["size"] = random.below(5) }
        if random.below(3) == 0 { place["part"] = "p\(random.below(60))" }
        if number < 12 ? random.below(8) > 0 : random.below(20) == 0 { place["code"] = "c\(number % 12)" }
        if random.below(3) == 0 { place["unused"] = random.below(2) }
        return place
    }

    // MARK: Nights

    /// What a program does to a store between two nights, the same for both stores.
    mutating func edit() -> [String] {
        let object = 1 + random.below(40)
        let edits = [
            #"UPDATE "Visit" SET "note" = 'edited' WHERE "objectID" % 3 = \#(object % 3)"#,
            #"UPDATE "Place" SET "size" = 77 WHERE "objectID" = \#(object)"#,
            #"UPDATE "Visit" SET "place" = NULL WHERE "objectID" >= \#(object)"#,
            #"DELETE FROM "\#(form == .table ? "Guest" : "Stay")" WHERE "objectID" >= \#(object)"#,
            definition.contains("\"seen\"")
                ? #"DELETE FROM "Visit_seen" WHERE "source" <= \#(object)"#
                : #"DELETE FROM "Guest" WHERE "objectID" <= \#(object)"#,
        ]
        return [edits[random.below(edits.count)]]
    }

    /// Changes the feed, and says how.
    mutating func change() -> Change {
        let change = Change.allCases[random.below(Change.allCases.count)]
        switch change {
        case .nothing, .spaces, .cut, .edits, .trigger, .definitionOrder: break
        case .someValues: changeValues(1 + visits.count / 10)
        case .manyValues: changeValues(1 + visits.count)
        case .order:
            visits.shuffle(using: &random)
            places.shuffle(using: &random)
        case .copies:
            var copy = visits[random.below(visits.count)]
            if random.below(2) == 0 { copy["note"] = "copy" }
            visits.insert(copy, at: random.below(visits.count))
        case .absentRecords: if visits.count > 3 { visits.remove(at: random.below(visits.count)) }
        case .absentTargets: if places.count > 3 { places.remove(at: random.below(places.count)) }
        case .badValues: visits[random.below(visits.count)]["cost"] = random.below(2) == 0 ? "none" : 1.5
        case .otherList:
            // With the same bytes, in a list whose records are others.
            if places.count > 3 { visits.insert(places.removeLast(), at: 0) }
            if visits.count > 3 { places.insert(visits.remove(at: random.below(visits.count)), at: 0) }
        case .newRecords:
            visits.append(visit(1000 + random.below(50)))
            places.append(place(50 + random.below(20)))
        case .fields where form == .table: header.swapAt(2, 3)
        case .fields: visits[random.below(visits.count)]["field\(random.below(3))"] = 1
        }
        return change
    }

    private mutating func changeValues(_ count: Int) {
        for _ in 0..<count { visits[random.below(visits.count)]["note"] = note() }
        for _ in 0..<3 { places[random.below(places.count)]["size"] = random.below(9) }
    }

    /// Has the feed be read as it is now, from the folder or from the service.
    mutating func publish(cut: Bool, to folders: [String]) throws {
        guard let service else {
            let feed = try feed(cut: cut)
            for folder in folders { try feed.write(to: URL(fileURLWithPath: folder + "/" + feedName)) }
            return
        }
        let count = 1 + random.below(4)
        var answers: [String: String] = [:]
        let broken = cut ? random.below(count) : -1
        for page in 0..<count {
            func part(_ records: [[String: Any]]) -> [[String: Any]] {
                Array(records[records.count * page / count..<records.count * (page + 1) / count])
            }
            var value: [String: Any] = ["visits": part(visits), "places": part(places)]
            if page + 1 < count { value["next"] = "\(page + 1)" }
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
            answers["\(page)"] = page == broken ? String(text.dropLast(1 + random.below(text.count / 2))) : text
        }
        let script = try JSONSerialization.data(withJSONObject: [["answers": answers]])
        service.post(String(decoding: script, as: UTF8.self))
    }

    /// Members of an object: with keys that are those of records, escaped, repeated, and that paths name; and some that
    /// are no records.
    private func named(_ records: [String]) -> [String] {
        var members = records.enumerated().map { index, record in
            let key = [
                #"k\#(record.utf8.count)"#, "note", #"\u00e9 \#(index)"#, "é\(index)", "k\(index)", "k\(index)",
            ][index % 6]
            return #""\#(key)"\#(index % 4 == 0 ? " : " : ":")\#(record)"#
        }
        members.insert(#""none": null"#, at: members.count / 2)
        return members
    }

    /// The feed as it is now, with white space between its records as it comes.
    mutating func feed(cut: Bool) throws -> Data {
        let space = ["", "", " ", "\n"][random.below(4)]
        func text(_ records: [[String: Any]]) throws -> [String] {
            try records.map {
                String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
            }
        }
        let (visits, places) = (try text(visits), try text(places))
        let whole =
            switch form {
            case .document, .pages:
                #"{"version":1,"visits":["# + visits.joined(separator: "," + space) + "]," + space + #""places":["#
                    + places.joined(separator: "," + space) + "]}"
            case .members:
                #"{"visits":{"# + named(visits).joined(separator: "," + space) + "}," + space + #""places":{"#
                    + named(places).joined(separator: "," + space) + "}, \"version\": 1}"
            case .list: "[" + (visits + places).joined(separator: "," + space) + "]"
            case .lines: (visits + places).joined(separator: "\n") + "\n"
            case .table: table()
            case .sequence: (visits + places).map { "\u{1e}" + $0 + "\n" }.joined()
            }
        let bytes = Data(whole.utf8)
        return cut ? bytes.prefix(random.below(bytes.count)) : bytes
    }
}
