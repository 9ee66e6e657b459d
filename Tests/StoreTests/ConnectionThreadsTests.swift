import Foundation
import SluiceRecords
import Testing

@testable import SluiceStore

/// Threads that a system does not give.
@Suite("Connections on threads")
struct ConnectionThreadsTests {
    /// Fails to start threads, once so many are asked for at the same time.
    private final class Shortage: @unchecked Sendable {
        // Unchecked: all is used under the condition's lock.
        private let condition = NSCondition()
        private let together: Int
        private var asked = 0

        init(_ together: Int) { self.together = together }

        func start(_ body: @Sendable () -> Void) throws(Failure) {
            condition.lock()
            asked += 1
            condition.broadcast()
            while asked < together { condition.wait() }
            condition.unlock()
            throw Failure(.io, "there is no thread to be had")
        }
    }

    /// Each task has a thread of its own, which it may block.
    private final class ThreadForEach: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let (job, executor) = unsafe (UnownedJob(job), asUnownedTaskExecutor())
            Thread.detachNewThread { unsafe job.runSynchronously(on: executor) }
        }
    }

    @Test("Who waits for threads that cannot be started is told so", arguments: [1, 2, 4])
    func shortage(together: Int) async throws {
        let shortage = Shortage(together)
        let target = StoreConnection.Target(path: "/nowhere/s.sqlite", seeds: [], isWriting: false, objects: [])
        let threads = ConnectionThreads(
            { () throws(StoreError) in try StoreConnection(target) }, most: 4,
            start: { body throws(Failure) in try shortage.start(body) })
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<together {
                group.addTask(executorPreference: ThreadForEach()) {
                    do throws(StoreError) {
                        try await threads.perform { _ throws(StoreError) in }
                        return ""
                    } catch {
                        return error.message
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == together && outcomes.allSatisfy { $0.contains("no thread to be had") }, "\(outcomes)")
    }

    @Test("Two spellings of a letter are two values, and two statements")
    func spellings() async throws {
        #expect(SQLValue.text("é") != .text("e\u{301}"))
        #expect(Set([SQLValue.text("é"), .text("e\u{301}"), .text("é"), .integer(1), .real(1)]).count == 4)
        let scene = try await StoreScene()
        let store = try scene.open()
        #expect(try await store.decode(String.self, "SELECT 'é'").first?.utf8.count == 2)
        #expect(try await store.decode(String.self, "SELECT 'e\u{301}'").first?.utf8.count == 3)
    }
}
