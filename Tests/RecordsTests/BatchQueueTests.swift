import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SluiceRecords

@Suite struct BatchQueueTests {
    /// What was seen of the batches, which are told apart by a number in a fault.
    private final class Course: Sendable {
        struct State {
            var prepared: [Int] = []
            var isPreparing = false
            var overlaps = 0
        }

        let state = Mutex(State())

        var prepared: [Int] { state.withLock { $0.prepared } }

        func prepare(_ batch: RecordBatch, delay: UInt32) {
            state.withLock {
                if $0.isPreparing { $0.overlaps += 1 }
                $0.isPreparing = true
            }
            usleep(delay)
            state.withLock {
                $0.prepared.append(BatchQueueTests.number(of: batch))
                $0.isPreparing = false
            }
        }
    }

    private static func number(of batch: RecordBatch) -> Int { batch.faults.first?.row ?? -1 }

    private static func mark(_ batch: RecordBatch, _ number: Int) {
        batch.faults.append(Fault(entity: 0, row: number, member: "", reason: ""))
    }

    /// Whichever thread is behind, each batch is prepared once, one after the other in their order, before it is
    /// loaded; none is left to be prepared where the reader settles, and some come ready.
    @Test(arguments: SeededRandom.seeds(0..<30))
    func batchesArePreparedInOrder(seed: Int) throws {
        var random = SeededRandom(seed)
        let delays = (0..<3).map { _ in [0, 100, 1000][random.below(3)] as UInt32 }
        let (settling, coming) = (2 + random.below(9), 2 + random.below(9))
        let course = Course()
        let queue = BatchQueue<Int>(
            model: Model(entities: []), prepare: { course.prepare($0, delay: delays[0]) })
        var loaded: [Int] = []
        let unsettled = try queue.run(
            reader: { queue in
                var unsettled = 0
                for number in 0..<60 {
                    guard let batch = try? queue.nextEmpty() else { break }
                    usleep(delays[1])
                    Self.mark(batch, number)
                    guard number % settling == 0 else {
                        queue.hand(batch)
                        continue
                    }
                    queue.prepareAll()
                    if course.prepared.count != number { unsettled += 1 }
                    if number % coming == 0 { course.prepare(batch, delay: 0) }
                    queue.hand(batch, isReady: number % coming == 0)
                    queue.prepareAll()
                }
                return .success(unsettled)
            },
            loader: { batch in
                #expect(course.prepared.contains(Self.number(of: batch)))
                loaded.append(Self.number(of: batch))
                usleep(delays[2])
            })
        #expect(unsettled == 0)
        #expect(loaded == Array(0..<60) && course.prepared == loaded)
        #expect(course.state.withLock { $0.overlaps } == 0)
    }

    /// A loader that fails ends the reader, wherever that is.
    @Test(arguments: SeededRandom.seeds(0..<20))
    func aFailureEndsTheReader(seed: Int) throws {
        var random = SeededRandom(seed)
        let (last, delay) = (random.below(6), [0, 200][random.below(2)] as UInt32)
        let course = Course()
        let queue = BatchQueue<Void>(
            model: Model(entities: []), prepare: { course.prepare($0, delay: delay) })
        let hasEnded = Mutex(false)
        var loaded: [Int] = []
        #expect(throws: Failure.self) {
            try queue.run(
                reader: { queue in
                    defer { hasEnded.withLock { $0 = true } }
                    for number in 0... {
                        guard let batch = try? queue.nextEmpty() else { break }
                        Self.mark(batch, number)
                        queue.hand(batch)
                        if number % 3 == 0 { queue.prepareAll() }
                    }
                    return .success(())
                },
                loader: { batch throws(Failure) in
                    loaded.append(Self.number(of: batch))
                    if loaded.count > last { throw Failure(.io, "the disk is full") }
                })
        }
        #expect(hasEnded.withLock { $0 })
        #expect(loaded == Array(0...last))
    }

    /// A run that is cancelled does not wait for a reader that is stuck, and can tell that it goes on.
    @Test func aReaderThatIsStuckIsLeftBehind() throws {
        let queue = BatchQueue<Void>(model: Model(entities: []))
        let isFree = Monitor()
        let wanted = Mutex(false)
        let failure = #expect(throws: Failure.self) {
            try queue.run(
                reader: { _ in
                    while !wanted.withLock({ $0 }) { isFree.withLock { isFree.wait(until: Monitor.now + 0.01) } }
                    return .success(())
                },
                loader: { _ throws(Failure) in },
                checkCancelled: { () throws(Failure) in throw Failure(.cancelled, "enough") })
        }
        #expect(failure?.kind == .cancelled && !queue.hasEnded)
        wanted.withLock { $0 = true }
        while !queue.hasEnded { usleep(1000) }
    }

    /// Batches are made ready in their order: by the reader where they are, by the loader once it has taken them.
    @Test func oneBatchAtATimeIsMadeReady() {
        var filled = FilledBatches(comeReady: false)
        let batches = (0..<3).map { number in
            let batch = RecordBatch(model: Model(entities: []))
            Self.mark(batch, number)
            return batch
        }
        #expect(filled.areReady && filled.beginFirst() == nil)
        for batch in batches { filled.append(batch, isReady: false) }
        #expect(filled.beginFirst() === batches[0])
        // The reader is at the first one: the loader has to wait, and nobody begins another one.
        if case .none = filled.take() {} else { Issue.record("the loader has taken what is being made ready") }
        #expect(filled.beginFirst() == nil)
        filled.endFirst()
        if case .ready(let batch) = filled.take() { #expect(batch === batches[0]) } else { Issue.record() }
        if case .unready(let batch) = filled.take() { #expect(batch === batches[1]) } else { Issue.record() }
        #expect(filled.beginFirst() == nil && !filled.areReady)
        filled.endTaken()
        #expect(filled.beginFirst() === batches[2] && !filled.areReady)
        filled.endFirst()
        #expect(filled.areReady && !filled.isEmpty)
        if case .ready(let batch) = filled.take() { #expect(batch === batches[2]) } else { Issue.record() }
        #expect(filled.isEmpty)
    }
}
