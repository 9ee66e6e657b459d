import Foundation
import Testing

@testable import SluiceInit

/// What `init` takes for an entity, and what for an attribute, in feeds as services write them.
@Suite struct DraftShapeTests {
    private func draft(_ feed: String) throws -> String { try InitRun.Draft.text(of: feed) }

    // MARK: Maps

    /// As Wikidata has its names: there are few languages, and each name says of which it is.
    @Test func keysThatTheirObjectsHaveAreKeysOfAMap() throws {
        let text = try draft(
            list(12) { number in
                let names = { (language: String) in
                    (0..<3).map { #"{"language": "\#(language)", "value": "\#(language) \#(number) \#($0)"}"# }
                        .joined(separator: ",")
                }
                return #"{"id": "Q\#(number)", "aliases": {"en": [\#(names("en"))], "de": [\#(names("de"))]}}"#
            })
        #expect(text.contains(#""records": "$[*].aliases.*[*]""#), "\(text)")
        #expect(
            text.contains(#""Alias": {"#) && !text.contains(#""from": "^~""#), "the key is said by a member: \(text)")
    }

    /// As Homebrew tells for which systems there are files: no system always has some.
    @Test(arguments: [false, true])
    func keysThatComeAndGoAreKeysOfAMap(_ isOneAlwaysThere: Bool) throws {
        let text = try draft(
            list(24) { number in
                let files = ["sonoma", "sequoia", "linux"].enumerated().filter { place, _ in
                    number % 5 != place || isOneAlwaysThere && place == 0
                }
                .map { #""\#($0.1)": {"url": "https://example.org/\#(number)/\#($0.1)", "size": \#(number + $0.0)}"# }
                return #"{"id": "f\#(number)", "files": {\#(files.joined(separator: ", "))}}"#
            })
        #expect(text.contains(#""records": "$[*].files.*""#) == !isOneAlwaysThere, "\(text)")
        #expect(text.contains(#"{ "type": "text", "from": "~" }"#) == !isOneAlwaysThere, "\(text)")
        // Addresses are unique, too.
        #expect(
            text.range(of: #""identifier": \["\w+", "key"\]"#, options: .regularExpression) != nil || isOneAlwaysThere)
    }

    /// As Docker tells which ports are bound.
    @Test func nothingUnderAKeyIsNoOtherKind() throws {
        let text = try draft(
            list(24) { number in
                let bound = list(2) { #"{"host": "h\#($0)", "port": "\#(8000 + number + $0)"}"# }
                return #"{"id": "c\#(number)", "ports": {"80/tcp": \#(bound), "443/tcp": null, "53/udp": null}}"#
            })
        #expect(text.contains(#""records": "$[*].ports.*[*]""#), "\(text)")
    }

    @Test func aMemberThatHasTheKeyIsTheBetterIdentifier() throws {
        let versions = (0..<9).map {
            #""1.\#($0)": {"version": "1.\#($0)", "size": \#($0 % 4), "other": "1.\#(8 - $0)"}"#
        }
        let text = try draft(#"{"versions": {\#(versions.joined(separator: ","))}}"#)
        #expect(text.contains(#""identifier": "version""#) && !text.contains("~"), "\(text)")
    }

    /// The member of one record is not its key.
    @Test func aMemberThatMostlyHasTheKeyIsAnother() throws {
        let versions = (0..<9).map { #""1.\#($0)": {"version": "1.\#($0 < 7 ? $0 : 15 - $0)", "size": \#($0 % 4)}"# }
        let text = try draft(#"{"versions": {\#(versions.joined(separator: ","))}}"#)
        #expect(text.contains(#""key": { "type": "text", "from": "~" }"#), "\(text)")
    }

    /// As caniuse groups its categories: nothing refers to the groups, but to what is in them.
    @Test func groupsOfWhatRecordsNameAreAnEntity() throws {
        let records = list(20) { #"{"id": "r\#($0)", "categories": ["c\#($0 % 7)"]}"# }
        let groups = #"{"Style": ["c0", "c1", "c2"], "Script": ["c3", "c4"], "Other": ["c5", "c6"]}"#
        let text = try draft(#"{"groups": \#(groups), "plans": \#(records)}"#)
        #expect(text.contains(#""records": "$.groups.*""#), "\(text)")
        #expect(text.contains(#"// its lists have the values of "categories" in Plan"#), "\(text)")
        let others = try draft(#"{"groups": \#(groups.replacing("c", with: "d")), "plans": \#(records)}"#)
        #expect(!others.contains("$.groups.*"), "\(others)")
    }

    /// As npm tells when its versions came: values are about objects.
    @Test func valuesReferToTheObjectsWhoseKeysTheyHave() throws {
        let versions = (0..<9).map { #""1.\#($0)": {"size": \#($0 % 4), "hash": "h\#($0)"}"# }.joined(separator: ",")
        let times = (["created", "modified"] + (0..<9).map { "1.\($0)" }).map { #""\#($0)": "2026-01-01T10:00:00Z""# }
        let text = try draft(#"{"versions": {\#(versions)}, "time": {\#(times.joined(separator: ","))}}"#)
        #expect(text.contains("// 9 of 11 found in Version.key; 2 are not; fewer than 95 %"), "\(text)")
        #expect(!text.contains(#""to": "Time""#), "\(text)")
    }

    // MARK: Kinds

    /// As Asana writes users, projects and sections.
    private func tasks(_ kinds: [String]) -> String {
        let object = { (number: Int, kind: String) in
            #"{"gid": "\#(kind)\#(number % 5)", "resource_type": "\#(kind)", "name": "\#(kind) \#(number % 5)"}"#
        }
        return list(40) { number in
            #"{"gid": "t\#(number)", "assignee": \#(object(number, kinds[0])), "place": {"#
                + #""project": \#(object(number / 2, kinds[1])), "section": \#(object(number / 3, kinds[2]))}}"#
        }
    }

    @Test func objectsThatSayThatTheyAreOfOtherKindsAreNotOneEntity() throws {
        let text = try draft(tasks(["user", "project", "section"]))
        for name in ["assignee", "place.project", "place.section"] {
            #expect(text.contains(#""records": "$[*].\#(name)""#), "\(text)")
        }
    }

    @Test func objectsThatSayThatTheyAreOfOneKindAreOneEntity() throws {
        let text = try draft(tasks(["user", "user", "user"]))
        #expect(text.contains(#""records": ["$[*].assignee", "$[*].place.project", "$[*].place.section"]"#), "\(text)")
    }

    // MARK: Times of day

    @Test(arguments: ["dep_time", "year"])
    func fourDigitsAreATimeWhereTheirNameSaysSo(_ name: String) throws {
        let text = try draft(list(30) { #"{"id": "f\#($0)", "\#(name)": "\#(["0005", "0930", "2359"][$0 % 3])"}"# })
        #expect(
            text.contains(#"{ "type": "duration", "format": "hhmm" }"#) == (name != "year"), "\(text)"
        )
    }

    // MARK: Objects of one list

    /// Countries name those at their borders by one of several codes: that one is what identifies them.
    @Test(arguments: [false, true]) func objectsNameOthersOfTheirListByACode(_ hasID: Bool) throws {
        let code = { (number: Int) in
            "\(["A", "B", "C"][number % 3])\(["F", "G"][number % 2])\(["X", "Y", "Z", "W", "V"][number % 5])"
        }
        let feed = list(30) { number in
            let near = [code(number + 1), code(number + 7)].map { #""\#($0)""# }.joined(separator: ", ")
            let id = hasID ? #""id": \#(1000 + number), "# : ""
            let two = "\(code(number).prefix(1))\(number % 10)"
            return #"{\#(id)"two": "\#(two)", "three": "\#(code(number))", "near": [\#(near)]}"#
        }
        let text = try draft(feed)
        #expect(text.contains(#""identifier": "\#(hasID ? "id" : "three")""#), "\(text)")
        let by = hasID ? #""by": "three", "# : ""
        #expect(text.contains(#""near": { "to": "Feed", \#(by)"from": "near[*]", "many": true }"#), "\(text)")
    }

    // MARK: A single object

    private func board(_ member: String, _ reference: String, id: String = "b000001") -> String {
        let cards = list(12) { #"{"id": "c\#($0)", "\#(member)": "\#(reference)", "title": "t\#($0 % 5)"}"# }
        return #"{"id": "\#(id)", "name": "Work", "closed": false, "prefs": {"voting": "on"}, "cards": \#(cards)}"#
    }

    /// As Trello saves a board.
    @Test func aSingleObjectToWhichRecordsReferIsAnEntity() throws {
        let text = try draft(board("idBoard", "b000001"))
        #expect(text.contains(#""idBoard": { "to": "Feed" }"#), "\(text)")
        #expect(text.contains(#""records": "$""#) && text.contains(#""closed": "boolean""#), "\(text)")
        #expect(unfolded(text).contains("these are in no entity: prefs.voting."), "\(text)")
    }

    /// Whatever the reference is called.
    @Test(arguments: [("c6cc3d91b99676f373311783", true), ("b1", false)])
    func aLongTextIsNotTheSameByChance(_ id: String, _ isFound: Bool) throws {
        let text = try draft(board("within", id, id: id))
        #expect(text.contains(#""within": { "to": "Feed" }"#) == isFound, "\(text)")
    }

    @Test func aSingleObjectToWhichNothingRefersIsNone() throws {
        let text = try draft(board("idBoard", "b000002"))
        #expect(!text.contains(#""records": "$""#), "\(text)")
        #expect(text.replacing("\n//", with: "").contains("no entity: id, name, closed, prefs.voting."), "\(text)")
    }

    /// As Slack saves a channel with its members, and crates.io a crate with its keywords.
    @Test(arguments: [("users", true), ("others", false)])
    func aSingleObjectThatRefersToRecordsIsAnEntity(_ owner: String, _ isEntity: Bool) throws {
        let users = list(12) { #"{"id": "U\#(1000 + $0)", "name": "n\#($0)"}"# }
        let members = (0..<6).map { #""\#(owner == "users" ? "U" : "V")\#(1000 + $0)""# }.joined(separator: ", ")
        let channel = #"{"id": "C01", "name": "work", "topic": "", "members": [\#(members)]}"#
        let text = try draft(#"{"channel": \#(channel), "users": \#(users)}"#)
        #expect(text.contains(#""records": "$.channel""#) == isEntity, "\(text)")
        let reference = #""members": { "to": "User", "from": "members[*]", "many": true }"#
        #expect(text.contains(reference) == isEntity, "\(text)")
        #expect(text.contains("channel.id") == !isEntity, "\(text)")
        #expect(text.contains("channel.members[*]") == !isEntity, "\(text)")
    }

    /// Lists of objects in a single one are entities once, whatever their objects say they are.
    @Test func kindsInASingleObjectAreEntitiesOnce() throws {
        let kinds = list(20) {
            $0 % 2 == 0
                ? #"{"type": "tool", "id": "t\#($0)", "name": "n\#($0)", "parts": ["a"]}"#
                : #"{"type": "group", "id": "g\#($0)", "alias": "a\#($0)", "since": 2000}"#
        }
        let text = try draft(#"{"type": "bundle", "id": "bundle-1", "version": "2", "objects": \#(kinds)}"#)
        #expect(text.contains(#""Tool": {"#) && text.contains(#""Group": {"#), "\(text)")
        #expect(!text.contains("2\": {") && !text.contains("$\","), "\(text)")
    }

    // MARK: Objects in objects

    /// As GitHub's milestones have those who made them.
    private func issues(_ creator: (Int) -> Int) -> String {
        list(30) { number in
            let user = { (id: Int) in #"{"id": \#(100 + id), "login": "u\#(id)", "site": "s\#(id % 2)"}"# }
            let milestone =
                #"{"id": \#(500 + number % 5), "title": "m\#(number % 5)", "creator": \#(user(creator(number)))}"#
            return
                #"{"id": \#(number), "title": "t\#(number)", "user": \#(user(number % 4)), "milestone": \#(milestone)}"#
        }
    }

    @Test func whatIsEmbeddedInEmbeddedObjectsIsTheirs() throws {
        let text = try draft(issues { $0 % 5 % 3 })
        #expect(text.contains(#""records": ["$[*].user", "$[*].milestone.creator"]"#), "\(text)")
        #expect(text.contains(#""creator": { "to": "User", "from": "creator.id" }"#), "\(text)")
        #expect(text.contains(#""milestone": { "to": "Milestone", "from": "milestone.id" }"#), "\(text)")
        #expect(!text.contains("milestone.creator.id"), "\(text)")
    }

    /// The milestones are told of differently in each record.
    @Test func whatIsEmbeddedInNoEntityIsTheRecords() throws {
        let text = try draft(issues { $0 % 3 })
        #expect(text.contains(#""to": "User", "from": "milestone.creator.id""#), "\(text)")
    }

    // MARK: GeoJSON

    private func feature(_ number: Int, _ properties: String, _ geometry: String) -> String {
        #"{"type": "Feature", "id": "f\#(number)", "properties": {\#(properties)}, "geometry": {\#(geometry)}}"#
    }

    @Test(arguments: [("[9.5, 53.25]", false), ("[9.5, 53.25, -3]", true)])
    func coordinatesOfPointsAreAttributes(_ coordinates: String, _ hasAltitude: Bool) throws {
        let text = try draft(
            list(9) { feature($0, #""name": "n\#($0)""#, #""type": "Point", "coordinates": \#(coordinates)"#) })
        #expect(text.contains(#""longitude": { "type": "real", "from": "geometry.coordinates[0]""#), "\(text)")
        #expect(text.contains(#""latitude": { "type": "real", "from": "geometry.coordinates[1]""#), "\(text)")
        #expect(text.contains("geometry.coordinates[2]") == hasAltitude, "\(text)")
    }

    @Test func coordinatesOfOtherShapesAreLists() throws {
        let text = try draft(
            list(9) { number in
                let type = number == 3 ? "MultiPoint" : "Point"
                return feature(number, #""name": "n""#, #""type": "\#(type)", "coordinates": [9.5, 53.25]"#)
            })
        #expect(
            text.contains(#"geometry.coordinates[*]"#) || text.contains(#""coordinates": { "type": "json""#), "\(text)")
        #expect(!text.contains("longitude"), "\(text)")
    }

    @Test func anObjectInThemMayTellTheKindsOfAList() throws {
        let text = try draft(
            list(24) { number in
                number % 4 == 0
                    ? feature(
                        number, #""name": "d\#(number)", "inhabitants": \#(number * 7)"#,
                        #""type": "Polygon", "coordinates": [[[9.1, 53.1], [9.2, 53.2], [9.1, 53.1]]]"#)
                    : feature(
                        number,
                        #""name": "s\#(number)", "capacity": 8, "electric": true, "district": "f\#(number / 4 * 4)""#,
                        #""type": "Point", "coordinates": [9.5, 53.25]"#)
            })
        #expect(text.contains(#""where": { "geometry.type": "Point" }"#), "\(text)")
        #expect(text.contains(#""where": { "geometry.type": "Polygon" }"#), "\(text)")
        #expect(text.contains(#""district": { "to": "Polygon", "from": "properties.district" }"#), "\(text)")
        #expect(text.contains("geometry.coordinates[0]"), "\(text)")
    }

    /// Shapes of one kind of thing.
    @Test func kindsWithTheSameMembersAreOneEntity() throws {
        let text = try draft(
            list(24) { number in
                let type = number % 2 == 0 ? "Polygon" : "MultiPolygon"
                let others = number % 5 == 0 ? "" : #", "size": 3, "note": "x", "code": "c\#(number)""#
                return feature(
                    number, #""name": "d\#(number)"\#(others)"#, #""type": "\#(type)", "coordinates": [[1, 2]]"#)
            })
        #expect(!text.contains("where"), "\(text)")
    }

    // MARK: Types

    @Test(arguments: [
        (["true", "false", "0", "1"], "boolean"), (["true", "\"false\"", "\"1\""], "boolean"), (["true", "2"], "text"),
        (["true", "\"yes\""], "text"), (["true", "0.5"], "text"), (["2.5", "3", "\"4.25\""], "real"),
        (["2.5", "\"3.5\"", "\"4.25\""], "decimal"), (["2.5", "3.5", "\"4.2500000000000000001\""], "decimal"),
    ])
    func valuesOfSeveralKindsHaveTheTypeThatTakesThem(_ values: [String], _ type: String) throws {
        let text = try draft(list(30) { #"{"id": "r\#($0)", "v": \#(values[$0 % values.count])}"# })
        #expect(text.contains(#""v": "\#(type)""#), "\(text)")
    }

    /// Lists under versions of one key are of one kind.
    @Test func versionsOfAKeyAreAMap() throws {
        let score = { (number: Int) in #"[{"source": "s\#(number % 2)", "score": \#(number).5}]"# }
        let entries = list(20) {
            #"{"id": "c\#($0)", "metrics": {"metricV31": \#(score($0)), "metricV2": \#(score($0 + 1))}}"#
        }
        let text = try InitRun.Draft.run(of: #"{"entries": \#(entries)}"#).text
        #expect(text.contains(#""records": "$.entries[*].metrics.*[*]""#), "\(text)")
    }

    /// Whole numbers under names that come and go say how many of each there are.
    @Test func amountsUnderNamesAreAMap() throws {
        let kinds = ["bike", "cargo", "tandem"]
        let station = { (number: Int) in
            let amounts = kinds.enumerated().filter { (number + $0.offset) % 3 > 0 }.map {
                #""\#($0.element)": \#(number)"#
            }
            return #"{"id": "s\#(number)", "capacity": {\#(amounts.joined(separator: ", "))}}"#
        }
        let text = try InitRun.Draft.run(of: #"{"stations": \#(list(30, station))}"#).text
        #expect(text.contains(#""records": "$.stations[*].capacity.*""#), "\(text)")
        // What is always there has a name.
        let always = list(30) {
            #"{"id": "s\#($0)", "size": {"width": \#($0), "height": \#($0 * 2), "depth": \#($0 * 3)}}"#
        }
        #expect(try !InitRun.Draft.run(of: #"{"boxes": \#(always)}"#).text.contains("size.*"))
    }

    /// Keys that are called as the members of records say something of these: their units.
    @Test func keysThatAreMembersAreAMap() throws {
        let units = #"{"temperature": "celsius", "humidity": "%", "pressure": "hPa"}"#
        let steps = list(20) {
            #"{"time": "2026-11-\#(10 + $0)", "temperature": \#($0), "humidity": \#($0 * 2), "pressure": 1.5}"#
        }
        let text = try InitRun.Draft.run(of: #"{"meta": {"units": \#(units)}, "steps": \#(steps)}"#).text
        #expect(text.contains(#""records": "$.meta.units.*""#), "\(text)")
        #expect(text.contains("// its keys are the members of Step"), "\(text)")
    }

    /// The keys of lists are an entity where something elsewhere names them.
    @Test func keysOfListsMayBeNamed() throws {
        let package = { (fixed: (Int) -> String) in
            let releases = (0..<20).map { release in
                let files = (0..<(release % 3)).map { file in
                    #"{"filename": "f\#(release)-\#(file).gz", "size": \#(release * 7 + file)}"#
                }
                return #""1.\#(release).0": [\#(files.joined(separator: ", "))]"#
            }
            let faults = list(6) { #"{"id": "F-\#($0)", "fixed_in": ["\#(fixed($0))"]}"# }
            return #"{"releases": {\#(releases.joined(separator: ", "))}, "faults": \#(faults)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: package { "1.\($0 * 3).0" })
        #expect(text.contains(#""records": "$.releases.*","#), "\(text)")
        #expect(text.contains(#"{ "to": "FeedRelease", "from": "fixed_in[*]", "many": true }"#), "\(text)")
        let unresolved = report.entities.flatMap(\.counts.relationships).reduce(0) { $0 + $1.unresolved }
        #expect(unresolved == 0, "\(text)")
        #expect(text.contains(#""feedRelease": { "to": "FeedRelease", "from": "^~" }"#), "\(text)")
        let none = try InitRun.Draft.run(of: package { "2.\($0 * 3).0" }).text
        #expect(!none.contains(#""records": "$.releases.*","#), "\(none)")
        #expect(none.contains(#""release_key": { "type": "text", "from": "^~" }"#), "\(none)")
    }

    /// A document that is like the levels below it is the top of the tree.
    @Test func aDocumentMayBeTheTopOfATree() throws {
        let saws = #"{"name": "Saws", "slug": "saws", "children": []}"#
        let drills =
            #"{"name": "Drills", "slug": "drills", "children": [{"name": "Bits", "slug": "bits", "children": []}]}"#
        let tools = #"{"name": "Tools", "slug": "tools", "children": [\#(saws), \#(drills)]}"#
        let garden = #"{"name": "Garden", "slug": "garden", "children": []}"#
        let (text, report) = try InitRun.Draft.run(
            of: #"{"name": "root", "slug": "root", "children": [\#(tools), \#(garden)]}"#)
        #expect(text.contains(#""records": ["$", "$..children[*]"]"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [6], "\(text)")
        #expect(!text.contains("in no"), "\(text)")
    }

    /// Lists of a kind in one another, with others in them that are so, too: catalogs of OSCAL.
    @Test func treesInTrees() throws {
        let part = { (id: String, inner: String) in #"{"id": "\#(id)", "name": "n \#(id)", "parts": [\#(inner)]}"# }
        let inner = #"{"id": "c2", "parts": [\#(part("p3", part("p4", "")))]}"#
        let control = #"{"id": "c1", "parts": [\#(part("p1", part("p2", "")))], "controls": [\#(inner)]}"#
        let text = try InitRun.Draft.text(of: #"{"groups": [{"id": "g", "controls": [\#(control)]}]}"#)
        #expect(text.contains(#""records": "$.groups[*]..controls[*]""#), "\(text)")
        let few = #"{"controls": [{"parts": [{"id": "a"}, {"id": "b", "name": "x"}, {"parts": [{"name": "y"}]}]}]}"#
        let first = #"{"parts": [{"parts": [{"id": "c"}]}], "controls": [\#(few)]}"#
        let rest = #"{"groups": [{"id": 1, "controls": [\#(first)]}]}"#
        _ = try InitRun.Draft.text(of: rest)
    }
}
