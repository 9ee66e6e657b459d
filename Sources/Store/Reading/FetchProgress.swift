import SluiceRecords

/// How far a fetch is.
public struct FetchProgress: Sendable, Hashable {
    /// Objects that were handed out.
    public var completed: Int
    /// Objects in all.
    public var total: Int

    /// So many of so many.
    public init(completed: Int, total: Int) {
        self.completed = completed
        self.total = total
    }

    /// 0 to 1; 1 where there is nothing to do.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

/// The progress of several things as one: each has a share of the whole, and reports where it is.
///
/// ```swift
/// let whole = CombinedProgress { fraction in print("\(Int(fraction * 100)) %") }
/// let stops = whole.part(weight: 1)
/// let times = whole.part(weight: 9)
/// for try await batch in store.batches(Stop.all).onProgress({ stops.report($0.fraction) }) { print(batch.count) }
/// for try await batch in store.batches(StopTime.all).onProgress({ times.report($0.fraction) }) { print(batch.count) }
/// ```
public final class CombinedProgress: Sendable {
    /// A share of the whole.
    public struct Part: Sendable {
        fileprivate let whole: CombinedProgress
        fileprivate let index: Int

        /// Says how far this part is, from 0 to 1.
        public func report(_ fraction: Double) { whole.update(fraction, index) }
    }

    private let state: ProgressState
    private let onChange: @Sendable (Double) -> Void

    /// - Parameter onChange: called with the progress of the whole, from 0 to 1, by the thread that reports a part.
    public init(onChange: @escaping @Sendable (Double) -> Void) {
        state = ProgressState()
        self.onChange = onChange
    }

    /// A part of the whole, which may be divided again by another `CombinedProgress` that reports to it.
    ///
    /// - Parameter weight: how much of the whole it is, beside the weights of the others.
    public func part(weight: Double = 1) -> Part { Part(whole: self, index: state.add(weight)) }

    private func update(_ fraction: Double, _ index: Int) { onChange(state.update(fraction, index)) }
}

/// The parts of the whole, which are guarded by `monitor`.
private final class ProgressState: @unchecked Sendable {
    private let monitor = Monitor()
    private var parts: [(weight: Double, fraction: Double)] = []

    func add(_ weight: Double) -> Int {
        monitor.withLock {
            parts.append((max(weight, 0), 0))
            return parts.count - 1
        }
    }

    func update(_ fraction: Double, _ index: Int) -> Double {
        monitor.withLock {
            parts[index].fraction = min(max(fraction, 0), 1)
            let all = parts.reduce(0) { $0 + $1.weight }
            return all == 0 ? 1 : parts.reduce(0) { $0 + $1.weight * $1.fraction } / all
        }
    }
}
