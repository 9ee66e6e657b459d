import Glibc
import SluiceDefinition
import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// The output of a command, which is started when the first byte is wanted. The end of the output is the end of the
/// feed only if the command exits with success.
///
/// One thread reads; others only call ``stopWaiting(patience:)``, whose number is guarded by a mutex.
@safe
final class CommandBytes: ByteSource, @unchecked Sendable {
    private let command: CommandSource
    private let checkCancelled: () throws(Failure) -> Void
    private var complaints: CommandComplaints
    private var output: CInt = -1
    private var errors: CInt = -1
    private var process: StartedProcess?
    /// Whether it has ended well.
    private var isDone = false
    /// How it has ended, if not well.
    private var fault: Failure?
    /// Since when it prints nothing.
    private var heard = 0.0
    private(set) var consumed = 0
    /// How many seconds it may be silent for a run that has failed; nil: the run goes on.
    private let patience = Mutex<Double?>(nil)

    /// Milliseconds from one look at a silent command to the next.
    private static let pause: CInt = 100
    /// Milliseconds from one look at a command that prints no more to the next.
    private static let shortPause: CInt = 5
    /// Where the output is no feed: the seconds in which the command may end, and the bytes that it may still print.
    private static let lastPatience = 0.5
    private static let lastBytes = 1 << 20

    /// - Parameters:
    ///   - report: is given each line that the command says on standard error.
    ///   - checkCancelled: called now and then while the command is silent; what it throws ends the reading.
    init(
        _ command: CommandSource, report: @escaping (String) -> Void = { _ in },
        checkCancelled: @escaping () throws(Failure) -> Void = { () throws(Failure) in }
    ) {
        self.command = command
        self.checkCancelled = checkCancelled
        complaints = CommandComplaints { report("\(command.arguments[0]): \($0)") }
    }

    deinit {
        process?.end()
        close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        if isDone { return 0 }
        if process == nil { try start() }
        heard = Monitor.now
        while output >= 0 {
            try awaitBytes(CommandBytes.pause)
            let count = unsafe Glibc.read(output, buffer.baseAddress, buffer.count)
            if count < 0, [EAGAIN, EINTR].contains(errno) { continue }
            guard count >= 0 else { throw failure(.io, "cannot be read: \(Failure.reason(errno: errno))") }
            consumed += count
            if count > 0 { return count }
            Glibc.close(output)
            output = -1
        }
        try awaitEnd()
        return 0
    }

    /// Reads the rest of the output, and checks how the command has ended.
    func finish() throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isDone {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe read(into: bytes) }
            }
            _ = try outcome.get()
        }
    }

    /// The failure of the command, where its output is no feed because it has failed: it must be about to end.
    func explanation() -> Failure? {
        guard process != nil else { return fault }
        stopWaiting(patience: CommandBytes.lastPatience)
        let end = consumed + CommandBytes.lastBytes
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isDone, consumed < end {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe read(into: bytes) }
            }
            if case .failure = outcome { return fault }
        }
        return nil
    }

    /// Notes that the run has failed: a silent command is no longer waited for. May be called from any thread.
    ///
    /// - Parameter patience: for how many seconds it still is.
    func stopWaiting(patience: Double) { self.patience.withLock { $0 = patience } }

    // MARK: The program

    private func start() throws(Failure) {
        guard let printed = openPipe() else { throw unstarted(.io, errno) }
        output = printed.reading
        defer { Glibc.close(printed.writing) }
        guard let said = openPipe() else { throw unstarted(.io, errno) }
        errors = said.reading
        defer { Glibc.close(said.writing) }
        var started = StartedProcess()
        let code = ChildProcess(
            command.arguments, folder: command.folder, output: printed.writing, errors: said.writing
        ).start(&started)
        guard code == 0 else { throw unstarted(code == ENOENT ? .missing : .refused, code) }
        process = started
        for end in [output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    /// Waits until there is something to read, for at most so many milliseconds, and takes the lines that the command
    /// writes to standard error.
    private func awaitBytes(_ pause: CInt) throws(Failure) {
        // A descriptor that is closed, and negative, is passed over.
        var questions = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let ready = unsafe poll(&questions, 2, pause)
        if ready > 0, questions[1].revents != 0 { readComplaints() }
        if ready > 0, questions[0].revents != 0 { return }
        try checkCancelled()
        let silence = Monitor.now - heard
        if let patience = patience.withLock({ $0 }), silence >= patience {
            end()
            throw Failure(.cancelled, "nobody waits for \(command.name) any more")
        }
        guard silence <= command.timeout else {
            end()
            throw failure(.unavailable, "printed nothing for \(command.timeout) seconds, and was ended")
        }
    }

    private func readComplaints() {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while errors >= 0 {
            let count = unsafe Glibc.read(errors, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count > 0 { complaints.append(buffer[..<count]) }
            if count == 0 || count < 0 && errno != EAGAIN {
                Glibc.close(errors)
                errors = -1
            }
            if count < buffer.count { return }
        }
    }

    /// Waits for the end of a command that prints no more. Throws where it does not exit with success.
    private func awaitEnd() throws(Failure) {
        heard = Monitor.now
        while let process {
            if let ending = process.ending() {
                self.process = nil
                readComplaints()
                complaints.end()
                close()
                guard ending == .status(0) else {
                    let failure = failure(.unavailable, ending.words + complaints.last)
                    fault = failure
                    throw failure
                }
                break
            }
            try awaitBytes(CommandBytes.shortPause)
        }
        isDone = true
    }

    private func end() {
        process?.end()
        process = nil
        readComplaints()
        complaints.end()
        close()
    }

    private func close() {
        for end in [output, errors] where end >= 0 { Glibc.close(end) }
        (output, errors) = (-1, -1)
    }

    private func unstarted(_ kind: Failure.Kind, _ code: CInt) -> Failure {
        // A program that is looked for in the folders of PATH is said as a shell says it.
        if code == ENOENT, !command.arguments[0].contains("/") {
            return failure(kind, "does not exist in PATH: install its package, or name the program with its folder")
        }
        return failure(kind, "cannot be started: \(Failure.reason(errno: code))")
    }

    private func failure(_ kind: Failure.Kind, _ sentence: String) -> Failure {
        Failure(kind, "the command \(command.arguments[0]) \(sentence)")
    }
}
