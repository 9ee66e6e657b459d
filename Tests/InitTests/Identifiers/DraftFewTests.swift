import Testing

@testable import Sluice
@testable import SluiceInit

/// Feeds with too few records to measure much.
@Suite struct DraftFewTests {
    private func text(_ feed: String) throws -> String { try InitRun.Draft.run(of: feed).text }

    /// An object that is called as one of its own is one, and the comment says why.
    @Test func aNameAloneMakesAnObject() throws {
        let text = try text(
            """
            [{"id": 1, "title": "A", "milestone": {"id": 7, "title": "Soon"}, "author": {"login": "ada", "kind": "User"}},
            {"id": 2, "title": "B", "milestone": null, "author": {"login": "bob", "kind": "User"}}]
            """)
        #expect(
            text.contains(#""milestone": { "to": "Milestone", "from": "milestone.id", "onAbsent": "clear" }"#),
            "\(text)")
        #expect(text.contains(#""author": { "to": "Author", "from": "author.login" }"#), "\(text)")
        #expect(text.contains("too few to tell whether several records have the same: by its name alone"), "\(text)")
    }

    /// What has lists, or is what the record is known by, is not.
    @Test func aRecordInAnObjectIsNone() throws {
        let text = try text(
            """
            {"entry": [{"url": "x1", "resource": {"id": "p1", "names": [["a"]], "born": "1990-12-10"}},
            {"url": "x2", "resource": {"id": "p2", "names": [["b"]], "born": "1990-12-10"}}]}
            """)
        #expect(!text.contains(#""to""#), "\(text)")
    }

    /// An object with an identifier and lists, which some records lack, is not the record itself.
    @Test func anObjectThatSomeRecordsLackIsOneOfItsOwn() throws {
        let posts = { (lacking: (Int) -> Bool) in
            list(3) { post in
                let options = (0..<2).map { #"{"title": "t\#($0)", "votes": \#(post + $0)}"# }.joined(separator: ", ")
                let poll = #"{"id": "p\#(post)", "expired": false, "options": [\#(options)]}"#
                return #"{"url": "u\#(post)", "poll": \#(lacking(post) ? "null" : poll)}"#
            }
        }
        let text = try text(#"{"posts": \#(posts { $0 == 1 })}"#)
        #expect(text.contains(#""poll": { "to": "Poll", "from": "poll.id", "onAbsent": "clear" }"#), "\(text)")
        #expect(text.contains(#""poll": { "to": "Poll", "from": "$.posts[*].poll.id" }"#), "\(text)")
        let all = try self.text(#"{"posts": \#(posts { _ in false })}"#)
        #expect(!all.contains(#""to": "Poll""#), "\(all)")
    }

    /// An empty text may stand for an object that is not there.
    @Test func anEmptyTextIsNoObject() throws {
        let servers = list(20) { server in
            let image = server == 3 ? #""""# : #"{"id": "i\#(server % 3)", "os": "os \#(server % 3)"}"#
            return #"{"id": "s\#(server)", "image": \#(image)}"#
        }
        let text = try text(#"{"servers": \#(servers)}"#)
        #expect(text.contains(#""image": { "to": "Image", "from": "image.id", "onAbsent": "clear" }"#), "\(text)")
        #expect(text.contains(#""where": { "id": { "present": true } }"#), "\(text)")
    }

    /// A few numbers under the name of a reference are one where nothing else has them.
    @Test func fewNumbersAreFoundInOneEntity() throws {
        let users = [21, 22, 23, 31].map { #"{"id": \#($0), "mail": "u\#($0)@example.org"}"# }.joined(separator: ", ")
        let tickets = [(301, 21), (302, 22), (303, 29)].map { #"{"id": \#($0.0), "requester_id": \#($0.1)}"# }
        let lists = #""users": [\#(users)], "tickets": [\#(tickets.joined(separator: ", "))]"#
        let text = try text("{\(lists)}")
        #expect(text.contains(#""requester": { "to": "User", "from": "requester_id" }"#), "\(text)")
        #expect(text.contains("by its values alone"), "\(text)")
        let other = try self.text(#"{\#(lists), "teams": [{"id": 21}, {"id": 29}]}"#)
        #expect(!other.contains(#""from": "requester_id""#), "\(other)")
    }
}
