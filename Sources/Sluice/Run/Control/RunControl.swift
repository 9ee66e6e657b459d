/// How a run is watched and ended from outside.
public struct RunControl: Sendable {
    /// Ends the run.
    public var cancellation = Cancellation()
    /// Seconds to wait for a store that another run holds.
    public var patience = 0.0
    /// Told where the run is.
    public var meter = ProgressMeter()
    /// Takes what should be known while the run goes on: that it waits, and for whom.
    public var note: @Sendable (String) -> Void = { _ in }

    /// Of a run that nobody watches.
    public init() {}
}
