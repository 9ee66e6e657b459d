import SluiceRecords

/// The objects of a query, a batch at a time, all of one moment, in little memory however many there are.
///
/// Going through them opens a connection of its own, which is closed at the end, or when nobody goes on. While one
/// batch is worked on, the next one is read.
public struct ObjectBatches<Object: StoredObject>: AsyncSequence, Sendable {
    /// What comes, one after the other.
    public typealias Element = [Object]
    /// What keeps it from going on.
    public typealias Failure = StoreError

    let open: ConnectionThreads.Opening
    let query: Query<Object>
    let size: Int
    private(set) var progress: (@Sendable (FetchProgress) -> Void)?

    /// Tells how far it is, after each batch. Only then the objects are counted beforehand.
    public func onProgress(_ body: @escaping @Sendable (FetchProgress) -> Void) -> Self {
        var batches = self
        batches.progress = body
        return batches
    }

    /// Begins from the start.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: BatchReading(self)) }

    /// Hands out the batches.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: BatchReading<Object>

        /// The next batch; nil: there are no more.
        ///
        /// - Throws: `cancelled` once the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(StoreError) -> [Object]? { try await reading.next(isolation: actor) }

        /// The next one; nil: there are no more.
        public mutating func next() async throws(StoreError) -> [Object]? {
            try await reading.next(isolation: nil)
        }
    }
}

extension Store {
    /// The objects of a query, in batches of a size.
    public func batches<Object>(_ query: Query<Object>, of size: Int = 1000) -> ObjectBatches<Object> {
        ObjectBatches(open: open, query: query, size: max(1, size))
    }
}

/// What an iterator holds: when it goes away, the reading ends.
final class BatchReading<Object: StoredObject>: Sendable {
    private let handover: BatchHandover<Object>

    init(_ batches: ObjectBatches<Object>) { handover = BatchHandover(batches) }

    deinit { handover.cancel() }

    func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> [Object]? {
        let handover = handover
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { handover.ask($0) }
        } onCancel: {
            handover.cancel()
        }
        return try outcome.get()
    }
}

/// The border between the thread that reads batches and the task that uses them: one batch waits in it at the most.
/// What changes is guarded by `monitor`.
private final class BatchHandover<Object: StoredObject>: @unchecked Sendable {
    typealias Outcome = Result<[Object]?, StoreError>

    private let batches: ObjectBatches<Object>
    private let monitor = Monitor()
    private let flag = CancelFlag()
    private var ready: [Object]?
    private var asking: CheckedContinuation<Outcome, Never>?
    private var end: StoreError??
    private var isStarted = false

    init(_ batches: ObjectBatches<Object>) { self.batches = batches }

    // MARK: The task's side

    func ask(_ continuation: CheckedContinuation<Outcome, Never>) {
        let (outcome, isFirst): (Outcome?, Bool) = monitor.withLock {
            let isFirst = !isStarted && !flag.isSet
            isStarted = true
            if flag.isSet, end == nil { return (.failure(.cancelled), false) }
            if let batch = ready {
                ready = nil
                monitor.wake()
                return (.success(batch), isFirst)
            }
            if let end { return (end.map { .failure($0) } ?? .success(nil), isFirst) }
            asking = continuation
            return (nil, isFirst)
        }
        if let outcome { continuation.resume(returning: outcome) }
        if isFirst { start() }
    }

    func cancel() {
        flag.set()
        let waiting = monitor.withLock {
            defer { asking = nil }
            monitor.wake()
            return asking
        }
        waiting?.resume(returning: .failure(.cancelled))
    }

    // MARK: The thread's side

    private func start() {
        do throws(Failure) {
            try WorkerThread.start("reads batches") { self.run() }
        } catch {
            finish(StoreError(error))
        }
    }

    private func run() {
        do throws(StoreError) {
            let connection = try batches.open()
            connection.listen(to: flag)
            try connection.reading { () throws(StoreError) in try read(connection) }
            finish(nil)
        } catch {
            finish(error)
        }
    }

    private func read(_ connection: any ReadConnection) throws(StoreError) {
        let view = ReadView(connection: connection)
        var progress = FetchProgress(completed: 0, total: batches.progress == nil ? 0 : try view.count(batches.query))
        var batch: [Object] = []
        batch.reserveCapacity(batches.size)
        try view.forEach(batches.query) { object throws(StoreError) in
            batch.append(object)
            guard batch.count == batches.size else { return }
            try hand(batch, &progress)
            batch = []
            batch.reserveCapacity(batches.size)
        }
        if !batch.isEmpty { try hand(batch, &progress) }
    }

    private func hand(_ batch: [Object], _ progress: inout FetchProgress) throws(StoreError) {
        let waiting: CheckedContinuation<Outcome, Never>? = monitor.withLock {
            while ready != nil, !flag.isSet { monitor.wait() }
            if let asking {
                self.asking = nil
                return asking
            }
            ready = batch
            return nil
        }
        // Who waited is answered here, or by nobody: a cancellation finds no one who waits any more.
        waiting?.resume(returning: flag.isSet ? .failure(.cancelled) : .success(batch))
        if flag.isSet { throw .cancelled }
        progress.completed += batch.count
        batches.progress?(progress)
    }

    private func finish(_ error: StoreError?) {
        let waiting = monitor.withLock {
            end = .some(error)
            defer { asking = nil }
            return asking
        }
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
}
