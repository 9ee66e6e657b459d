import CSluiceSQLite
import Foundation
import SluiceRecords
import Testing

@testable import SluiceLoad
@testable import SluiceStoreSQLite

/// Which run left the store as it is: random ledgers against what they mean.
@Suite struct LastRunTests {
    private struct Row: CustomStringConvertible {
        var run: Int
        var pipeline: String
        var status: String
        /// Nil: there is no report.
        var commit: String?

        var changesNothing: Bool {
            status == "unchanged" || ["failed", "cancelled"].contains(status) && commit == "run"
        }

        var description: String { "\(run) \(pipeline) \(status) \(commit ?? "-")" }
    }

    /// One run after the other, the first ones first: which has the store as it is. A run that is unknown may have
    /// changed it.
    private func expected(_ rows: [Row]) -> Int? {
        guard let newest = rows.last?.run else { return nil }
        var found: Int?
        for run in 1...newest {
            let row = rows.first { $0.run == run }
            if let row, row.pipeline == "a", ["succeeded", "unchanged"].contains(row.status) {
                found = run
            } else if row?.changesNothing != true {
                found = nil
            }
        }
        return found
    }

    @Test func isTheOneThatNothingCameAfter() throws {
        var seen: [Bool: Int] = [:]
        for _ in 0..<2000 {
            let connection = try Connection(path: "ledger", access: .memory)
            let ledger = Ledger(connection, pipeline: "a")
            _ = try ledger.start(RunStart(started: ""))
            try connection.execute("DELETE FROM sluice_run")
            var rows: [Row] = []
            for run in 1...Int.random(in: 1...6) where Int.random(in: 0..<8) > 0 {
                let status = ["succeeded", "unchanged", "failed", "cancelled", "died"].randomElement() ?? ""
                let commit = status == "died" ? nil : ["run", "run", "batch", nil].randomElement() ?? nil
                rows.append(
                    Row(run: run, pipeline: Int.random(in: 0..<3) > 0 ? "a" : "b", status: status, commit: commit))
            }
            for row in rows {
                let report = row.commit.map { "'{\"commit\": \"\($0)\"}'" } ?? ["NULL", "'{'"].randomElement() ?? ""
                try connection.execute(
                    """
                    INSERT INTO sluice_run (run, pipeline, started, status, report)
                    VALUES (\(row.run), '\(row.pipeline)', '', '\(row.status)', \(report))
                    """)
            }
            let found = try LedgerReader(connection: connection).lastRun(of: "a")?.run
            #expect(found == expected(rows), "\(rows)")
            seen[found == nil, default: 0] += 1
        }
        #expect(seen.values.allSatisfy { $0 > 100 } && seen.count == 2)
    }

    @Test func whatIsStillRunningHasDied() throws {
        let connection = try Connection(path: "ledger", access: .memory)
        for _ in 1...3 { try Ledger(connection, pipeline: "a").start(RunStart(started: "")) }
        let statement = try connection.prepare("SELECT group_concat(status, ' ') FROM sluice_run")
        #expect(try statement.step())
        #expect(statement.text(0) == "died died running")
    }
}
