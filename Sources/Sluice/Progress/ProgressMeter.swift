import SluiceFetch
import Synchronization

/// Where a run is: written by the run, and read at any time by the threads that show it.
package final class ProgressMeter: Sendable {
    package typealias Phase = RunProgress.Phase

    /// By its place among all phases.
    private let phaseNumber = Atomic(0)
    private let bytesDone = Atomic(0)
    private let bytesBefore = Atomic(0)
    private let bytesTotal = Atomic(0)
    private let recordCount = Atomic(0)
    private let findingCount = Atomic(0)
    private let wireWait = Mutex<WireWait?>(nil)
    private let phaseWatcher = Mutex<@Sendable () -> Void>({})

    /// Of a run that has not begun.
    package init() {}

    /// A moment of a run.
    package struct Reading: Sendable, Hashable {
        /// What the run is at.
        package var phase: Phase
        /// Of the feeds as they are stored, compressed ones too.
        package var bytes: Int
        /// Of all feeds; 0: not known, as one of them is a pipe.
        package var totalBytes: Int
        /// Records so far.
        package var records: Int
        /// Findings so far.
        package var findings: Int
        /// What a request to a service waits for.
        package var wait: WireWait?
    }

    /// How far the run is now.
    package var reading: Reading {
        Reading(
            phase: Phase.allCases[phaseNumber.load(ordering: .relaxed)],
            bytes: bytesDone.load(ordering: .relaxed), totalBytes: bytesTotal.load(ordering: .relaxed),
            records: recordCount.load(ordering: .relaxed), findings: findingCount.load(ordering: .relaxed),
            wait: wireWait.withLock { $0 })
    }

    // MARK: The run's side

    func enter(_ phase: Phase) {
        let number = Phase.allCases.firstIndex(of: phase) ?? 0
        if phaseNumber.exchange(number, ordering: .relaxed) != number { phaseWatcher.withLock { $0 }() }
    }

    /// Has a function called, by the run, with each new phase.
    func watchPhases(_ body: @escaping @Sendable () -> Void) { phaseWatcher.withLock { $0 = body } }

    /// Notes what a request to a service waits for; nil: for nothing.
    func update(wait: WireWait?) { wireWait.withLock { $0 = wait } }

    func expect(bytes: Int) { bytesTotal.store(bytes, ordering: .relaxed) }

    /// Notes how far the file that is read now has been read.
    func update(position: Int) {
        bytesDone.store(bytesBefore.load(ordering: .relaxed) + position, ordering: .relaxed)
    }

    /// Notes that a file has been read, and the next one comes.
    func endFile() { bytesBefore.store(bytesDone.load(ordering: .relaxed), ordering: .relaxed) }

    func update(records: Int, findings: Int) {
        recordCount.wrappingAdd(records, ordering: .relaxed)
        findingCount.store(findings, ordering: .relaxed)
    }
}
