/// The border between a thread that reads and one that loads: a few batches go round in it.
///
/// The reader takes an empty batch, fills it, and hands it over; the loader takes it, and gives it back empty. Each
/// waits where the other is behind, so memory stays bounded. What is done to a batch in between is done by the one who
/// would wait otherwise: by the loader, unless all batches are filled.
///
/// What changes is guarded by `monitor`; one thread at a time has a batch.
public final class BatchQueue<Outcome: Sendable>: @unchecked Sendable {
    /// Batches in flight: one is read, one is loaded, one waits.
    private static var depth: Int { 3 }

    private let monitor = Monitor()
    private var empty: [RecordBatch]
    private var filled: FilledBatches
    private let prepare: (RecordBatch) -> Void
    /// How reading ended, once it has.
    private var result: Result<Outcome, Failure>?
    private var isCancelled = false

    /// A queue of empty batches for the records of a model.
    ///
    /// - Parameter prepare: what is done to each batch that was handed over, before it is loaded: on either thread, but
    ///   in the order of the batches, and never to two of them at the same time. nil: nothing.
    public init(model: Model, prepare: (@Sendable (RecordBatch) -> Void)? = nil) {
        empty = (0..<BatchQueue.depth).map { _ in RecordBatch(model: model) }
        filled = FilledBatches(comeReady: prepare == nil)
        self.prepare = prepare ?? { _ in }
    }

    /// Runs a reader on a thread of its own, and a loader on this one, until both have ended. The loader is called for
    /// each batch; where it throws, the reader is given up.
    ///
    /// - Parameter checkCancelled: called before each batch, and now and then while none comes; where it throws, the
    ///   run ends, even if the reader is stuck in a pipe that gives nothing: such a reader is left behind with its
    ///   batches.
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

    /// Whether the reader has ended. If not, it may still do something, and whatever it shares is not to be touched.
    public var hasEnded: Bool { monitor.withLock { result != nil } }

    // MARK: The reader's side

    /// An empty batch. Throws once the loader has given up; nobody will see what is thrown.
    public func nextEmpty() throws(Failure) -> RecordBatch {
        var next: RecordBatch?
        prepareUntil {
            next = empty.popLast()
            return next != nil
        }
        guard let next else { throw Failure(.defect, "the loader has given up") }
        return next
    }

    /// Hands a filled batch over: from now on it is the loader's.
    ///
    /// - Parameter isReady: whether nothing is to be done to it; then all before it must be ready, see ``settle()``.
    public func hand(_ batch: RecordBatch, isReady: Bool = false) {
        monitor.withLock {
            filled.append(batch, isReady: isReady)
            monitor.wake()
        }
    }

    /// Waits until all batches that were handed over are prepared.
    public func prepareAll() { prepareUntil { filled.areReady } }

    /// Prepares batches, or waits for the loader, until something is so, or the run is cancelled.
    private func prepareUntil(_ isDone: () -> Bool) {
        while let unready = monitor.withLock({ nextUnready(isDone) }) {
            prepare(unready)
            monitor.withLock {
                filled.endFirst()
                monitor.wake()
            }
        }
    }

    /// Under the lock: waits for a batch that the reader is to prepare; nil: it need not.
    private func nextUnready(_ isDone: () -> Bool) -> RecordBatch? {
        while !isCancelled, !isDone() {
            if let unready = filled.beginFirst() { return unready }
            monitor.wait()
        }
        return nil
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
    private enum Delivery {
        case batch(RecordBatch)
        case end(Result<Outcome, Failure>)
    }

    /// The next batch, in the order in which they were handed over; at the end how reading ended.
    private func takeFilled(_ checkCancelled: () throws(Failure) -> Void) throws(Failure) -> Delivery {
        while true {
            try checkCancelled()
            let next: FilledBatches.Next = monitor.withLock {
                let end = Monitor.now + 0.1
                var next = filled.take()
                while case .none = next, !isAtEnd, Monitor.now < end {
                    monitor.wait(until: end)
                    next = filled.take()
                }
                return next
            }
            switch next {
            case .ready(let batch): return .batch(batch)
            case .unready(let batch):
                prepare(batch)
                monitor.withLock {
                    filled.endTaken()
                    monitor.wake()
                }
                return .batch(batch)
            case .none: if let result = monitor.withLock({ isAtEnd ? result : nil }) { return .end(result) }
            }
        }
    }

    private var isAtEnd: Bool { result != nil && filled.isEmpty }

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
