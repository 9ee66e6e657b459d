import SluiceExtract
import SluiceFetch
import SluiceRecords

/// How a run is watched and ended from outside.
package struct RunControl: Sendable {
    /// Ends the run.
    package var cancellation = Cancellation()
    /// Seconds to wait for a store that another run holds.
    package var patience = 0.0
    /// Told where the run is.
    package var meter = ProgressMeter()
    /// Told that the run waits for another one, and for which.
    package var onWait: @Sendable (String) -> Void = { _ in }
    /// Told messages while the run goes on.
    package var onMessage: @Sendable (String) -> Void = { _ in }
    /// Told each line that a command says whose output is read.
    package var onComplaint: @Sendable (String) -> Void = { _ in }
    /// Told of each request to a service that is made again.
    package var onRetry: @Sendable (Retry) -> Void = { _ in }
    /// Takes each finding, with its message.
    package var onFinding: (@Sendable (Finding) -> Void)?
    /// What the archives hold that are read.
    let archives = ArchiveLists()

    /// Of a run that nobody watches.
    package init() {}
}
