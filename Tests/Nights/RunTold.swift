import Foundation
import SluiceReport

/// What a run says, but for what may differ between two runs that do the same.
struct RunTold: Equatable {
    var report: String
    /// The lines of the file, sorted.
    var findings: [Substring]

    /// - Parameter findings: the file that the run has written.
    init(_ report: RunReport, _ findings: String) throws {
        var report = report
        report.run = nil
        report.task.isDry = false
        (report.task.store, report.task.commit, report.task.findings) = ("", .run, nil)
        // Its tables depend on hashes.
        report.cache = .init()
        report.known = 0
        // Services answer as chance will have it.
        report.wire = []
        report.time.finished = report.time.started
        let seconds = /"(started|finished)": "[^"]*"/
        self.report = report.json.replacing(seconds, with: "")
        self.findings = try String(contentsOfFile: findings, encoding: .utf8).split(separator: "\n").sorted()
    }

    func differences(from other: RunTold) -> [String] {
        let (lines, others) = (report.split(separator: "\n"), other.report.split(separator: "\n"))
        return (lines + findings).difference(from: others + other.findings).map { change in
            switch change {
            case .insert(_, let line, _): "did not say \(line)"
            case .remove(_, let line, _): "said \(line)"
            }
        }
    }
}
