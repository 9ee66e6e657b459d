import Foundation
import Testing

@testable import SluiceInit

/// What `init` takes for what identifies objects, and for objects that stand in many records.
@Suite struct DraftIdentityTests {
    private func draft(_ feed: String) throws -> String { try InitRun.Draft.text(of: feed) }

    /// As a feed has a record twice: what is called as the identifier is it.
    @Test func anIdentifierMayBeThereTwice() throws {
        let stops = list(20) { #"{"name": "Stop \#($0)", "stop_id": "s\#(min($0, 18))", "zone": "A"}"# }
        let text = try draft(#"{"stops": \#(stops)}"#)
        #expect(text.contains(#""identifier": "stop_id""#), "\(text)")
        #expect(text.contains(#"// "stop_id" is unique but for 1 of 20"#), "\(text)")
        #expect(text.contains("// of several records with one identifier the last one counts"), "\(text)")
    }

    /// Saved by Django, objects have their number beside their fields.
    @Test func aPrimaryKeyIsTaken() throws {
        let films = list(3) {
            #"{"fields": {"episode_id": \#($0 + 4), "title": "A\#($0)"}, "model": "r.film", "pk": \#($0 + 1)}"#
        }
        let text = try draft(films)
        #expect(text.contains(#""identifier": "pk""#), "\(text)")
    }

    /// What a manager of a team is in one year, another one is in the next.
    @Test func theYearGoesAlong() throws {
        let halves = list(40) {
            #"{"playerID": "p\#($0 / 2)", "yearID": \#(1892 + $0 / 30), "half": \#($0 % 2 + 1), "won": \#($0 * 7 % 20)}"#
        }
        let text = try draft(#"{"halves": \#(halves)}"#)
        #expect(text.contains(#""identifier": ["yearID", "playerID", "half"]"#), "\(text)")
        #expect(text.contains(#""yearID" says of which year it is"#), "\(text)")
    }

    /// Of thousands of records in a list, two that agree in a pair cost it nothing: a place moves with each new record.
    @Test func oneOfThousandsStopsNoPair() throws {
        let icons = list(3000) { index in
            let (title, hex) = index == 2999 ? (0, 0) : (index % 2990, index / 7)
            return #"{"title": "t\#(title)", "hex": "h\#(hex)"}"#
        }
        let text = try draft(#"{"icons": \#(icons)}"#)
        #expect(text.contains(#""identifier": ["title", "hex"]"#), "\(text)")
        #expect(text.contains("1 of 3,000 records is a copy"), "\(text)")
    }

    /// A pair identifies what nothing else does, also where one of both is hardly ever there twice.
    @Test(arguments: [1, 2, 5, 10, 18]) func aPairIsFound(repeats: Int) throws {
        let edges = list(40) { #"{"sub": "s\#($0 % (40 - repeats))", "obj": "o\#($0 / (40 - repeats) * 7 + $0 % 7)"}"# }
        let text = try draft(#"{"edges": \#(edges)}"#)
        #expect(text.contains(#""identifier": ["sub", "obj"]"#), "\(text)")
    }

    /// What differs in nothing but lists is not one object that is told of again.
    @Test func listsAreWhatObjectsAreAbout() throws {
        let chains = list(60) { #"{"predicateId": "p\#($0 % 20)", "chain": ["a\#($0 % 7)", "b\#($0 / 20)"]}"# }
        let text = try draft(#"{"graphs": [{"id": "g", "chains": \#(chains)}]}"#)
        #expect(!text.contains("repeats"), "\(text)")
    }

    /// What an object in a record lacks is not said of the record.
    @Test func whatIsLackingIsTheRecordsOwn() throws {
        let orders = list(20) { #"{"id": \#($0), "customer": {\#($0 == 3 ? "" : #""id": \#(900 + $0)"#)}}"# }
        let text = try draft(#"{"orders": \#(orders)}"#)
        #expect(!text.contains("lacks in"), "\(text)")
    }

    /// But not where others refer to what is unique.
    @Test func whatOthersReferToIsTaken() throws {
        let releases = list(12) { #"{"release": "1.\#($0).x", "_id": "r\#(min($0, 10))"}"# }
        let uses = list(30) { #"{"nr": "u\#($0)", "of": "1.\#($0 % 12).x"}"# }
        let text = try draft(#"{"releases": \#(releases), "uses": \#(uses)}"#)
        #expect(text.contains(#""identifier": "release""#), "\(text)")
    }

    /// Sums and digests are unique by chance, or for another purpose.
    @Test func whatWasMeasuredComesLast() throws {
        let accounts = list(10) { account in
            let balances = ["closing", "expected"].enumerated().map { place, type in
                #"{"amount": "\#(1000 + account * 2 + place).50", "balanceType": "\#(type)"}"#
            }
            return #"{"number": "DE\#(100 + account)", "balances": [\#(balances.joined(separator: ", "))]}"#
        }
        let sums = try draft(#"{"accounts": \#(accounts)}"#)
        #expect(sums.contains(#""identifier": ["account_number", "balanceType"]"#), "\(sums)")
        let digest = { (number: Int) in String(repeating: "\(number % 10)", count: 31) + "\(number / 10)" }
        let archives = list(20) { #"{"sha256": "\#(digest($0))", "filename": "sluice-\#($0).tar.gz"}"# }
        let files = try draft(#"{"files": \#(archives)}"#)
        #expect(files.contains(#""identifier": "filename""#), "\(files)")
        let commits = list(20) { #"{"sha": "ab\#(digest($0))", "shape": "s\#($0 * 37).x", "lines": \#($0)}"# }
        #expect(try draft(#"{"commits": \#(commits)}"#).contains(#""identifier": "sha""#))
    }

    /// Objects with nothing but a name are the same ones wherever it stands.
    @Test func objectsWithANameAloneAreShared() throws {
        let servers = list(20) { #"{"id": "v\#($0)", "groups": [{"name": "web"}, {"name": "g\#($0 % 3)"}]}"# }
        let text = try draft(#"{"servers": \#(servers)}"#)
        #expect(text.contains(#""groups": { "to": "Group", "from": "groups[*].name", "many": true }"#), "\(text)")
        #expect(text.contains(#""repeats": true"#), "\(text)")
    }

    /// The way to what identifies the objects of a list may lead through others in them.
    @Test func identifiersWithinObjectsOfListsAreReached() throws {
        let posts = list(20) { post in
            let topics = [post % 4, 4 + post % 3].map { #"{"sys": {"id": "t\#($0)", "v": 1}, "label": "l\#($0)"}"# }
            return #"{"slug": "p\#(post)", "topics": [\#(topics.joined(separator: ", "))]}"#
        }
        let text = try draft(#"{"posts": \#(posts)}"#)
        #expect(text.contains(#""from": "topics[*].sys.id", "many": true"#), "\(text)")
        #expect(!text.contains("topics[*].id"), "\(text)")
    }

    /// A dozen fields that say their kind are no map, though all are objects with members in common.
    @Test func fieldsThatSayTheirKindAreNoMap() throws {
        let kinds = [
            "title", "date", "number", "select", "status", "checkbox", "url", "email", "phone", "formula", "rollup",
            "files",
        ]
        let page = { (number: Int) in
            let fields = kinds.enumerated().map { place, kind in
                let value =
                    kind == "select" ? #"{"id": "o\#(number % 3)", "name": "Option \#(number % 3)"}"# : "\(number)"
                return #""F\#(place)": {"id": "f\#(place)", "type": "\#(kind)", "\#(kind)": \#(value)}"#
            }
            return #"{"id": "p\#(number)", "properties": {\#(fields.joined(separator: ", "))}}"#
        }
        let text = try draft(#"{"results": \#(list(20, page))}"#)
        #expect(text.contains(#""from": "properties.F3.select.id""#), "\(text)")
        #expect(!text.contains("properties.*"), "\(text)")
        // The same under keys that are data.
        let alike = { (number: Int) in
            let fields = (0..<12).map { #""k\#($0)": {"id": "f\#($0)", "type": "t", "value": \#(number)}"# }
            return #"{"id": "p\#(number)", "properties": {\#(fields.joined(separator: ", "))}}"#
        }
        let map = try draft(#"{"results": \#(list(20, alike))}"#)
        #expect(map.contains(#"$.results[*].properties.*""#), "\(map)")
    }

    /// Of numbers as large as these, two suffice, where those beside them are no identifiers.
    @Test func fewLargeNumbersAreReferences() throws {
        let users = (0..<20).map { 200_000_000_000 + $0 * 37_000_000_019 }
        let people = list(20) { #"{"id": \#(users[$0]), "mail": "u\#($0)@example.org"}"# }
        let tickets = list(20) {
            #"{"id": \#(100 + $0), "assignee_id": \#(users[$0 % 2]), "level_id": \#(1 + $0 % 2)}"#
        }
        let text = try draft(#"{"users": \#(people), "tickets": \#(tickets)}"#)
        #expect(text.contains(#""assignee": { "to": "User", "from": "assignee_id" }"#), "\(text)")
        #expect(text.contains(#""level_id": "integer""#), "\(text)")
        let close = (0..<20).map { 200_000 + $0 }
        let near = list(20) { #"{"id": \#(close[$0]), "mail": "u\#($0)@example.org"}"# }
        let uses = list(20) { #"{"id": \#(100 + $0), "assignee_id": \#(close[$0 % 2])}"# }
        let other = try draft(#"{"users": \#(near), "tickets": \#(uses)}"#)
        #expect(!other.contains(#""to": "User""#), "\(other)")
    }

    /// Three attributes in each record come before the place in its list.
    @Test func threeAttributesComeBeforeAPlace() throws {
        let matches = { (league: Int) in
            let all = (0..<64).filter { $0 / 8 != $0 % 8 }.map { number in
                #"{"round": "R\#(number % 14)", "date": "2026-0\#(1 + number % 3)-1\#(number % 2)","#
                    + #" "home": "T\#(number / 8)", "away": "T\#(number % 8)"}"#
            }
            // Played once more, and against another one.
            let more = [
                #"{"round": "R1", "date": "2026-01-01", "home": "T0", "away": "T1"}"#,
                #"{"round": "R1", "date": "2026-02-11", "home": "T0", "away": "X"}"#,
            ]
            return #"{"name": "L\#(league)", "matches": [\#((all + more).joined(separator: ","))]}"#
        }
        let text = try draft(list(3, matches))
        #expect(text.contains(#/"identifier": \["feed_name", "\w+", "\w+", "\w+"\]/#), "\(text)")
    }

    /// Members that all objects of a map have are names, and no keys, but where they are the keys of the map, too.
    @Test(arguments: [#"{"id": "x#", "name": "bar#", "city": "Rome"}"#, #"{"open": 1.5, "high": 2.5, "low": #}"#])
    func whatAllObjectsHaveAreNames(_ object: String) throws {
        let people = (0..<30).map { #""u\#($0)": \#(object.replacing("#", with: "\($0)"))"# }
        let text = try draft(#"{"people": {\#(people.joined(separator: ","))}}"#)
        #expect(text.contains(#""records": "$.people.*""#), "\(text)")
        let cities = ["berlin", "paris", "rome", "oslo"]
        let distances = cities.map { city in
            #""\#(city)": {\#(cities.map { #""\#($0)": \#($0.utf8.count + city.utf8.count)"# }.joined(separator: ","))}"#
        }
        let matrix = try draft(#"{"distances": {\#(distances.joined(separator: ","))}}"#)
        #expect(matrix.contains(#""records": "$.distances.*.*""#), "\(matrix)")
    }
}
