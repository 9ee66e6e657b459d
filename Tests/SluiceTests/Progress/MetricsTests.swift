import Foundation
import ReportSupport
import SluiceRecords
import Testing

@testable import Sluice

/// The text format of Prometheus, as written and as read again.
@Suite struct MetricsTests {
    /// Names that are hard on a format of lines and quotes.
    private static let names = [
        "plain", "with \"quotes\"", "back\\slash", "two\nlines", "\\n is no line break", "ends with \\", "", "=},{",
        "é e\u{301}",
        "\u{301}starts with an accent", "emoji 🚉", "CR\r\nLF", "\u{2028}",
    ]

    /// What an independent reader makes of a label's value: the inverse of escaping.
    private func unescaped(_ text: String) -> String {
        var result: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let next = bytes.popFirst()
            result.append(next == UInt8(ascii: "n") ? 10 : next ?? 0)
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Test(arguments: names)
    func everyLabelComesBack(_ name: String) {
        let escaped = Metrics.escaped(name)
        #expect(!escaped.utf8.contains(10))
        #expect(Array(unescaped(escaped).utf8) == Array(name.utf8))
        // Inside quotes, no quote stands alone.
        #expect(!escaped.replacing("\\\\", with: "").replacing("\\\"", with: "").contains("\""))
    }

    /// The time of the last success goes from one failed run to the next, each pipeline's its own.
    @Test func lastSuccessSurvivesFailures() {
        for name in MetricsTests.names {
            var report = Fixture.report()
            report.task.pipeline = name
            report.outcome.status = .succeeded
            var text = report.metrics(exitStatus: 0, earlier: "")
            let time = report.time.finished.unixSeconds
            report.outcome.status = .failed
            for _ in 0..<3 {
                report.time.finished = .now
                text = report.metrics(exitStatus: 65, earlier: text)
                let kept = Metrics.value(of: Metrics.lastSuccess, [("pipeline", name)], in: text)
                #expect(kept == time, "\(name)")
            }
            // One that never succeeded is as old as can be: an alert on its age fires.
            report.task.pipeline = name + "x"
            func value(_ text: String) -> Double? {
                Metrics.value(of: Metrics.lastSuccess, [("pipeline", name + "x")], in: text)
            }
            text = report.metrics(exitStatus: 65, earlier: text)
            #expect(value(text) == 0)
            // The ledger knows more than a file that is new.
            report.earlier.standing = .init(since: .now, succeeded: .init(run: 3, finished: report.time.started))
            #expect(value(report.metrics(exitStatus: 65, earlier: text)) == report.time.started.unixSeconds)
            report.earlier.standing = nil
        }
    }

    /// What an unchanged run found in the store is what the run said that loaded it; nothing, where nobody knows.
    @Test func anUnchangedRunKeepsWhatWasLoaded() {
        var report = Fixture.report(status: .unchanged)
        #expect(!report.metrics(exitStatus: 0, earlier: "").contains("sluice_run_findings"))
        let stop = Fixture.entity("Stop", ["parent"]) { ($0.records, $0.created) = (5, 5) }
        report.earlier.load = .init(run: 3, finished: .now, entities: [stop], findings: [.unresolved: 2])
        let text = report.metrics(exitStatus: 0, earlier: "")
        func value(_ name: String, _ labels: [(String, String)]) -> Double? {
            Metrics.value(of: name, [("pipeline", "p")] + labels, in: text)
        }
        #expect(value("sluice_run_findings", [("kind", "unresolved")]) == 2)
        #expect(value("sluice_run_findings", [("kind", "reject")]) == 0)
        #expect(value("sluice_run_records", [("entity", "Stop"), ("outcome", "created")]) == 5)
        #expect(value("sluice_run_deleted", [("entity", "Stop")]) == 0)
    }

    @Test func nothingHiddenIsWritten() {
        var report = Fixture.report([Fixture.entity("A\u{202E}B\u{1B}[2J")])
        report.task.pipeline = "p\u{200B}"
        let text = report.metrics(exitStatus: 0, earlier: "")
        #expect(text.contains(#"entity="A\\u202eB\\u001b[2J""#))
        #expect(!text.unicodeScalars.contains { $0.isHidden && $0 != "\n" })
    }

    @Test func everyStatusIsThere() {
        var report = Fixture.report()
        for status in RunReport.Status.allCases {
            report.outcome.status = status
            let text = report.metrics(exitStatus: 0, earlier: "")
            for other in RunReport.Status.allCases {
                let labels = [("pipeline", report.task.pipeline), ("status", other.rawValue)]
                #expect(Metrics.value(of: "sluice_run_status", labels, in: text) == (other == status ? 1 : 0))
            }
            let last = Metrics.value(of: Metrics.lastSuccess, [("pipeline", report.task.pipeline)], in: text)
            #expect((last ?? 0 > 0) == [.succeeded, .unchanged].contains(status))
        }
    }
}
