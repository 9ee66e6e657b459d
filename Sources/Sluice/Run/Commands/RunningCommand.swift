import SluiceRecords
import Synchronization

/// The command that is read, or was the last one.
final class RunningCommand: Sendable {
    private let bytes = Mutex<CommandBytes?>(nil)

    func set(_ command: CommandBytes) { bytes.withLock { $0 = command } }

    /// The failure to report for an invalid feed: where a command printed it, and has failed, the failure of the
    /// command.
    func explain(_ failure: Failure) -> Failure {
        guard failure.kind == .data else { return failure }
        return bytes.withLock { $0 }?.explanation() ?? failure
    }
}
