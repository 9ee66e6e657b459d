import Dispatch
import Synchronization

/// The border between a thread that reads and one that loads: a few batches go round in it.
///
/// The reader takes an empty batch, fills it, and hands it over; the loader takes it, and gives it back empty. Each
/// waits where the other is behind, so memory stays bounded.
public final class BatchQueue<Outcome: Sendable>: Sendable {
    /// Batches in flight: one is read, one is loaded, one waits.
    private static var depth: Int { 3 }

    private struct State {
        var empty: [RecordBatch]
        var filled: [RecordBatch] = []
        var result: Result<Outcome, Failure>?
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let emptyCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)

    public init(model: Model) {
        state = Mutex(State(empty: (0..<BatchQueue.depth).map { _ in RecordBatch(model: model) }))
        // Not its initial value: Dispatch stops the program where a semaphore ends below that, and a run that fails does
        // not give all batches back.
        for _ in 0..<BatchQueue.depth { emptyCount.signal() }
    }

    /// Runs a reader on a thread of its own, and a loader on this one, until both have ended. The loader is called for
    /// each batch; where it throws, the reader is given up.
    ///
    /// - Parameter checkCancelled: called before each batch, and now and then while none comes; where it throws, the run
    ///   ends, even if the reader is stuck in a pipe that gives nothing: such a reader is left behind with its batches.
    public func run(
        reader: @escaping @Sendable (BatchQueue) -> Result<Outcome, Failure>,
        loader: (RecordBatch) throws(Failure) -> Void,
        checkCancelled: () throws(Failure) -> Void = { () throws(Failure) in }
    ) throws(Failure) -> Outcome {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "sluice.read", qos: .userInitiated).async {
            self.end(reader(self))
            done.signal()
        }
        // The reader works on this queue's batches: it must have ended before the caller goes on.
        defer { awaitEnd(done, checkCancelled) }
        do {
            while let batch = try takeFilled(checkCancelled) {
                try loader(batch)
                giveBack(batch)
            }
            return try result()
        } catch {
            cancel()
            throw error
        }
    }

    // MARK: The reader's side

    /// An empty batch. Throws once the loader has given up; nobody will see what is thrown.
    public func nextEmpty() throws(Failure) -> RecordBatch {
        emptyCount.wait()
        guard let batch = state.withLock({ $0.isCancelled ? nil : $0.empty.popLast() }) else {
            throw Failure(.defect, "the loader has given up")
        }
        return batch
    }

    public func hand(_ batch: RecordBatch) {
        state.withLock { $0.filled.append(batch) }
        filledCount.signal()
    }

    /// Says that no batch will follow, and why.
    private func end(_ result: Result<Outcome, Failure>) {
        state.withLock { $0.result = result }
        filledCount.signal()
    }

    // MARK: The loader's side

    /// The next batch, in the order in which they were handed over; nil at the end.
    private func takeFilled(_ checkCancelled: () throws(Failure) -> Void) throws(Failure) -> RecordBatch? {
        repeat { try checkCancelled() } while filledCount.wait(timeout: .now() + .milliseconds(100)) == .timedOut
        return state.withLock { $0.filled.isEmpty ? nil : $0.filled.removeFirst() }
    }

    private func giveBack(_ batch: RecordBatch) {
        batch.reset()
        state.withLock { $0.empty.append(batch) }
        emptyCount.signal()
    }

    /// Waits until the reader has ended; once the run is cancelled, half a second at the most.
    private func awaitEnd(_ done: DispatchSemaphore, _ checkCancelled: () throws(Failure) -> Void) {
        var patience = 5
        while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if (try? checkCancelled()) == nil { patience -= 1 }
            if patience == 0 { return }
        }
    }

    /// Lets the reader stop at its next batch.
    private func cancel() {
        state.withLock { $0.isCancelled = true }
        emptyCount.signal()
    }

    /// How reading ended; to be asked after `takeFilled` has returned nil.
    private func result() throws(Failure) -> Outcome {
        guard let result = state.withLock({ $0.result }) else {
            throw Failure(.defect, "the reader ended without a result")
        }
        return try result.get()
    }
}
