import Testing

/// What a night has left, as far as it must not depend on what was known.
struct NightOutcome: Equatable {
    var status: String
    var report: [String: String] = [:]
    var findings: [String] = []
    var tables: [String: [String]] = [:]

    /// Expects what another run has left, which has read all.
    func expect(_ expected: NightOutcome, _ place: String) {
        #expect(status == expected.status, "\(place)")
        // What a service still sends while a run fails is a matter of time.
        for (key, value) in expected.report where key != "wire" || expected.status == "succeeded" {
            #expect(report[key] == value, "\(key), \(place)")
        }
        #expect(findings == expected.findings, "\(place)")
        for (table, rows) in expected.tables { #expect(tables[table] == rows, "\(table), \(place)") }
    }
}
