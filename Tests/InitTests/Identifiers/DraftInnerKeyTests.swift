import Testing

@testable import Sluice
@testable import SluiceInit

/// What identifies a record, as an attribute of what is in its lists.
@Suite struct DraftInnerKeyTests {
    /// A list has the identifier of the record around it as that has it, with the format of a time, too.
    @Test(arguments: [
        ("created_at", "17636220", #""type": "datetime", "from": "$[*].created_at", "format": "unix""#),
        ("day", ".11.2026", #""type": "date", "from": "$[*].day", "format": "%d.%m.%Y""#),
    ]) func theKeyOfTheRecordAroundIsReadAsThere(_ name: String, _ rest: String, _ attribute: String) throws {
        let feed = list(12) { record in
            let value = name == "day" ? "\(10 + record)\(rest)" : "\(rest)\(10 + record)"
            return #"{"\#(name)":"\#(value)","values":[{"name":"a","v":\#(record)},{"name":"b","v":2}]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(attribute), "\(text)")
        #expect(report.entities.map(\.counts.created) == [12, 24])
        #expect(report.entities.map(\.counts.rejected) == [0, 0])
    }
}
