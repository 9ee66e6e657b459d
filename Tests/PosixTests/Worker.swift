import Glibc
import SluiceRecords
import Synchronization

/// A thread whose calls are interrupted by signals.
final class Worker: Sendable {
    private let state = Mutex<(thread: pthread_t?, result: Bool?)>((nil, nil))

    init(_ body: @escaping @Sendable () -> Bool) throws(Failure) {
        Worker.listen()
        try WorkerThread.start("is interrupted") { [self] in
            state.withLock { $0.thread = pthread_self() }
            let result = body()
            state.withLock { $0.result = result }
        }
    }

    /// Sends as many signals, as long as it works.
    func interrupt(_ times: Int) {
        for _ in 0..<times {
            state.withLock { state in
                if let thread = state.thread, state.result == nil { pthread_kill(thread, SIGUSR2) }
            }
            usleep(500)
        }
    }

    /// What came of it, once it has ended.
    var result: Bool {
        while true {
            if let result = state.withLock({ $0.result }) { return result }
            usleep(500)
        }
    }

    /// Without SA_RESTART: a call that is interrupted says so.
    private static func listen() {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        unsafe sigaction(SIGUSR2, &action, nil)
    }
}

/// A pipe of which both ends are open.
struct Pipe {
    let reader: CInt
    let writer: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        unsafe pipe(&ends)
        (reader, writer) = (ends[0], ends[1])
    }

    /// Bytes that wait to be read.
    var filled: Int {
        var count: CInt = 0
        _ = unsafe ioctl(reader, UInt(FIONREAD), &count)
        return Int(count)
    }
}
