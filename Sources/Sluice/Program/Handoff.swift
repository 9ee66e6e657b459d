import SluiceRecords

/// Where an asynchronous sequence of the program meets the thread that reads feeds: a few elements wait in between.
///
/// The sequence is suspended where the thread is behind; the thread waits where the sequence is.
///
/// `monitor` guards all mutable state.
final class Handoff<Element: Sendable>: @unchecked Sendable {
    private static var depth: Int { 2 }

    private let monitor = Monitor()
    private var elements: [Element] = []
    private var end: Result<Void, Failure>?
    private var isStopped = false
    /// The producer, where it waits for room; it is told whether more is wanted.
    private var waiting: CheckedContinuation<Bool, Never>?
    private var task: Task<Void, Never>?

    /// Begins to iterate. The caller must call ``stop()`` in the end.
    ///
    /// - Parameter produce: puts all elements; what it throws ends the feed.
    func start(_ produce: @escaping @Sendable (Handoff) async throws -> Void) {
        let task = Task.detached { [self] in
            do {
                try await produce(self)
                finish(.success(()))
            } catch let failure as Failure {
                finish(.failure(failure))
            } catch {
                finish(.failure(Failure(.io, "the program's feed broke off: \(error)")))
            }
        }
        // A call of `stop()` meanwhile had no task to cancel.
        let isStopped = monitor.withLock {
            self.task = task
            return self.isStopped
        }
        if isStopped { task.cancel() }
    }

    /// Puts an element, once there is room. Returns whether more is wanted.
    func put(_ element: Element) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = monitor.withLock {
                if isStopped { return false }
                elements.append(element)
                monitor.wake()
                if elements.count < Handoff.depth { return true }
                waiting = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func finish(_ result: Result<Void, Failure>) {
        monitor.withLock {
            end = result
            monitor.wake()
        }
    }

    /// The next element; nil after the last. Throws what the sequence has thrown, and `cancelled` when it has been
    /// stopped: a feed that is broken off must not look like one that has ended.
    func next() throws(Failure) -> Element? {
        let (element, continuation, result, isStopped) = monitor.withLock {
            while elements.isEmpty, end == nil, !self.isStopped { monitor.wait() }
            let element = elements.isEmpty || self.isStopped ? nil : elements.removeFirst()
            defer { waiting = nil }
            return (element, waiting, end, self.isStopped)
        }
        continuation?.resume(returning: true)
        if isStopped { throw Failure(.cancelled, "the program's feed was broken off") }
        if let element { return element }
        try result?.get()
        return nil
    }

    /// Ends it: the sequence is cancelled, and the thread gets nothing more.
    func stop() {
        let (continuation, task) = monitor.withLock {
            isStopped = true
            monitor.wake()
            defer { waiting = nil }
            return (waiting, self.task)
        }
        continuation?.resume(returning: false)
        task?.cancel()
    }
}
