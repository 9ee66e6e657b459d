/// The border between a thread that reads and one that loads: a few batches go round in it.
///
/// The reader takes an empty batch, fills it, and hands it over; the loader takes it, and gives it back empty. Each
/// waits where the other is behind, so memory stays bounded.
public final class BatchQueue<Outcome: Sendable>: @unchecked Sendable {
    // Unchecked: everything below is used under the monitor's lock.

    /// Batches in flight: one is read, one is loaded, one waits.
    private static var depth: Int { 3 }

    private let monitor = Monitor()
    private var empty: [RecordBatch]
    private var filled: [RecordBatch] = []
    /// How reading ended, once it has.
    private var result: Result<Outcome, Failure>?
    private var isCancelled = false

    /// A queue of empty batches for the records of a model.
    public init(model: Model) {
        empty = (0..<BatchQueue.depth).map { _ in RecordBatch(model: model) }
    }

    /// Runs a reader on a thread of its own, and a loader on this one, until both have ended. The loader is called for
    /// each batch; where it throws, the reader is given up.
    ///
    /// - Parameter checkCancelled: called before each batch, and now and then while none comes; where it throws, the run
    ///   ends, even if the reader is stuck in a pipe that gives nothing: such a reader is left behind with its batches.
    /// - Throws: `io` where the system has no thread for the reader; what the reader, the loader or the check throws.
    public func run(
        reader: @escaping @Sendable (BatchQueue) -> Result<Outcome, Failure>,
        loader: (RecordBatch) throws(Failure) -> Void,
        checkCancelled: () throws(Failure) -> Void = { () throws(Failure) in }
    ) throws(Failure) -> Outcome {
        try WorkerThread.start("reads feeds") { self.end(reader(self)) }
        // The reader works on this queue's batches: it must have ended before the caller goes on.
        defer { awaitEnd(checkCancelled) }
        do {
            while true {
                switch try takeFilled(checkCancelled) {
                case .batch(let batch):
                    try loader(batch)
                    giveBack(batch)
                case .end(let result): return try result.get()
                }
            }
        } catch {
            cancel()
            throw error
        }
    }

    // MARK: The reader's side

    /// An empty batch. Throws once the loader has given up; nobody will see what is thrown.
    public func nextEmpty() throws(Failure) -> RecordBatch {
        let batch = monitor.withLock {
            while empty.isEmpty, !isCancelled { monitor.wait() }
            return isCancelled ? nil : empty.popLast()
        }
        guard let batch else { throw Failure(.defect, "the loader has given up") }
        return batch
    }

    /// Hands a filled batch over: from now on it is the loader's.
    public func hand(_ batch: RecordBatch) {
        monitor.withLock {
            filled.append(batch)
            monitor.wake()
        }
    }

    /// Says that no batch will follow, and why.
    private func end(_ result: Result<Outcome, Failure>) {
        monitor.withLock {
            self.result = result
            monitor.wake()
        }
    }

    // MARK: The loader's side

    /// What the loader is given.
    private enum Handed {
        case batch(RecordBatch)
        case end(Result<Outcome, Failure>)
    }

    /// The next batch, in the order in which they were handed over; at the end how reading ended.
    private func takeFilled(_ checkCancelled: () throws(Failure) -> Void) throws(Failure) -> Handed {
        while true {
            try checkCancelled()
            let handed: Handed? = monitor.withLock {
                let end = Monitor.now + 0.1
                while filled.isEmpty, result == nil, Monitor.now < end { monitor.wait(until: end) }
                return filled.isEmpty ? result.map(Handed.end) : .batch(filled.removeFirst())
            }
            if let handed { return handed }
        }
    }

    private func giveBack(_ batch: RecordBatch) {
        batch.reset()
        monitor.withLock {
            empty.append(batch)
            monitor.wake()
        }
    }

    /// Waits until the reader has ended; once the run is cancelled, half a second at the most.
    private func awaitEnd(_ checkCancelled: () throws(Failure) -> Void) {
        var patience = 5
        while patience > 0 {
            let hasEnded = monitor.withLock {
                let end = Monitor.now + 0.1
                while result == nil, Monitor.now < end { monitor.wait(until: end) }
                return result != nil
            }
            if hasEnded { return }
            if (try? checkCancelled()) == nil { patience -= 1 }
        }
    }

    /// Lets the reader stop at its next batch.
    private func cancel() {
        monitor.withLock {
            isCancelled = true
            monitor.wake()
        }
    }
}
