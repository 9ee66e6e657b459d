import Testing

@testable import Sluice

/// Where a sequence of the program meets the thread that reads it.
struct HandoffTests {
    /// A call of `stop()` between the start of the task and the note of it cancels the task all the same.
    @Test(.timeLimit(.minutes(5)))
    func whatIsStoppedBeforeItsTaskIsNotedIsCancelled() async {
        let handoff = Handoff<Int>()
        handoff.stop()
        await withCheckedContinuation { continuation in
            handoff.start { _ in
                // Ends by cancellation only.
                try? await Task.sleep(for: .seconds(3600))
                continuation.resume()
            }
        }
        #expect(await !handoff.put(1))
    }
}
