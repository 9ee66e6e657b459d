import Testing

@testable import Sluice
@testable import SluiceInit

/// Objects that many records tell of, in members of their own.
@Suite struct DraftSharedTests {
    private let scratch = FeedFolder()

    /// What two tables say of one thing is one entity.
    @Test func twoTablesTellOfTheSameObjects() throws {
        let rows = { (factor: Int, most: Int) in
            (0..<400).map { row in
                let airport = row * factor % most + 1
                return "\(70_000 * factor + row),\(6000 + airport * 3),A\(100 + airport),\(110 + row % 40).25"
            }
        }
        let text = try scratch.text(of: [
            "frequencies": ["id,airport_ref,airport_ident,mhz"] + rows(7, 70),
            "runways": ["id,airport_ref,airport_ident,length"] + rows(11, 90),
        ])
        #expect(text.contains(#""source": ["frequencies", "runways"]"#) && !text.contains("RunwayAirport"), "\(text)")
        #expect(
            text.components(separatedBy: #""airport": { "to": "Airport", "from": "airport_ref" }"#).count == 3,
            "\(text)")
    }

    private func text(_ feed: String) throws -> String { try InitRun.Draft.run(of: feed).text }

    /// What is called after a key, and always the same with it, is said of the object with that key.
    @Test func whatIsCalledAfterAKeyIsOfAnObject() throws {
        let posts = list(40) { number in
            let forum = number % 4
            return """
                {"id": \(1000 + number), "title": "Post \(number)", "forum_id": "f\(forum)x", "forum": "Forum \(forum)",
                "forum_type": "\(forum == 0 ? "open" : "closed")", "country": "c\(forum % 3)", "score": \(number % 7)}
                """
        }
        let text = try text(#"{"posts": \#(posts)}"#)
        #expect(text.contains(#""forum": { "to": "Forum", "from": "forum_id" }"#), "\(text)")
        let comment = #"// records with the same "forum_id" say the same here: what that is, is in Forum"#
        #expect(text.contains(comment), "\(text)")
        let forum = text.split(separator: #""Forum": {"#).last.map(String.init) ?? ""
        #expect(forum.contains(#""repeats": true"#) && forum.contains(#""forum_type""#), "\(text)")
        #expect(forum.contains(#""country""#), "it is always the same, too: \(text)")
        #expect(!forum.contains("score"), "\(text)")
    }

    /// What differs with one key is not said of its object.
    @Test func whatDiffersIsOfTheRecord() throws {
        let posts = list(40) { #"{"id": \#(1000 + $0), "forum_id": "f\#($0 % 4)x", "forum_rank": "r\#($0 % 9)"}"# }
        let text = try text(#"{"posts": \#(posts)}"#)
        #expect(!text.contains(#""to""#), "\(text)")
    }

    /// A few numbers may be the same by chance.
    @Test func fewNumbersSayNothing() throws {
        let calls = [1, 2, 3, 1].map { #"{"id": "c\#($0 * 7)", "stop_id": "s\#($0)x", "stop_sequence": \#($0)}"# }
        let unique = calls.enumerated().map { $1.replacing(#""id": ""#, with: #""id": "\#($0)"#) }
        let text = try text(#"{"calls": [\#(unique.joined(separator: ", "))]}"#)
        #expect(!text.contains(#""to""#), "\(text)")
    }

    /// Records at several places may tell of the same.
    @Test func placesThatTellOfTheSameAreOne() throws {
        let user = { (number: Int) in #""uid": \#(500 + number % 5), "user": "user \#(number % 5)""# }
        let changes = list(30) { number in
            #"{"id": \#(9000 + number * 3), \#(user(number)), "comments": [{"id": "c\#(number)", \#(user(number + 1))}]}"#
        }
        let text = try text(#"{"changes": \#(changes)}"#)
        #expect(text.contains(#""records": ["$.changes[*]", "$.changes[*].comments[*]"]"#), "\(text)")
        #expect(text.components(separatedBy: #""to": "User""#).count == 3, "\(text)")
    }

    /// Objects in lists have what is theirs, and what the record says of them.
    @Test func whatARecordSaysOfAnObjectStays() throws {
        let tasks = list(30) { task in
            let fields = (0..<3).map { field in
                #"{"gid": "g\#(field)", "name": "Field \#(field)", "kind": "k\#(field)", "value": "v\#(task * field % 11)"}"#
            }
            return #"{"gid": "t\#(task)", "fields": [\#(fields.joined(separator: ", "))]}"#
        }
        let text = try text(#"{"tasks": \#(tasks)}"#)
        #expect(text.contains(#""identifier": ["task_gid", "gid"]"#), "\(text)")
        #expect(text.contains(#"{ "to": "SharedField", "from": "gid" }"#), "\(text)")
        let shared = text.split(separator: #""SharedField": {"#).last.map(String.init) ?? ""
        #expect(shared.contains(#""kind""#) && !shared.contains(#""value""#), "\(text)")
    }

    /// A list belongs to what has it, and not to an object beside it that others have, too.
    @Test func whatHasAListIsNotTheObjectBesideIt() throws {
        let items = list(30) { item in
            let held = (0..<3).map { held in
                let pet = item % 4 + held
                let details = list(3) { #"{"version": "v\#($0)", "rarity": \#((item + pet) % 2 == 0 ? 5 : 50)}"# }
                return #"{"pokemon": {"name": "p\#(pet)", "url": "/p/\#(pet)/"}, "details": \#(details)}"#
            }
            return #"{"id": \#(item + 1), "name": "item\#(item)", "held_by": [\#(held.joined(separator: ", "))]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"tools": \#(items)}"#)
        #expect(text.contains(#""identifier": ["tool_id", "pokemon_name"]"#), "\(text)")
        #expect(text.contains(#"{ "to": "Pokemon", "from": "pokemon.name" }"#), "\(text)")
        let counts = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.counts.created) })
        #expect(counts == ["Tool": 30, "HeldBy": 90, "Detail": 270, "Pokemon": 6], "\(counts) of \(text)")
    }

    /// Objects that say the same in all records, their lists too, are some of their own.
    @Test func whatHasAlwaysTheSameListIsShared() throws {
        let lines = list(30) { trip in
            let lines = (0..<2).map { next in
                let line = (trip + next) % 5
                let stops = list(3) { #"{"stop": "s\#(line)\#($0)", "minute": \#($0 * 7)}"# }
                return #"{"id": "l\#(line)x", "colour": "c\#(line % 2)", "stops": \#(stops)}"#
            }
            return #"{"id": \#(trip + 1), "lines": [\#(lines.joined(separator: ", "))]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"trips": \#(lines)}"#)
        #expect(text.contains(#""repeats": true"#), "\(text)")
        #expect(Set(report.entities.map(\.counts.created)) == [30, 5, 15], "\(text)")
    }

    /// So have objects in records, of which only some values are always the same.
    @Test func anObjectInARecordIsToldInPart() throws {
        let events = list(40) { number in
            let who = number % 5
            return """
                {"eventID": "e\(number)x", "identity": {"principalId": "P\(who)A", "arn": "arn:user/\(who)",
                "userName": "user \(who)", "accessKeyId": "K\(number % 17)",
                "issuer": {"id": "role\(who % 2)x", "name": "Role \(who % 2)"}}}
                """
        }
        let text = try text(#"{"events": \#(events)}"#)
        #expect(text.contains(#""principal": { "to": "EventIdentity", "from": "identity.principalId" }"#), "\(text)")
        let identity = text.split(separator: #""EventIdentity": {"#).last.map(String.init) ?? ""
        #expect(identity.contains(#""issuer": { "to": "Issuer", "from": "identity.issuer.id" }"#), "\(text)")
    }

    /// What a record says without the key is its own: with the object it would be nowhere.
    @Test func valuesWithoutAKeyStay() throws {
        let posts = list(52) { index in
            let game = index < 48 ? "\"A\(index / 8)\"" : "null"
            return
                #"{"post": "p\#(index)", "game_id": \#(game), "game_num": \#(index < 48 ? index / 8 : 7), "game_name": \#(index < 48 ? "\"n\(index / 8)\"" : "null")}"#
        }
        let text = try InitRun.Draft.text(of: posts)
        let post = try #require(text.range(of: #""Feed""#)).lowerBound
        #expect(text[post...].contains(#""game_num""#), "\(text)")
    }

    /// What is no record tells of none, and what a record lacks is not required, wherever it stands.
    @Test func whatIsNoRecordTellsOfNone() throws {
        let place = { (number: Int) in #""place_id": "p\#(number % 4)x", "place": "Place \#(number % 4)""# }
        let visits = list(24) { number in
            if number == 5 { return "null" }
            let note = number == 7 ? "" : #", \#(place(number + 1)), "place_kind": "k\#((number + 1) % 2)""#
            let own =
                number == 3
                ? "" : #", \#(place(number))\#(number % 4 == 0 ? "" : #", "place_kind": "k\#(number % 2)""#)"#
            return #"{"id": "v\#(number)"\#(own), "notes": [{"nr": "n\#(number)"\#(note)}]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"visits": \#(visits)}"#)
        #expect(text.contains(#""from": "place_id""#), "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 }, "\(text)")
    }

    /// Objects with a name and other values are known by their number, whatever that is called.
    @Test(arguments: ["number", "no", "nr", "customerNo"]) func objectsAreKnownByTheirNumber(_ key: String) throws {
        let customers = [("Eve KG", "80331"), ("Ada GmbH", "01067"), ("Bob AG", "10115")]
        let invoices = list(15) { number in
            let (name, zip) = customers[number % 3]
            return #"{"invoiceNo": "R-\#(number)", "customer": {"\#(key)": "K\#(number % 3)", "name": "\#(name)", "#
                + #""zip": "\#(zip)"}, "total": \#(number * 10).5}"#
        }
        let (text, report) = try InitRun.Draft.run(of: invoices, "invoices.json")
        #expect(text.contains(#""identifier": "\#(key)""#), "\(text)")
        #expect(text.contains(#""customer": { "to": "Customer""#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [3, 15], "\(text)")
    }
}
