import Testing

@testable import Sluice
@testable import SluiceInit

/// Objects that only name others, and those that are named.
@Suite struct DraftLinkTests {
    private func text(_ feed: String) throws -> String { try InitRun.Draft.run(of: feed).text }

    /// Objects with nothing but the identifier of a record, and what is the same in all, are references.
    @Test func objectsThatOnlyNameRecordsAreReferences() throws {
        let pages = list(30) { page in
            let others = (1...3).map { #"{"type": "page", "id": "p\#((page * 7 + $0) % 30)x"}"# }
            return #"{"id": "p\#(page)x", "title": "Page \#(page)", "blocks": [\#(others.joined(separator: ", "))]}"#
        }
        let text = try text(#"{"pages": \#(pages)}"#)
        #expect(text.contains(#""blocks": { "to": "Page", "from": "blocks[*].id", "many": true }"#), "\(text)")
        #expect(!text.contains(#""Block""#), "\(text)")
    }

    /// What depends on others names these, rather than what says on which others they depend.
    @Test func whatIsNamedIsTheObjectItself() throws {
        let parts = list(20) { #"{"ref": "part-\#($0)", "name": "Part \#($0)", "version": "1.\#($0)", "size": "s"}"# }
        let needs = list(20) {
            #"{"ref": "part-\#($0)", "needs": ["part-\#(($0 + 3) % 20)", "part-\#(($0 + 5) % 20)"]}"#
        }
        let text = try text(#"{"dependencies": \#(needs), "components": \#(parts)}"#)
        #expect(text.contains(#""needs": { "to": "Component", "from": "needs[*]", "many": true }"#), "\(text)")
    }

    /// What an object that the feed has once says by one long code is a reference; a word is none.
    @Test func oneCodeOfASingleObjectIsAReference() throws {
        let users = list(20) { #"{"id": "U\#($0)JABQA7XY", "name": "User \#($0)"}"# }
        let members = #"["U1JABQA7XY", "U2JABQA7XY", "U3JABQA7XY"]"#
        let channel = #"{"id": "C1", "name": "general", "creator": "U7JABQA7XY", "kind": "x", "members": \#(members)}"#
        let text = try text(#"{"channel": \#(channel), "users": \#(users)}"#)
        #expect(text.contains(#""creator": { "to": "User" }"#), "\(text)")
    }

    /// A list that is called as the entity needs half of its values.
    @Test func listsThatAreCalledSoMayLackSome() throws {
        let nodes = (0..<5).map { #"{"id": \#(100 + $0), "lat": 52.\#($0), "lon": 13.\#($0)}"# }
        let ways = [[100, 101, 102, 100], [101, 199]].enumerated().map { #"{"id": \#(500 + $0), "nodes": \#($1)}"# }
        let lists = [nodes, ways].map { "[\($0.joined(separator: ", "))]" }
        let text = try text(#"{"nodes": \#(lists[0]), "ways": \#(lists[1])}"#)
        #expect(text.contains(#""nodes": { "to": "Node", "from": "nodes[*]", "many": true"#), "\(text)")
    }

    /// Numbers as large as these are no counts. Zero stands for none where all identifiers are larger.
    @Test func largeNumbersCloseTogetherAreReferences() throws {
        let rivers = list(60) {
            #"{"reach_id": \#(20_400_001 + $0), "next_down": \#($0 == 0 ? 0 : 20_400_001 + $0 / 2)}"#
        }
        let text = try text(#"{"reaches": \#(rivers)}"#)
        #expect(text.contains(#""next_down": { "to": "Reach", "nullIf": 0 }"#), "\(text)")
        #expect(text.contains("by its values alone"), "\(text)")
    }

    /// So are objects whose only object names a record, wherever they stand.
    @Test func linksWithinObjectsAreReferences() throws {
        let link = { (kind: String, id: String) in
            #"{"sys": {"type": "Link", "linkType": "\#(kind)", "id": "\#(id)"}}"#
        }
        let posts = list(30) { post in
            let topics = [post % 5, (post + 2) % 5].map { link("Entry", "topic\($0)x") }.joined(separator: ", ")
            let tags = [post % 3, 3 + post % 4].map { link("Tag", "tag\($0)x") }.joined(separator: ", ")
            return #"{"slug": "p\#(post)", "topics": [\#(topics)], "tags": [\#(tags)]}"#
        }
        let entries = list(5) { #"{"sys": {"id": "topic\#($0)x", "type": "Entry"}, "title": "Topic \#($0)"}"# }
        let text = try text(#"{"posts": \#(posts), "articles": \#(entries)}"#)
        #expect(text.contains(#""topics": { "to": "Article", "from": "topics[*].sys.id", "many": true }"#), "\(text)")
    }

    /// Addresses that lists name again and again are of something, though no feed has it.
    @Test func addressesInListsAreOfSomething() throws {
        let alerts = list(20) { alert in
            let zones = (0..<3).map { #""https://example.org/zones/\#((alert + $0 * 3) % 8)""# }.joined(separator: ", ")
            return #"{"id": "a\#(alert)", "affectedZones": [\#(zones)]}"#
        }
        let text = try text(#"{"alerts": \#(alerts)}"#)
        #expect(text.contains(#"{ "to": "AffectedZone", "from": "affectedZones[*]", "many": true"#), "\(text)")
        #expect(text.contains("// addresses of what is in no feed here"), "\(text)")
    }

    /// A list of texts beside the records that they name refers to these.
    @Test func listsBesideRecordsReferToThem() throws {
        let packages = list(20) { #"{"id": "registry#pkg-\#($0)", "name": "pkg \#($0)"}"# }
        let members = (0..<4).map { #""registry#pkg-\#($0 * 3)""# }.joined(separator: ", ")
        let text = try text(#"{"packages": \#(packages), "members": [\#(members)], "words": ["one", "two", "three"]}"#)
        #expect(text.contains(#""records": "$.members[*]""#), "\(text)")
        #expect(text.contains(#""package": { "to": "Package", "from": "@" }"#), "\(text)")
        #expect(unfolded(text).contains("in no entity: words[*]"), "\(text)")
    }

    /// What is in the lists of an object that the feed has once refers to that.
    @Test func listsInASingleObjectReferToIt() throws {
        let columns = list(8) { #"{"name": "c\#($0)", "position": \#($0)}"# }
        let owner = #"{"id": "u1-owner", "displayName": "Ada", "type": "interactive", "flags": 3}"#
        let view =
            #"{"id": "q3ex-7d2k", "name": "Inspections", "kind": "table", "columns": \#(columns), "owner": \#(owner)}"#
        let text = try text(#"{"meta": {"view": \#(view)}, "data": [{"sid": "r1"}, {"sid": "r2"}]}"#)
        #expect(text.contains(#""view": { "to": "View", "from": "$.meta.view.id" }"#), "\(text)")
        #expect(text.contains(#""identifier": "id""#), "\(text)")
    }

    /// Large numbers lead to several kinds, of which each has some.
    @Test func largeNumbersMayLeadToSeveralKinds() throws {
        let items = (0..<60).map { number -> String in
            let id = 41_000_000 + number * 7
            if number < 20 {
                return #"{"id": \#(id), "type": "story", "title": "T\#(number)", "url": "u\#(number)", "rank": 1}"#
            }
            let parent = 41_000_000 + (number - 20) * 7
            return
                #"{"id": \#(id), "type": "comment", "parent": \#(parent), "text": "t\#(number)", "depth": 1, "ref": "x"}"#
        }
        let text = try text(#"{"items": [\#(items.joined(separator: ", "))]}"#)
        #expect(
            text.contains(#""parent": { "to": ["Story", "Comment"] }"#) || text.contains(#"["Comment", "Story"]"#),
            "\(text)")
    }

    /// What a list of links is called says to what their `id` leads, and the `id` identifies a link together with its
    /// kind: an object may come to have two links of a kind. Links of one kind are references.
    @Test(arguments: ["\"", ""], [2, 1]) func listsSayToWhatTheirLinksLead(quote: String, kinds: Int) throws {
        let companies = list(60) { #"{"id": \#(quote)\#(9000 + $0)\#(quote), "properties": {"name": "C\#($0)"}}"# }
        let contacts = list(100) { contact in
            let links = (0..<kinds).map {
                #"{"id": \#(quote)\#(9000 + contact % 60)\#(quote), "type": "to_company_\#($0)"}"#
            }
            let results = #"{"companies": {"results": [\#(links.joined(separator: ", "))]}}"#
            return
                #"{"id": \#(quote)\#(51 + 3 * contact)\#(quote), "email": "u\#(contact)@x", "associations": \#(results)}"#
        }
        let text = try text(#"{"companies": \#(companies), "contacts": \#(contacts)}"#)
        if kinds == 1 {
            let path = "associations.companies.results[*].id"
            return #expect(
                text.contains(#""companies": { "to": "Company", "from": "\#(path)", "many": true }"#), "\(text)")
        }
        #expect(text.contains(#""company": { "to": "Company", "from": "id" }"#), "\(text)")
        #expect(text.contains(#""identifier": ["contact_id", "id", "type"]"#), "\(text)")
    }

    /// An `id` in a list that is called as an entity is none of its where the values are others.
    @Test func listsThatAreCalledAsAnEntityMayBeOthers() throws {
        let items = list(60) { #"{"id": \#(9000 + $0), "name": "Item \#($0)"}"# }
        let orders = list(40) { order in
            let items = (0..<2).map { #"{"id": \#(order * 2 + $0), "amount": \#($0)}"# }.joined(separator: ", ")
            return #"{"id": "o\#(order)", "items": [\#(items)]}"#
        }
        #expect(!(try text(#"{"items": \#(items), "orders": \#(orders)}"#)).contains(#""to": "Item""#))
    }

    /// What is said of a record in the list of another one is known by both, though no other one names it today.
    @Test(arguments: [8, 30]) func linksWithValuesAreKnownByBothRecords(_ count: Int) throws {
        let products = list(count) { product in
            let other = #"{"id": \#(71 + (product * 7 + 1) % count), "rank": \#(product)}"#
            return #"{"id": \#(71 + product), "name": "P\#(product)", "related_products": [\#(other)]}"#
        }
        let text = try text(#"{"products": \#(products)}"#)
        #expect(text.contains(#""identifier": ["product_id", "id"]"#), "\(text)")
        #expect(text.contains(#""related_product": { "to": "Product", "from": "id" }"#), "\(text)")
    }

    /// Documents of JSON:API: what a list names by kind and identifier, and a record of the own kind.
    @Test func linkageOfDocumentsLeadsToWhatIsIncluded() throws {
        let (text, report) = try InitRun.Draft.run(of: Documents.articles, "articles.json")
        let kinds = #"{ "from": "relationships.owner.data.type", "map": { "people": "Person", "teams": "Team" } }"#
        for line in [
            #""tags": { "to": "Tag", "from": "relationships.tags.data[*].id", "many": true }"#,
            #""parent": { "to": "Article", "from": "relationships.parent.data.id""#,
            #""author": { "to": "Person", "from": "relationships.author.data.id" }"#,
            #""owner": { "to": ["Person", "Team"], "from": "relationships.owner.data.id", "entity": \#(kinds) }"#,
        ] {
            #expect(text.contains(line), "\(text)")
        }
        #expect(report.entities.count == 4, "\(text)")
    }
}

/// Answers as JSON:API has them.
private enum Documents {
    static let articles: String = {
        let articles = list(15) { number in
            let tags = (0..<(number + 1) % 3).map { #"{"type": "tags", "id": "\#(1 + (number + 1 + $0) % 6)"}"# }
            let parent = number < 4 ? "null" : #"{"type": "articles", "id": "\#(number - 3)"}"#
            let owner = #"{"type": "\#(["teams", "people"][number % 2])", "id": "\#(1 + number % 3)"}"#
            return #"{"type": "articles", "id": "\#(number + 1)", "attributes": {"title": "T\#(number)"}, "#
                + #""relationships": {"author": {"data": {"type": "people", "id": "\#(1 + number % 4)"}}, "#
                + #""tags": {"data": [\#(tags.joined(separator: ", "))]}, "parent": {"data": \#(parent)}, "#
                + #""owner": {"data": \#(owner)}}}"#
        }
        let people = list(4) {
            #"{"type": "people", "id": "\#($0 + 1)", "attributes": {"name": "N\#($0)", "age": \#($0 + 30)}}"#
        }
        let tags = list(6) { #"{"type": "tags", "id": "\#($0 + 1)", "attributes": {"label": "l\#($0)"}}"# }
        let teams = list(3) { #"{"type": "teams", "id": "\#($0 + 1)", "attributes": {"city": "c\#($0)"}}"# }
        let included = "\(people.dropLast()),\(tags.dropFirst().dropLast()),\(teams.dropFirst())"
        return #"{"data": \#(articles), "included": \#(included)}"#
    }()
}
