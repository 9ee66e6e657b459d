import Glibc
import SluiceDefinition
import SluicePosix
import SluicePostgreSQL
import SluiceRecords
import SluiceReport

/// Starts the commands of a pipeline when its run has ended. Their outcome does not change the run.
package struct HookRunner {
    private let definition: PipelineDefinition
    private let report: RunReport
    /// Nil: the store keeps no history.
    private let changes: RunChanges?
    private let exitStatus: Int32
    private let log: Log
    /// Whether what a command says is shown only where it fails.
    private let isQuiet: Bool
    /// The variables of this process, which the commands inherit.
    private let environment: [String: String]

    /// What a command says, at the most, where it goes into a log of lines.
    private static let mostOutput = 1 << 16

    /// - Parameters:
    ///   - changes: what the run has changed; nil: the store keeps no history.
    ///   - exitStatus: of the command, for the hooks to know.
    ///   - isQuiet: whether what a command says is shown only where it fails.
    package init(
        _ definition: PipelineDefinition, _ report: RunReport, _ changes: RunChanges?, exitStatus: Int32,
        environment: [String: String],
        log: Log, isQuiet: Bool = false
    ) {
        self.definition = definition
        self.report = report
        self.changes = changes
        self.exitStatus = exitStatus
        self.environment = environment
        self.log = log
        self.isQuiet = isQuiet
    }

    /// Starts the commands for the outcome of the run, one after the other.
    ///
    /// - Parameter cancellation: a signal that comes from now on ends the command that runs, and those after it do not
    ///   start.
    package func runAll(_ cancellation: Cancellation) {
        let hooks = definition.after[report.outcome.status] ?? []
        guard !hooks.isEmpty else { return }
        let before = cancellation.signal
        let text = report.json
        for hook in hooks {
            let turns: [RunReport.EntityFacts?] = hook.per == .run ? [nil] : changedEntities
            for entity in turns {
                guard cancellation.signal == before else { return }
                do throws(Failure) {
                    let start = { (path: String?) throws(Failure) in
                        try run(hook, entity, text, changes: path) { cancellation.signal != before }
                    }
                    if let changes {
                        try changes.withFile(of: entity?.name, start)
                    } else {
                        try start(nil)
                    }
                } catch {
                    log.write(.error, error.description)
                }
            }
        }
    }

    private func run(
        _ hook: Hook, _ entity: RunReport.EntityFacts?, _ text: String, changes: String?, isCancelled: () -> Bool
    ) throws(Failure) {
        // In a log of JSON lines, the output of a program must become lines, too; and where the run is quiet, it is
        // known only at the program's end whether its output is shown.
        let output = log.format == .json || isQuiet ? try TemporaryFile() : nil
        let process = HookProcess(
            arguments: hook.arguments(entity: entity?.name), environment: variables(entity, changes),
            folder: FilePath.folder(definition.file), input: try TemporaryFile(holding: text),
            output: output?.descriptor ?? STDERR_FILENO)
        log.hideLine()
        let ending = process.run(timeout: hook.timeout, isCancelled: isCancelled)
        let reason = reason(ending, hook)
        if let output, !isQuiet || reason != nil { logOutput(of: hook, output) }
        if let reason {
            // Only the program: arguments may hold secrets.
            let turn = entity.map { " for \($0.name)" } ?? ""
            log.write(
                .error, "the command \(hook.arguments[0])\(turn), after a run that \(verb), \(reason)",
                ["hook": .text(hook.arguments[0])])
        }
    }

    private func logOutput(of hook: Hook, _ output: TemporaryFile) {
        for line in output.beginning(HookRunner.mostOutput).split(whereSeparator: \.isNewline) {
            log.write(isQuiet ? .warning : .info, String(line), ["hook": .text(hook.arguments[0])])
        }
    }

    private var verb: String {
        switch report.outcome.status {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "was cancelled"
        case .unchanged: "found nothing new"
        }
    }

    private func reason(_ ending: HookProcess.Ending, _ hook: Hook) -> String? {
        switch ending {
        case .status(0): nil
        case .status(127): "failed with the status 127: perhaps there is no such program"
        case .status(let status): "failed with the status \(status)"
        case .signal(let signal): "was ended by \(Cancellation.name(signal))"
        case .timeout: "took longer than \(hook.timeout) s, and was ended"
        case .cancelled: "was ended by a signal to sluice"
        case .failed(let reason): "could not be started: \(reason)"
        }
    }

    // MARK: What commands are told

    /// Entities of which the run may have changed an object.
    private var changedEntities: [RunReport.EntityFacts] {
        guard report.outcome.status == .succeeded || report.task.commit == .batch else { return [] }
        let losing = Set(report.entities.filter { $0.counts.deleted > 0 }.map { ExactText($0.name) })
        return report.entities.filter { facts in
            let counts = facts.counts
            let changes = [
                counts.created, counts.updated, counts.deleted, counts.stubs, counts.changedStubs,
                counts.relationships.reduce(0) { $0 + $1.late },
            ]
            if changes.contains(where: { $0 > 0 }) || !facts.converted.isEmpty { return true }
            // References to deleted objects are null now, and no count includes them.
            let entity = definition.model.entities.first { $0.name.isIdentical(to: facts.name) }
            return entity?.relationships.contains { relationship in
                relationship.targets.contains { losing.contains(ExactText(definition.model.entities[$0.entity].name)) }
            } ?? false
        }
    }

    private func variables(_ entity: RunReport.EntityFacts?, _ changes: String?) -> [String] {
        let facts = entity.map { [$0] } ?? report.entities
        func sum(_ count: (EntityCounts) -> Int) -> String {
            String(facts.reduce(0) { $0 + count(report.saved($1.counts)) })
        }
        var variables = environment
        variables["SLUICE_PIPELINE"] = report.task.pipeline
        variables["SLUICE_DEFINITION"] = StorePath.absolute(definition.file)
        variables["SLUICE_STATUS"] = report.outcome.status.rawValue
        variables["SLUICE_EXIT_STATUS"] = String(exitStatus)
        variables["SLUICE_ERROR"] = report.reasons.joined(separator: "; ")
        variables["SLUICE_RUN"] = report.run.map(String.init) ?? ""
        variables["SLUICE_STORE"] =
            ServerAddress.isMeant(by: report.task.store) ? report.task.store : StorePath.absolute(report.task.store)
        variables["SLUICE_STARTED"] = report.time.started.text
        variables["SLUICE_FINISHED"] = report.time.finished.text
        variables["SLUICE_LOADED"] = report.loaded?.text ?? ""
        variables["SLUICE_CHANGES"] = changes ?? ""
        variables["SLUICE_ENTITY"] = entity?.name ?? ""
        variables["SLUICE_RECORDS"] = sum(\.records)
        variables["SLUICE_CREATED"] = sum(\.created)
        variables["SLUICE_UPDATED"] = sum(\.updated)
        variables["SLUICE_DELETED"] = sum(\.deleted)
        variables["SLUICE_REJECTED"] = sum(\.rejected)
        // A variable cannot hold a NUL, nor would the program be started with one.
        return variables.map { "\($0)=\($1.replacingExactly("\0", with: ""))" }
    }
}
