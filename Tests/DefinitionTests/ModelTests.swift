import DefinitionSupport
import Sluice
import SluiceRecords
import Testing

@testable import SluiceDefinition

/// What a definition becomes.
struct ModelTests {
    private func read(_ text: String) throws -> PipelineDefinition {
        try PipelineDefinition.understood(text)
    }

    /// The paths of the slots, with what is wanted of them.
    private func slots(_ entity: Entity) -> [String] {
        entity.slots.map { slot in
            let words = [(slot.json, " json"), (slot.many, " many"), (slot.isPlace, " places")]
            return slot.path.description + words.filter(\.0).map(\.1).joined()
        }
    }

    @Test func defaults() throws {
        let definition = try read(Definition.pipeline(""))
        #expect(definition.name == "x")
        #expect(definition.sources == [Source(name: "main", location: .file("feed.json"))])
        #expect(definition.sources[0].maxText == 67_108_864)
        #expect(definition.sources[0].maxRecord == 67_108_864)
        #expect(definition.sources[0].maxDepth == 1024)
        #expect(definition.store == "store.sqlite")
        #expect(definition.batchSize == 5000)
        #expect(definition.commit == .run)
        #expect(definition.archive == nil)
        #expect(definition.findings == nil)
        #expect(definition.limits.rejects == .count(0))
        #expect(definition.limits.deletes == .share(Share(percent: 10)))
        #expect(definition.limits.unresolved == Limit.none)
        #expect(definition.limits.duplicates == Limit.none)
        let stop = definition.model.entities[0]
        #expect(stop.table == "Stop")
        #expect(
            [stop.mode.rawValue, stop.duplicates.rawValue, stop.absence.choice.rawValue] == ["upsert", "last", "keep"])
        #expect(stop.sources == [0] && stop.absence.within == nil && stop.identifier == [0])
        #expect(!stop.attributes[0].required && !stop.attributes[0].isIndexed)
        #expect(stop.attributes[0].onAbsent == .keep)
        #expect(stop.relationships[0].missing == .null && stop.relationships[0].onDelete == .nullify)
    }

    @Test func limitsAreRead() throws {
        let limits = #"{ "rejects": "0.5%", "unresolved": 3, "duplicates": "10%", "deletes": null }"#
        let definition = try read(Definition.pipeline("\"limits\": \(limits)"))
        #expect(definition.limits.rejects == .share(Share("0.5%")!))
        #expect(definition.limits.unresolved == .count(3))
        #expect(definition.limits.duplicates == .share(Share(percent: 10)))
        #expect(definition.limits.deletes == Limit.none)
    }

    @Test func slotsAreShared() throws {
        let attributes = """
            "name": "text", "again": { "type": "integer", "from": "name" }, "whole": { "type": "json", "from": "name" },
            "a b": "text", "é": "text", "e\\u0301": "text", "outer": { "type": "text", "from": "$.version" }
            """
        let stop = try read(Definition.attributes(attributes)).model.entities[0]
        #expect(
            slots(stop) == [
                "id", "name", "name json", "['a b']", "é", "e\u{301}", "$.version", "parent", "place",
                "lines[*].id many", "lines[*].direction many", "lines[*].id many places",
                "lines[*].direction many places",
            ])
        #expect(stop.attributes.map(\.value.plainSlot) == [0, 1, 1, 2, 3, 4, 5, 6])
    }

    @Test func valuesAreNested() throws {
        let value = """
            { "type": "text", "from": [{ "from": "a", "trim": true }, { "join": ["b", "c"] }, "d"], "nullIf": ["", 0, false],
              "match": "x", "map": { "y": null, "*": 1 }, "default": "z" }
            """
        let rule = try read(Definition.attribute(value)).model.entities[0].attributes[1].value
        var trimmed = ValueRule(.slot(1))
        trimmed.trim = true
        let joined = ValueRule(.joined([ValueRule(.slot(2)), ValueRule(.slot(3))], separator: "/"))
        var expected = ValueRule(.first([trimmed, joined, ValueRule(.slot(4))]))
        expected.nullIf = [.text(""), .number("0"), .boolean(false)]
        expected.match = "x"
        expected.map = ["y": .null]
        expected.otherwise = .number("1")
        expected.fallback = .text("z")
        #expect(rule == expected)
    }

    /// What adds nothing is nothing.
    @Test(arguments: [
        #"{ "type": "text" }"#, #"{ "type": "text", "from": "x" }"#, #"{ "type": "text", "from": ["x"] }"#,
        #"{ "type": "text", "from": { "from": ["x"] } }"#, #"{ "type": "text", "from": [{ "trim": false }] }"#,
    ])
    func plainValuesArePlain(_ value: String) throws {
        #expect(try read(Definition.attribute(value)).model.entities[0].attributes[1].value.plainSlot == 1)
    }

    @Test func relationshipsTakeTheTypesOfTheirTargets() throws {
        let relationship = """
            { "to": ["Place", "Stop"], "from": "id", "entity": { "from": "kind", "map": { "p": "Place" } },
              "missing": "stub", "onDelete": "cascade" }
            """
        let stop = try read(Definition.relationship(relationship)).model.entities[0]
        let found = stop.relationships[3]
        #expect(found.targets.map(\.entity) == [1, 0])
        #expect(found.targets.map { $0.conversions.map(\.type) } == [[.integer], [.text]])
        #expect(found.key.map(\.plainSlot) == [0])
        #expect(found.selector?.map == ["p": .text("Place")])
        #expect(found.missing == .stub && found.onDelete == .cascade && !found.isMany)
        let lines = stop.relationships[2]
        #expect(lines.isMany && lines.key.count == 2)
        #expect(lines.targets.map { $0.conversions.map(\.type) } == [[.text, .integer]])
        #expect(stop.linkTable(of: lines) == "Stop_lines")
    }

    /// What encloses a record is one value, though its path goes through many.
    @Test func enclosingValuesAreSingle() throws {
        let text = #"{ "type": "text", "from": "$.stops[*].name" }"#
        #expect(slots(try read(Definition.attribute(text)).model.entities[0])[1] == "$.stops[*].name")
    }

    @Test func entitiesAreRead() throws {
        let keys = """
            "table": "stops", "was": "Halt", "mode": "update", "duplicates": "reject", "absent": "mark",
            "within": "parent", "where": { "~": ["a", 1.50, true, null] }, "deleteWhere": { "gone": true, "^.x": 1 }
            """
        let stop = try read(Definition.entity(keys)).model.entities[0]
        #expect(stop.name == "Stop" && stop.table == "stops" && stop.was == ["Halt"])
        #expect(
            [stop.mode.rawValue, stop.duplicates.rawValue, stop.absence.choice.rawValue] == [
                "update", "reject", "mark",
            ])
        #expect(stop.absence.within == 0)
        #expect(
            stop.conditions == [RecordCondition(slot: 0, values: [.text("a"), .number("1.50"), .boolean(true), .null])])
        #expect(
            stop.deletions == [
                RecordCondition(slot: 1, values: [.boolean(true)]), RecordCondition(slot: 2, values: [.number("1")]),
            ])
        #expect(slots(stop).prefix(3) == ["~", "gone", "^.x"])
    }

    @Test func placesAreKnown() throws {
        let definition = try read(Definition.attribute(#"{ "type": "text", "required": true }"#))
        let place = definition.place("entities", "Stop", "attributes", "x", "required")
        #expect("\(place)" == "x.json:9:46")
        #expect("\(definition.place("entities", "Stop", "mode"))" == "x.json:5:5")
        #expect(definition.node("entities", "Place", "identifier")?.minified == "\"id\"")
    }

    @Test func columnsAreCounted() throws {
        func entity(_ count: Int, _ more: String) -> String {
            let attributes = (1..<count).map { "\"a\($0)\": \"text\"" }.joined(separator: ", ")
            return #"{ "source": { "file": "f" }, "store": { "sqlite": "s" }, "entities": { "A": { "records": "$","#
                + #" "identifier": "id", "attributes": { "id": "text", \#(attributes) }, \#(more) } } }"#
        }
        #expect(try read(entity(1998, #""mode": "insert""#)).model.entities[0].attributes.count == 1998)
        #expect(try read(entity(1996, #""relationships": { "r": { "to": "A" } }, "absent": "mark""#)).name == "x")
        for (count, more) in [
            (2000, #""mode": "insert""#), (1999, #""absent": "mark""#),
            (1999, #""relationships": { "r": { "to": "A" } }"#),
        ] {
            let found = problems { () throws(DefinitionProblems) in
                _ = try PipelineDefinition.understood(entity(count, more))
            }
            #expect(found == [#"x.json:1:72: the table of "A" would have 2001 columns, and SQLite takes 2000"#])
        }
        let found = problems { () throws(DefinitionProblems) in
            _ = try PipelineDefinition.understood(entity(1999, #""mode": "insert""#))
        }
        let message = #"x.json:1:72: the table of "A" would have 2000 columns, of which those of the identifier count"#
        #expect(found == [message + " twice, and SQLite takes 2000"])
        #expect(try read(entity(1996, #""history": true"#)).name == "x")
        let kept = problems { () throws(DefinitionProblems) in
            _ = try PipelineDefinition.understood(entity(1997, #""history": true"#))
        }
        let told = #"x.json:1:72: the table of "A" would have 1998 columns, that of its past 2001, and SQLite"#
        #expect(kept == [told + " takes 2000"])
    }

    /// What no table can have is said once, and looked at no further.
    @Test func attributesBeyondAllMeasureAreNotRead() throws {
        let attributes = (0..<2500).map { #""a\#($0)": "sting""# }.joined(separator: ", ")
        let found = problems { () throws(DefinitionProblems) in
            _ = try PipelineDefinition.understood(
                #"{ "source": { "file": "f" }, "store": { "sqlite": "s" }, "entities": { "A": { "records": "$","#
                    + #" "identifier": "id", "attributes": { \#(attributes) } },"#
                    + #" "B": { "records": "$.b", "identifier": "id", "attributes": { "id": "text" },"#
                    + #" "relationships": { "a": { "to": "A" } } } } }"#)
        }
        #expect(found == [#"x.json:1:72: the table of "A" would have 2501 columns, and SQLite takes 2000"#])
    }

    @Test(arguments: [
        ("a.json", Source.Format.json), ("a.ndjson", .lines), ("A.NDJSON.GZ", .lines), ("x/*.jsonl.zst", .lines),
        ("a.ndjson.json", .json), ("a.gz", .json), ("ndjson", .json), ("-", .json),
    ])
    func formatFollowsTheName(_ name: String, _ format: Source.Format) {
        #expect(Source.Format(fileName: name) == format)
    }

    @Test(arguments: [
        ("atributes", "attributes"), ("batchsize", "batchSize"), ("form", "from"), ("recrods", "records"),
        ("x", nil), ("zzzzzz", nil), ("int", "integer"), ("string", "text"), ("identifer", "identifier"),
        ("varchar(20)", "text"), ("Double precision", "real"), ("decimal(10,2)", "decimal"), ("uuid", "text"),
        ("", nil), (String(repeating: "a", count: 100_000), nil),
    ])
    func suggests(_ word: String, _ expected: String?) {
        let known = DefinitionKeys.pipeline + DefinitionKeys.entity + DefinitionKeys.value
        #expect(nearest(to: word, among: known + AttributeType.allCases.map(\.rawValue)) == expected)
    }

    /// A definition cut short or changed anywhere is read or refused; nothing ends the process.
    @Test func survivesAnything() {
        let texts = DefinitionCase.all.map { Array($0.text.utf8) }
        var state: UInt64 = 3
        let deep = String(repeating: #"{ "from": "#, count: 190) + "1" + String(repeating: "}", count: 190)
        _ = try? PipelineDefinition.understood(Definition.attribute(#"{ "type": "text", "from": \#(deep) }"#))
        for text in texts {
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                var changed = text
                let at = Int(state >> 33) % text.count
                let strange = Array("{}[]\",:0$^~@.*ax#\\".utf8)
                changed[at] = strange[Int(state >> 20 & 0xff) % strange.count]
                if state & 7 == 0 { changed = Array(changed[..<at]) }
                _ = try? PipelineDefinition.read(changed, file: "x.json", environment: [:])
            }
        }
    }

    @Test(arguments: [
        ("StopTime", "stop_time"), ("nameEnglish", "name_english"), ("stop_id", "stop_id"), ("stopID", "stop_id"),
        ("OSMId", "osm_id"), ("HTMLParser", "html_parser"), ("UTF8Text", "utf8_text"), ("model3D", "model3d"),
        ("line2Name", "line2_name"), ("opening-hours", "opening_hours"), ("Name (en)", "name_en"), ("(x)", "x"),
        ("_rev", "_rev"), ("a__b", "a__b"), ("a _b", "a_b"), ("Äpfel", "äpfel"), ("größeÜber", "größe_über"),
        ("ГОСТ", "гост"),
        ("??", "??"),
    ])
    func namesInSnakeCase(_ written: String, _ stored: String) { #expect(StoreNames.snakeCase(written) == stored) }

    @Test func namesOfTheStoreStandBesideThoseOfTheDefinition() throws {
        let model = try PipelineDefinition.understood(
            Definition.pipeline(#""names": "snake_case""#)
                .replacing(#""parent": {"#, with: #""parentStop": { "was": ["up", "parent_stop", "upTo"], "#)
        ).model
        let relationship = model.entities[0].relationships[0]
        #expect(relationship.name == "parent_stop")
        #expect(relationship.written == "parentStop")
        #expect(relationship.was == ["parentStop", "up", "upTo", "up_to"])
        #expect(model.entities.map(\.table) == ["stop", "place", "line"])
        #expect(model.entities[2].attributes.map(\.was) == [[], []])
    }
}
