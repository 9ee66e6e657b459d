import SluiceRecords
import Synchronization

/// The command that is read, or was the last one.
final class RunningCommand: Sendable {
    private let bytes = Mutex<CommandBytes?>(nil)

    func set(_ command: CommandBytes) { bytes.withLock { $0 = command } }

    /// What to say of a feed that is none: where a command printed it, and has failed, that it has.
    func explain(_ failure: Failure) -> Failure {
        guard failure.kind == .data else { return failure }
        return bytes.withLock { $0 }?.explanation() ?? failure
    }
}
