import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStore
import SluiceTransform

/// What a run works with: all that can be wrong before it begins is found while this is made.
struct RunWork {
    let transformer: Transformer
    let inputs: [FeedInput]
    /// Nil: nobody wants them in a file.
    let findings: FindingsFile?
    let copies: FeedCopies
    let collector: FindingCollector
    let store: any RunStore
    let record: RunRecord
}

extension PipelineRun {
    func prepare(_ report: inout RunReport) throws(Failure) -> RunWork {
        let transformer = try Transformer(model: definition.model)
        let inputs = try FeedInput.all(of: definition, options)
        control.meter.enter(.starting)
        report.found.feeds = inputs.map(\.feed)
        report.task.isReplay = options.replay != nil
        control.meter.expect(bytes: FeedInput.byteCount(inputs))
        let findings = try findingsFile()
        let copies = FeedCopies(
            copiesPipes: findings != nil || options.copiesPipes, tables: FeedInput.tables(inputs),
            checkCancelled: control.cancellation.check)
        return RunWork(
            transformer: transformer, inputs: inputs, findings: findings, copies: copies,
            collector: FindingCollector(
                findings.map { FindingsWriter($0, report.found.feeds, copies) }, feeds: report.found.feeds,
                observer: control.onFinding),
            store: try openStore(),
            record: try RunRecord(
                definition, options, inputs, started: report.time.started,
                isStopped: { [cancellation = control.cancellation] in cancellation.isRequested }))
    }

    private func findingsFile() throws(Failure) -> FindingsFile? {
        // A dry run leaves the findings of the last real one where they are.
        guard let path = options.findings ?? (options.isDry ? nil : definition.findings) else { return nil }
        return try FindingsFile(path) { [cancellation = control.cancellation] in cancellation.isRequested }
    }

    private func openStore() throws(Failure) -> any RunStore {
        var use = StoreUse(
            model: definition.model, pipeline: definition.name, savesAtEnd: commit == .run)
        use.isDry = options.isDry
        use.place = { [tree = definition.tree] in tree.place($0) }
        use.patience = control.patience
        use.waiting = { [control] message in
            control.note(message)
            control.meter.enter(.waiting)
        }
        if let seconds = environmentVariable("SLUICE_TEST_RECONNECT").flatMap(Double.init) { use.reconnects = seconds }
        use.isCancelled = { [cancellation = control.cancellation] in cancellation.isRequested }
        let store = try location.creatable.open(use)
        store.ledgerKeep = definition.ledgerKeep
        store.changesKeep = definition.changesKeep
        return store
    }
}
