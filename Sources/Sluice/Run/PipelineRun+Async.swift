import SluiceDefinition
import SluiceRecords
import SluiceReport

extension PipelineRun {
    /// Runs the pipeline on a thread of its own: neither the caller's thread nor one of the cooperative pool is held.
    ///
    /// Cancelling the task ends the run as SIGTERM ends the command: at the next batch, with all that it has done
    /// undone. Then the report's status is `cancelled`. Neither signals nor standard error, the environment or the
    /// current folder are touched.
    ///
    /// ```swift
    /// let report = await run.run(onFinding: { print($0.at.file, $0.at.line, $0.message) })
    /// if report.outcome.status == .failed { print(report.reasons) }
    /// ```
    ///
    /// - Parameters:
    ///   - onProgress: is told how far the run is, with each new phase, now and then, and at its end. It is called on
    ///     threads of the run, one call at a time.
    ///   - interval: between two times.
    ///   - onFinding: is given each finding while the run goes on, in no particular order, on a thread of the run,
    ///     which waits for it. What a run tells may still be undone: a run that fails stores nothing of it.
    ///     The line of a duplicate's first copy is only known to the report.
    /// - Returns: what the run did; also where it failed, see ``RunReport/Outcome/error``.
    public func run(
        onProgress: (@Sendable (RunProgress) -> Void)? = nil, every interval: Duration = .milliseconds(100),
        onFinding: (@Sendable (Finding) -> Void)? = nil
    ) async -> RunReport {
        var run = self
        // Each run has its own: one that was cancelled must not end the next.
        run.options.control.cancellation = Cancellation()
        run.options.control.meter = ProgressMeter()
        run.options.control.onFinding = onFinding
        let work = run
        let notifier = onProgress.map { ProgressNotifier(work.control.meter, $0) }
        return await withTaskCancellationHandler {
            await work.onThread { notifier?.watch(every: interval.inSeconds) { work.perform() } ?? work.perform() }
        } onCancel: {
            work.control.cancellation.request()
        }
    }

    private func onThread(_ body: @escaping @Sendable () -> RunReport) async -> RunReport {
        await withCheckedContinuation { continuation in
            do throws(Failure) {
                try WorkerThread.start("runs the pipeline") { continuation.resume(returning: body()) }
            } catch {
                continuation.resume(returning: notBegun(error))
            }
        }
    }
}
