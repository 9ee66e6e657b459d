import Foundation
import Testing

/// Lines that begin with a value and go on with something else.
@Suite struct LineBeginningTests {
    private let scratch = TemporaryFolder()

    /// The value is a reject, and so is the rest: findings, reports and the ledger stay JSON, with nothing but the
    /// value as the record.
    @Test(arguments: [
        ("404: Not Found", "404"), ("2026-11-30 12:00 ERROR", "2026"), (#"8"x""#, "8"), (#"-1.5e3{"#, "-1.5e3"),
        ("true: yes", "true"), ("nullx", "null"), ("0123", "0"), (#"7"open"#, "7"),
    ])
    func theValueAloneIsTheRecord(_ line: String, _ record: String) throws {
        let definition = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "f.ndjson" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 9 },
              "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text", "v": "text" } } } }
            """)
        let good = (0..<30).map { #"{"id": \#($0), "v": "x"}"# }
        _ = try scratch.write("f.ndjson", (good + [line] + [#"{"id": 99}"#]).joined(separator: "\n") + "\n")
        let run = try Sluice.run([
            "run", definition, "--format", "json", "--findings", scratch.file("found.ndjson"),
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.report["status"] as? String == "succeeded")
        let found = try String(contentsOfFile: scratch.file("found.ndjson"), encoding: .utf8)
        let findings = try found.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(findings.contains { $0["record"].map { "\($0)" } != nil })
        #expect(found.contains("\"record\": \(record)") || found.contains("\"record\":\(record)"), "\(found)")
        #expect(try Sluice.run(["runs", definition, "--run", "1"]).status == 0)
    }
}
