import Testing

@testable import Sluice
@testable import SluiceInit

/// Lines of a sequence that share nothing with the records.
@Suite struct DraftStrangerTests {
    private func records(_ count: Int) -> [String] {
        (0..<count).map { #"{"id": \#(1000 + $0), "name": "N\#($0 % 7)", "tags": ["a"]}"# }
    }

    @Test(arguments: [6, 40])
    func whatIsAboveAndBelowIsNoRecord(count: Int) throws {
        let lines =
            [#"{"_meta": {"version": 1}}"#] + records(count) + [#"{"_end": true, "count": \#(count)}"#]
        let (text, report) = try InitRun.Draft.run(of: lines.joined(separator: "\n") + "\n", "export.ndjson")
        #expect(text.contains(#""identifier": "id""#), "\(text)")
        #expect(text.contains("// \(count) records"), "\(text)")
        #expect(text.contains(#"they say nothing that the others do ("_meta", "_end", "count")"#), "\(text)")
        #expect(!text.contains(#""_end": "boolean""#) && !text.contains("// absent"), "\(text)")
        #expect(report.entities.map(\.counts.created) == [count], "\(text)")
        #expect(unfolded(text).contains("are in no attribute"), "\(text)")
    }

    /// A record that has the name of another one, and no identifier, is a record.
    @Test func whatSharesSomethingIsARecord() throws {
        let lines = records(40) + [#"{"name": "N1", "note": "x"}"#, #"{"name": "N2", "note": "y"}"#]
        let text = try InitRun.Draft.text(of: lines.joined(separator: "\n") + "\n", "export.ndjson")
        #expect(!text.contains("say nothing that the others do"), "\(text)")
    }

    @Test func aLineAmongOthersIsNoRecord() throws {
        var lines = records(40)
        lines.insert(#"{"_semi": 1}"#, at: 20)
        let (text, report) = try InitRun.Draft.run(of: lines.joined(separator: "\n") + "\n", "export.ndjson")
        #expect(!text.contains(#""_semi": "integer""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [40], "\(text)")
    }
}
