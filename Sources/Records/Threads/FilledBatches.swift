/// The batches that wait for the loader, in their order, and which of them are ready for it. Its owner has a lock.
///
/// One batch at a time is made ready: by the reader while it waits here, or by the loader, who has taken it out.
struct FilledBatches {
    enum Next {
        /// There is none, or the first one is being made ready.
        case none
        case ready(RecordBatch)
        /// Who takes it makes it ready, and says so: `endTaken`.
        case unready(RecordBatch)
    }

    private var batches: [RecordBatch] = []
    /// How many of the first ones are ready.
    private var readyCount = 0
    /// Whether one is being made ready.
    private var isAtWork = false
    private let comeReady: Bool

    /// - Parameter comeReady: whether nothing is to be done to any batch.
    init(comeReady: Bool) { self.comeReady = comeReady }

    var isEmpty: Bool { batches.isEmpty }
    /// Whether all are ready, also what was taken last.
    var areReady: Bool { readyCount == batches.count && !isAtWork }

    mutating func append(_ batch: RecordBatch, isReady: Bool) {
        batches.append(batch)
        if isReady || comeReady { readyCount += 1 }
    }

    // MARK: The loader

    mutating func take() -> Next {
        if readyCount > 0 {
            readyCount -= 1
            return .ready(batches.removeFirst())
        }
        if batches.isEmpty || isAtWork { return .none }
        isAtWork = true
        return .unready(batches.removeFirst())
    }

    mutating func endTaken() { isAtWork = false }

    // MARK: The reader

    /// The first batch that is not ready, to be made so where it is; nil: there is none, or the loader is at one
    /// before.
    mutating func beginFirst() -> RecordBatch? {
        if isAtWork || readyCount == batches.count { return nil }
        isAtWork = true
        return batches[readyCount]
    }

    mutating func endFirst() {
        isAtWork = false
        readyCount += 1
    }
}
