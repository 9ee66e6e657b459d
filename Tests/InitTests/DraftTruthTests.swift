import Foundation
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceInit

/// What a draft says is so, and what it leaves out it says.
@Suite struct DraftTruthTests {
    /// The draft of a feed, and the report of its run.
    private func draft(_ feed: String, _ name: String = "feed.json") throws -> (text: String, report: RunReport) {
        try InitRun.Draft.run(of: feed, name)
    }

    private func created(_ report: RunReport) -> [Int] { report.entities.map { $0.counts.created } }

    // MARK: Identifiers

    @Test(arguments: ["json", "ndjson"])
    func whatOneRecordLacksIdentifiesTheOthers(_ ending: String) throws {
        let records = (0..<3000).map { number in
            let sku = number == 1000 ? "" : #""sku": "A\#(1_000_000 + number)", "#
            return #"{\#(sku)"price": "\#(number % 50).00", "status": "s\#(number % 3)", "listed": "d\#(number % 84)"}"#
        }
        let feed = ending == "json" ? "[\(records.joined(separator: ","))]" : records.joined(separator: "\n")
        let (text, report) = try draft(feed, "feed.\(ending)")
        #expect(text.contains(#""identifier": "sku""#), "\(text)")
        #expect(text.contains(#""where": { "sku": { "present": true, "not": null } }"#), "\(text)")
        #expect(text.contains(#"1 of 3,000 records has no "sku", which identifies all others"#), "\(text)")
        #expect(created(report) == [2999])
    }

    @Test func anIdentifierBehindVeryManyMembersIsFound() throws {
        let records = list(400) { number in
            let more = (0..<8).map { #""m\#(number * 8 + $0)": "x""# }.joined(separator: ",")
            return #"{"meta": {\#(more)}, "status": "s", "uuid": "00000000-0000-4000-8000-00000000\#(1000 + number)"}"#
        }
        let (text, _) = try draft(records)
        #expect(text.contains(#""identifier": "uuid""#), "\(text.prefix(600))")
    }

    /// As Asana and Kubernetes call them; what is in records by such a name is an entity.
    @Test(arguments: ["gid", "uid", "guid"])
    func identifiersAreCalledInSeveralWays(_ name: String) throws {
        let (text, _) = try draft(
            list(40) { number in
                let user = #"{"\#(name)": "12\#(number % 7)", "name": "N\#(number % 7)"}"#
                return #"{"title": "t\#(number % 5)", "\#(name)": "9\#(100 + number)", "author": \#(user)}"#
            })
        #expect(text.components(separatedBy: #""identifier": "\#(name)""#).count == 3, "\(text)")
        #expect(text.contains(#""author": { "to": "Author", "from": "author.\#(name)" }"#), "\(text)")
    }

    /// As Slack has messages: what is written in them is in their blocks, too, which do not refer to it.
    @Test func whatPeopleWriteIdentifiesNothing() throws {
        let (text, _) = try draft(
            list(30) { number in
                let answer = number % 3 == 0 ? "" : #", "thread_ts": "17574816\#(10 + number % 9 * 3).647750""#
                let said = "said \(number)"
                return #"{"text": "\#(said)", "blocks": [{"body": "\#(said)", "kind": "k\#(number % 2)"}],"#
                    + #" "ts": "17574816\#(10 + number).647750"\#(answer)}"#
            })
        #expect(text.contains(#""identifier": "ts""#) && text.contains(#""ts": "text""#), "\(text)")
        #expect(text.contains(#""thread_ts": { "to": "Feed" }"#), "\(text)")
    }

    /// In lists of lists, one place is not enough.
    @Test func placesInListsOfListsIdentifyTogether() throws {
        let (text, report) = try draft(
            "[" + (0..<5).map { _ in list(4) { #"{"a": \#($0 % 2)}"# } }.joined(separator: ",") + "]")
        #expect(text.contains("their place in the feed identifies them"), "\(text)")
        #expect(created(report) == [20], "\(text)")
    }

    /// Of many that say the same, nobody knows that they are copies.
    @Test func valuesOfASequenceThatNothingTellsApartAreCounted() throws {
        let records = (0..<60).map { #"{"a": "x\#($0 % 3)", "b": "y\#($0 % 5)"}"# }
        let (text, report) = try draft(records.joined(separator: "\n"), "feed.ndjson")
        #expect(text.contains("45 of 60 would be lost") && text.contains(#""identifier": "line""#), "\(text)")
        #expect(created(report) == [60])
    }

    // MARK: References

    @Test func referencesToASingleObjectAreFound() throws {
        let routes = list(6) { #"{"route_id": "\#($0 + 3)", "agency_id": "1", "name": "n\#($0)"}"# }
        let (text, _) = try draft(#"{"agency": [{"agency_id": "1", "name": "Metro"}], "routes": \#(routes)}"#)
        #expect(text.contains("all 6 found in Agency.agency_id") && !text.contains("none of"), "\(text)")
    }

    /// Those of objects in records are counted as the records'.
    @Test func referencesOfEmbeddedObjectsAreNotSaidToBeMissing() throws {
        let teams = list(4) { #"{"team_id": "t\#($0)", "title": "Team \#($0)"}"# }
        let posts = list(40) {
            #"{"nr": "n\#($0)", "user": {"id": "u\#($0 % 5)", "name": "N\#($0 % 5)", "team_id": "t\#($0 % 5 % 4)"}}"#
        }
        let (text, _) = try draft(#"{"teams": \#(teams), "posts": \#(posts)}"#)
        #expect(!text.contains("none of"), "\(text)")
    }

    @Test func referencesToSeveralEntitiesLeadToAll() throws {
        let id = { (kind: String, number: Int) in "\(kind)--\(100_000 + number * 7)-\(number)" }
        let patterns = list(60) { #"{"id": "\#(id("pattern", $0))", "phase": \#($0 % 7)}"# }
        let tools = list(20) { #"{"id": "\#(id("tool", $0))", "system": \#($0 % 3)}"# }
        let uses = list(400) { number in
            let target = number % 16 == 0 ? id("tool", number % 20) : id("pattern", number % 60)
            return #"{"id": "\#(id("use", number))", "object_ref": "\#(target)"}"#
        }
        let (text, report) = try draft(#"{"patterns": \#(patterns), "tools": \#(tools), "uses": \#(uses)}"#)
        #expect(text.contains(#""to": ["Pattern", "Tool"]"#), "\(text)")
        #expect(text.contains("// of 400: 375 in Pattern, 25 in Tool"), "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.relationships.allSatisfy { $0.unresolved == 0 } })
    }

    @Test(arguments: [true, false])
    func listsWithRepeatsAreNoSets(_ areClosed: Bool) throws {
        let nodes = list(30) { #"{"id": "n\#($0 + 100)", "lat": 1.5}"# }
        let ways = list(9) { way in
            let names = (0..<3).map { way * 3 + $0 } + (areClosed ? [way * 3] : [])
            return #"{"id": "w\#(way)", "nodes": [\#(names.map { #""n\#($0 + 100)""# }.joined(separator: ","))]}"#
        }
        let (text, _) = try draft(#"{"nodes": \#(nodes), "ways": \#(ways)}"#)
        let set = areClosed ? #", "set": false"# : ""
        #expect(text.contains(#""nodes": { "to": "Node", "from": "nodes[*]", "many": true\#(set) }"#), "\(text)")
    }

    @Test(arguments: [true, false])
    func objectsThatARecordHasTwiceAreNoSet(_ areRepeated: Bool) throws {
        let records = list(40) { number in
            let labels = [number % 5, (number + 1) % 5] + (areRepeated && number == 17 ? [number % 5] : [])
            let objects = labels.map { #"{"id": \#($0 + 10), "name": "l\#($0)", "colour": "c\#($0 % 2)"}"# }
            return #"{"id": "r\#(number)", "labels": [\#(objects.joined(separator: ","))]}"#
        }
        let (text, _) = try draft(records)
        #expect(
            text.contains(#""from": "labels[*].id", "many": true\#(areRepeated ? #", "set": false"# : "") }"#),
            "\(text)")
    }

    // MARK: What is left out

    @Test func recordsWithVeryManyMembersAreRecords() throws {
        let members = (0..<1001).map { #""a\#($0)": "v""# }.joined(separator: ",")
        let (text, report) = try draft(list(3) { #"{"nr": "n\#($0)", \#(members)}"# })
        #expect(text.contains(#""a1000": "#) && created(report) == [3], "\(text.prefix(600))")
    }

    @Test func kindsWithAMemberEachAreRecords() throws {
        let (text, report) = try draft(list(2100) { #"{"type": "t\#($0)", "id": \#($0), "f\#($0)": 1}"# })
        #expect(text.contains(#""identifier": "id""#) && created(report) == [2100], "\(text.prefix(600))")
        #expect(text.contains("more members, which are no attributes here"), "\(text.prefix(600))")
    }

    /// Whole numbers beyond 64 bits are no real numbers, which would make one of several.
    @Test func longNumbersOfTables() throws {
        let rows = (0..<9).map { "n\($0),1844674407370955161\($0 % 3),123456789012345678\($0 % 4)" }
        let (text, _) = try draft("name,part,snow\n\(rows.joined(separator: "\n"))\n", "feed.csv")
        #expect(text.contains(/"part": .*"decimal"/) && text.contains(/"snow": .*"integer"/), "\(text)")
    }

    /// What a double is shown as, with 15 to 17 digits, a double holds; not everything of so many digits is one.
    @Test(arguments: [
        ("90071992547409.93", "decimal"), ("9007199254740993.0", "decimal"), ("1767261600.123456789", "decimal"),
        ("0.1234567890123456789", "decimal"), ("1.7976931348623157e3", "real"), ("0.10000000000000001", "real"),
        ("0.1000000000000000055", "decimal"), ("-0.30000000000000004", "real"), ("13.377704000000001", "real"),
    ])
    func digitsThatADoubleHolds(_ number: String, _ type: String) throws {
        let (text, _) = try draft(list(30) { #"{"key": "k\#($0)", "q": \#($0 % 3 == 0 ? number : "1767261601.5")}"# })
        #expect(text.contains(#""q": "\#(type)""#), "\(number): \(text)")
    }

    @Test func columnsOfATableHaveNames() throws {
        let header = (1990..<2030).map(String.init).joined(separator: ",")
        let row = (0..<40).map(String.init).joined(separator: ",")
        let (text, _) = try draft("land,\(header)\nA,\(row)\nB,\(row)\n", "feed.csv")
        #expect(text.contains(#""records": "$""#) && text.contains(#""identifier": "land""#), "\(text.prefix(600))")
    }

    @Test(arguments: [("°C;mm", true), ("n/a;-", false), (";", false), ("1,5;2", false)])
    func unitsUnderTheHeaderAreNoRecord(_ units: String, _ areSkipped: Bool) throws {
        let rows = (1...9).map { "s\($0);\($0),5;\($0 * 3)" }.joined(separator: "\n")
        let (text, report) = try draft(
            "station;temperature;rain\n;\(units)\n\(rows)\n".replacing("\n;", with: "\ns0;"), "feed.csv")
        #expect(text.contains(#""skip": "s0;\#(units)""#) == areSkipped, "\(text)")
        #expect(created(report) == [areSkipped ? 9 : 10])
        if areSkipped {
            #expect(
                text.contains(#""temperature": { "type": "real", "decimalMark": "," }"#), "\(text)")
            #expect(text.contains(#""rain": "integer""#), "\(text)")
        }
    }

    @Test func whatIsAmongRecordsAndNoneIsLeftOut() throws {
        let (text, report) = try draft(
            #"{"a": [{"id": 1, "b": "x"}, null, {"id": 2, "b": "y"}, 7, {"id": 3, "b": "x"}]}"#)
        #expect(text.contains(#""where": { "id": { "present": true } }"#), "\(text)")
        #expect(text.contains("2 other values among them are no objects"), "\(text)")
        #expect(created(report) == [3])
    }

    @Test func whatStandsBesideTheRecordsIsNamed() throws {
        let (text, _) = try draft(#"{"meta": {"page": 1, "tags": ["a", "b"]}, "list": [{"id": 1}, {"id": 2}]}"#)
        let comment = text.replacing("\n// ", with: " ")
        #expect(comment.contains("these are in no entity: meta.page, meta.tags[*]."), "\(text)")
    }

    @Test(arguments: [
        "{}", "[]", "[1, 2]", #"{"a":[{"a":[{"b":1,"id":1}],"id":1}]}"#, #"{"a": true}"#, "[{}, {}]",
        // What nothing identifies, beside an object that nothing identifies either.
        #"{"meta":{"id":1.5,"x":true,"y":false},"a":[{"a":[{"b":1,"id":1}],"id":1}]}"#,
    ])
    func whereNothingCanBeDraftedThatIsSaid(_ feed: String) throws {
        let failure = #expect(throws: Failure.self) { try InitRun.Draft.text(of: feed) }
        #expect(failure?.kind == .data)
    }

    // MARK: Names

    @Test func namesThatTheStoreCannotHaveAreOthers() throws {
        let names = [
            #"\u0000"#, "${HOME}", "$${x}", "x", "x_entity", "objectID", "sluice_a", "", #"a\u202eb"#, "e\u{301}", "é",
        ]
        let members = names.enumerated().map { #""\#($1)": "v\#($0)""# }.joined(separator: ", ")
        let (text, report) = try draft(#"{"${LIST}": \#(list(30) { #"{"id": \#($0), \#(members)}"# })}"#)
        #expect(text.contains(#""records": "$['$${LIST}'][*]""#), "\(text)")
        #expect(created(report) == [30] && text.unicodeScalars.allSatisfy { !$0.isHidden || $0 == "\n" }, "\(text)")
    }
}
