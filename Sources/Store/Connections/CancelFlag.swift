import Synchronization

/// Whether somebody wants something to end. It is set once, by any thread.
package final class CancelFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    package var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
