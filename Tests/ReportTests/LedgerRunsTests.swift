import ReportSupport
import SluiceLoad
import SluiceRecords
import Testing

@testable import SluiceReport

/// Lists of runs, of ledgers that have any number of them.
struct LedgerRunsTests {
    /// A ledger of so many runs, which notes how many rows it has given.
    private final class FakeLedger: StoreLedger {
        var runs: Int
        private(set) var given = 0
        /// Runs that begin when the ledger has been read once.
        var later = 0

        /// The run that is said to be running, whether somebody holds the store, and what is called when that was
        /// asked.
        var running: Int?
        var isLocked = false
        var whenAsked: () -> Void = {}

        init(runs: Int) { self.runs = runs }

        func runUnderWay() throws(Failure) -> Int? { running }

        func isHeld() throws(Failure) -> Bool {
            defer { whenAsked() }
            return isLocked
        }

        func row(_ run: Int) throws(Failure) -> LedgerRow? {
            var report = Fixture.report([
                Fixture.entity("Stop") { counts in
                    counts.records = run
                    counts.created = run % 7
                    counts.rejected = run == 5 ? 1 : 0
                }
            ])
            report.run = run
            var row = LedgerRow(
                run: run, pipeline: run % 2 == 0 ? "p" : "a longer name", started: "2026-11-20T02:00:00Z",
                status: run == running ? "running" : "succeeded")
            row.report = run % 10 == 0 ? nil : report.json
            return row
        }

        func rows(of pipeline: String?, each: (LedgerRow) throws(Failure) -> Bool) throws(Failure) {
            defer {
                runs += later
                later = 0
            }
            for run in stride(from: runs, to: 0, by: -1) {
                guard let row = try row(run), pipeline ?? row.pipeline == row.pipeline else { continue }
                given += 1
                if try !each(row) { return }
            }
        }

        func unresolved(
            in model: Model, _ filter: UnresolvedFilter, most: Int?, each: (UnresolvedRow) throws(Failure) -> Void
        ) throws(Failure) {}

        func unresolvedCount(in model: Model, _ filter: UnresolvedFilter) throws(Failure) -> Int { 0 }

        func missingTargets(
            in model: Model, _ filter: UnresolvedFilter, each: (UnresolvedTarget) throws(Failure) -> Bool
        ) throws(Failure) {}
    }

    private func text(
        _ ledger: FakeLedger, of pipeline: String? = nil, rows: Int? = nil, width: Int = 200
    ) throws -> String {
        var text = ""
        try LedgerRuns(ledger, of: pipeline, store: "p.sqlite").text(rows: rows, width: width) { text += $0 }
        return text
    }

    /// The list is that of a table which has all of its rows at once.
    @Test(arguments: [30, 80, 300], [nil, "p"])
    func linesAreThoseOfATable(_ width: Int, _ pipeline: String?) throws {
        let ledger = FakeLedger(runs: 40)
        var lines: [RunLine] = []
        try ledger.rows(of: pipeline) { row in
            lines.append(RunLine(row))
            return true
        }
        let shown = RunLine.shownColumns(lines, isOfAll: pipeline == nil)
        var table = TextTable(header: shown.map(\.title))
        (table.width, table.isList) = (width, true)
        table.alignments = shown.map(\.alignment)
        table.rows = lines.map { line in shown.map { $0.text(line) } }
        #expect(try text(ledger, of: pipeline, width: width) == table.text)
        #expect(shown.contains { $0.title == "Rejected" } == (pipeline == nil))
    }

    /// A run is one line, for eyes and for `grep`, whatever the width; columns move together where they fit then.
    @Test(arguments: [40, 90, .max])
    func aRunIsOneLine(_ width: Int) throws {
        let lines = try text(FakeLedger(runs: 9), width: width).split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.dropFirst().allSatisfy { $0.contains("succeeded") })
        #expect(lines.allSatisfy { $0.count <= 90 } == (width == 90), "\(lines[0])")
    }

    /// What is written is not kept, nor what has been read: the first lines are out before the last rows are read
    /// again.
    @Test func aLongLedgerIsNotKept() throws {
        let ledger = FakeLedger(runs: 2000)
        var pieces: [(bytes: Int, given: Int)] = []
        try LedgerRuns(ledger, of: nil, store: "p.sqlite").text(rows: nil, width: 200) { piece in
            pieces.append((piece.utf8.count, ledger.given))
        }
        #expect(ledger.given == 2 * 2000)
        #expect(pieces.count > 5 && pieces.allSatisfy { $0.bytes < 20_000 })
        #expect(pieces[0].given < 2000 + 400, "\(pieces[0])")
    }

    @Test func onlySoManyAreRead() throws {
        let ledger = FakeLedger(runs: 2000)
        #expect(try text(ledger, rows: 3).split(separator: "\n").count == 4)
        #expect(ledger.given == 2 * 3)
        _ = try LedgerRuns(ledger, of: nil, store: "p.sqlite").page(rows: 5)
        #expect(ledger.given == 2 * 3 + 5)
    }

    @Test func aRunThatBeginsMeanwhileIsLeftOut() throws {
        let ledger = FakeLedger(runs: 3)
        ledger.later = 2
        let lines = try text(ledger, rows: 3).split(separator: "\n").dropFirst().map { $0.split(separator: " ")[0] }
        #expect(lines == ["3", "2", "1"])
        #expect(try text(FakeLedger(runs: 0)) == "There are no runs yet in p.sqlite.\n")
    }

    /// A run that is said to be running has died where nobody holds the store, unless it has just ended.
    @Test func aRunThatWasKilledHasDied() throws {
        func statuses(_ ledger: FakeLedger) throws -> [String] {
            var json = ""
            try LedgerRuns(ledger, of: nil, store: "p.sqlite").json(rows: 2) { json += $0 }
            let page = try LedgerRuns(ledger, of: nil, store: "p.sqlite").page(rows: 2)
            let texts = try [text(ledger, rows: 2), json, page]
            return texts.map { text in
                ["running", "died"].filter { text.contains($0) }.joined(separator: " ")
            }
        }
        let ledger = FakeLedger(runs: 9)
        ledger.running = 9
        ledger.isLocked = true
        #expect(try statuses(ledger) == ["running", "running", "running"])
        ledger.isLocked = false
        #expect(try statuses(ledger) == ["died", "died", "died"])
        // Its row is read before it ends, and the lock afterwards.
        ledger.whenAsked = { ledger.running = nil }
        #expect(try text(ledger, rows: 2).contains("died") == false)
    }

    /// A page has of a report what it shows.
    @Test func aPageKeepsNoReports() throws {
        var report = Fixture.report([Fixture.entity("Stop") { $0.records = 3 }])
        report.run = 1
        report.entities[0].unused = [.init(name: "field", records: 3)]
        var row = LedgerRow(run: 1, pipeline: "p", started: "2026-11-20T02:00:00Z", status: "succeeded")
        (row.sources, row.report) = ("{}", report.json)
        let (line, lean) = (RunLine(row), RunLine(row).lean)
        #expect(line.report?.entities[0].unused.count == 1)
        #expect(lean.row.report == nil && lean.row.sources == nil && lean.report?.entities[0].unused.isEmpty == true)
        for column in RunLine.columns { #expect(column.text(line) == column.text(lean)) }
        #expect(
            RunsPage(pipeline: "p", store: "s", [line]).text == RunsPage(pipeline: "p", store: "s", [lean]).text)
    }
}
