import Testing

@testable import Sluice
@testable import SluiceInit

/// Answers in HAL, and other objects with addresses beside what these lead to.
@Suite struct DraftEmbeddedLinkTests {
    @Test func whatIsEmbeddedIsReferredToOnce() throws {
        let orders = list(30) { row in
            let customer = row % 8
            let address = #"{"href": "https://x.org/customers/\#(customer)"}"#
            let links = #"{"self": {"href": "https://x.org/orders/\#(row)"}, "customer": \#(address)}"#
            let items = #"[{"sku": "S\#(row % 4)", "quantity": 1}, {"sku": "T\#(row % 3)", "quantity": 2}]"#
            let embedded = #"{"items": \#(items), "customer": {"id": \#(customer), "name": "N\#(customer)"}}"#
            return #"{"id": \#(row), "_links": \#(links), "_embedded": \#(embedded)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"_embedded": {"orders": \#(orders)}}"#)
        #expect(text.contains(#""customer": { "to": "Customer", "from": "_embedded.customer.id" }"#), "\(text)")
        #expect(!text.contains(#""match""#) && text.contains(#""OrderItem": {"#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [8, 30, 60], "\(text)")
    }

    /// Spring says `self` once more, under the name of what it is.
    @Test func theAddressOfARecordIsNoReference() throws {
        let people = list(20) { row in
            let own = #"{"href": "https://x.org/people/\#(row)"}"#
            return #"{"name": "N\#(row % 6)", "_links": {"self": \#(own), "person": \#(own)}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"_embedded": {"people": \#(people)}}"#)
        #expect(!text.contains("relationships"), "\(text)")
    }

    /// `AccountId` beside `Account`, as Salesforce has it: one of both, and the one that is null where there is none.
    @Test func anIdentifierBesideItsObjectIsOneReference() throws {
        let contacts = list(40) { row in
            let account = "0015g0000\(100_000 + row % 9 * 7919)"
            let isNull = row % 7 == 3
            let object = isNull ? "null" : #"{"Id": "\#(account)", "Name": "N\#(row % 9)"}"#
            return #"{"Id": "003\#(row)", "AccountId": \#(isNull ? "null" : "\"\(account)\""), "Account": \#(object)}"#
        }
        let text = try InitRun.Draft.text(of: #"{"records": \#(contacts)}"#)
        #expect(text.contains(#""Account": { "to": "Account", "from": "AccountId" }"#), "\(text)")
        #expect(!text.contains("Account2") && !text.contains("Account_Name"), "\(text)")
    }

    /// Who made a thing and who changed it are the same today.
    @Test func twoObjectsWithTheSameValuesAreTwo() throws {
        let events = list(30) { row in
            let user = #"{"email": "u\#(row % 4)@x.org", "self": \#(row % 4 == 0)}"#
            return #"{"id": "e\#(row)", "creator": {"email": "u\#(row % 4)@x.org"}, "organizer": \#(user)}"#
        }
        let text = try InitRun.Draft.text(of: events)
        #expect(text.contains(#""creator": { "to": "Organizer", "from": "creator.email" }"#), "\(text)")
        #expect(text.contains(#""organizer": { "to": "Organizer", "from": "organizer.email" }"#), "\(text)")
    }

    /// What each record says of its own address, in a list, refers to no record.
    @Test func addressesInAListAreNoReferences() throws {
        let lists = list(25) { row in
            let at = "https://x.org/lists/\(row * 104_729)"
            let link = { (rel: String, at: String) in #"{"rel": "\#(rel)", "href": "\#(at)", "method": "GET"}"# }
            let links = "[\(link("self", at)), \(link("members", at + "/members"))]"
            return #"{"id": "\#(row * 104_729)", "name": "N\#(row)", "_links": \#(links)}"#
        }
        let own = #"[{"rel": "self", "href": "https://x.org/lists", "method": "GET"}]"#
        let text = try InitRun.Draft.text(of: #"{"lists": \#(lists), "_links": \#(own)}"#)
        #expect(!text.contains(#""to": "Link""#) && !text.contains(#""match""#), "\(text)")
    }

    /// An object at the top, of which each record says the beginning again.
    @Test func whatAllRecordsSayIsTheObjectAtTheTop() throws {
        let own = #""id": 2021, "name": "Premier League", "code": "PL""#
        let matches = list(30) { #"{"id": \#(436_000 + $0), "competition": {\#(own)}, "status": "s\#($0 % 2)"}"# }
        let (text, report) = try InitRun.Draft.run(
            of: #"{"competition": {\#(own), "emblem": "https://x.org/PL.png"}, "matches": \#(matches)}"#)
        #expect(report.entities.map(\.counts.created).sorted() == [1, 30], "\(text)")
        #expect(text.contains(#""from": "competition.id""#) && !text.contains("competition2"), "\(text)")
    }

    /// One of the records, once more beside them: its members are no keys.
    @Test func oneOfTheRecordsIsNoMap() throws {
        let jobs = list(20) { #"{"name": "j\#($0)", "url": "https://x.org/job/\#($0)/", "color": "blue"}"# }
        let view = #"{"name": "all", "url": "https://x.org/", "color": "none"}"#
        let text = try InitRun.Draft.text(of: #"{"jobs": \#(jobs), "primaryView": \#(view)}"#)
        #expect(!text.contains("PrimaryView"), "\(text)")
    }
}
