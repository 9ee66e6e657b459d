import Foundation
import Testing

/// A run asks for no memory for a record: the whole command, as it is delivered, on feeds of different lengths. What is
/// left is pages, of which SQLite has one for some dozen records.
@Suite(.enabled(if: AllocationShim.release != nil && AllocationShim.path != nil)) struct AllocationTests {

    private static let definition = """
        {
          "name": "allocations",
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "entities": {
            "Visit": {
              "records": "$.visits[*]",
              "identifier": ["trip", "number"],
              "attributes": { "trip": "text", "number": "integer", "at": "datetime", "distance": "real" },
              "relationships": {
                "of": { "to": "Trip", "from": "trip" },
                "via": { "to": "Stop", "many": true, "from": "via[*]" }
              }
            },
            "Trip": {
              "records": "$.trips[*]", "identifier": "id", "attributes": { "id": "text", "name": "text" }
            },
            "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": { "id": "integer" } }
          }
        }
        """

    /// Every reference points forward.
    private static func feed(_ visits: Int) -> String {
        let all = (0..<visits).map { number in
            """
            {"trip": "a trip with a long name \(number / 10)", "number": \(number % 10), "other": {"x": [1, "\\n"]},
             "at": "2026-11-21T10:\(10 + number % 50):00+01:00", "distance": \(number).5,
             "via": [\(number % 50), \((number + 7) % 50)]}
            """
        }
        let trips = (0..<visits / 10).map { "{\"id\": \"a trip with a long name \($0)\", \"name\": \"\($0)\"}" }
        let stops = (0..<50).map { "{\"id\": \($0)}" }
        return """
            {"visits": [\(all.joined(separator: ",\n"))],
             "trips": [\(trips.joined(separator: ",\n"))], "stops": [\(stops.joined(separator: ","))]}
            """
    }

    private func allocations(_ folder: TemporaryFolder, _ arguments: [String]) throws -> Int {
        let count = folder.file("count")
        let environment = ["LD_PRELOAD=\(AllocationShim.path ?? "")", "ALLOCATION_COUNT=\(count)"]
        let words = ["env"] + environment + [AllocationShim.release ?? "", "run", folder.file("p.jsonc"), "--quiet"]
        #expect(try Shell.run(words + arguments) == 0)
        return Int(try String(contentsOfFile: count, encoding: .utf8)) ?? 0
    }

    /// Of a first import, and of the same feed once more.
    private func allocations(_ visits: Int) throws -> (first: Int, again: Int) {
        let folder = TemporaryFolder()
        _ = try folder.write("p.jsonc", Self.definition)
        _ = try folder.write("feed.json", Self.feed(visits))
        return (try allocations(folder, []), try allocations(folder, ["--force"]))
    }

    @Test func noneForARecord() throws {
        let (few, many) = (try allocations(10_000), try allocations(60_000))
        let first = Double(many.first - few.first) / 50_000
        let again = Double(many.again - few.again) / 50_000
        #expect(first < 0.7)
        #expect(again < 0.5)
    }
}

private enum AllocationShim {
    /// The command of the release build, which `make test` makes: only an optimised build keeps off the heap.
    static let release: String? = [Sluice.path(".build/release/sluice")].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Beside the tests' command. Nil where there is no compiler.
    static let path: String? = {
        let path = Sluice.executable.deletingLastPathComponent().path + "/allocations.so"
        let source = Sluice.path("Tests/EndToEndTests/Shims/allocations.c")
        for compiler in ["cc", "gcc", "clang"] {
            if (try? Shell.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, source])) == 0 { return path }
        }
        return nil
    }()
}
