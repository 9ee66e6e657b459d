import Foundation
import Testing

@testable import SluiceInit

/// What `init` makes of small feeds.
@Suite struct DraftTests {
    /// The draft of a feed.
    private func draft(_ feed: String, _ name: String = "feed.json") throws -> String {
        try InitRun.Draft.text(of: feed, name)
    }

    @Test func typesTakeAllValues() throws {
        let text = try draft(
            list(30) { index in
                let day = 10 + index % 20
                return #"""
                    {"id": \#(9_007_199_254_740_993 + index), "price": "\#(index).50", "exact": 0.12345678901234567890\#(index),
                     "day": "2026-11-\#(day)", "at": "2026-11-\#(day)T10:00:00.1234567+01:00", "compact": "202611\#(day)",
                     "german": "\#(day).11.2026", "us": "11/\#(day)/2026", "updated": \#(1_700_000_000 + index),
                     "millis_at": \#(1_700_000_000_000 + index), "flag": \#(index % 2 == 0), "code": "0\#(index)",
                     "mixed": \#(index % 2 == 0 ? "1" : #""x""#), "free": {"\#(index)": 1}, "tags": ["a\#(index)"]}
                    """#
            })
        for line in [
            #""id": "integer""#, #""price": "decimal""#,
            #""exact": "decimal""#, #""day": "date""#,
            #""at": { "type": "datetime", "fraction": 9 }"#,
            #""compact": { "type": "date", "format": "%Y%m%d" }"#,
            #""german": { "type": "date", "format": "%d.%m.%Y" }"#,
            #""us": { "type": "date", "format": "%m/%d/%Y" }"#,
            #""updated": { "type": "datetime", "format": "unix" }"#,
            #""millis_at": { "type": "datetime", "format": "unix-ms" }"#,
            #""flag": "boolean""#, #""code": "text""#,
            #""mixed": "text""#, #""free": "json""#, #""tags": "json""#,
        ] { #expect(text.contains(line), "\(line) in \(text)") }
    }

    @Test func numbersAndDatesOfPeopleHaveTheirTypes() throws {
        let text = try draft(
            list(30) { index in
                #"""
                {"id": \#(index), "area": "\#(index),5", "price": "1.\#(100 + index),50", "amount": "1,\#(100 + index).5",
                 "either": "1,\#(100 + index)", "founded": "\#(1 + index % 28) November 2026",
                 "opened": "Nov \#(1 + index % 28), 2026", "version": "1,\#(index)", "starts": "9:\#(10 + index)",
                 "updated": "\#(1_700_000_000_000 + index)"}
                """#
            })
        for line in [
            #""area": { "type": "decimal", "decimalMark": "," }"#,
            #""price": { "type": "decimal", "decimalMark": ",", "thousands": "." }"#,
            #""amount": { "type": "decimal", "thousands": "," }"#,
            #""either": "text",  // numbers, but does the comma"#,
            #""founded": { "type": "date", "format": "%d %B %Y" }"#,
            #""opened": { "type": "date", "format": "%B %d, %Y" }"#,
            #""version": "text""#,
            #""starts": "text",  // times of day, or spans"#,
            #""updated": { "type": "datetime", "format": "unix-ms" }"#,
        ] { #expect(text.contains(line), "\(line) in \(text)") }
    }

    /// Times that RFC 3339 does not know are read by their format.
    @Test(arguments: [
        ("2025-10-09T08:53:20.123+0000", #""format": "%Y-%m-%dT%H:%M:%S.%f%z" }"#),
        ("2025-10-09T08:53:20+0000", #""format": "%Y-%m-%dT%H:%M:%S%z" }"#),
        (
            "2025-10-09 08:53:20.1234567 +0200",
            #""format": "%Y-%m-%d %H:%M:%S.%f %z", "fraction": 9 }"#
        ),
        (
            "09.11.2026 03:22",
            #""format": "%d.%m.%Y %H:%M", "timeZone": "UTC" },  // without an offset"#
        ),
        (
            "09.11.2026 03:22:10",
            #""format": "%d.%m.%Y %H:%M:%S", "timeZone": "UTC" },  // without an offset"#
        ),
        (
            "2026-11-01T03:21",
            #""format": "%Y-%m-%dT%H:%M", "timeZone": "UTC" },  // without an offset"#
        ),
        ("2026-11-01T03:21+01:00", #""format": "%Y-%m-%dT%H:%M%z" }"#),
    ]) func timesOfServicesAndPeopleHaveAFormat(time: String, keys: String) throws {
        let text = try InitRun.Draft.run(of: list(20) { #"{"id": \#($0), "at": "\#(time)", "kind": 1}"# }).text
        #expect(text.contains(#""at": { "type": "datetime", "# + keys), "\(text)")
    }

    /// Of times with parts of a second, and without, each has its format.
    @Test func timesOfSeveralFormsHaveSeveralFormats() throws {
        let times = ["2025-10-09T08:53:20.5+0000", "2025-10-09T08:53:20+0000", "2025-10-09T08:53:20Z"]
        let text = try InitRun.Draft.run(of: list(21) { #"{"id": \#($0), "at": "\#(times[$0 % 3])"}"# }).text
        #expect(text.contains(#""format": ["%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S%z"]"#), "\(text)")
    }

    @Test func nullAndAbsentAreToldApart() throws {
        let text = try draft(
            #"[{"id": 1, "a": null, "b": "x"}, {"id": 2, "a": "y"}, {"id": 3, "a": null}]"#)
        #expect(text.contains(#""a": "text",  // null in 2"#), "\(text)")
        #expect(text.contains(#""b": "text"  // absent in 2"#), "\(text)")
        #expect(text.contains("// What is absent in a later record stays in its object"), "\(text)")
    }

    @Test func anIdentifierThatIsNotQuiteUniqueIsTold() throws {
        let text = try draft(list(100) { #"{"id": \#($0 == 99 ? 0 : $0), "name": "n\#($0 % 7)"}"# })
        #expect(text.contains(#"// "id" is unique but for 1 of 100"#), "\(text)")
        #expect(text.contains(#""identifier": "id""#))
    }

    /// A size is unique by chance; so may be a name, which says more.
    @Test(arguments: ["Size", "download_count", "amount"])
    func whatWasMeasuredIdentifiesNothing(measure: String) throws {
        let text = try draft(
            list(60) { #"{"\#(measure)": \#(1000 + $0 * 7919 % 5000), "Package": "l\#($0)", "Part": "\#($0 % 5)"}"# })
        #expect(text.contains(#""identifier": "Package""#), "\(text)")
    }

    @Test func pairsIdentifyWhereNothingElseDoes() throws {
        let text = try draft(list(100) { #"{"line_id": \#($0 / 10), "stop_id": \#($0 % 10), "delay": \#($0 % 3)}"# })
        #expect(text.contains(#""identifier": ["line_id", "stop_id"]"#), "\(text)")
    }

    @Test func relationshipsComeWithTheirFigures() throws {
        let text = try draft(
            #"{"users": \#(list(50) { #"{"id": "u-\#($0)"}"# }), "posts": \#(list(100) { #"{"id": "p-\#($0)", "author": "u-\#($0 % 49 + ($0 == 7 ? 900 : 0))"}"# })}"#
        )
        #expect(text.contains("// 99 of 100 found in User.id; 1 is not"), "\(text)")
        #expect(text.contains(#""author": { "to": "User" }"#), "\(text)")
    }

    @Test func smallNumbersAreNoReferencesByChance() throws {
        let text = try draft(
            #"{"users": \#(list(50) { #"{"id": \#($0 + 1)}"# }), "posts": \#(list(100) { #"{"id": \#($0 + 1000), "likes": \#($0 % 40 + 1), "user_id": \#($0 % 50 + 1), "shop_id": \#($0 % 30 + 1)}"# })}"#
        )
        #expect(text.contains(#""user": { "to": "User", "from": "user_id" }"#), "\(text)")
        #expect(text.components(separatedBy: #""to":"#).count == 2, "\(text)")
    }

    @Test func aReferenceMayLeadToSeveralEntities() throws {
        let text = try draft(
            #"{"cars": \#(list(20) { #"{"id": "car-\#($0)-x"}"# }), "bikes": \#(list(20) { #"{"id": "bike-\#($0)-x"}"# }), "trips": \#(list(40) { #"{"id": \#($0), "vehicle": "\#($0 % 2 == 0 ? "car" : "bike")-\#($0 / 2)-x"}"# })}"#
        )
        #expect(text.contains(#""vehicle": { "to": ["#), "\(text)")
        #expect(text.contains("// of 40: 20 in"), "\(text)")
    }

    @Test func objectsInRecordsBecomeEntities() throws {
        let text = try draft(
            list(60) {
                #"{"id": \#($0), "author": {"id": "a-\#($0 % 5)", "name": "N\#($0 % 5)"}, "place": {"city": "c\#($0)", "zip": "z\#($0)"}}"#
            },
            "posts.json")
        #expect(text.contains(#""Author": {"#) && text.contains(#""records": "$[*].author""#), "\(text)")
        #expect(text.contains(#""repeats": true"#))
        #expect(text.contains(#""author": { "to": "Author", "from": "author.id" }"#), "\(text)")
        #expect(text.contains(#""city": { "type": "text", "from": "place.city" }"#), "\(text)")
        #expect(!text.contains("author.name"))
    }

    @Test func aTreeIsOneEntity() throws {
        let text = try draft(
            #"{"nodes": [{"id": 1, "name": "a", "nodes": [{"id": 2, "name": "b", "nodes": [{"id": 3, "name": "c"}]}, {"id": 4, "name": "d"}]}]}"#
        )
        #expect(text.contains("$..nodes[*]"), "\(text)")
        #expect(text.contains(#""parent": { "to": "Node", "from": "^^.id" }"#), "\(text)")
    }

    @Test func kindsOfAListAreToldApart() throws {
        let text = try draft(
            #"{"elements": \#(list(60) { $0 % 2 == 0 ? #"{"type": "node", "id": "n\#($0)", "lat": 1.5, "lon": 2.5, "ele": 7}"# : #"{"type": "way", "id": "w\#($0)", "nodes": ["n\#($0 - 1)", "n0"], "length": 3, "name": "x", "oneway": true}"# })}"#
        )
        #expect(
            text.contains(#""where": { "type": "node" }"#) && text.contains(#""where": { "type": "way" }"#), "\(text)")
        // The first one names its node twice.
        #expect(
            text.contains(#""nodes": { "to": "Node", "from": "nodes[*]", "many": true, "set": false }"#), "\(text)")
    }

    @Test func keysThatAreDataAreKeys() throws {
        let text = try draft(
            #"{"rates": {\#((0..<30).map { #""2026-11-\#(10 + $0 % 20)\#($0 / 20)": {"usd": 1.5, "chf": 2.5}"# }.joined(separator: ","))}}"#
        )
        #expect(text.contains(#""records": "$.rates.*""#), "\(text)")
        #expect(text.contains(#""key": { "type": "text", "from": "~" }"#), "\(text)")
    }

    /// What is in an object, by two keys, is identified by it and them, without being counted.
    @Test func keysWithinAnOwnerIdentify() throws {
        let text = try draft(
            list(40) { number in
                let inner = (0..<5).map { #""1.\#($0)": "\#(number % 3)""# }.joined(separator: ",")
                return
                    #"{"id": "f\#(number)", "stats": {"x-1/a": {\#(inner)}, "y-2/b": {\#(inner)}, "z-3/c": {\#(inner)}}}"#
            })
        #expect(text.contains(#""identifier": ["feed_id", "stat_key", "key"]"#), "\(text)")
    }

    /// In each order the numbers are unique, but for one; in a tree what is unique in each node is looked at for all.
    @Test(arguments: [(false, true), (true, false)])
    func uniquenessWithinOwnersIsMeasured(_ repeats: Bool, _ isUnique: Bool) throws {
        let text = try draft(
            list(60) { order in
                let lines = (0..<6).map { #"{"nr": \#(repeats && order % 7 == 3 && $0 == 5 ? 2 : $0), "size": 5}"# }
                return #"{"id": "o\#(order)", "lines": [\#(lines.joined(separator: ","))]}"#
            })
        #expect(text.contains(#""identifier": ["feed_id", "nr"]"#) == isUnique, "\(text)")
    }

    @Test func moreKeysThanAnyObjectHasFieldsAreAMap() throws {
        let members = (0..<3000).map { #""k\#($0)": {"size": \#($0), "weight": 2}"# }.joined(separator: ",")
        let text = try draft(#"{"things": {\#(members)}}"#)
        #expect(text.contains(#""records": "$.things.*""#) && text.contains("// 3,000 records"), "\(text)")
    }

    @Test func aSequenceOfValuesIsFoundWhateverItsName() throws {
        let text = try draft((0..<20).map { #"{"id": \#($0)}"# }.joined(separator: "\n"), "things.json")
        #expect(text.contains(#""format": "lines""#), "\(text)")
        #expect(text.contains(#""Thing": {"#) && text.contains(#""records": "$""#), "\(text)")
    }

    @Test func oddNamesAreFine() throws {
        let text = try draft(
            #"{"a b": [{"objectID": 1, "sqlite_x": "\"q\"", "ünï": 2, "A": 1, "a": 2, "": 3, "${HOME}": 4}]}"#)
        #expect(text.contains("field_objectID"), "\(text)")
    }

    @Test func aListOfListsAndObjectsIsNoEntity() throws {
        let text = try draft(#"{"a": [{"id": 1}], "b": [[{"id": 1}, {"id": 2}], {"x": 1, "y": [3]}]}"#)
        #expect(!text.contains("$.b"), "\(text)")
    }

    @Test func referencesAreCutOutOfAddresses() throws {
        let text = try draft(
            #"{"films": \#(list(20) { #"{"id": "f\#($0)", "n": 1}"# }), "people": \#(list(40) { #"{"id": "p\#($0)", "film": "https://example.org/films/f\#($0 % 19)/", "others": ["https://example.org/films/f\#($0 % 7)"], "self": "https://example.org/people/p\#($0)"}"# })}"#
        )
        #expect(
            text.contains(#""film2": { "to": "Film", "from": "film", "match": "([^/?#]+)/*$" }"#)
                || text.contains(#""film_ref": { "to": "Film", "from": "film", "match": "([^/?#]+)/*$" }"#), "\(text)")
        #expect(
            text.contains(#"{ "to": "Film", "from": "others[*]", "match": "([^/?#]+)/*$", "many": true }"#), "\(text)")
        #expect(!text.contains(#""to": "Person""#), "\(text)")
    }

    @Test func largeNumbersAreNoCounts() throws {
        let text = try draft(
            #"{"stops": \#(list(100) { #"{"stop_id": "\#(900_100_000 + $0)", "parent_station": "\#(900_100_000 + $0 / 4)"}"# })}"#
        )
        #expect(text.contains(#""parent_station": { "to": "Stop" }"#), "\(text)")
    }

    @Test func whatCannotBeTakenIsTold() throws {
        let text = try draft(#"[{"id": 1, "a": "\ud83d"}, {"id": 2, "a": "x"}]"#)
        #expect(unfolded(text).contains("half of a surrogate pair"), "\(text)")
        #expect(try !draft(#"[{"id": 1, "a": "\ud83d\ude00"}]"#).contains("surrogate"))
    }

    @Test func aSingleKeyIsANameWhateverItIs() throws {
        let text = try draft(#"{"3166-1": \#(list(10) { #"{"alpha_2": "A\#($0)", "name": "n\#($0)"}"# })}"#)
        #expect(text.contains("$['3166-1'][*]"), "\(text)")
        #expect(text.contains(#""identifier": "alpha_2""#), "\(text)")
    }

    @Test func embeddedObjectsOfOneKindAreOneEntity() throws {
        func person(_ number: Int) -> String {
            #"{"id": \#(900 + number), "login": "l\#(number)", "site": "s\#(number)"}"#
        }
        let text = try draft(
            list(24) {
                #"{"id": "i-\#($0)", "author": \#(person($0 % 5)), "assignee": \#($0 % 3 == 0 ? person($0 % 7) : "null"), "watchers": [\#(person(($0 + 1) % 6))]}"#
            }, "issues.json")
        #expect(
            text.contains(#""records": ["$[*].author", "$[*].assignee", "$[*].watchers[*]"]"#), "\(text)")
        #expect(text.contains(#""where": { "id": { "present": true } }"#), "null is no person: \(text)")
        #expect(
            text.contains(#""assignee": { "to": "Author", "from": "assignee.id", "onAbsent": "clear" }"#), "\(text)")
        #expect(text.contains(#""watchers": { "to": "Author", "from": "watchers[*].id", "many": true }"#), "\(text)")
    }

    @Test func objectsThatDifferAreNotOneEntity() throws {
        let text = try draft(
            list(24) {
                #"{"id": "i-\#($0)", "author": {"id": \#($0 % 5), "login": "l\#($0 % 5)", "site": "s"}, "editor": {"id": \#($0 % 4), "login": "other\#($0 % 4)", "site": "s"}}"#
            })
        #expect(text.contains(#""records": "$[*].author""#) && text.contains(#""records": "$[*].editor""#), "\(text)")
    }

    @Test func anObjectThatIsElsewhereIsAReference() throws {
        let text = try draft(
            #"{"things": \#(list(30) { #"{"id": "t-\#($0)", "n": \#($0)}"# }), "uses": \#(list(60) { #"{"id": "u-\#($0)", "thing": {"kind": "x", "id": "t-\#($0 % 30)"}}"# })}"#
        )
        #expect(text.contains(#""thing": { "to": "Thing", "from": "thing.id" }"#), "\(text)")
        #expect(!text.contains("$.uses[*].thing"), "\(text)")
    }

    @Test func codesIdentifyEvenWhereOneIsLonger() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let text = try draft(
            list(200) {
                #"{"tongue": "\#($0 == 7 ? "qaa-qtz" : "\(letters[$0 / 26])\(letters[$0 % 26])x")", "name": "Name \#($0)"}"#
            })
        #expect(text.contains(#""identifier": "tongue""#), "\(text)")
    }

    @Test func anObjectWhoseValuesReferIsAMap() throws {
        let versions = (0..<12).map { #""1.\#($0).0": {"version": "1.\#($0).0", "size": \#($0)}"# }.joined(
            separator: ",")
        let text = try draft(
            #"{"versions": {\#(versions)}, "tags": {"latest": "1.11.0", "beta": "1.9.0", "old": "1.2.0"}, "titles": {"a": "x", "b": "y", "c": "z"}}"#
        )
        #expect(text.contains(#""records": "$.tags.*""#), "\(text)")
        #expect(text.contains(#""to": "Version", "from": "@""#), "\(text)")
        #expect(!text.contains("$.titles"), "\(text)")
    }

    @Test func lettersWithNumbersAreKeys() throws {
        func claims(_ numbers: [Int]) -> String {
            numbers.map { #""P\#($0)": [{"id": "s\#($0)", "rank": "normal"}]"# }.joined(separator: ",")
        }
        let text = try draft(
            list(20) {
                #"{"id": "Q\#($0)", "claims": {\#(claims([31, 17 + $0 % 3, 569]).replacing("\"s", with: "\"s\($0)-"))}}"#
            })
        #expect(text.contains(#""records": "$[*].claims.*[*]""#), "\(text)")
        let places = try draft(
            list(20) {
                #"{"id": "Q\#($0)", "q1": {"n": 1, "m": \#($0)}, "q2": {"n": 1, "m": 3}, "q3": {"n": 1, "m": 4}}"#
            })
        #expect(!places.contains("[*].*"), "\(places)")
    }
}
