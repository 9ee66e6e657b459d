import Testing

@testable import Sluice
@testable import SluiceInit

/// What values in the objects of a record are called beside its own.
@Suite struct DraftMemberNameTests {
    /// A member of the record keeps its name, whatever comes first; all that is in an object is called after that.
    @Test func aMemberOfTheRecordKeepsItsName() throws {
        let text = try InitRun.Draft.text(
            of: list(12) { #"{"id": \#($0), "home": {"city": "A\#($0 % 3)", "zip": "z\#($0)"}, "city": "C\#($0)"}"# })
        #expect(text.contains(#""home_city": { "type": "text", "from": "home.city""#), "\(text)")
        #expect(text.contains(#""city": "text""#), "\(text)")
        #expect(text.contains(#""home_zip": { "type": "text", "from": "home.zip""#), "\(text)")
    }

    /// Objects of one name in different ones are told apart by all of the way.
    @Test func objectsOfOneNameAreToldApart() throws {
        let text = try InitRun.Draft.text(
            of: list(24) {
                #"{"id": \#($0), "again": {"card": {"width": \#($0 % 5)}}, "card": {"width": \#($0 % 7)}, "width": 1}"#
            })
        #expect(text.contains(#""again_card_width": {"#) && text.contains(#""card_width": {"#), "\(text)")
        #expect(text.contains(#""width": "integer""#), "\(text)")
    }

    /// Of two objects with members of one name, both are named: nobody takes what was for what is.
    @Test func membersOfSeveralObjectsAreCalledAfterThese() throws {
        let rows = (0..<30).map { row in
            let person = { (kind: String) in
                #"{"email": "\#(kind)\#(row * 5 % 9)@example.org", "city": "\#(kind)\#(row % 4)", "age": \#(row % 7)}"#
            }
            let before = row % 3 == 0 ? "null" : person("a")
            return
                #"{"at": "2026-11-20T07:00:\#(10 + row).123Z", "value": {"before": \#(before), "after": \#(person("b"))}}"#
        }
        let text = try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "changes.ndjson")
        for name in ["before_email", "after_email", "before_city", "after_city"] {
            #expect(text.contains("\"\(name)\": {"), "\(text)")
        }
        #expect(!text.contains("\"email\":") && !text.contains("\"city\":"), "\(text)")
    }

    /// What is told of twice is called after what it is in; a number says nothing.
    @Test func twoReferencesAreCalledAfterTheirWays() throws {
        let account = { (at: Int) in #"{"id": "u\#(at)x", "name": "N\#(at)", "mail": "m\#(at)@x.org"}"# }
        let statuses = list(60) { row in
            let inner = #"{"id": "r\#(row)", "account": \#(account(row * 3 % 7))}"#
            return #"{"id": "t\#(row)", "account": \#(account(row % 7)), "reblog": \#(inner)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"statuses": \#(statuses)}"#)
        #expect(text.contains(#""account": { "to": "Account", "from": "account.id" }"#), "\(text)")
        #expect(text.contains(#""reblog_account": { "to": "Account", "from": "reblog.account.id" }"#), "\(text)")
    }
}
