import Foundation
import Testing

/// `Pipelines/instruments.jsonc` on `Samples/instruments`, with its five flaws.
@Suite struct InstrumentsTests {
    private static let folder = Sluice.path("Samples/instruments")
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("instruments.sqlite") }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Pipelines/instruments.jsonc"), "--format", "json"] + more,
            environment: ["INSTRUMENTS_STORE": store])
    }

    // MARK: A naive reading

    private static func lines(_ name: String) throws -> [[String: Any]] {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8).split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// The first match of a regular expression.
    private static func match(_ pattern: String, _ text: String) -> String {
        text.range(of: pattern, options: .regularExpression).map { String(text[$0]) } ?? "∅"
    }

    private static func makers() throws -> [String: [String]] {
        var makers: [String: [String]] = [:]
        for maker in try lines("makers.ndjson") {
            let id = Feed.text(maker["id"])
            let years = ["born", "died"].map { match("[0-9]{4}", Feed.text(maker[$0])) }
            let name = Feed.text(maker["name"]).trimmingCharacters(in: .whitespaces)
            makers[id] = [id, name, "\(Feed.text(maker["town"])), \(Feed.text(maker["country"]))"] + years
        }
        return makers
    }

    /// In UTC; nil for a time that Berlin's clocks skipped.
    private static func moment(_ text: String) -> String? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        guard let date = formatter.date(from: text), formatter.string(from: date) == text else { return nil }
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss'.000000Z'"
        return formatter.string(from: date)
    }

    private static func row(_ object: [String: Any], _ makers: [String: [String]]) -> [String]? {
        func text(_ key: String, or missing: String = "∅") -> String {
            let text = Feed.text(object[key])
            return ["", "n/a", "∅"].contains(text) ? missing : text
        }
        guard ["published", "on loan"].contains(text("status")), let changed = moment(text("changed")) else {
            return nil
        }
        let price = text("price") == "∅" ? "∅" : Decimal(string: text("price")).map { "\($0)" }
        guard let price, !text("price").hasPrefix("ca.") else { return nil }
        let classes = ["chordophone": "string instrument", "aerophone": "wind instrument", "membranophone": "drum"]
        let titles = object["title"] as? [String: String] ?? [:]
        let title = (titles["de"] ?? titles["en"] ?? "").trimmingCharacters(in: .whitespaces)
        let day = text("acquired").split(separator: ".").reversed().joined(separator: "-")
        let room = (object["room"] as? [String: String]).map { "\($0["building"] ?? "") \($0["name"] ?? "")" }
        return [
            text("collection"), text("number"), title, classes[text("class")] ?? "∅", text("dated"),
            match("\\b[0-9]{4}\\b", text("dated")), price, text("currency", or: "EUR"), day, changed, room ?? "∅",
            makers[text("maker_id")]?[0] ?? "∅",
        ]
    }

    private static func expected() throws -> [String: [[String]]] {
        let makers = try makers()
        var objects: [[String]: (row: [String], whole: [String])] = [:]
        for object in try lines("objects.ndjson") {
            guard let row = row(object, makers) else { continue }
            let whole = object["part_of"] as? [String: Any]
            objects[Array(row.prefix(2))] = (row, [Feed.text(whole?["collection"]), Feed.text(whole?["number"])])
        }
        let rows = objects.values.map { row, whole in
            row + [objects[whole] == nil ? "∅" : whole.joined(separator: "\u{1F}")]
        }
        return ["Maker": Array(makers.values), "Object": rows].mapValues { rows in
            rows.sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    // MARK: The tests

    @Test func theStoreIsWhatTheFeedsSay() throws {
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = try InstrumentsTests.expected()
        #expect(expected.mapValues(\.count) == ["Maker": 5, "Object": 8])
        #expect(try Database(store).contents() == expected)
        #expect(try Database(store).isSound())
    }

    @Test func theFlawsAreFound() throws {
        let outcome = try run()
        #expect(
            outcome.report["findings"] as? [String: Int]
                == [
                    "unmatched": 0, "duplicate": 2, "unresolved": 2, "conflict": 0, "reject": 2, "drift": 0, "check": 0,
                ])
        #expect(outcome.count("Object", "records") == 11)
        #expect(outcome.count("Object", "rejected") == 2)
        #expect(outcome.counts("Object")["duplicates"] as? [String: Int] == ["identical": 0, "conflicting": 1])
        #expect(outcome.counts("Maker")["duplicates"] as? [String: Int] == ["identical": 1, "conflicting": 0])
        let relationships = outcome.counts("Object")["relationships"] as? [String: [String: Int]]
        #expect(relationships?["maker"] == ["resolved": 5, "unresolved": 1, "null": 2, "late": 0])
        #expect(relationships?["partOf"] == ["resolved": 1, "unresolved": 1, "null": 6, "late": 0])
    }

    /// A later feed of makers brings the one who was missing.
    @Test func aWaitingReferenceIsLinkedLate() throws {
        _ = try run()
        let makers = try scratch.write(
            "makers.ndjson",
            #"{"id": 7, "name": "Paul Anselm", "town": "Markneukirchen", "country": "DE", "born": "1801", "died": ""}"#)
        let objects = try scratch.write(
            "objects.ndjson", #"{"collection": "X", "number": 1, "status": "published", "title": {"en": "Bell"}}"#)
        let outcome = try run("--feed", "makers=\(makers)", "--feed", "objects=\(objects)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let maker = (outcome.counts("Object")["relationships"] as? [String: [String: Int]])?["maker"]
        #expect(maker == ["resolved": 0, "unresolved": 0, "null": 1, "late": 1])
        let name = "SELECT m.name FROM Object o JOIN Maker m ON m.objectID = o.maker"
        #expect(try Database(store).rows(name + " WHERE o.collection = 'WIND'") == [["Paul Anselm"]])
    }

    /// Compressed or not, and whatever the file is called: the definition says that the makers are lines.
    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func compressionMakesNoDifference(tool: String) throws {
        _ = try run()
        let plain = InstrumentsTests.folder + "/makers.ndjson"
        let feed = try scratch.write("makers", Shell.output([tool, "-c", plain]))
        let other = scratch.file("other.sqlite")
        let outcome = try run("--feed", "makers=\(feed)", "--store", other)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(other).contents() == Database(store).contents())
    }
}
