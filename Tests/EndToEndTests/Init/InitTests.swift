import Foundation
import TestSupport
import Testing

/// A draft is true: it is sound, rejects nothing of its feed, and finds what a person would.
@Suite struct InitTests {
    /// What a draft of some feeds must hold: by entity its identifier, and its relationships with their targets.
    struct Case: CustomTestStringConvertible, Sendable {
        var feeds: [String]
        var identifiers: [String: [String]]
        /// `Entity.relationship` and its targets.
        var relationships: [String: [String]]

        var testDescription: String { feeds[0] }
        var isThere: Bool { feeds.allSatisfy { Feeds.isThere($0) } }
    }

    static let samples = [
        Case(
            feeds: [Sluice.path("Samples/berlin-transit.json")],
            identifiers: [
                "Stop": ["stop_id"], "Route": ["route_id"], "Trip": ["trip_id"],
                "StopTime": ["trip_id", "stop_sequence"],
            ],
            relationships: [
                "StopTime.trip": ["Trip"], "StopTime.stop": ["Stop"], "Trip.route": ["Route"],
                "Stop.parent_station": ["Stop"],
            ]),
        Case(
            feeds: ["objects", "makers"].map { Sluice.path("Samples/instruments/\($0).ndjson") },
            identifiers: ["Object": ["collection", "number"], "Maker": ["id"]],
            relationships: ["Object.maker": ["Maker"], "Object.part_of": ["Object"]]),
        Case(
            feeds: [Sluice.path("Benchmarks/drafts/github-issues.json")],
            identifiers: ["GithubIssue": ["id"], "User": ["id"], "Label": ["id"], "Milestone": ["id"]],
            relationships: [
                "GithubIssue.user": ["User"], "GithubIssue.assignee": ["User"], "GithubIssue.assignees": ["User"],
                "GithubIssue.labels": ["Label"], "GithubIssue.milestone": ["Milestone"],
            ]),
        Case(
            feeds: [Sluice.path("Benchmarks/drafts/bicycles.geojson")],
            identifiers: ["Point": ["id"], "Polygon": ["id"]],
            relationships: ["Point.district_code": ["Polygon"], "Point.nearest": ["Point"]]),
    ]

    static let congress = CongressTests.files.values.sorted().map { "\(Feeds.shared)/congress/\($0).json" }

    static let feeds = [
        Case(
            feeds: [Feeds.shared + "/vbb/feed.json.zst"],
            identifiers: [
                "Agency": ["agency_id"], "Stop": ["stop_id"], "Route": ["route_id"], "Calendar": ["service_id"],
                "CalendarDate": ["service_id", "date"], "Shape": ["shape_id", "shape_pt_sequence"],
                "Trip": ["trip_id"], "StopTime": ["trip_id", "stop_sequence"],
            ],
            relationships: [
                "Route.agency": ["Agency"], "CalendarDate.service": ["Calendar"], "Trip.route": ["Route"],
                "Trip.service": ["Calendar"], "StopTime.trip": ["Trip"], "StopTime.stop": ["Stop"],
                "Stop.parent_station": ["Stop"],
            ]),
        Case(
            feeds: congress,
            identifiers: [
                "Legislator": ["bioguide"], "Term": ["legislator_bioguide", "start"], "Committee": ["thomas_id"],
                "Subcommittee": ["committee_thomas_id", "thomas_id"], "CommitteeMembership": ["group", "bioguide"],
                "Office": ["id"],
            ],
            relationships: [
                "Term.legislator": ["Legislator"], "Subcommittee.committee": ["Committee"],
                "CommitteeMembership.legislator": ["Legislator"], "CommitteeMembership.committee": ["Committee"],
                "CommitteeMembership.subcommittee": ["Subcommittee"],
                "Office.legislatorsDistrictOffice": ["LegislatorsDistrictOffice"],
                "LegislatorsDistrictOffice.legislator": ["Legislator"],
            ]),
        Case(
            feeds: ["airlines", "airports", "countries", "planes", "routes"].map {
                "\(Feeds.shared)/openflights/\($0).json.zst"
            },
            identifiers: [
                "Airline": ["id"], "Airport": ["id"], "Country": ["name"], "Plane": ["name"],
                "Route": ["airline", "src", "dst"],
            ],
            relationships: [
                "Airline.country": ["Country"], "Airport.country": ["Country"], "Route.airline_id": ["Airline"],
                "Route.src_id": ["Airport"], "Route.dst_id": ["Airport"], "Route.equipment": ["Plane"],
            ]),
        Case(
            feeds: [Feeds.shared + "/attack-nights/2025-11-13.json.zst"],
            identifiers: ["AttackPattern": ["id"], "Relationship": ["id"], "MitreTactic": ["id"]],
            relationships: [
                "Relationship.source": [
                    "AttackPattern", "CourseOfAction", "Malware", "MitreDetectionStrategy", "Campaign", "IntrusionSet",
                ],
                "Relationship.target": ["MitreAsset", "AttackPattern", "Malware", "IntrusionSet"],
                "Relationship.created_by": ["Identity"], "MitreMatrix.tactics": ["MitreTactic"],
                "MitreDetectionStrategy.x_mitre_analytics": ["MitreAnalytic"],
            ]),
        Case(
            feeds: [Feeds.shared + "/caniuse-nights/2015-04-14.json.zst"],
            identifiers: [
                "Agent": ["key"], "Status": ["key"], "Record": ["key"], "Stat": ["record_id", "stat_key", "key"],
            ],
            relationships: ["Record.status": ["Status"], "Stat.record": ["Record"], "Stat.agent": ["Agent"]]),
    ]

    private let scratch = TemporaryFolder()

    /// A draft without its comments.
    private func definition(_ text: String) throws -> [String: Any] {
        let lines = text.components(separatedBy: "\n").map { line in
            line.trimmingCharacters(in: .whitespaces).hasPrefix("//") ? "" : line.components(separatedBy: "  // ")[0]
        }
        let data = Data(lines.joined(separator: "\n").utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func texts(_ value: Any?) -> [String] { value as? [String] ?? [value as? String].compactMap { $0 } }

    private func check(_ example: Case) throws {
        let draft = scratch.file("draft.jsonc")
        let outcome = try Sluice.run(["init"] + example.feeds + ["--output", draft])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("line"), "the first records are shown")
        let checked = try Sluice.run(["check", draft])
        #expect(checked.status == 0, "\(checked.errors)")
        let run = try Sluice.run(["run", draft, "--format", "json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect((run.report["findings"] as? [String: Int])?["reject"] == 0)
        #expect((run.report["findings"] as? [String: Int])?["unmatched"] == 0)
        try compare(String(contentsOfFile: draft, encoding: .utf8), example)
    }

    private func compare(_ text: String, _ example: Case) throws {
        let entities = try definition(text)["entities"] as? [String: [String: Any]] ?? [:]
        for (name, identifier) in example.identifiers {
            #expect(texts(entities[name]?["identifier"]) == identifier, "\(name)")
        }
        var found: [String: [String]] = [:]
        for (name, entity) in entities {
            for (relationship, value) in entity["relationships"] as? [String: [String: Any]] ?? [:] {
                found["\(name).\(relationship)"] = texts(value["to"])
            }
        }
        for (relationship, targets) in example.relationships {
            #expect(found[relationship] == targets, "\(relationship)")
        }
    }

    @Test(arguments: samples)
    func theDraftOfASampleIsTrue(_ example: Case) throws { try check(example) }

    @Test(.enabled(if: Feeds.isThere(Feeds.shared), "no ../shared/feeds"), arguments: feeds)
    func theDraftOfARealFeedIsTrue(_ example: Case) throws {
        guard example.isThere else { return }
        try check(example)
    }

    /// What is found in another attribute than the identifier, spans of time, and what an object has each once, nearly.
    @Test func otherKeysAndDurationsAreDrafted() throws {
        let tactics = (1...12).map { #"{"id": \#($0 * 1000), "short": "tactic-\#($0)", "kind": "\#($0 % 3)"}"# }
        let techniques = (1...40).map { number in
            let phases = [number % 12 + 1, (number * 5) % 12 + 1].map { #"{"phase": "tactic-\#($0)", "chain": "c"}"# }
            let persons = (number == 7 ? [3, 3] : [number % 9, number % 7 + 20]).map {
                #"{"person": \#($0 + 4000), "role": "r"}"#
            }
            return #"""
                {"id": \#(number), "kind": "\#(number % 3)", "ends": "\#(20 + number % 9):30:00", "opens": "\#(10 + number % 9):30:00",
                 "lasts": "PT\#(number)M", "phases": [\#(phases.joined(separator: ","))],
                 "credits": [\#(persons.joined(separator: ","))]}
                """#
        }
        let persons = (0..<40).map { #"{"id": \#(4000 + $0), "name": "n\#($0)"}"# }
        let lists = [("tactics", tactics), ("techniques", techniques), ("persons", persons)].map {
            "\"\($0)\": [\($1.joined(separator: ", "))]"
        }
        let feed = try scratch.write("other.json", "{ \(lists.joined(separator: ", ")) }")
        let outcome = try Sluice.run(["init", feed])
        let entities = try definition(outcome.output)["entities"] as? [String: [String: Any]] ?? [:]
        let technique = try #require(entities["Technique"])
        #expect(technique["relationships"] == nil, "what is not unique is no key")
        let phases = entities["Phase"]?["relationships"] as? [String: [String: Any]] ?? [:]
        let tactic = try #require(phases["phase"], "\(outcome.output)")
        #expect(texts(tactic["to"]) == ["Tactic"] && tactic["by"] as? String == "short")
        let attributes = technique["attributes"] as? [String: Any] ?? [:]
        #expect(attributes["lasts"] as? String == "duration")
        #expect(attributes["ends"] as? String == "duration")
        #expect(attributes["opens"] as? String == "text")
        #expect(outcome.output.contains("perhaps \"duration\""))
        let credit = try #require(entities["Credit"], "\(outcome.output)")
        #expect(texts(credit["identifier"]) == ["technique_id", "person"])
        #expect(outcome.output.contains("\"person\" is unique in each Technique but for 1 of 80"))
        let draft = try scratch.write("other.jsonc", outcome.output)
        let run = try Sluice.run(["run", draft, "--store", scratch.file("other.sqlite"), "--format", "json"])
        #expect(run.status == 0 && (run.report["findings"] as? [String: Int])?["reject"] == 0, "\(run.errors)")
    }

    @Test func standardInputIsDraftedToStandardOutput() throws {
        let feed = try Data(contentsOf: URL(fileURLWithPath: Sluice.path("Samples/berlin-transit.json")))
        let outcome = try Sluice.run(["init", "-"], input: feed)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let source = try definition(outcome.output)["source"] as? [String: String]
        #expect(source == ["file": "-"])
        let file = try Sluice.run(["init", Sluice.path("Samples/berlin-transit.json")])
        #expect(
            outcome.output.components(separatedBy: "\n").dropFirst(7)
                == file.output.components(separatedBy: "\n").dropFirst(7))
    }

    @Test func aServiceIsAskedOnce() throws {
        let service = FaultyServer.shared.service(#"{"items":30}"#)
        let outcome = try Sluice.run(["init", service.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let draft = try definition(outcome.output)
        #expect(draft["source"] as? [String: String] == ["url": service.url])
        #expect((draft["entities"] as? [String: Any])?.count == 1)
        #expect(service.requests.count == 1)
    }

    @Test func whatIsThereIsNotReplaced() throws {
        let there = try scratch.write("there.jsonc", "mine")
        let outcome = try Sluice.run(["init", Sluice.path("Samples/berlin-transit.json"), "-o", there])
        #expect(outcome.status == 73)
        #expect(
            outcome.errors.contains("exists, and is not replaced: give another name, or see what it lacks with --add"))
        #expect(try String(contentsOfFile: there, encoding: .utf8) == "mine")
    }

    @Test func aDraftWhosePreviewHasRejectsSaysSo() throws {
        let feed = try scratch.write("half.json", #"[{"id": 1, "name": "\ud83d"}, {"id": 2, "name": "b"}]"#)
        let outcome = try Sluice.run(["init", feed, "-o", scratch.file("half.jsonc")])
        #expect(outcome.status == 0 && outcome.output.contains("rejected: name"), "\(outcome.output)")
        #expect(outcome.errors.contains("1 of these records is a reject"), "\(outcome.errors)")
    }

    @Test func aFeedThatIsWrongIsRefusedAsARunRefusesIt() throws {
        let cut = try scratch.write("cut.json", #"{ "stops": [ { "id": 1 }, { "id": 2 "#)
        let outcome = try Sluice.run(["init", cut])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("\(cut):1:"), "\(outcome.errors)")
        let trailing = try scratch.write("trailing.json", #"{ "stops": [ { "id": 1 } ] } "x"#)
        #expect(try Sluice.run(["init", trailing]).status == 65)
        let nothing = try scratch.write("nothing.json", "[1, 2, 3]")
        #expect(try Sluice.run(["init", nothing]).status == 65)
        #expect(try Sluice.run(["init", scratch.file("missing.json")]).status == 66)
        let address = try Sluice.run(["init", "ftp://example.org/x.json"])
        #expect(
            address.status == 64 && address.errors.contains("https://, http://, s3:// or sftp://"), "\(address.errors)")
        #expect(try Sluice.run(["init"]).status == 64)
    }

    @Test func aDraftLacksNothingOfItsFeed() throws {
        // Maps, lists in them, and keys.
        let feed = try scratch.write(
            "support.json",
            #"{"agents": {\#((0..<5).map { #""a\#($0)": {"name": "n\#($0)", "links": [{"url": "u\#($0)", "n": 1}]}"# }.joined(separator: ","))}}"#
        )
        let draft = scratch.file("support.jsonc")
        #expect(try Sluice.run(["init", feed, "-o", draft]).status == 0)
        #expect(try String(contentsOfFile: draft, encoding: .utf8).contains("$.agents.*"))
        let outcome = try Sluice.run(["init", feed, "--add", draft])
        #expect(outcome.status == 0 && definition(ofAll: outcome.output) == nil, "\(outcome.output)")
    }

    /// A part of a definition that is shown; nil: none is.
    private func definition(ofAll text: String) -> [String: Any]? { try? definition(text) }

    @Test func whatADefinitionLacksIsShown() throws {
        let outcome = try Sluice.run(
            [
                "init", Sluice.path("Samples/berlin-transit.json"), "--add",
                Sluice.path("Pipelines/berlin-transit.jsonc"),
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let entities = try definition(outcome.output)["entities"] as? [String: [String: Any]] ?? [:]
        #expect((entities["Stop"]?["attributes"] as? [String: Any])?.keys.sorted() == ["location_type"])
        #expect(entities["Stop"]?["records"] == nil && entities["Stop"]?["relationships"] == nil)
        #expect((entities["Trip"]?["attributes"] as? [String: Any])?.keys.sorted() == ["direction_id", "service_id"])
    }

    /// What the definition passes over is not lacking, and what is new has a name of its own.
    @Test func whatIsIgnoredIsNotLacking() throws {
        let feed = try scratch.write(
            "shop.json",
            """
            { "orders": [\((0..<9).map { #"{ "id": \#($0), "note": "n\#($0)", "extra": { "a": \#($0 % 3) }, "lines": [{ "no": 1, "item": "i\#($0)" }] }"# }.joined(separator: ", "))],
              "other": [\((0..<9).map { #"{ "id": "x\#($0)", "of": \#($0) }"# }.joined(separator: ", "))] }
            """)
        let draft = try scratch.write(
            "shop.jsonc",
            """
            { "source": { "file": "shop.json" }, "store": { "sqlite": "shop.sqlite" }, "entities": {
              "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" },
                "ignore": ["note", "extra"] },
              "Line": { "records": "$.other[*]", "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        let outcome = try Sluice.run(["init", feed, "--add", draft])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("note") && !outcome.output.contains("extra"), "\(outcome.output)")
        let entities = try definition(outcome.output)["entities"] as? [String: [String: Any]] ?? [:]
        #expect(entities.keys.sorted() == ["Line", "Line2"], "\(outcome.output)")
        #expect(outcome.output.split(separator: "\"Line\": {").count == 2)
    }

    /// Files that a shell has made of `books-*.json` are one source, and others beside them are their own.
    @Test func filesWhoseNamesBeginAlikeAreOneSource() throws {
        let books = try (1...4).map { page in
            try scratch.write(
                "books-\(page).json", #"{"page": \#(page), "results": [{"isbn": "i\#(page)x", "title": "T"}]}"#)
        }
        let members = try scratch.write("members.json", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
        let draft = scratch.file("library.jsonc")
        #expect(try Sluice.run(["init"] + books + [members, "-o", draft]).status == 0)
        let text = try String(contentsOfFile: draft, encoding: .utf8)
        #expect(
            text.contains(#"/books-*.json" }"#) && text.contains(#"/members.json" }"#), "\(text)")
        #expect(!text.contains("books-1.json"), "\(text)")
        #expect(try Sluice.run(["run", draft]).status == 0)
    }

    /// What a definition reads already is said, and what it does not read comes with its source.
    @Test func whatIsAddedSaysItsSource() throws {
        let books = try scratch.write(
            "books.json", #"{"books": [{"isbn": "a1x", "title": "T"}, {"isbn": "b2x", "title": "U"}]}"#)
        let members = try scratch.write(
            "members.json", #"{"members": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}"#)
        let draft = scratch.file("library.jsonc")
        #expect(try Sluice.run(["init", books, "-o", draft]).status == 0)
        let known = try Sluice.run(["init", books, "--add", draft])
        #expect(known.errors.contains("books.json is the source \"main\" of"), "\(known.errors)")
        #expect(known.output.isEmpty && known.errors.contains("lacks nothing"), "\(known.output)")
        let added = try Sluice.run(["init", members, "--add", draft])
        #expect(added.output.contains(#""members": { "file": "\#(members)" }"#), "\(added.output)")
        #expect(added.output.contains(#""source": "members""#), "\(added.output)")
        let both = try Sluice.run(["init", books, members, "--add", draft])
        #expect(both.output == added.output, "\(both.output)")
    }

    /// What a definition lacks beside attributes: what no draft has, a condition, and how another feed is written.
    @Test func whatElseDiffersIsSaid() throws {
        let records = (0..<30).map { #"{"id": \#($0), "n": "x\#($0)"}"# }.joined(separator: ", ")
        let first = try scratch.write("a.json", #"{"items": [\#(records)]}"#)
        let draft = scratch.file("p.jsonc")
        #expect(try Sluice.run(["init", first, "-o", draft]).status == 0)
        let total = try scratch.write("b.json", #"{"total": 5, "items": [\#(records)]}"#)
        let told = try Sluice.run(["init", total, "--add", draft])
        #expect(told.errors.contains("these are in no entity, of a draft neither: total"), "\(told.errors)")
        #expect(!told.errors.contains("lacks nothing"), "\(told.errors)")
        let mixed = try scratch.write("c.json", #"{"items": [\#(records), "text", 7]}"#)
        let condition = try Sluice.run(["init", mixed, "--add", draft])
        #expect(condition.errors.contains(#"has no "where" for what is no record"#), "\(condition.errors)")
        #expect(condition.errors.contains(#"{ "id": { "present": true } }"#), "\(condition.errors)")
        let rows = (0..<30).map { "\($0),name\($0),\($0).5\n" }.joined()
        let table = try scratch.write("a.csv", "T\n\nsku,name,weight\n" + rows)
        let tables = scratch.file("q.jsonc")
        #expect(try Sluice.run(["init", table, "-o", tables]).status == 0)
        let other = try scratch.write("b.csv", "T\nT2\nT3\nsku,name,weight\n" + rows)
        let form = try Sluice.run(["init", other, "--add", tables])
        #expect(form.errors.contains(#"otherwise than the source "main" says: "headerLine": 4"#), "\(form.errors)")
        #expect(try Sluice.run(["init", table, "--add", tables]).errors.contains("lacks nothing"))
    }

    @Test func aPatternNamesFeeds() throws {
        for (name, key) in ["stops": "stop", "routes": "route"] {
            try FileManager.default.createDirectory(
                atPath: scratch.file("in/\(name)"), withIntermediateDirectories: true)
            let records = (0..<9).map { #"{ "\#(key)_id": "\#(key.prefix(1))\#($0)x" }"# }
            _ = try scratch.write("in/\(name)/\(name).json", "[\(records.joined(separator: ", "))]")
        }
        let outcome = try Sluice.run(["init", scratch.file("in/**/*.json")])
        let entities = try definition(outcome.output)["entities"] as? [String: Any] ?? [:]
        #expect(entities.keys.sorted() == ["Route", "Stop"], "\(outcome.output)\(outcome.errors)")
        #expect(try Sluice.run(["init", scratch.file("in/*.json")]).status == 66)
    }
}
