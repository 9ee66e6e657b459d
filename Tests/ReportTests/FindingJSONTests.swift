import DefinitionSupport
import ReportSupport
import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceReport

/// Findings of every kind as lines of JSON, held to their schema.
@Suite struct FindingJSONTests {
    private let schema: Schema
    private let feeds = [
        Feed(source: "main", location: "a.json", files: ["a.json"]),
        Feed(source: "more", location: "*.json", files: ["b.json", "</script>\"\n.json"]),
    ]

    init() throws {
        let bytes = try documentation("finding.schema.json")
        schema = Schema(try JSONTree.read(bytes, file: "finding.schema.json").root)
    }

    private func line(_ finding: Finding) throws -> String {
        let line = finding.json(feeds)
        #expect(!line.contains("\n"))
        #expect(try schema.accepts(JSONTree.read(Array(line.utf8), file: "finding").root), "\(line)")
        return line
    }

    private func finding(_ detail: Finding.Detail, identifier: String = "7") -> Finding {
        Finding(entity: "Stop", identifier: identifier, detail: detail, at: Fixture.reject(41).at)
    }

    @Test func aDuplicateNamesBothPlaces() throws {
        var duplicate = finding(.duplicate(conflicting: true, differs: ["a", "b"]), identifier: #"["x", 1]"#)
        duplicate.first = FirstPosition(RecordPositionKey(source: 1, file: 1, offset: 12), record: 3)
        let place = #""first": { "source": "more", "file": "</script>\"\n.json", "record": 3, "offset": 12 } }"#
        #expect(try line(duplicate).hasSuffix(place))
    }

    @Test func aRejectCarriesItsRecord() throws {
        var reject = finding(.reject(faults: [("a", "no"), ("b", "not \"at\" all")]), identifier: "null")
        #expect(try line(reject).hasSuffix(#""path": "$.stops[41]" } }"#))
        reject.record = .whole(#"{"a":1.50,"a":"\u00e9"}"#)
        reject.context = [("$.version", "2"), ("^^.id", #""x""#)]
        #expect(
            try line(reject).hasSuffix(
                #", "record": {"a":1.50,"a":"\u00e9"}, "context": { "$.version": 2, "^^.id": "x" } }"#))
        reject.record = .tooLong(70_000)
        reject.context = []
        #expect(try line(reject).hasSuffix(#", "recordBytes": 70000 }"#))
    }

    @Test func theOtherKinds() throws {
        _ = try line(finding(.unresolved(relationship: "r", targets: ["A", "B"], value: "[1, null]")))
        for drift in [Finding.Drift.unknown, .missing(member: "m"), .repeated] {
            _ = try line(finding(.drift(drift, field: "a.b", records: 3), identifier: "null"))
        }
    }

    /// The place comes from a damaged store.
    @Test func aPlaceThatNoFeedHas() throws {
        var unresolved = finding(.unresolved(relationship: "r", targets: ["A"], value: "1"))
        for (source, file) in [(2, 0), (65535, 7), (0, 1), (1, 1 << 32)] {
            unresolved.at.position = RecordPositionKey(source: source, file: file, offset: 5)
            _ = try line(unresolved)
            #expect(!unresolved.text(feeds).isEmpty)
        }
    }

    /// What finds nothing is told of an entity, or of a source.
    @Test(arguments: [
        Finding.Unmatched.records, .condition, .next, .cursor, .link, .total,
    ])
    func whatIsUnmatched(_ reason: Finding.Unmatched) throws {
        var unmatched = finding(.unmatched(reason, path: "$.a[*]"), identifier: "null")
        let rest = #""source": "main", "path": "$.a[*]", "reason": "\#(reason.rawValue)", "at": {"#
        #expect(try line(unmatched).hasPrefix(#"{ "kind": "unmatched", "entity": "Stop", \#(rest)"#))
        unmatched.entity = nil
        #expect(try line(unmatched).hasPrefix(#"{ "kind": "unmatched", "entity": null, \#(rest)"#))
        #expect(unmatched.text(feeds).contains("$.a[*]") || reason == .link)
    }

    /// A schema that takes everything would hold nothing.
    @Test(arguments: [
        #"{ "kind": "reject" }"#, #"{ "kind": "other", "entity": "Stop", "identifier": 1, "at": AT }"#,
        #"{ "kind": "reject", "entity": "Stop", "identifier": 1, "faults": [], "at": AT }"#,
        #"{ "kind": "duplicate", "entity": "A", "identifier": {}, "conflicting": true, "differs": [], "at": AT }"#,
        #"{ "kind": "drift", "entity": "A", "field": "f", "records": 1, "at": {} }"#,
        #"{ "kind": "unmatched", "entity": "A", "source": "main", "path": "$", "reason": "other", "at": AT }"#,
        #"{ "kind": "unresolved", "entity": "A", "identifier": 1, "relationship": "r", "to": [], "value": 1, "at": AT }"#,
    ])
    func theSchemaRefusesOthers(text: String) throws {
        let line = text.replacing("AT", with: Fixture.reject(41).at.json(feeds))
        #expect(try !schema.accepts(JSONTree.read(Array(line.utf8), file: "finding").root))
    }

    /// Few parsers read half of a surrogate pair: such a record is in the file of findings only.
    @Test(arguments: [
        (#"{"a":"\ud800"}"#, true), (#"["\udc00\ud800"]"#, true), (#"["\ud83d\ude00"]"#, false),
        (#"["\\ud800"]"#, false), (#"["\\\ud800"]"#, true), (#"["\ud83d\ud83d\ude00"]"#, true), ("1", false),
        (#"["\uD83D"#, true), (#"["\"#, false),
    ])
    func halfSurrogates(record: String, isBroken: Bool) {
        #expect(RecordText.whole(record).hasLoneSurrogate == isBroken)
        var report = Fixture.report()
        report.found.counts = [.reject: 1]
        report.found.examples = [Fixture.reject(1)]
        report.found.examples[0].record = .whole(record)
        #expect(report.json.contains("\"record\": \(record)") != isBroken)
    }
}
