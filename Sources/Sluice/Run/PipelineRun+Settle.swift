import Glibc
import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

/// The end of a run: what was stored and noted.
struct RunEnd {
    /// Whether it is in the store for good.
    var isStored = false
    /// Whether the ledger knows of the run.
    var isNoted = false
}

extension PipelineRun {
    /// Judges a run that has read everything, and commits it or rolls it back.
    func settle(_ begun: BegunRun, _ marks: [FetchMark], _ report: inout RunReport) throws(Failure) -> RunEnd {
        let (work, run) = (begun.work, begun.run)
        let exceeded = try ask(begun, &report)
        // Of a few records that were mended, a share says nothing, but where it was asked for this run.
        let asked = Set(options.allowances.compactMap(\.kind))
        let limits = definition.limits.exceeded(report.entities) { rule in
            !isPartial || !rule.isOfRecords || asked.contains(rule.kind.allowance)
        }
        let short = isPartial ? [] : try definition.shortages(report.entities, work.store)
        let all = (limits + exceeded + short).map { definition.explained($0, report.entities) }
        work.collector.exceeded = all
        try finishFindings(work, &report)
        report.outcome.exceeded = all
        report.outcome.status = report.outcome.exceeded.isEmpty ? .succeeded : .failed
        if report.outcome.status == .failed { noteStanding(&report) }
        report.time.finished = .now
        let isStored = report.outcome.status == .succeeded || commit == .batch && !report.holdsTooLittle
        try work.record.archive?.finish(run: isStored || work.store.keepsLedger ? report.run : nil)
        guard isStored else {
            try rollBack(work, &report)
            return RunEnd(isStored: false, isNoted: true)
        }
        control.meter.enter(.saving)
        let isRead = report.outcome.status == .succeeded
        // What is absent from lists that nobody could read, no later file says.
        let unknown = zip(definition.model.entities, report.entities).filter { $1.counts.keptAbsent > 0 }
        let news = work.news.after(work.collector.filesOfRejects, holding: Set(unknown.flatMap { $0.0.sources }))
        try run.replaceFetchMarks(isRead ? marks + news : work.news.before, pipeline: definition.name)
        if let fingerprints = work.fingerprints {
            try fingerprints.finish()
        } else {
            try work.store.fingerprintStore?.replaceFingerprints(nil)
        }
        try run.commit(work.record.outcome(of: report))
        work.fingerprints?.publish()
        return RunEnd(isStored: true, isNoted: true)
    }

    /// Ends a run that cannot go on. The first failure counts: later ones, of writing findings or of the rollback, are
    /// not added to it.
    func abandon(_ work: RunWork, _ report: inout RunReport, _ failure: Failure) -> RunEnd {
        fail(&report, failure)
        try? finishFindings(work, &report)
        try? work.record.archive?.finish(run: work.store.keepsLedger ? report.run : nil)
        let isUndone = (try? rollBack(work, &report)) != nil
        report.outcome.isUncertain = work.store.isUncertain
        return RunEnd(isStored: false, isNoted: isUndone && work.store.keepsLedger)
    }

    /// Undoes what the run has done, which takes its time as well.
    func rollBack(_ work: RunWork, _ report: inout RunReport) throws(Failure) {
        var isNoted = false
        defer { if !isNoted { report.time.finished = .now } }
        report.outcome.isReshaped = work.store.isReshaped
        work.record.archive?.discard()
        try work.store.rollback {
            isNoted = true
            report.time.finished = .now
            return work.record.outcome(of: report)
        }
    }

    /// Writes the findings out before anything is saved: a run whose findings are lost is a failed one.
    private func finishFindings(_ work: RunWork, _ report: inout RunReport) throws(Failure) {
        defer {
            report.found.examples = work.collector.examples
            report.found.rejectGroups = work.collector.rejectGroups
        }
        try work.collector.finish(work.copies, definition.model)
    }

    // MARK: The findings

    /// Gives the findings the name of their file.
    func publish(_ findings: FindingsFile?, _ end: RunEnd, _ report: inout RunReport) {
        guard end.isStored || !isReplayed(findings) else { return }
        do throws(Failure) {
            try findings?.publish()
        } catch {
            if report.outcome.error == nil { report.outcome.findingsFailure = error }
        }
    }

    /// Whether the findings would take the place of the rejects that are replayed: these stay until their records are
    /// stored, as they are nowhere else.
    private func isReplayed(_ findings: FindingsFile?) -> Bool {
        guard let findings, let replay = options.replay, replay.isPartial else { return false }
        let isSame = replay.sources.values.joined().contains { FileIdentity($0.path) == FileIdentity(findings.path) }
        if isSame { control.onMessage("\(findings.path) stays as it was: its records are not stored") }
        return isSame
    }
}
