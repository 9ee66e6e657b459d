import Foundation
import Testing

@testable import SluiceInit

/// What `init` finds of references that are not simply the values of an attribute.
@Suite struct DraftReferenceTests {
    /// The draft of a feed with some lists.
    private func draft(_ lists: KeyValuePairs<String, [String]>) throws -> String {
        let feed = lists.map { #""\#($0)": [\#($1.joined(separator: ", "))]"# }.joined(separator: ", ")
        return try InitRun.Draft.text(of: "{ \(feed) }")
    }

    private func records(_ count: Int, _ record: (Int) -> String) -> [String] { (0..<count).map(record) }

    /// Twenty countries: `AB`, `BC`, …
    private func country(_ number: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return "\(letters[number % 20])\(letters[number % 20 + 1])"
    }

    private var countries: [String] { records(20) { #"{"iso": "\#(country($0))", "name": "The land \#($0)"}"# } }

    @Test func partsOfTextsAreReferences() throws {
        let regions = records(100) { #"{"code": "\#(country($0))-\#(100 + $0)", "label": "r\#($0)"}"# }
        let text = try draft(["countries": countries, "regions": regions])
        #expect(text.contains("// what is before the first \"-\": all 100 found in Country.iso"), "\(text)")
        #expect(text.contains(#""country": { "to": "Country", "from": "code", "match": "^([^-]+)-" }"#), "\(text)")
        #expect(text.contains(#""code": "text""#), "it stays an attribute: \(text)")
    }

    /// Records told in short, by whatever name they are known; and one value that is found by chance.
    @Test(arguments: ["index", "ref", "iso", "sku", "abbreviation"]) func recordsToldInShort(name: String) throws {
        let skill = { (number: Int) in #""\#(name)": "s\#(number)x", "title": "Skill \#(number)""# }
        let skills = records(18) { #"{\#(skill($0)), "level": \#($0 % 5)}"# }
        let classes = records(6) { number in
            let list = (0..<5).map { "{\(skill((number * 3 + $0) % 18))}" }.joined(separator: ", ")
            return #"{"\#(name)": "c\#(number)y", "title": "Class \#(number)", "skills": [\#(list)]}"#
        }
        let text = try draft(["skills": skills, "classes": classes])
        #expect(text.contains(#""skills": { "to": "Skill", "from": "skills[*].\#(name)", "many": true }"#), "\(text)")
        #expect(!text.contains("ClassSkill"), "\(text)")
    }

    @Test func oneValueIsNoReference() throws {
        let monsters = records(10) { #"{"index": "m\#($0)x", "hit_points": \#($0 * 9 % 4)}"# }
        let text = try draft(["backgrounds": [#"{"index": "m3x", "title": "Acolyte"}"#], "monsters": monsters])
        #expect(!text.contains(#""to""#), "\(text)")
    }

    /// `%` is the code of a country.
    @Test(arguments: [
        ("x-y#-%", "^(?:[^-]+-){2}([^-]+)"), ("a#:%:b", "^[^:]+:([^:]+)"), ("%_#_x", "^([^_]+)_"),
        ("#/%", "^[^/]+/([^/]+)"),
    ])
    func partsAreFoundAmongSeveral(_ form: String, _ pattern: String) throws {
        let uses = records(60) { number in
            let value = form.replacing("%", with: country(number)).replacing("#", with: "\(number)")
            return #"{"nr": "n\#(number)", "ref": "\#(value)"}"#
        }
        let text = try draft(["countries": countries, "uses": uses])
        #expect(text.contains(#""to": "Country", "from": "ref", "match": "\#(pattern)""#), "\(text)")
        #expect(text.components(separatedBy: #""to":"#).count == 2, "\(text)")
    }

    @Test func theFirstCharactersMayBeACode() throws {
        let uses = records(80) { #"{"nr": \#($0), "code": "\#(country($0))\#($0 % 3 == 0 ? "" : "\(10 + $0)")"}"# }
        let text = try draft(["countries": countries, "uses": uses])
        #expect(text.contains(#"{ "to": "Country", "from": "code", "match": "^.{2}" }"#), "\(text)")
    }

    @Test func levelsOfCodesAreReferencesToThemselves() throws {
        let codes = ["1", "2", "3"].flatMap { one in
            [one]
                + (1...4).flatMap { two in
                    ["\(one).\(two)"] + (1...3).map { "\(one).\(two).\($0)x" }
                }
        }
        let text = try draft(["classes": codes.map { #"{"code": "c\#($0)", "title": "Class \#($0)"}"# }])
        #expect(text.contains(#""to": "Class", "from": "code", "match": "^(.+)\\.[^.]+$""#), "\(text)")
    }

    @Test func whatIsCutByChanceIsNoReference() throws {
        // Small numbers behind a dash.
        let uses = records(60) { #"{"nr": "n\#($0)", "label": "row-\#($0 % 9 + 1)"}"# }
        let shops = records(40) { #"{"id": \#($0 + 1), "name": "shop \#($0)"}"# }
        let text = try draft(["shops": shops, "uses": uses])
        #expect(!text.contains(#""to":"#), "\(text)")
    }

    @Test func severalValuesReferTogether() throws {
        let parts = records(60) { #"{"shelf": "s\#($0 / 10)", "place": \#($0 % 10), "title": "t \#($0)"}"# }
        let uses = records(30) {
            #"{"nr": "n\#($0)", "near": {"shelf": "s\#($0 % 6)", "place": \#($0 % 10)}}"#
        }
        let text = try draft(["books": parts, "uses": uses])
        #expect(text.contains("// all 30 found in Book (shelf, place)"), "\(text)")
        #expect(text.contains(#""near": { "to": "Book", "identifier": ["near.shelf", "near.place"] }"#), "\(text)")
    }

    @Test func onePartNamesTheOwnerAndTheRestWhatIsInIt() throws {
        // The identifiers of the owners come behind what is in them.
        let owners = records(20) { owner in
            let inner = (0..<5).map { #"{"nr": "0\#($0 + owner % 3)", "label": "l \#(owner) \#($0)"}"# }
            return #"{"parts": [\#(inner.joined(separator: ", "))], "iso": "\#(country(owner))"}"#
        }
        let uses = records(40) { #"{"nr": "u\#($0)", "place": "\#(country($0))0\#($0 % 5 + $0 % 20 % 3)"}"# }
        let text = try draft(["lands": owners, "uses": uses])
        #expect(
            text.contains(
                #""identifier": [{ "from": "place", "match": "^.{2}" }, { "from": "place", "match": "^.{2}(.+)$" }]"#),
            "\(text)")
    }

    @Test func aNameTellsWhereFewValuesDo() throws {
        let makers = records(5) { #"{"id": \#($0 + 1), "name": "m\#($0)"}"# }
        let things = ["5", "5", "1", "3", "7", "2", "7", "4"].enumerated().map {
            #"{"nr": "t\#($0)", "maker_id": "\#($1)"}"#
        }
        let text = try draft(["makers": makers, "things": things])
        #expect(text.contains("// 6 of 8 found in Maker.id; 2 are not"), "\(text)")
        #expect(text.contains(#""maker": { "to": "Maker", "from": "maker_id" }"#), "\(text)")
    }

    /// Of a few codes under the name of a reference, three quarters are enough; under another name they are not.
    @Test(arguments: ["id", "spelling"])
    func fewCodesNeedAName(_ name: String) throws {
        let things = records(40) { #"{"id": "Q\#(100 + $0)", "label": "t\#($0 % 9)"}"# }
        let claims = records(12) { number in
            let value = number < 10 ? "Q\(100 + number)" : "Q\(900 + number)"
            return #"{"id": \#(number), "value": {"\#(name)": "\#(value)"}}"#
        }
        let text = try draft(["things": things, "claims": claims])
        #expect(text.contains("10 of 12 found in Thing.id; 2 are not"), "\(text)")
        #expect(text.contains(#""to": "Thing", "from": "value.\#(name)""#) == (name == "id"), "\(text)")
    }

    /// What a reference does not find is null: a text of another name stays what it is below 95 %.
    @Test(arguments: ["name", "effect"])
    func whatIsNotFoundStays(_ name: String) throws {
        func code(_ number: Int) -> String { "sort-\(Array("abcdefghijklmnopqrstuvwxyz")[number % 26])\(number * 7)" }
        let effects = records(24) { #"{"title": "\#(code($0))", "strength": \#($0 % 5)}"# }
        let kinds = records(30) { #"{"id": \#(700 + $0), "\#(name)": "\#(code($0))"}"# }
        let text = try draft(["effects": effects, "kinds": kinds])
        #expect(text.contains("24 of 30 found in Effect.title; 6 are not"), "\(text)")
        #expect(text.contains(#""to": "Effect""#) == (name == "effect"), "\(text)")
    }

    /// What a record is called stays where a single one is not found.
    @Test(arguments: ["name", "sort"])
    func theNameOfARecordStays(_ name: String) throws {
        let effects = records(39) { #"{"title": "sort-\#($0 * 7)x", "strength": \#($0 % 5)}"# }
        let kinds = records(40) { #"{"id": \#(700 + $0), "\#(name)": "sort-\#($0 * 7)x"}"# }
        let text = try draft(["effects": effects, "kinds": kinds])
        #expect(text.contains("39 of 40 found in Effect.title; 1 is not"), "\(text)")
        #expect(text.contains(#""to": "Effect""#) == (name == "sort"), "\(text)")
    }

    @Test func aNameAloneIsSaidToBeAlone() throws {
        let stops = records(30) { #"{"stop_id": "9001\#(1000 + $0)", "parent_station": "8001\#(1000 + $0 / 3)"}"# }
        let text = try draft(["stops": stops])
        #expect(text.contains("// none of 30 found in Stop.stop_id; by its name alone"), "\(text)")
        #expect(text.contains(#""parent_station": { "to": "Stop" }"#), "\(text)")
    }

    /// What is above a record is of its own kind, though few are found.
    @Test func aParentIsOneThoughFewAreFound() throws {
        let stops = records(30) {
            #"{"stop_id": "9001\#(1000 + $0)", "parent": "\#($0 < 3 ? 90 : 80)01\#(1001 + $0)"}"#
        }
        let text = try draft(["stops": stops])
        #expect(text.contains("// 3 of 30 found in Stop.stop_id; 27 are not; by its name alone"), "\(text)")
        #expect(text.contains(#""parent": { "to": "Stop" }"#), "\(text)")
    }

    @Test func codesThatSomeLackAreFound() throws {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        func code(_ number: Int) -> String {
            "\(letters[number % 26])\(letters[number / 26])\(letters[number * 7 % 26])"
        }
        let planes = records(100) { #"{"name": "plane \#($0)", "icao": \#($0 < 5 ? "null" : "\"\(code($0))\"")}"# }
        let routes = records(200) { #"{"nr": "r\#($0)", "with": ["\#(code($0 % 120 + 5))"]}"# }
        let text = try draft(["planes": planes, "routes": routes])
        #expect(text.contains("are not; fewer than 95 %; by its values alone"), "\(text)")
        #expect(
            text.contains(#""with": { "to": "Plane", "by": "icao", "from": "with[*]", "many": true }"#), "\(text)")
    }

    /// What several objects have leads to none of them: it is found, and a run does not resolve it.
    @Test func whatSeveralHaveIsCountedApart() throws {
        let planes = records(40) {
            #"{"id": \#(900 + $0 * 3), "name": "plane \#($0)", "iata": "Q\#(10 + max($0, 1))"}"#
        }
        let routes = records(80) { #"{"nr": "r\#($0)", "plane": "Q\#(11 + $0 % 39)"}"# }
        let text = try draft(["planes": planes, "routes": routes])
        #expect(
            unfolded(text).contains(
                #""iata" is not unique: 1 has another's, to which 3 of these lead, and stay unresolved"#),
            "\(text)")
    }

    /// What leads to several objects in each case leads to none.
    @Test func whatSeveralAlwaysHaveIsNoReference() throws {
        let planes = records(60) {
            #"{"id": \#(900 + $0 * 3), "name": "plane \#($0)", "iata": "\#($0 < 8 ? "QQ\($0 / 2)" : "X\(10 + $0)")"}"#
        }
        let routes = records(40) { #"{"nr": "r\#($0)", "plane": "QQ\#($0 % 4)"}"# }
        let text = try draft(["planes": planes, "routes": routes])
        #expect(!text.contains(#""by": "iata""#), "\(text)")
        let comment = #""plane": all 40 found in Plane.iata, which does not identify"#
        #expect(unfolded(text).contains(comment), "\(text)")
    }

    /// Of parts of texts, such as the names of hosts, many are found that mean nothing: a comment has them.
    @Test func mostPartsOfTextsAreToldOnly() throws {
        func code(_ number: Int) -> String { "land-\(country(number).lowercased())-\(number % 3)" }
        let lands = records(60) { #"{"key": "\#(code($0))x\#($0)", "title": "Land \#($0)"}"# }
        let hosts = records(100) { row in
            let part = row % 10 == 0 ? "other\(row)" : "\(code(row % 60))x\(row % 60)"
            return #"{"nr": \#(row), "host": "h\#(row).\#(part).example"}"#
        }
        let text = unfolded(try draft(["lands": lands, "servers": hosts]))
        #expect(!text.contains(#""to": "Land""#), "\(text)")
        #expect(text.contains(#""host", part 2 between ".": 90 of 100 found in Land.key; 10 are not"#), "\(text)")
    }

    /// What the objects in the list of a record refer to, the record itself only says for people.
    @Test func namesBesideAListOfReferencesAreTold() throws {
        let artists = records(40) { #"{"id": \#(700 + $0 * 3), "fc": "Maker, Ada \#($0 * 7)"}"# }
        let works = records(60) { row in
            let artist = row * 7 % 40
            return #"{"id": \#(9000 + row), "all_artists": "Maker, Ada \#(artist * 7)", "#
                + #""contributors": [{"artist_id": \#(700 + artist * 3), "role": "r\#(row % 3)"}]}"#
        }
        let text = try draft(["artists": artists, "works": works])
        #expect(text.contains(#""to": "Artist", "from": "artist_id""#), "\(text)")
        #expect(!text.contains(#""by": "fc""#) && text.contains(#""all_artists": "text""#), "\(text)")
    }

    /// Where a few are found under the name of a reference, a comment says so.
    @Test func whatMostlyDanglesIsProposed() throws {
        let makers = records(30) { #"{"id": "mk-\#(1000 + $0 * 13)", "name": "m\#($0)"}"# }
        let things = records(40) {
            #"{"nr": "t\#($0)", "maker_id": "mk-\#(1000 + ($0 < 3 ? $0 : 500 + $0 / 2) * 13)"}"#
        }
        let text = unfolded(try draft(["makers": makers, "things": things]))
        #expect(!text.contains(#""to": "Maker""#), "\(text)")
        #expect(text.contains(#""maker_id": 3 of 40 found in Maker.id; 37 are not; perhaps a reference"#), "\(text)")
    }

    /// What is called as nothing but an identifier is no reference by three values of six.
    @Test func anIdentifierOfItsOwnIsNoReference() throws {
        let names = ["slow", "medium", "fast", "medium-slow", "slow-then-very-fast", "fast-then-very-slow"]
        let rates = records(6) { #"{"id": \#($0 + 1), "identifier": "\#(names[$0])"}"# }
        let said = ["lente", "langsam", "slow", "moyenne", "mittel", "medium", "rapide", "schnell", "fast", "erratic"]
        let prose = records(10) { #"{"rate_id": \#($0 / 3 + 1), "lang": \#(5 + $0 % 3), "name": "\#(said[$0])"}"# }
        let text = try draft(["rates": rates, "prose": prose])
        #expect(text.contains(#""identifier": "text""#), "\(text)")
        #expect(!text.contains(#""from": "identifier""#), "\(text)")
    }
}
