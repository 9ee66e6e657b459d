import Testing

@testable import Sluice
@testable import SluiceInit

/// Objects in records that are known by a name, or together with the record.
@Suite struct DraftNameTests {
    private func text(_ feed: String) throws -> String { try InitRun.Draft.run(of: feed).text }

    /// Objects with an identifier and a name, at several places, are one entity where most are here and there.
    @Test func pairsAtSeveralPlacesAreOneEntity() throws {
        let group = { (number: Int) in #"{"GroupId": "sg-\#(number % 6)a", "GroupName": "group \#(number % 6)"}"# }
        let machines = list(30) {
            #"{"id": "m\#($0)", "groups": [\#(group($0))], "cards": [{"card": "c\#($0)", "sets": [\#(group($0 + 1))]}]}"#
        }
        let text = try text(#"{"machines": \#(machines)}"#)
        #expect(text.contains(#""records": ["$.machines[*].groups[*]", "$.machines[*].cards[*].sets[*]"]"#), "\(text)")
    }

    /// What has nothing but lists is no record, but on the way to some.
    @Test func objectsOfListsAloneAreNoRecords() throws {
        let people = list(20) { person in
            let jobs = (0..<2).map { #"{"jobs": [{"job_id": \#(person * 10 + $0), "title": "Job \#($0)"}]}"# }
            return #"{"id": "p\#(person)", "groups": [\#(jobs.joined(separator: ", "))]}"#
        }
        let text = try text(#"{"people": \#(people)}"#)
        #expect(text.contains(#""person": { "to": "Person", "from": "$.people[*].id" }"#), "\(text)")
        #expect(!text.contains("Group"), "\(text)")
    }

    /// An address in a list of a record tells what is in that list apart, and may be in others.
    @Test func addressesAreOfTheirRecord() throws {
        let works = list(20) { #"{"id": "w\#($0)", "links": [{"url": "https://example.org/\#($0)", "kind": "k"}]}"# }
        let text = try text(#"{"works": \#(works)}"#)
        #expect(text.contains(#""identifier": ["work_id", "url"]"#), "\(text)")
    }

    /// Objects in lists are known by a name where records name the same ones again and again.
    @Test(arguments: [("name", "tag"), ("ARN", "arn:aws:s3:::bucket")]) func aNameIsEnough(
        _ name: String, _ value: String
    ) throws {
        let posts = list(30) { post in
            let tags = [post % 7, 7 + post % 5].map {
                #"{"accountId": "1", "\#(name)": "\#(value)-\#($0)", "url": "https://example.org/\#($0)"}"#
            }
            return #"{"id": "p\#(post)", "tags": [\#(tags.joined(separator: ", "))]}"#
        }
        let text = try text(#"{"posts": \#(posts)}"#)
        #expect(text.contains(#""tags": { "to": "Tag", "from": "tags[*].\#(name)", "many": true }"#), "\(text)")
    }

    /// Pairs of a name and a value are each record's own.
    @Test func pairsOfNamesAndValuesAreNot() throws {
        let posts = list(30) { post in
            let pairs = (0..<6).map { #"{"name": "n\#($0)", "value": "v\#($0)"}"# }.joined(separator: ", ")
            return #"{"id": "p\#(post)", "properties": [\#(pairs)]}"#
        }
        let text = try text(#"{"posts": \#(posts)}"#)
        #expect(text.contains(#""identifier": ["post_id", "name"]"#), "\(text)")
    }

    /// What identifies an object may be in one that is called as it is.
    @Test func anObjectInAnotherMayIdentifyIt() throws {
        let jobs = list(30) { job in
            let number = job % 4
            let outer =
                #""name": "Org \#(number)", "disambiguated-organization": {"org-identifier": "grid.\#(number)x"}"#
            return #"{"put_id": "j\#(job)", "organization": {\#(outer)}}"#
        }
        let text = try text(#"{"jobs": \#(jobs)}"#)
        let path = "organization['disambiguated-organization']['org-identifier']"
        #expect(text.contains(#""organization": { "to": "Organization", "from": "\#(path)" }"#), "\(text)")
    }

    /// Objects in records that say much of themselves are known by a name.
    @Test func objectsThatSayMuchAreKnownByAName() throws {
        let servers = list(40) { server in
            let size = server % 4
            let flavor = #""original_name": "m1.\#(size)", "ram": \#(1024 << size), "disk": \#(20 * size), "swap": 0"#
            return #"{"id": "s\#(server)", "flavor": {\#(flavor)}}"#
        }
        let text = try text(#"{"servers": \#(servers)}"#)
        #expect(text.contains(#""flavor": { "to": "Flavor", "from": "flavor.original_name" }"#), "\(text)")
    }

    /// Lists that are called alike are called after the members of the record that have them.
    @Test func listsOfOneNameAreCalledAfterTheirMembers() throws {
        let files = { (name: String, number: Int) in
            #"{"files": [\#((0..<2).map { #"{"rid": "\#(name)\#(number)\#($0)", "zip": "z\#($0)"}"# }.joined(separator: ", "))]}"#
        }
        let releases = list(12) { number in
            let parts = ["sdk", "runtime", "aspnetcore-runtime", "windowsdesktop"].map {
                #""\#($0)": \#(files($0, number))"#
            }
            return #"{"id": "r\#(number)", \#(parts.joined(separator: ", "))}"#
        }
        let text = try text(#"{"releases": \#(releases)}"#)
        for name in ["SdkFile", "RuntimeFile", "AspnetcoreRuntimeFile", "WindowsdesktopFile"] {
            #expect(text.contains("\"\(name)\": {"), "\(name) in \(text)")
        }
        #expect(!text.contains(/"\w*File\d?": \{.*"\w*File\d": \{/), "\(text)")
    }
}
