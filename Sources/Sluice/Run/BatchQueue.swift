import Dispatch
import Records
import Synchronization

/// The border between the thread that reads and the one that loads: a few batches go round in it.
///
/// The reader takes an empty batch, fills it, and hands it over; the loader takes it, and gives it back empty. Each
/// waits where the other is behind, so memory stays bounded.
final class BatchQueue: Sendable {
    /// Batches in flight: one is read, one is loaded, one waits.
    static let depth = 3

    private struct State {
        var empty: [RecordBatch]
        var filled: [RecordBatch] = []
        var result: Result<[FeedFacts], Failure>?
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let emptyCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)

    init(model: Model) {
        state = Mutex(State(empty: (0..<BatchQueue.depth).map { _ in RecordBatch(model: model) }))
        // Not its initial value: Dispatch stops the program where a semaphore ends below that, and a run that fails does
        // not give all batches back.
        for _ in 0..<BatchQueue.depth { emptyCount.signal() }
    }

    // MARK: The reader's side

    /// An empty batch; nil once the loader has given up.
    func takeEmpty() -> RecordBatch? {
        emptyCount.wait()
        return state.withLock { $0.isCancelled ? nil : $0.empty.popLast() }
    }

    func hand(_ batch: RecordBatch) {
        state.withLock { $0.filled.append(batch) }
        filledCount.signal()
    }

    /// Says that no batch will follow, and why.
    func end(_ result: Result<[FeedFacts], Failure>) {
        state.withLock { $0.result = result }
        filledCount.signal()
    }

    // MARK: The loader's side

    /// The next batch, in the order in which they were handed over; nil at the end.
    func takeFilled() -> RecordBatch? {
        filledCount.wait()
        return state.withLock { $0.filled.isEmpty ? nil : $0.filled.removeFirst() }
    }

    func giveBack(_ batch: RecordBatch) {
        batch.reset()
        state.withLock { $0.empty.append(batch) }
        emptyCount.signal()
    }

    /// Lets the reader stop at its next batch.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        emptyCount.signal()
    }

    /// How reading ended; to be asked after `takeFilled` has returned nil.
    func result() throws(Failure) -> [FeedFacts] {
        guard let result = state.withLock({ $0.result }) else {
            throw Failure(.defect, "the reader ended without a result")
        }
        return try result.get()
    }
}

/// What the reader knows of a source in the end.
struct FeedFacts: Sendable {
    var bytes: UInt64
    var values: UInt64
    var sha256: String
}
