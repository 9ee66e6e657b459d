import Foundation
import TestSupport
import Testing

/// Values that a feed no longer has, though it has their keys: they clear what the store has, and are told of.
@Suite struct LostValueTests {
    private let folder = TemporaryFolder()

    private static let fields = ["price", "code", "owner", "tags", "name", "words"]

    private func definition(_ more: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            #"""
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" } \#(more), "entities": {
                "User": { "identifier": "id", "attributes": { "id": "text" } },
                "E": { "records": "$[*]", "identifier": "id",
                  "attributes": {
                    "id": "integer", "price": "integer", "code": { "type": "text", "match": "^C(\\d+)$" },
                    "name": { "type": "text", "from": "names[?lang == 'en'].text" },
                    "words": { "type": "text", "many": true } },
                  "relationships": {
                    "owner": { "to": "User", "match": "/users/(.*)", "missing": "stub" },
                    "tags": { "to": "User", "many": true, "from": "tags[*]", "missing": "stub" } } } } }
            """#)
    }

    private func feed(_ count: Int, without lost: Set<String>, in some: Int) throws {
        let records = (1...count).map { number -> [String: Any] in
            let isWhole = number > some
            func lacks(_ name: String) -> Bool { !isWhole && lost.contains(name) }
            return [
                "id": number, "price": lacks("price") ? NSNull() as Any : number,
                "code": lacks("code") ? "D\(number)" : "C\(number)",
                "owner": lacks("owner") ? "users/\(number)" : "/users/\(number)",
                "words": lacks("words") ? [] as [String] : ["x"],
                "tags": lacks("tags") ? [] as [String] : ["a", "b"],
                "names": [["lang": lacks("name") ? "EN" : "en", "text": "N\(number)"]],
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: records)
        _ = try folder.write("f.json", String(decoding: data, as: UTF8.self))
    }

    /// The members of which a run says that far fewer records have a value, with how many.
    private func told(_ outcome: Sluice.Outcome) -> [String: Int] {
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let found = examples.filter { $0["reason"] as? String == "fewer" }
        return Dictionary(
            uniqueKeysWithValues: found.map { ($0["attribute"] as? String ?? "", $0["records"] as? Int ?? -1) })
    }

    private func run(_ words: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", folder.file("p.jsonc"), "--format", "json"] + words)
    }

    /// The members of which a run says that no record has them.
    private func missing(_ outcome: Sluice.Outcome) -> [String] {
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        return examples.filter { $0["reason"] as? String == "missing" }.compactMap { $0["attribute"] as? String }
    }

    /// Each in its way: null, a pattern that fits nothing, an empty list; and a filter that finds nothing, of which
    /// records have nothing at all.
    @Test(arguments: fields) func whatNoRecordHasAnyMoreFailsTheRun(_ field: String) throws {
        _ = try definition()
        try feed(40, without: [], in: 0)
        #expect(try run().status == 0)
        try feed(40, without: [field], in: 40)
        let failed = try run()
        #expect(failed.status == 65, "\(failed.errors)")
        #expect(failed.errors.contains("missing"), "\(failed.errors)")
        let dry = try run("--dry-run")
        #expect(dry.status == 65)
        let isMissing = field == "name"
        #expect(told(dry) == (isMissing ? [:] : [field: 0]) && missing(dry) == (isMissing ? [field] : []))
        let allowed = try run("--allow", "missing=1")
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(told(allowed).count + missing(allowed).count == 1)
        // What is so from now on is no news.
        let next = try run("--force")
        #expect(next.status == 0 && told(next).isEmpty, "\(next.errors)")
    }

    /// Where some are left, the run tells of it; what may be chance, nobody.
    @Test(arguments: [(38, true), (22, true), (20, false), (1, false)]) func farFewerAreTold(_ lost: Int, isTold: Bool)
        throws
    {
        _ = try definition()
        try feed(40, without: [], in: 0)
        #expect(try run().status == 0)
        try feed(40, without: Set(LostValueTests.fields), in: lost)
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let names = isTold ? LostValueTests.fields : []
        #expect(told(outcome) == Dictionary(uniqueKeysWithValues: names.map { ($0, 40 - lost) }))
    }

    @Test func aFewRecordsTellNothing() throws {
        _ = try definition()
        try feed(4, without: [], in: 0)
        #expect(try run().status == 0)
        try feed(4, without: Set(LostValueTests.fields), in: 4)
        let outcome = try run()
        #expect(outcome.status == 0 && told(outcome).isEmpty, "\(outcome.errors)")
    }

    /// A night of which most is known counts what was known, and what `match` has made of it.
    @Test func knownRecordsCountLikewise() throws {
        _ = try definition()
        try feed(400, without: [], in: 0)
        #expect(try run().status == 0)
        try feed(400, without: Set(LostValueTests.fields), in: 390)
        #expect(told(try run()).count == LostValueTests.fields.count)
        try feed(400, without: Set(LostValueTests.fields), in: 389)
        let known = try run("--dry-run")
        let full = try run("--dry-run", "--force")
        let fields = [known, full].map { outcome in
            ((outcome.report["entities"] as? [String: Any])?["E"] as? [String: Any])?["fields"] as? NSDictionary
        }
        #expect(fields[0] != nil && fields[0] == fields[1], "\(fields)")
    }

    /// Values that have nearly all changed are news, unless they do so each night.
    @Test func objectsThatHaveAllChangedAreNews() throws {
        _ = try definition()
        var prices = Array(repeating: 0, count: 40)
        let nights = [(0, false), (0, false), (36, true), (40, false), (0, false), (35, false), (0, false), (36, true)]
        for (night, (changed, isTold)) in nights.enumerated() {
            for index in 0..<changed { prices[index] = 1000 + night }
            let records = prices.enumerated().map {
                #"{"id":\#($0),"price":\#($1),"code":"C1","owner":"/users/1","tags":["a"],"words":["x"],"names":[{"lang":"en","text":"x"}]}"#
            }
            _ = try folder.write("f.json", "[\(records.joined(separator: ","))]")
            let outcome = try Sluice.run(["run", folder.file("p.jsonc"), "--force", "--show", "news"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("nearly all objects have changed") == isTold, "\(night): \(text)")
        }
    }

    /// Other identifiers make a second object of each.
    @Test func newObjectsAloneAreNews() throws {
        _ = try definition()
        for (offset, isTold) in [(0, false), (100, true), (200, false), (200, false), (300, true)] {
            let records = (1...40).map {
                #"{"id":\#($0 + offset),"price":1,"code":"C1","owner":"/users/1","tags":["a"],"words":["x"],"names":[{"lang":"en","text":"x"}]}"#
            }
            _ = try folder.write("f.json", "[\(records.joined(separator: ","))]")
            let outcome = try Sluice.run(["run", folder.file("p.jsonc"), "--force", "--show", "news"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("new objects alone") == isTold, "\(offset): \(text)")
        }
    }
}
