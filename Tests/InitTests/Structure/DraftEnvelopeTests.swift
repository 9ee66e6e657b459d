import Testing

@testable import Sluice
@testable import SluiceInit

/// What `init` makes of answers whose objects are wrapped: JSON:API, HAL, and addresses beside values.
@Suite struct DraftEnvelopeTests {
    /// People and comments have the same identifiers, and say which they are; what refers to them says it, too.
    @Test func kindsHaveTheirFieldsInOneObject() throws {
        let posts = list(30) {
            #"{"type": "posts", "id": "\#($0 + 1)", "attributes": {"title": "T\#($0)"}, "relationships": {"author": "#
                + #"{"data": {"type": "people", "id": "\#($0 % 8 + 1)"}}}}"#
        }
        let people = list(8) { #"{"type": "people", "id": "\#($0 + 1)", "attributes": {"name": "P\#($0)"}}"# }
        let comments = list(30) { #"{"type": "comments", "id": "\#($0 + 1)", "attributes": {"body": "B\#($0)"}}"# }
        let included = "\(people.dropLast()),\(comments.dropFirst())"
        let (text, report) = try InitRun.Draft.run(of: #"{"data": \#(posts), "included": \#(included)}"#, "posts.json")
        #expect(text.contains(#""where": { "type": "people" }"#) && text.contains(#""where": { "type": "comments" }"#))
        #expect(text.contains(#""author": { "to": "Person", "from": "relationships.author.data.id" }"#), "\(text)")
        #expect(report.entities.map(\.counts.created).sorted() == [8, 30, 30], "\(text)")
    }

    /// What is around all that records say gives no name, unless they say something beside it.
    @Test func whatIsAroundAllThatRecordsSayGivesNoName() throws {
        let issue = { (number: Int, beside: String) in
            #"{"id": "\#(number)", "key": "A-\#(number)"\#(beside), "fields": {"name": "N\#(number)", "type": "t\#(number % 2)"}}"#
        }
        let text = try InitRun.Draft.text(of: list(12) { issue($0, "") })
        #expect(text.contains(#""name": { "type": "text", "from": "fields.name""#), "\(text)")
        #expect(text.contains(#""type": { "type": "text", "from": "fields.type""#), "\(text)")
        let said = try InitRun.Draft.text(of: list(12) { issue($0, #", "size": \#($0 % 3)"#) })
        #expect(said.contains(#""fields_name": {"#), "\(said)")
        let twice = try InitRun.Draft.text(of: list(12) { issue($0, #", "type": "issue""#) })
        #expect(twice.contains(#""fields_type": {"#) && twice.contains(#""name": {"#), "\(twice)")
    }

    /// Kinds with the same fields are one entity, and may have the same identifiers.
    @Test func kindsWithTheSameFieldsIdentifyToo() throws {
        let included = list(40) {
            #"{"type": "\#(["people", "teams"][$0 % 2])", "id": "\#($0 + 1)", "attributes": {"name": "N\#($0)"}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"included": \#(included)}"#)
        #expect(text.contains(#""identifier": ["type", "id"]"#), "\(text)")
    }

    /// What says where the neighbors of a page are is no record.
    @Test func linksOfAPageAreNoRecords() throws {
        let links = ["self", "first", "next", "last"].map { #""\#($0)": {"href": "http://x/o?page=\#($0.count)"}"# }
        let orders = list(20) { #"{"orderId": \#($0), "title": "O\#($0)"}"# }
        let text = try InitRun.Draft.text(
            of: #"{"_embedded": {"orders": \#(orders)}, "_links": {\#(links.joined(separator: ", "))}, "#
                + #""page": {"size": 20, "totalElements": 137, "totalPages": 7, "number": 0}}"#)
        #expect(text.contains(#""Order": {"#) && !text.contains(#""Link": {"#), "\(text)")
        #expect(text.components(separatedBy: #""records""#).count == 2, "\(text)")
    }

    /// A connection of GraphQL in the records is one page of several.
    @Test func listsInRecordsHavePages() throws {
        let issues = list(40) { number in
            let comments = list(number % 3) { #"{"id": "c\#(number)_\#($0)", "body": "b"}"# }
            return
                #"{"id": "I\#(number)", "title": "T\#(number)", "comments": {"totalCount": \#(number % 5), "pageInfo": "#
                + #"{"hasNextPage": \#(number % 5 > 2), "endCursor": "x\#(number)"}, "nodes": \#(comments)}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"issues": \#(issues)}"#)
        #expect(
            unfolded(text).contains(#""comments.pageInfo" says whether a list in the record has further pages"#),
            "\(text)")
        #expect(!text.contains("endCursor") && !text.contains("hasNextPage"), "\(text)")
        #expect(text.contains(#""totalCount""#), "\(text)")
    }

    /// An address and a value of one object are one reference, called after the object.
    @Test func anAddressBesideAValueIsTheSameReference() throws {
        let key = { (number: Int) in String(repeating: "0", count: 20) + String(104_729 * (number + 1), radix: 16) }
        let users = list(12) { #"{"sys_id": "\#(key($0))", "title": "U\#($0)"}"# }
        let tickets = list(40) {
            #"{"number": "INC\#($0 + 100)", "caller_id": {"link": "https://x/user/\#(key($0 % 12))", "value": "\#(key($0 % 12))"}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"users": \#(users), "tickets": \#(tickets)}"#)
        #expect(text.contains(#""caller": { "to": "User", "from": "caller_id.value" }"#), "\(text)")
        #expect(text.components(separatedBy: #""to""#).count == 2, "\(text)")
    }
}
