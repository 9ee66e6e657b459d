import Foundation
import TestSupport
import Testing

/// Names that are data, the keys of a map, take no room from the names of fields.
struct MapNameTests {
    private let folder = TemporaryFolder()

    private func feed(_ more: String = "") throws {
        let versions = (0..<3_000).map { #""1.\#($0)": { "name": "1.\#($0)" }"# }.joined(separator: ", ")
        let releases = (0..<5).map { #""\#($0)": { "name": "\#($0)", "eoas": 1, "label": "x"\#(more) }"# }
        _ = try folder.write(
            "f.json", "{ \"versions\": { \(versions) }, \"releases\": { \(releases.joined(separator: ", ")) } }")
    }

    private func unused(_ words: [String] = []) throws -> [String] {
        let run = try Sluice.run(["run", folder.file("p.jsonc"), "--format", "json"] + words)
        #expect(run.status == 0, "\(run.errors)")
        let release = (run.report["entities"] as? [String: Any])?["Release"] as? [String: Any]
        return (release?["unused"] as? [String: Any] ?? [:]).keys.sorted()
    }

    @Test(arguments: ["$.versions.*", "$..versions.*"]) func fieldsBehindAMapAreTold(records: String) throws {
        _ = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Version": { "records": "\(records)", "identifier": "name", "attributes": { "name": "text" } },
                "Release": { "records": "$.releases.*", "identifier": "name", "attributes": { "name": "text" } } } }
            """)
        try feed()
        #expect(try unused() == ["eoas", "label"])
        // What is known of the night before makes no difference.
        try feed(#", "brandNew": 1"#)
        #expect(try unused(["--dry-run"]) == ["brandNew", "eoas", "label"])
        #expect(try unused(["--dry-run", "--force"]) == ["brandNew", "eoas", "label"])
        #expect(try unused() == ["brandNew", "eoas", "label"])
    }
}
