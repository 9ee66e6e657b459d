import Foundation
import Sluice
import SluiceDefinition
import SluiceRecords
import SluiceReport
import SluiceStoreSQLite
import Synchronization

/// One of the stores of a history: of a way to run its nights.
struct NightStore {
    let way: Way
    let folder: String
    var path: String { "\(folder)/\(way.name).sqlite" }
    private var findings: String { "\(folder)/\(way.name).ndjson" }

    /// What a run said of a night.
    struct Outcome {
        var report: RunReport
        /// Nil where it has written no findings.
        var told: RunTold?
    }

    /// Runs a night on the feeds in the folder.
    ///
    /// - Parameters:
    ///   - definition: the text.
    ///   - pipeline: the name.
    func run(_ night: Night, _ definition: String, pipeline: String) throws -> Outcome {
        let file = "\(folder)/\(pipeline).json"
        try way.definition(definition).write(toFile: file, atomically: false, encoding: .utf8)
        let read = try PipelineDefinition.read(file: file, environment: [:], checks: .all, store: path)
        var options = night.options
        way.options(&options)
        options.store = path
        options.findings = findings
        if night.fault == .cancelled { cancel(&options.control, at: night.finding) }
        try? FileManager.default.removeItem(atPath: findings)
        let run = PipelineRun(checked: read, options: options)
        let report = night.fault == .fullDisk ? FullDisk.with(bytes: night.bytes) { run.perform() } : run.perform()
        return Outcome(report: report, told: try? RunTold(report, findings))
    }

    /// - Parameter finding: the number of the finding at which the run is ended, from 0.
    private func cancel(_ control: inout RunControl, at finding: Int) {
        let met = Mutex(0)
        control.onFinding = { [cancellation = control.cancellation] _ in
            let count = met.withLock { met in
                met += 1
                return met
            }
            if count > finding { cancellation.request() }
        }
    }

    /// Gives all objects another value that have one, as a program does; names are quoted, and values SQL.
    func edit(_ table: String, _ attribute: String, from old: String, to new: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let connection = try Connection(path: path, access: .write)
        // As programs do whose SQLite has not been told otherwise: words are kept right by triggers.
        connection.trustSchema()
        try connection.execute("UPDATE \(table) SET \(attribute) = \(new) WHERE \(attribute) IS \(old)")
    }
}
