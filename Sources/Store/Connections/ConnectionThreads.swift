import SluiceRecords

/// Connections to a store, each on a thread of its own, at most so many at a time. They are opened when they are
/// needed, and closed when the store goes away.
///
/// What changes is guarded by `monitor`.
final class ConnectionThreads: @unchecked Sendable {
    /// Opens a connection.
    typealias Opening = @Sendable () throws(StoreError) -> any ReadConnection

    let open: Opening
    private let most: Int
    private let startThread: @Sendable (@escaping @Sendable () -> Void) throws(Failure) -> Void
    private let monitor = Monitor()
    private var jobs: [any ConnectionJob] = []
    private var threads = 0
    private var idle = 0
    private var isClosed = false

    /// - Parameter start: starts a thread.
    init(
        _ open: @escaping Opening, most: Int,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) throws(Failure) -> Void = { body throws(Failure) in
            try WorkerThread.start("uses the store", body)
        }
    ) {
        self.open = open
        self.most = most
        startThread = start
    }

    /// Lets the threads end, when they have done what they have.
    func close() {
        monitor.withLock {
            isClosed = true
            monitor.wake()
        }
    }

    /// Does something on one of the connections.
    ///
    /// - Throws: `cancelled` once the task is cancelled; what the body throws.
    func perform<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadConnection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let job = BodyJob(body)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                job.begin(continuation)
                submit(job)
            }
        } onCancel: {
            cancel(job)
        }
        return try result.get()
    }

    private func submit(_ job: any ConnectionJob) {
        let needsThread = monitor.withLock {
            jobs.append(job)
            guard idle < jobs.count, threads < most else {
                monitor.wake()
                return false
            }
            threads += 1
            return true
        }
        if needsThread { addThread() }
        // Who was cancelled before it was here has been told to nobody.
        if job.flag.isSet { cancel(job) }
    }

    /// Adds a thread. Where there is none to be had, another one may still take the jobs; if there is no other one, or
    /// only such as were not to be had either, nobody takes any that wait.
    private func addThread() {
        do throws(Failure) {
            try startThread { self.work() }
        } catch {
            let stranded = monitor.withLock { () -> [any ConnectionJob] in
                threads -= 1
                guard threads == 0 else { return [] }
                defer { jobs = [] }
                return jobs
            }
            for job in stranded { job.fail(StoreError(error)) }
        }
    }

    /// Ends a job that is done, and one that waits at once.
    private func cancel(_ job: any ConnectionJob) {
        job.flag.set()
        if remove(job) { job.fail(.cancelled) }
    }

    /// Takes a job away that nobody has begun.
    private func remove(_ job: any ConnectionJob) -> Bool {
        monitor.withLock {
            guard let index = jobs.firstIndex(where: { $0 === job }) else { return false }
            jobs.remove(at: index)
            return true
        }
    }

    // MARK: On a thread

    private func work() {
        var connection: (any ReadConnection)?
        while let job = next() {
            do throws(StoreError) {
                if connection?.isOutdated ?? true {
                    connection = nil
                    connection = try open()
                }
            } catch {
                job.fail(error)
                continue
            }
            guard let connection else { continue }
            connection.listen(to: job.flag)
            job.run(connection)
            connection.listen(to: nil)
        }
    }

    private func next() -> (any ConnectionJob)? {
        monitor.withLock {
            idle += 1
            while jobs.isEmpty, !isClosed { monitor.wait() }
            idle -= 1
            if !jobs.isEmpty { return jobs.removeFirst() }
            threads -= 1
            return nil
        }
    }
}

/// Something to be done on a connection.
protocol ConnectionJob: AnyObject, Sendable {
    var flag: CancelFlag { get }
    func run(_ connection: any ReadConnection)
    func fail(_ error: StoreError)
}

/// A closure that is to be run, and who waits for what it gives. The task sets the continuation before it hands the
/// job over; one thread takes the job from the queue, and resumes the task.
private final class BodyJob<Value: Sendable>: ConnectionJob, @unchecked Sendable {
    typealias Outcome = Result<Value, StoreError>

    let flag = CancelFlag()
    private let body: @Sendable (any ReadConnection) throws(StoreError) -> Value
    private var continuation: CheckedContinuation<Outcome, Never>?

    init(_ body: @escaping @Sendable (any ReadConnection) throws(StoreError) -> Value) { self.body = body }

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = continuation }

    func run(_ connection: any ReadConnection) {
        if flag.isSet { return fail(.cancelled) }
        let outcome: Outcome
        do throws(StoreError) {
            outcome = .success(try body(connection))
        } catch {
            outcome = .failure(error)
        }
        continuation?.resume(returning: outcome)
    }

    func fail(_ error: StoreError) { continuation?.resume(returning: .failure(error)) }
}
