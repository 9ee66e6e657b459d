import SluiceDefinition
import Testing

@testable import SluiceInit

/// What newcomers met in feeds that nobody here had written.
@Suite struct DraftSecondHourTests {
    private func list(_ count: Int, _ record: (Int) -> String) -> String {
        "[" + (0..<count).map(record).joined(separator: ",") + "]"
    }

    // MARK: Identifiers

    /// A few records, or many: what is there twice has another version each time.
    @Test(arguments: [8, 60]) func aVersionIsAPartOfTheIdentifier(count: Int) throws {
        let feed = list(count) { number in
            let id = number < 4 ? number / 2 : number
            return #"{"id":\#(id),"version":"\#(number % 2 == 0 ? "b" : "a")"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": ["id", "version"]"#), "\(text)")
        #expect(unfolded(text).contains(#""id" is unique together with "version""#), "\(text)")
    }

    /// A list of values in the records hides no copy.
    @Test func oneCopyStopsNoIdentifier() throws {
        let feed = list(201) { number in
            let number = min(number, 199)
            let teams = #""team1":"T\#(number % 10)","team2":"T\#((number + 3) % 10)""#
            return #"{"round":"Matchday \#(number / 10)","time":"15:00",\#(teams),"goals":[\#(number % 3),1]}"#
        }
        let text = try InitRun.Draft.text(of: #"{"matches":\#(feed)}"#)
        #expect(text.contains(#""identifier": ["round", "team1"]"#), "\(text)")
    }

    /// Exports of the same records, each in a file of its own.
    @Test func eachFileHasTheSameRecords() throws {
        let folder = FeedFolder()
        for night in 19...21 {
            let rows = (0..<40).map { "d\($0).gov,Org \($0 % 7),City \(($0 + night) % 3)" }
            try folder.write("nights/d-\(night).csv", (["Domain,Organization,City"] + rows).joined(separator: "\n"))
        }
        let text = try folder.draft(["nights/*.csv"]).text
        #expect(text.contains(#""identifier": ["Domain", "file"]"#), "\(text)")
        let told = #""Domain" is unique in each file, and 80 of 120 records are in a file before"#
        #expect(unfolded(text).contains(told), "\(text)")
    }

    /// An organisation that several states name, in the same words or in others.
    @Test(arguments: [true, false]) func filesMayNameTheSameObject(isSame: Bool) throws {
        let folder = FeedFolder()
        for state in ["act", "nsw", "qld"] {
            let own = (0..<20).map { #"{"id":"\#(state)-\#($0)","name":"N \#(state) \#($0)","seats":\#($0 % 5)}"# }
            let shared = (0..<4).map { number in
                let name = isSame ? "Party \(number)" : "Party \(number) of \(state)"
                return #"{"id":"party-\#(number)","name":"\#(name)","seats":\#(number)}"#
            }
            try folder.write("\(state).json", #"{"organizations":[\#((own + shared).joined(separator: ","))]}"#)
        }
        let text = try folder.draft(["*.json"]).text
        #expect(text.contains(#""identifier": "id""#) == isSame, "\(text)")
        #expect(unfolded(text).contains("8 of 72 records are copies of others") == isSame, "\(text)")
    }

    /// What the payer in a payment is known by is no flaw of the payment's own identifier.
    @Test func aRemarkNamesTheObjectThatAnIdentifierIsIn() throws {
        let payments = list(8) { #"{"id":"P-\#($0)","payer":{"id":"C-\#(min($0, 6))","name":"N"}}"# }
        let customers = list(9) { #"{"id":"C-\#($0)","name":"N\#($0)"}"# }
        let text = unfolded(try InitRun.Draft.text(of: #"{"payments":\#(payments),"customers":\#(customers)}"#))
        #expect(!text.contains(#""id" is unique but"#), "\(text)")
    }

    // MARK: References

    /// The same objects in two lists that are known by different values.
    @Test func aListLeadsToTheSameObjectsOfAnother() throws {
        let place = { (number: Int) in "Road \(number) and Hwy \(number * 7), near Town \(number)" }
        let open = list(20) { #"{"UniqueId":"u-\#($0)x\#($0 * 31)","Location":"\#(place($0))","Acres":\#($0)}"# }
        let all = list(60) { number in
            #"{"IncidentId":\#(2700 + number),"UniqueId":"u-\#(number)x\#(number * 31)","Location":"\#(place(number))"}"#
        }
        let text = try InitRun.Draft.text(of: #"{"Incidents":\#(open),"AllYearIncidents":\#(all)}"#)
        #expect(text.contains(#""to": "AllYearIncident", "by": "UniqueId""#), "\(text)")
        #expect(text.contains(#""Location": "text""#) && !text.contains(#""by": "Location""#), "\(text)")
    }

    /// What a record is called stays where it can be read.
    @Test func aNameThatRefersStaysAnAttribute() throws {
        let heroes = list(20) { #"{"id":\#($0),"name":"hero_\#($0)_x"}"# }
        let kits = list(20) { #"{"key":"hero_\#($0)_x","size":\#($0 % 3)}"# }
        let text = try InitRun.Draft.text(of: #"{"heroes":\#(heroes),"kits":\#(kits)}"#)
        #expect(text.contains(#""name": "text""#), "\(text)")
        #expect(text.contains(#"{ "to": "Kit", "from": "name" }"#), "\(text)")
    }

    /// One word that many records have, and which is found, says nothing of the others.
    @Test func oneCommonValueMakesNoReference() throws {
        let policies = list(12) { number in
            #"{"key":"\#(number == 0 ? "compat" : "policy-" + String(number))","note":"n"}"#
        }
        let selectors = list(100) { number in
            let word = number < 70 ? "compat" : "policy-" + String(number < 72 ? number - 69 : number)
            return #"{"id":\#(number),"permissionPolicy":"\#(word)"}"#
        }
        let text = try InitRun.Draft.text(of: #"{"policies":\#(policies),"selectors":\#(selectors)}"#)
        #expect(!text.contains(#""to": "Policy""#), "\(text)")
    }

    /// A bare `key` of which some are found elsewhere is the record's own.
    @Test func aBareKeyRefersByAllOfItsValues() throws {
        let recipes = list(60) { #"{"key":"thing-number-\#($0 + 45)","time":\#($0 % 5)}"# }
        let items = list(90) { number in
            #"{"key":"thing-number-\#(number)","type":"\#(number % 2 == 0 ? "item" : "fluid")","stack":\#(number % 4)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"recipes":\#(recipes),"items":\#(items)}"#)
        #expect(text.components(separatedBy: #""key": "text""#).count == 3, "\(text)")
        #expect(!text.contains(#""from": "key""#), "\(text)")
    }

    /// Elements that are told in short, whatever the member is called by which they are known.
    @Test func elementsThatAreOthersInShortLeadToThem() throws {
        let kind = { (number: Int) in #""index":"class-\#(number)","name":"Class \#(number)","url":"/class/\#(number)""#
        }
        let classes = list(12) { "{\(kind($0)),\"hit_die\":\($0 % 4)}" }
        let spells = list(40) { number in
            #"{"index":"spell-\#(number)","classes":[{\#(kind(number % 12))},{\#(kind((number + 5) % 12))}]}"#
        }
        let text = try InitRun.Draft.text(of: #"{"classes":\#(classes),"spells":\#(spells)}"#)
        #expect(text.contains(#""classes": { "to": "Class", "from": "classes[*].index", "many": true }"#), "\(text)")
        #expect(text.components(separatedBy: #""records": "#).count == 3, "\(text)")
    }

    /// Two members that name the same things, of which no list tells.
    @Test func theSameTextsMayNameObjects() throws {
        let matches = list(60) { number in
            let (home, away) = (number % 9, (number + 1 + number / 9) % 9)
            return #"{"id":\#(number),"team1":"Club \#(letter(home))","team2":"Club \#(letter(away))","city":"X"}"#
        }
        let text = unfolded(try InitRun.Draft.text(of: #"{"matches":\#(matches)}"#))
        let told = #""team1", "team2" say the same texts: these may name objects of their own, which a reference to"#
        #expect(text.contains(told + #" a new entity "Team" with "missing": "stub" makes"#), "\(text)")
    }

    private func letter(_ number: Int) -> Character { Character(UnicodeScalar(UInt8(65 + number))) }

    // MARK: Names and places

    @Test func whatAllFilesBeginWithIsInNoName() throws {
        let folder = FeedFolder()
        for name in ["Monsters", "Spells", "Magic-Items"] {
            try folder.write("5e-SRD-\(name).json", list(3) { #"{"id":"\#(name)-\#($0)","\#(name)Size":\#($0)}"# })
        }
        let names = ["Monsters", "Spells", "Magic-Items"].map { "5e-SRD-\($0).json" }
        let text = try folder.draft(names).text
        for entity in ["Monster", "Spell", "MagicItem"] { #expect(text.contains("\"\(entity)\": {"), "\(text)") }
    }

    /// Items beside other lists are items, and alone what the feed is called.
    @Test func itemsBesideOthersAreItems() throws {
        let items = #""items":\#(list(3) { #"{"id":"i\#($0)"}"# })"#
        let recipes = #""recipes":\#(list(3) { #"{"id":"r\#($0)"}"# })"#
        let both = try InitRun.Draft.text(of: "{\(items),\(recipes)}", "factory.json")
        #expect(both.contains(#""Item": {"#) && both.contains(#""Recipe": {"#), "\(both)")
        #expect(try InitRun.Draft.text(of: "{\(items)}", "factory.json").contains(#""Factory": {"#))
    }

    /// A tree whose nodes have other names each, with what is said of them under one name.
    @Test func oneNameAtManyDepthsIsTold() throws {
        let fact = { (number: Int) in #""__fact":{"url":"https://x/\#(number)","ok":true}"# }
        let groups = (0..<25).map { number in
            #""group\#(number)":{\#(fact(number)),"part\#(number)":{\#(fact(100 + number)),"x":{\#(fact(200 + number))}}}"#
        }
        let feed =
            #"{"one":{\#(groups[..<9].joined(separator: ","))},"two":{"a":{\#(groups[9...].joined(separator: ","))}}}"#
        let text = unfolded(try InitRun.Draft.text(of: feed))
        #expect(text.contains(#"objects are called "__fact""#) && text.contains(#""records": "$..__fact""#), "\(text)")
    }

    @Test func blankInParenthesesIsNoValue() throws {
        let feed = (["id,size"] + (0..<30).map { "\($0),\($0 % 5 == 0 ? "(blank)" : "\($0)")" }).joined(separator: "\n")
        let text = try InitRun.Draft.text(of: feed + "\n", "feed.csv")
        #expect(text.contains(#""size": { "type": "integer", "nullIf": "(blank)" }"#), "\(text)")
    }
}
