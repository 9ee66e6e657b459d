import Testing

@testable import Sluice
@testable import SluiceInit

/// Shapes in which services and exports have their records, of which others were drafted wrongly.
@Suite struct DraftServiceShapeTests {
    /// Strapi has what an object says in `attributes`, wherever the object is: it is one object.
    @Test func whatAnObjectSaysIsInItsAttributes() throws {
        let articles = list(40) { row in
            let attributes = #"{"name": "N\#(row % 5)", "email": "e\#(row % 5)@x.org"}"#
            let author = #"{"data": {"id": \#(row % 5 + 1), "attributes": \#(attributes)}}"#
            return #"{"id": \#(row + 1), "attributes": {"title": "T\#(row)", "author": \#(author)}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"data": \#(articles)}"#, "articles.json")
        #expect(report.entities.map(\.counts.created).sorted() == [5, 40], "\(text)")
        #expect(text.contains(#""email": { "type": "text", "from": "attributes.email" }"#), "\(text)")
        #expect(!text.contains("was not compared"), "\(text)")
    }

    /// Nodes beside a few ways and relations: nearly all are of one kind, whose members are not rare.
    @Test func mostAreOfOneKind() throws {
        let nodes = (0..<90).map { row in
            #"{"type": "node", "id": \#(26_000_000 + row * 37), "lat": 52.\#(row), "lon": 13.\#(row)}"#
        }
        let ways = (0..<25).map { row in
            let members = #""nodes": [\#(26_000_000 + row * 37)], "tags": {"highway": "p"}"#
            return #"{"type": "way", "id": \#(4_000_000 + row), \#(members)}"#
        }
        let groups = (0..<8).map { row in
            let members = #""members": [{"ref": \#(4_000_000 + row)}], "tags": {"type": "m"}"#
            return #"{"type": "relation", "id": \#(60_000 + row), \#(members)}"#
        }
        let elements = (nodes + ways + groups).joined(separator: ", ")
        let (text, report) = try InitRun.Draft.run(of: #"{"elements": [\#(elements)]}"#)
        #expect(report.entities.map(\.counts.created).sorted() == [8, 25, 90], "\(text)")
        #expect(text.contains(#""nodes": { "to": "Node", "from": "nodes[*]""#), "\(text)")
    }

    /// Kinds of which each has but an optional member more are none of their own.
    @Test func kindsThatShareMostAreOne() throws {
        let items = list(60) { row in
            let kind = row % 3 == 0 ? "house" : "senate"
            let own = row % 3 == 0 ? #""phone": "p\#(row)", "fax": "f\#(row)""# : #""site": "s\#(row)""#
            let common = #""id": "x\#(row)", "name": "N\#(row)", "url": "u\#(row)", "chair": "c\#(row)""#
            return #"{"type": "\#(kind)", \#(common), \#(own)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"committees": \#(items)}"#)
        #expect(!text.contains(#""where": { "type": "house" }"#), "\(text)")
    }

    /// What says of which type a value is gives no name in Firestore's answers, either, and what is in an address
    /// identifies nothing.
    @Test func typesOfFirestoreGiveNoNames() throws {
        let documents = list(40) { row in
            let zip = #"{"mapValue": {"fields": {"zip": {"stringValue": "\#(100 + row)"}}}}"#
            let tags = #"{"arrayValue": {"values": [{"stringValue": "t\#(row % 4)"}]}}"#
            let fields = #"{"age": {"integerValue": "\#(20 + row % 9)"}, "address": \#(zip), "tags": \#(tags)}"#
            return #"{"name": "projects/p/users/Q\#(row * 7919)", "fields": \#(fields)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"documents": \#(documents)}"#)
        let zip = "fields.address.mapValue.fields.zip.stringValue"
        #expect(text.contains(#""age": { "type": "integer", "from": "fields.age.integerValue" }"#), "\(text)")
        #expect(text.contains(#""zip": { "type": "text", "from": "\#(zip)" }"#), "\(text)")
        #expect(text.contains(#""identifier": "name""#) && text.contains("\"Tag\": {"), "\(text)")
    }

    /// Twilio's name for an identifier comes before a number that is unique by chance.
    @Test func sidIdentifies() throws {
        let messages = list(50) { row in
            #"{"to": "+4915\#(20_000_000 + row * 7919)", "account_sid": "AC1", "sid": "SM\#(row * 104_729)"}"#
        }
        let text = try InitRun.Draft.text(of: #"{"messages": \#(messages)}"#)
        #expect(text.contains(#""identifier": "sid""#), "\(text)")
    }

    /// Records whose members are all optional, under keys that cannot be names.
    @Test func recordsOfOptionalMembersAreAMap() throws {
        let types = (0..<60).map { row in
            let members = [
                row % 2 == 0 ? #""extensions": ["e\#(row)"]"# : nil, row % 3 == 0 ? #""compressible": true"# : nil,
                row % 5 < 2 ? #""notes": "n\#(row)""# : nil,
                #""\#(row % 7 < 4 ? "source" : "charset")": "s\#(row % 3)""#,
            ].compactMap { $0 }
            return #""application/x-\#(row)": {\#(members.joined(separator: ", "))}"#
        }
        let (text, report) = try InitRun.Draft.run(of: "{\(types.joined(separator: ", "))}", "types.json")
        #expect(text.contains(#""records": "$.*""#) && report.entities[0].counts.created == 60, "\(text)")
    }

    /// A first name that is unique in a file is no one's alone.
    @Test func aNameHasTwoParts() throws {
        let people = list(30) { #"{"first_name": "F\#($0)", "last_name": "L\#($0 % 5)", "kind": "k\#($0 % 2)"}"# }
        let text = try InitRun.Draft.text(of: people)
        #expect(text.contains(#""identifier": ["first_name", "last_name"]"#), "\(text)")
        #expect(text.contains("// \"first_name\" is unique here, and a part of a name"), "\(text)")
    }
}
