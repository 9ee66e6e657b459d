import Synchronization

/// Counts the bytes of spools when reading them begins. For tests: the bytes that a run reads must grow in proportion
/// to those that it has written, not with their square.
final class SpoolMeter: Sendable {
    @TaskLocal static var current: SpoolMeter?

    private let count = Atomic<Int>(0)

    var bytes: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}
