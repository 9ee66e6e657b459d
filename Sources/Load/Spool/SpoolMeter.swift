import Synchronization

/// Counts the bytes of spools that somebody begins to read: for tests, since what a run reads must grow as what it has
/// written does, and not with its square.
final class SpoolMeter: Sendable {
    @TaskLocal static var current: SpoolMeter?

    private let count = Atomic<Int>(0)

    var bytes: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}
